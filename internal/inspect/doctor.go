package inspect

import (
	"context"
	"errors"
	"fmt"
	"github.com/hebb-memory/hebb/internal/project"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/views"
	"github.com/hebb-memory/hebb/internal/wiring"
)

// Level is the severity of a finding.
type Level string

const (
	Fine Level = "ok"
	Warn Level = "warn"
	Fail Level = "fail"
)

// Finding is the result of one check.
type Finding struct {
	Name   string `json:"name"`
	Level  Level  `json:"level"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // what a person can do
}

// DoctorInput chooses the checks.
type DoctorInput struct {
	Fix     bool `flag:"fix" about:"first import what was written by hand into files for people, and write the missing ones"`
	Clear   bool `flag:"clear" about:"first reset the last hook error and the counts of lost events and late answers"`
	Machine wiring.Machine
	Dir     string // working directory
	Program string // the hebb that hooks should call
	Version string // of this hebb
}

// Doctor checks everything hebb depends on. It opens the store itself: a store that does not open
// is a finding, and the other checks still run. Without Fix and Clear it writes nothing.
func Doctor(ctx context.Context, c config.Config, now func() time.Time, configErr error, in DoctorInput) []Finding {
	d := &Examination{Config: c, Now: now()}
	d.add("hebb", Fine, in.Version+", hooks call "+in.Program, "")
	if err := wiring.CopyIn(c.Dir).Unfollowed(ctx); err != nil {
		d.add("program", Warn, "what agents call is not renewed: "+err.Error(), "run hebb init with the hebb that agents should call")
	}
	d.settings(configErr)
	d.folder()
	d.git(ctx)
	d.hooks(ctx, in)
	box := spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool}
	if in.Clear {
		if err := box.Acknowledge(); err != nil {
			d.add("spool", Warn, err.Error(), "")
		}
	}
	d.spoolState(box.State(), box.Aside())
	d.said(box)
	d.background()
	d.backups(ctx)
	if _, err := os.Stat(c.Database()); errors.Is(err, fs.ErrNotExist) {
		d.add("store", Warn, "no memory yet", "run hebb init in a project")
		return d.Findings
	}
	if in.Fix {
		if err := d.fix(ctx, now); err != nil {
			d.unopened(err)
			return d.Findings
		}
	}
	before := len(d.Findings)
	b, written, err := brain.OpenToExamine(ctx, c, now)
	if err == nil {
		d.memory(ctx, b, in)
		err = b.Close()
	}
	if written() { // by another process: what was read may be a mixture
		d.Findings = d.Findings[:before]
		if b, err = brain.OpenReadOnly(ctx, c, now); err == nil {
			d.memory(ctx, b, in)
			err = b.Close()
		}
	}
	if err != nil {
		d.unopened(err)
	}
	return d.Findings
}

// doubles reports projects that look like one under two names.
func (d *Examination) doubles(found []brain.Double, err error) {
	if err != nil {
		d.add("projects", Fail, err.Error(), "")
	}
	for i, one := range found {
		if i == doublesShown {
			d.add("projects", Warn, prose.Count(len(found)-i, "more pair of projects looks", "more pairs of projects look")+" like one", "hebb projects lists them")
			return
		}
		line, fix, _ := strings.Cut(one.Line(), ": ")
		d.add("projects", Warn, line, fix)
	}
}

const doublesShown = 3

// past reports records of past sessions that could not be stored lately.
func (d *Examination) past(ctx context.Context, s *store.Store) {
	const lately = 30 * 24 * time.Hour
	aside, err := brain.View(ctx, s, func(tx *store.Tx) (learn.Aside, error) { return learn.SetAside.Get(ctx, tx) })
	if err != nil {
		d.add("past sessions", Fail, err.Error(), "")
	} else if aside.Count > 0 && d.Now.Sub(aside.At) < lately {
		d.add("past sessions", Warn, prose.Count(aside.Count, "record was", "records were")+" set aside on "+aside.At.UTC().Format(time.DateOnly)+", the last: "+aside.Last,
			"all others were learned; please report this line")
	}
}

// unopened reports a store that cannot be read.
func (d *Examination) unopened(err error) {
	if errors.Is(err, store.ErrBehind) {
		d.add("store", Warn, err.Error(), "")
		return
	}
	fix := ""
	if errors.Is(err, memory.ErrDamaged) || errors.Is(err, memory.ErrInvalid) {
		fix = "hebb backup restore brings a backup back"
	}
	d.add("store", Fail, err.Error(), fix)
}

// memory looks into the open store.
func (d *Examination) memory(ctx context.Context, b *brain.Brain, in DoctorInput) {
	d.store(ctx, b.Store)
	if !b.Opened() {
		return // busy
	}
	d.log(ctx, b.Store)
	d.emptied(ctx, b.Store)
	d.daily(ctx, b.Store)
	d.jobs(ctx, b.Store)
	d.past(ctx, b.Store)
	d.doubles(b.Doubles(ctx))
	d.files(views.Compare(ctx, b))
	if place, err := brain.PlaceAt(b.Config, in.Dir); err == nil {
		d.History(ctx, b.Store, place)
	}
	d.integrity(ctx, b.Store)
}

// fix brings the files for people in step with the store.
func (d *Examination) fix(ctx context.Context, now func() time.Time) error {
	b, err := brain.Open(ctx, d.Config, now)
	if err != nil {
		return err
	}
	done := views.Maintain(ctx, b, nil)
	views, err := views.RefreshViews(ctx, b, nil)
	problem := strings.Join(append(done.Warnings, views.Warnings...), "; ")
	if err != nil {
		problem = err.Error()
	}
	fine := "imported edits of " + prose.Count(views.Edits+done.Edits, "file", "files") + ", wrote " + prose.Count(views.Rebuilt+done.Rebuilt, "missing one", "missing ones")
	d.judge("fixed", fine, problem, Warn, "fix or remove the named file; hebb writes it again")
	return b.Close()
}

// files compares the files for people with what was written into them.
func (d *Examination) files(found views.ViewsReport, err error) {
	problems := found.Warnings
	if err != nil {
		problems = append(problems, err.Error())
	}
	if found.Rebuilt > 0 {
		problems = append(problems, fmt.Sprintf("%d missing in %s", found.Rebuilt, d.Config.Vault()))
	}
	fine := "all there in " + d.Config.Vault()
	if found.Edits > 0 { // that is what they are for
		fine += fmt.Sprintf(", %d changed by hand and not imported yet", found.Edits)
	}
	d.judge("files", fine, strings.Join(problems, "; "), Warn, "hebb doctor --fix imports what was written by hand and writes the files again")
}

// Examination collects findings.
type Examination struct {
	Config   config.Config
	Now      time.Time
	Findings []Finding
	whole    int // backups that can be restored
}

func (d *Examination) add(name string, level Level, detail, fix string) {
	d.Findings = append(d.Findings, Finding{Name: name, Level: level, Detail: scrub.Line(detail), Fix: fix})
}

// judge adds a finding that is fine unless problem says otherwise.
func (d *Examination) judge(name, fine, problem string, level Level, fix string) {
	if problem != "" {
		d.add(name, level, problem, fix)
		return
	}
	d.add(name, Fine, fine, "")
}

func (d *Examination) settings(err error) {
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	changed := 0
	for _, e := range d.Config.Tuning.Table() {
		if e.Changed() {
			changed++
		}
	}
	d.judge("settings", fmt.Sprintf("settings changed from their default: %d", changed), problem, Fail, "correct "+d.Config.File())
	for _, what := range d.Config.Removed {
		d.add("settings", Warn, what, "correct "+d.Config.File())
	}
}

// folder looks for anything another user of the machine could read.
func (d *Examination) folder() {
	if runtime.GOOS == "windows" {
		return // access lists of the home folder restrict it
	}
	dir, err := filepath.EvalSymlinks(d.Config.Dir) // a link has no permissions of its own
	if others := ofOthers(dir, os.Getuid()); err == nil && len(others) > 0 {
		d.add("owner", Fail, "hebb cannot write what belongs to another user: "+strings.Join(others[:min(len(others), 3)], ", "),
			fmt.Sprintf("make it yours: sudo chown -R %d %s", os.Getuid(), dir))
	}
	var open []string
	if err == nil {
		open, err = readableByOthers(dir)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		d.add("permissions", Fail, err.Error(), "make the folder readable for you alone: chmod -R u+rwX,go-rwx "+dir)
	default:
		problem := ""
		if len(open) > 0 {
			problem = "other users of this machine can read " + strings.Join(open[:min(len(open), 3)], ", ")
		}
		d.judge("permissions", d.Config.Dir+" is private", problem, Fail, "chmod -R go-rwx "+dir)
	}
}

// ofOthers lists what in a folder belongs to another user; root may write all of it. What cannot be read is left out.
func ofOthers(dir string, user int) (others []string) {
	if user == 0 {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error { // each error skips what cannot be read
		if err == nil || path == dir {
			if info, err := os.Lstat(path); err == nil {
				if owner, _, ok := filesys.Owner(info); ok && owner != user {
					others = append(others, fmt.Sprintf("%s (%d)", path, owner))
				}
			}
		}
		return nil
	})
	return others
}

// readableByOthers lists what others can reach in a folder: all of it, if the folder is not private
// itself, else only what links lead to.
func readableByOthers(dir string) (open []string, err error) {
	private := false
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Stat(path) // a link has no permissions of its own
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // a spool segment that was just drained, or a link to nothing
		case err != nil:
			return err
		case path == dir:
			private = info.Mode().Perm()&0o077 == 0
		case private && entry.IsDir():
			return fs.SkipDir
		case private && entry.Type()&fs.ModeSymlink == 0:
			return nil
		}
		if info.Mode().Perm()&0o077 != 0 {
			open = append(open, fmt.Sprintf("%s (%o)", path, info.Mode().Perm()))
		}
		return nil
	})
	return open, err
}

func (d *Examination) git(ctx context.Context) {
	version, err := git.Command(ctx, "", "", "--version").Output()
	if err != nil {
		d.add("git", Warn, "git does not run, so histories cannot be learned: "+err.Error(), "install git")
		return
	}
	d.add("git", Fine, string(version), "")
}

func (d *Examination) hooks(ctx context.Context, in DoctorInput) {
	for _, name := range agent.Known() {
		health, err := wiring.CheckHealth(ctx, in.Machine, name, in.Program)
		if err != nil {
			d.add(string(name), Warn, err.Error(), "")
			continue
		}
		if !health.Wiring.Found {
			d.add(string(name), Fine, "not installed here", "")
			continue
		}
		d.judge(string(name), "hooks are in "+health.Wiring.File, strings.Join(health.Problems(), "; "), Warn, "") // each names its fix
	}
}

// spoolState reports what waits in the spool, what was lost and what came late.
func (d *Examination) spoolState(s spool.State, aside map[string]int) {
	if s.Lost.Count > 0 {
		d.add("lost events", Warn, fmt.Sprintf("%s lost, the last one at %s: %s", prose.Count(s.Lost.Count, "event", "events"),
			s.Lost.At.Format(time.RFC3339), s.Lost.Reason), "remove the reason, then hebb doctor --clear")
	}
	if s.Late.Count > 0 {
		d.add("late answers", Warn, fmt.Sprintf("%s not ready in time, the last one at %s: %s", prose.Count(s.Late.Count, "answer", "answers"),
			s.Late.At.Format(time.RFC3339), s.Late.Reason), "raise hook.prompt_wait or hook.start_wait (hebb config show), then hebb doctor --clear")
	}
	crowded := ""
	if s.Waiting > d.Config.Tuning.Spool.Limit/2 {
		crowded = fmt.Sprintf("%d of %d bytes are waiting", s.Waiting, d.Config.Tuning.Spool.Limit)
	}
	d.judge("spool", prose.Count(s.Waiting, "byte waiting", "bytes waiting"), crowded, Warn, "hebb drain")
	for _, why := range slices.Sorted(maps.Keys(aside)) {
		d.add("spool", Warn, prose.Count(aside[why], "record was", "records were")+" set aside: "+why, "look at "+filepath.Join(d.Config.Spool(), "rejected")+" and delete it")
	}
	if s.Complaint != "" {
		d.add("last hook error", Warn, s.Complaint, "hebb doctor --clear once it is fixed")
	}
}

// said reports input that waits in the spool because the store was busy, and input that was
// rejected.
func (d *Examination) said(box spool.Spool) {
	if waiting := box.Waiting(); len(waiting) > 0 {
		d.add("said", Warn, prose.Count(len(waiting), "memory or note waits for the store", "memories and notes wait for the store"), "hebb drain")
	}
	rejected := box.Rejected()
	for i, id := range rejected {
		const few = 5
		if i == few {
			d.add("said", Warn, fmt.Sprintf("%d more could not be stored", len(rejected)-few), "look into "+filepath.Join(d.Config.Spool(), "said"))
			return
		}
		record, err := box.ReadRejected(id)
		reason := record.Reason
		if err != nil {
			reason = err.Error()
		}
		d.add("said", Warn, fmt.Sprintf("%s of %s could not be stored: %s: %.80q", record.Operation, record.At.Format(time.RFC3339), reason, record.Text),
			"repeat the command with the reason fixed, then delete "+filepath.Join(d.Config.Spool(), "said", string(id)+".rejected"))
	}
}

func (d *Examination) store(ctx context.Context, st *store.Store) {
	facts, err := st.Facts(ctx)
	if err != nil {
		d.add("store", Fail, err.Error(), "")
		return
	}
	schema := store.Migrations()
	d.add("store", Fine, fmt.Sprintf("%s %s, schema %d, %d bytes, %s", facts.Engine, facts.Version,
		schema[len(schema)-1].Version, facts.Bytes, facts.Location), "")
	if facts.Settings["journal_mode"] != "wal" {
		d.add("journal", Warn, fmt.Sprintf("%s journal on file system %s: safe, but slower and one writer at a time",
			facts.Settings["journal_mode"], facts.Settings["file_system"]), "set HEBB_HOME to a folder on a local disk")
	}
}

// log reports on clocks, on events that this program does not know, and on projects that are rebuilt.
func (d *Examination) log(ctx context.Context, st *store.Store) {
	var later, unknown int64
	var projects []memory.Project
	var marks map[memory.ProjectID]record.Mark
	ahead, err := brain.View(ctx, st, func(tx *store.Tx) (int64, error) {
		var err1, err2, err3, err4 error
		later, err1 = tx.CountAhead(ctx, clocksDiffer)
		unknown, err2 = tx.CountEvents(ctx, store.EventFilter{Kind: memory.Unknown})
		projects, err3 = tx.Projects(ctx)
		marks, err4 = record.Anew.ByProject(ctx, tx)
		n, err := tx.CountEvents(ctx, store.EventFilter{Since: d.Now.Add(clocksDiffer)}) // the clock is wrong now, or was wrong then
		return n, errors.Join(err, err1, err2, err3, err4)
	})
	if err != nil {
		d.add("log", Fail, err.Error(), "")
		return
	}
	problem := ""
	if ahead > 0 {
		problem = prose.Count(ahead, "event is", "events are") + " dated after now (" + d.Now.UTC().Format(time.RFC3339) + ")"
	}
	d.judge("clock", d.Now.UTC().Format(time.RFC3339), problem, Warn, "check the clock; hebb sessions events --all --since now lists them")
	if later > 0 {
		d.add("clock", Warn, prose.Count(later, "event came", "events came")+" from a clock ahead of this one, and counts from when it arrived", "check the clocks of the machines whose events come here")
	}
	if unknown > 0 {
		d.add("log", Warn, prose.Count(unknown, "event is", "events are")+" of a later hebb: kept, exported and not learned from", "upgrade hebb")
	}
	for _, p := range projects {
		mark, marked := marks[p.ID]
		switch {
		case !marked:
		case mark.Problem != "":
			d.add("rebuild", Warn, fmt.Sprintf("%s could not be rebuilt at %s: %s; the old figures serve, and it is tried again after %s", p.Name, mark.Failed.Format(time.RFC3339), mark.Problem,
				mark.Failed.Add(record.RebuildRests).Format(time.RFC3339)), "hebb doctor --rebuild tries now")
		case mark.Events == 0:
			d.add("rebuild", Fine, p.Name+" waits to be rebuilt from its log since "+mark.Since.Format(time.RFC3339), "")
		default:
			d.add("rebuild", Fine, fmt.Sprintf("%s is rebuilt from its log: %d of %d events", p.Name, mark.Done, mark.Events), "")
		}
	}
}

// clocksDiffer is how far clocks that are right may be apart.
const clocksDiffer = time.Minute

// backups verifies every backup, without opening the store.
func (d *Examination) backups(ctx context.Context) {
	all, err := transfer.Backups(ctx, d.Config)
	if err != nil {
		d.add("backups", Warn, err.Error(), "")
		return
	}
	var whole []transfer.BackupResult
	for _, b := range all {
		if b.Problem == "" {
			whole = append(whole, b)
			continue
		}
		d.add("backups", Warn, fmt.Sprintf("%s (%d bytes) cannot be restored: %s", b.File, b.Bytes, b.Problem), "delete it, or let hebb delete it when it makes newer ones")
	}
	switch {
	case len(whole) > 0:
		d.add("backups", Fine, fmt.Sprintf("%d whole, the newest %s old: %s", len(whole), Age(d.Now.Sub(whole[0].At)), whole[0].File), "")
	case len(all) > 0:
		d.add("backups", Warn, "no whole backup", "hebb backup makes one")
	default:
		d.add("backups", Fine, "none yet (hebb backup makes one)", "")
	}
	if n := slices.IndexFunc(whole, func(b transfer.BackupResult) bool { return !b.At.After(d.Now) }); n > 0 || n < 0 && len(whole) > 0 {
		d.add("backups", Warn, fmt.Sprintf("%s is dated after now (%s)", whole[0].File, d.Now.UTC().Format(time.RFC3339)), "check the clock; it takes the place of no other backup")
	}
	d.whole = len(whole)
}

// Age is a duration in one unit.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", max(0, d/time.Minute))
	case d < 2*day:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/day)
}

// emptied reports an empty store with backups: it may have been deleted.
func (d *Examination) emptied(ctx context.Context, st *store.Store) {
	events, err := brain.View(ctx, st, func(tx *store.Tx) (int64, error) { return tx.CountEvents(ctx, store.EventFilter{}) })
	if err == nil && events == 0 && d.whole > 0 {
		d.add("backups", Warn, "the store is empty, but "+prose.Count(d.whole, "backup is", "backups are")+" there: was it deleted?", "hebb backup restore lists them and brings one back")
	}
}

// daily reports on automatic backups.
func (d *Examination) daily(ctx context.Context, st *store.Store) {
	if d.Config.Tuning.Store.BackupBytes == 0 {
		d.add("daily backup", Fine, "off (tuning store.backup_size)", "")
		return
	}
	var tried int64
	problem, err := brain.View(ctx, st, func(tx *store.Tx) (_ string, err error) {
		if tried, err = transfer.DailyTried.Get(ctx, tx); err != nil {
			return "", err
		}
		return transfer.DailyProblem.Get(ctx, tx)
	})
	if err != nil {
		problem = err.Error()
	}
	when := "not yet; it is made after work, in the background"
	if tried > 0 {
		when = "made " + time.UnixMilli(tried).UTC().Format(time.RFC3339)
		if problem != "" {
			problem = "failed at " + time.UnixMilli(tried).UTC().Format(time.RFC3339) + ": " + problem
		}
	}
	d.judge("daily backup", when, problem, Warn, "hebb backup makes one now; the next is tried within the day")
}

// integrity has the database check itself, and compares each event with its hash and each figure with what it counts.
func (d *Examination) integrity(ctx context.Context, st *store.Store) {
	damage, err := st.CheckEngine(ctx)
	if err != nil {
		d.add("integrity", Fail, err.Error(), "")
		return
	}
	var rows int64
	found, err := brain.View(ctx, st, func(tx *store.Tx) (found []store.Damage, err error) {
		rows, found, err = tx.CheckRows(ctx)
		return found, err
	})
	damage = slices.Concat(damage, found)
	if err != nil {
		damage = append(damage, store.Damage{Where: "rows", What: err.Error()})
	}
	for _, one := range damage[:min(len(damage), 20)] {
		d.add("integrity", Fail, one.Where+": "+one.What, "hebb backup restore brings a backup back and puts the damaged file aside")
	}
	if len(damage) == 0 {
		d.add("integrity", Fine, prose.Count(rows, "row matches its hash", "rows match their hashes"), "")
	}
}

// History reports how much of the history of the repository is learned, and problems with it.
func (d *Examination) History(ctx context.Context, st *store.Store, place memory.Place) {
	if project.IsFolder(place.Identity, place.Root) {
		return
	}
	repo, err := git.At(place)
	if err != nil {
		d.add("history", Warn, err.Error(), "")
		return
	}
	known, err := learn.LearnedOf(ctx, st, place.Project())
	if err != nil {
		d.add("history", Warn, err.Error(), "hebb init learns it again")
		return
	}
	tip, err := repo.Tip(ctx)
	left := 0
	if err == nil && !known.UpToDate(tip) {
		left, err = repo.Count(ctx, known.Since())
	}
	switch {
	case err != nil:
		d.add("history", Warn, err.Error(), "") // the error says what to do
	case tip == "":
		d.add("history", Fine, "no commits yet", "")
	case left == 0:
		d.add("history", Fine, "learned up to "+tip, "")
	case !d.Config.Learn.History.Always():
		d.add("history", Fine, learn.Grouped(left, "commit")+" not learned (learn.history in config.toml); hebb init learns them", "")
	default:
		d.add("history", Fine, learn.Grouped(left, "commit")+" to be learned in the background of the next session; hebb init learns them now", "")
	}
}

// JobFailure is a background job that failed when it last ran.
type JobFailure struct {
	Job    string    `json:"job"`
	Since  time.Time `json:"since"`
	Reason string    `json:"reason"` // one line for each project it failed for
}

// FailedJobs are the jobs that follow a drain and failed the last time they were due.
var FailedJobs = store.NewFact[[]JobFailure]("jobs/failed")

// jobs reports failed background jobs. They are tried again after every drain and stop nothing
// else.
func (d *Examination) jobs(ctx context.Context, st *store.Store) {
	failed, err := brain.View(ctx, st, func(tx *store.Tx) ([]JobFailure, error) { return FailedJobs.Get(ctx, tx) })
	if err != nil {
		d.add("jobs", Fail, err.Error(), "")
		return
	}
	for _, f := range failed {
		d.add("jobs", Warn, f.Job+" fails since "+f.Since.UTC().Format(time.RFC3339)+": "+f.Reason, "remove the reason; hebb drain tries again")
	}
	if len(failed) == 0 {
		d.add("jobs", Fine, "no background job fails", "")
	}
}

// background names processes that should have ended.
func (d *Examination) background() {
	var late []string
	runs := brain.Runs(d.Config)
	for _, r := range runs {
		if d.Now.After(r.Until) {
			late = append(late, fmt.Sprintf("process %d (%s) should have ended at %s", r.PID, r.Job, r.Until.Format(time.RFC3339)))
		}
	}
	fine := fmt.Sprintf("%d at work, each for at most %.0f minutes", len(runs), brain.BackgroundEnds.Minutes())
	d.judge("background", fine, strings.Join(late, "; "), Warn, "end it by its number (kill, or the task manager); nothing is lost")
}
