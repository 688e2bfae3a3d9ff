package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// MomentsInput says what to replay and to time.
type MomentsInput struct {
	Files   []SessionFiles // recorded sessions: the work around the moments
	Lessons string         // notes of agents with the file each is about, JSON lines; empty: none
	Program string         // the hebb whose hook is timed; empty: none is
	Tuning  tuning.Tuning
	Runs    int
	// Memories and Events are the size of the store that is timed.
	Memories, Events int
	Clock            Clock
}

// MomentsRow is one line of the benchmark: at moments of one sort, how often something was shown, and the right thing.
type MomentsRow struct {
	Bench  string  `json:"bench"`
	Repo   string  `json:"repo,omitempty"`
	Moment string  `json:"moment"` // edit, command, error
	Set    string  `json:"set"`
	Asked  int     `json:"asked"`
	Shown  int     `json:"shown"`
	Right  int     `json:"right"`
	Share  float64 `json:"share"` // right of asked where something is to be shown, shown of asked elsewhere; percent
	P50    float64 `json:"p50_ms"`
	P95    float64 `json:"p95_ms"`
	Limit  float64 `json:"limit_ms,omitempty"`
}

const (
	momentLimit    = 40 // ms, of an edit and of an error
	promptLimit    = 60 // ms
	momentFixed    = 60 // errors of a repository that are fixed …
	momentUnfixed  = 60 // … and that are not
	momentTied     = 60 // files that a decision is about
	momentCommands = 44
)

// Moments replays recorded sessions as hooks report them, with errors, decisions and commands put in between, and asks at the moments for which
// there is an answer, and at those for which there is none.
func Moments(ctx context.Context, in MomentsInput) (rows []MomentsRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, pair := range in.Files {
		for _, notes := range []string{"", in.Lessons} {
			m, err := in.newMoments(ctx, filepath.Join(dir, fmt.Sprint(len(rows))), pair, notes)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", pair.Repo, err)
			}
			err = m.replay(ctx)
			if err = errors.Join(err, m.b.Close()); err != nil {
				return nil, fmt.Errorf("%s: %w", pair.Repo, err)
			}
			for _, s := range m.sets {
				rows = append(rows, s.row(pair.Repo))
			}
			if in.Lessons == "" {
				break
			}
		}
	}
	return rows, nil
}

// moments is one repository.
type moments struct {
	in       MomentsInput
	repo     string
	notes    string // of agents: the only memories, if there are any
	recorded recording
	b        *brain.Brain
	place    memory.Place
	small    memory.Place // another project, with few memories
	random   *rand.Rand
	now      time.Time
	count    int
	names    int
	files    []string
	sets     []*momentSet
}

// momentSet are moments of one sort.
type momentSet struct {
	moment, name string
	silent       bool // nothing is to be shown
	asked, shown int
	right        int
	took         []time.Duration
}

func (in MomentsInput) newMoments(ctx context.Context, dir string, pair SessionFiles, notes string) (*moments, error) {
	m := &moments{in: in, repo: pair.Repo, notes: notes, random: rand.New(rand.NewPCG(21, 1))}
	var err error
	if m.recorded, err = readRecording(pair); err != nil {
		return nil, err
	}
	folder := filepath.Join(dir, pair.Repo)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	if m.place, err = project.Resolve(folder); err != nil {
		return nil, err
	}
	c := config.Config{Dir: filepath.Join(dir, pair.Repo+"-memory"), Tuning: in.Tuning}
	m.b, err = brain.Open(ctx, c, func() time.Time { return m.now })
	return m, err
}

func (m *moments) event(kind memory.EventKind, run string) memory.Event {
	m.count++
	m.now = m.now.Add(time.Second)
	return memory.Event{
		ID: memory.DerivedEventID("moments", m.repo, fmt.Sprint(m.count)), At: m.now, Kind: kind, Origin: memory.OriginTool,
		Agent: agent.ClaudeCode, AgentSession: run, Place: m.place,
	}
}

func (m *moments) ran(kind memory.EventKind, run, line, text string) memory.Event {
	e := m.event(kind, run)
	e.Tool, e.Input, e.Text = "Bash", line, text
	return e
}

func (m *moments) edit(kind memory.EventKind, run, file string) memory.Event {
	e := m.event(kind, run)
	e.Tool, e.Touches = "Edit", []memory.Touch{{Kind: memory.Edit, Path: memory.EscapePath(file)}}
	return e
}

func (m *moments) prompt(place memory.Place, text string) memory.Event {
	e := m.event(memory.Prompted, "")
	e.Origin, e.Place, e.Text = memory.OriginUser, place, text
	return e
}

// record records what happened. A file that is changed is there.
func (m *moments) record(ctx context.Context, events ...memory.Event) error {
	for _, e := range events {
		for _, t := range e.Touches {
			if err := m.write(t.Path); err != nil && t.Kind == memory.Edit {
				return err
			}
		}
	}
	_, err := steward.Run(ctx, m.b, steward.Observe, events)
	return err
}

func (m *moments) write(file string) error {
	name := filepath.Join(m.place.Root, file)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte("text\n"), 0o600)
}

// set returns the moments of a sort.
func (m *moments) set(moment, name string, silent bool) *momentSet {
	for _, s := range m.sets {
		if s.moment == moment && s.name == name {
			return s
		}
	}
	m.sets = append(m.sets, &momentSet{moment: moment, name: name, silent: silent})
	return m.sets[len(m.sets)-1]
}

// ask asks at a moment, in a session of its own.
func (m *moments) ask(ctx context.Context, s *momentSet, e memory.Event, right func(answer.Shown) bool) error {
	started := m.in.Clock()
	out, err := steward.Run(ctx, m.b, answer.Moment, e)
	s.took = append(s.took, m.in.Clock().Sub(started))
	s.asked++
	if len(out.Lines) > 0 {
		s.shown++
		if right != nil && right(out) {
			s.right++
		}
	}
	return err
}

func (s *momentSet) row(repo string) MomentsRow {
	slices.Sort(s.took)
	r := MomentsRow{Bench: "moments", Repo: repo, Moment: s.moment, Set: s.name, Asked: s.asked, Shown: s.shown, Right: s.right}
	r.P50, r.P95 = milliseconds(percentile(s.took, .5)), milliseconds(percentile(s.took, .95))
	good := s.right
	if s.silent {
		good = s.shown
	}
	r.Share = twoDecimals(100 * float64(good) / float64(max(s.asked, 1)))
	return r
}

// name is a word that no other error has.
func (m *moments) name() string {
	m.names++
	return largeWords[m.names%len(largeWords)] + string(rune('a'+m.names/len(largeWords)%26)) + "x"
}

func (m *moments) file() string { return m.files[m.random.IntN(len(m.files))] }

// replay goes through a repository: its sessions, what is put in between, and the questions.
func (m *moments) replay(ctx context.Context) error {
	seen := map[string]bool{}
	for _, s := range m.recorded.sessions {
		for _, e := range s.Opens() {
			if !seen[e.Target] {
				seen[e.Target] = true
				m.files = append(m.files, e.Target)
			}
		}
	}
	if len(m.files) == 0 {
		return errors.New("its sessions opened no file")
	}
	lessons, err := m.lessons()
	if err != nil {
		return err
	}
	m.now = m.recorded.sessions[0].Start.Add(-30 * 24 * time.Hour)
	var asks []func() error
	if m.notes == "" {
		if asks, err = m.happen(ctx); err != nil {
			return err
		}
	} else if err := m.record(ctx, m.event(memory.SessionEnded, "first")); err != nil {
		return err
	}
	tied := map[string]bool{}
	for _, s := range m.recorded.sessions {
		m.now = s.Start
		for ; len(lessons) > 0 && lessons[0].at.Before(s.Start); lessons = lessons[1:] {
			in := statements.RememberInput{Scope: m.scope(), Kind: memory.Lesson, Text: lessons[0].Text, Origin: memory.OriginAgent, Files: []string{lessons[0].Path}}
			if out, err := steward.Run(ctx, m.b, statements.Remember, in); err != nil {
				return err
			} else if len(out.Anchors) > 0 {
				tied[lessons[0].Path] = true
			}
		}
		if err := m.work(ctx, s, tied); err != nil {
			return err
		}
	}
	for _, ask := range asks {
		if err := ask(); err != nil {
			return err
		}
	}
	return nil
}

func (m *moments) scope() brain.Scope { return brain.Scope{Project: m.place.Project().String()} }

// happen puts errors, commands and decisions into the past, and returns the questions about them.
func (m *moments) happen(ctx context.Context) (asks []func() error, err error) {
	named := slices.DeleteFunc(slices.Clone(failings), func(f failing) bool { return !f.named() })
	without := false // an error without a name is known: the others are the same
	for i := range momentFixed {
		f, name, file := failings[i%len(failings)], m.name(), m.file()
		run := fmt.Sprint("fixed-", i)
		command, text := f.met(m.random, name, path.Base(file))
		if !f.named() && without {
			continue
		}
		without = without || !f.named()
		if err := m.record(ctx, m.ran(memory.ToolFailed, run, command, text), m.edit(memory.ToolUsed, run, file), m.ran(memory.ToolUsed, run, command, ""), m.event(memory.SessionEnded, run)); err != nil {
			return nil, err
		}
		asks = append(asks, func() error {
			command, text := f.met(m.random, name, path.Base(file))
			return m.ask(ctx, m.set("error", "fixed before", false), m.ran(memory.ToolFailed, "again-"+run, command, text), func(out answer.Shown) bool {
				return slices.ContainsFunc(out.Lines, func(l memory.Suggestion) bool { return l.Path == memory.EscapePath(file) })
			})
		})
	}
	for i := range momentUnfixed {
		f, name, file := named[i%len(named)], m.name(), m.file()
		sort := []string{"failed 12 of 12 times", "met once", "never met", "passed without a change"}[i%4]
		run := fmt.Sprint("unfixed-", i)
		command, text := f.met(m.random, name, path.Base(file))
		var events []memory.Event
		switch i % 4 {
		case 0:
			for range 12 {
				_, text := f.met(m.random, name, path.Base(file))
				events = append(events, m.ran(memory.ToolFailed, run, command, text), m.edit(memory.ToolUsed, run, file))
			}
		case 1:
			events = append(events, m.ran(memory.ToolFailed, run, command, text))
		case 3:
			events = append(events, m.ran(memory.ToolFailed, run, command, text), m.ran(memory.ToolUsed, run, command, ""))
		}
		if err := m.record(ctx, append(events, m.event(memory.SessionEnded, run))...); err != nil {
			return nil, err
		}
		asks = append(asks, func() error {
			command, text := f.met(m.random, name, path.Base(file))
			return m.ask(ctx, m.set("error", sort, true), m.ran(memory.ToolFailed, "again-"+run, command, text), nil)
		})
	}
	for i := range momentCommands {
		c, name, run := retries[i%len(retries)], m.name(), fmt.Sprint("retry-", i)
		fill := strings.NewReplacer("{name}", name)
		failed, worked := fill.Replace(c.failed), fill.Replace(c.worked)
		if err := m.record(ctx, m.ran(memory.ToolFailed, run, failed, fill.Replace(c.text)), m.ran(memory.ToolUsed, run, worked, ""), m.event(memory.SessionEnded, run)); err != nil {
			return nil, err
		}
		asks = append(asks, func() error {
			line := []string{failed, "bash -lc '" + failed + " 2>&1 | tail -20'", "cd " + m.place.Root + " && " + failed}[i%3]
			return m.ask(ctx, m.set("command", "failed before", false), m.ran(memory.ToolPlanned, "again-"+run, line, ""), func(out answer.Shown) bool {
				return out.Lines[0].Offer == memory.OfferCommand && out.Lines[0].Reason == worked
			})
		})
	}
	tied, err := m.decide(ctx)
	for _, file := range m.files {
		s := m.set("edit", "nothing was said", true)
		if want, ok := tied[file]; ok {
			asks = append(asks, func() error {
				return m.ask(ctx, m.set("edit", "a decision is about the file", false), m.edit(memory.ToolPlanned, "edit-"+file, file), func(out answer.Shown) bool { return out.Lines[0].Crystal == want })
			})
		} else if !underSaid(file, tied) {
			asks = append(asks, func() error { return m.ask(ctx, s, m.edit(memory.ToolPlanned, "edit-"+file, file), nil) })
		}
	}
	return asks, err
}

// underSaid reports whether a file has the base name of one that a decision names.
func underSaid(file string, tied map[string]memory.CrystalID) bool {
	for other := range tied {
		if path.Base(other) == path.Base(file) {
			return true
		}
	}
	return false
}

// decide keeps decisions about files: half are tied to their file, half name it.
func (m *moments) decide(ctx context.Context) (map[string]memory.CrystalID, error) {
	tied := map[string]memory.CrystalID{}
	for i := range min(momentTied, len(m.files)/3) {
		file := m.file()
		if underSaid(file, tied) {
			continue
		}
		in := statements.RememberInput{Scope: m.scope(), Kind: memory.Decision, Text: fmt.Sprintf("we keep the %s apart from the %s, number %d", m.name(), m.name(), i)}
		if i%2 == 0 {
			in.Text += ": see " + file
		} else {
			if err := m.write(file); err != nil {
				return nil, err
			}
			in.Files = []string{file}
		}
		out, err := steward.Run(ctx, m.b, statements.Remember, in)
		if err != nil {
			return nil, err
		}
		tied[file] = out.ID
	}
	return tied, nil
}

// work reports a recorded session, and asks before each edit and each command of it.
func (m *moments) work(ctx context.Context, s AgentSession, tied map[string]bool) error {
	begin := m.event(memory.Prompted, s.ID)
	begin.Origin = memory.OriginUser
	if len(s.Prompts) > 0 {
		begin.Text = s.Prompts[0].Text
	}
	events := []memory.Event{begin}
	asked := map[string]bool{}
	for _, o := range s.Events {
		switch {
		case o.Changes():
			if m.notes != "" && !asked[o.Target] {
				asked[o.Target] = true
				set := m.set("edit", "real notes, none is about the file", true)
				if tied[o.Target] {
					set = m.set("edit", "real notes, one is about the file", false)
				}
				if err := m.ask(ctx, set, m.edit(memory.ToolPlanned, s.ID, o.Target), func(answer.Shown) bool { return true }); err != nil {
					return err
				}
			}
			events = append(events, m.edit(memory.ToolUsed, s.ID, o.Target))
		case o.Op == "bash":
			if m.notes == "" {
				if err := m.ask(ctx, m.set("command", "real commands, nothing is known", true), m.ran(memory.ToolPlanned, s.ID, o.Target, ""), nil); err != nil {
					return err
				}
			}
			events = append(events, m.ran(memory.ToolUsed, s.ID, o.Target, ""))
		case o.Op == "read":
			e := m.edit(memory.ToolUsed, s.ID, o.Target)
			e.Tool, e.Touches[0].Kind = "Read", memory.Read
			events = append(events, e)
		}
	}
	return m.record(ctx, append(events, m.event(memory.SessionEnded, s.ID))...)
}

// agentsNote is a note that an agent wrote after a session.
type agentsNote struct {
	Repo string `json:"ns"`
	Time int64  `json:"time"`
	Path string `json:"path"`
	Text string `json:"text"`
	at   time.Time
}

// lessons are the notes of the repository with a file that exists, by time.
func (m *moments) lessons() (list []agentsNote, err error) {
	if m.notes == "" {
		return nil, nil
	}
	all, err := collect(readLines(m.notes, func(line []byte) (n agentsNote, err error) {
		err = json.Unmarshal(line, &n)
		n.at = time.Unix(n.Time, 0).UTC()
		return n, err
	}))
	for _, n := range all {
		if n.Repo != m.repo || n.Path == "" || strings.Contains(n.Path, "*") {
			continue
		}
		if m.write(n.Path) != nil {
			continue // it names a folder
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b agentsNote) int { return a.at.Compare(b.at) })
	return list, err
}

// MomentsSpeed times the moments on a store of a certain size: opened for reading as the hook does, and as the whole hook process.
func MomentsSpeed(ctx context.Context, in MomentsInput) (rows []MomentsRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	m := &moments{in: in, repo: "large", random: rand.New(rand.NewPCG(21, 2)), now: in.Clock().Add(-200 * 24 * time.Hour)}
	for name, place := range map[string]*memory.Place{"project": &m.place, "small": &m.small} {
		folder := filepath.Join(dir, name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		if *place, err = project.Resolve(folder); err != nil {
			return nil, err
		}
	}
	c := config.Config{Dir: filepath.Join(dir, "memory"), Tuning: in.Tuning, Inject: true}
	if err := m.fill(ctx, c); err != nil {
		return nil, err
	}
	var calls atomic.Int64
	for _, moment := range []struct {
		name, set, payload string
		event              memory.Event
	}{
		{"prompt", "a rule is about it", "UserPromptSubmit", m.prompt(m.place, "Please change how the invoices are rounded in the billing export")},
		{"prompt", "nothing was said", "UserPromptSubmit", m.prompt(m.place, "Why does the login page flicker on a slow network?")},
		{"prompt", "a project with 11 memories", "UserPromptSubmit", m.prompt(m.small, "Please change how the invoices are rounded in the billing export")},
		{"edit", "a decision is about the file", "PreToolUse", m.edit(memory.ToolPlanned, "", m.files[0])},
		{"edit", "nothing was said", "PreToolUse", m.edit(memory.ToolPlanned, "", "nowhere/else.go")},
		{"edit", "a new file of a project with 100 000", "PreToolUse", m.edit(memory.ToolPlanned, "", "svc0/part1/login.go")},
		{"command", "failed before", "PreToolUse", m.ran(memory.ToolPlanned, "", "go test -foo ./...", "")},
		{"command", "nothing is known", "PreToolUse", m.ran(memory.ToolPlanned, "", "terraform fmt", "")},
		{"error", "fixed before", "PostToolUseFailure", m.ran(memory.ToolFailed, "", "go run ./cmd", "listen tcp :4711: bind: address already in use")},
		{"error", "never met", "PostToolUseFailure", m.ran(memory.ToolFailed, "", "go run ./cmd", "open nothing.yml: permission denied")},
	} {
		s := momentSet{moment: moment.name, name: moment.set}
		for range in.Runs {
			moment.event.AgentSession = fmt.Sprint("run-", calls.Add(1))
			started := in.Clock()
			b, err := brain.OpenReadOnly(ctx, c, in.Clock)
			if err != nil {
				return rows, err
			}
			out, err := steward.Run(ctx, b, answer.Moment, moment.event)
			s.took = append(s.took, in.Clock().Sub(started))
			if err = errors.Join(err, b.Close()); err != nil {
				return rows, err
			}
			s.asked++
			if len(out.Lines) > 0 {
				s.shown, s.right = s.shown+1, s.right+1
			}
		}
		row := s.row("in process")
		row.Limit = momentLimit
		if moment.name == "prompt" {
			row.Limit = promptLimit
		}
		rows = append(rows, row)
		if in.Program == "" {
			continue
		}
		p := process{
			args:  []string{in.Program, "hook", string(agent.ClaudeCode)},
			env:   []string{config.EnvHome + "=" + c.Dir, config.EnvBackground + "=0"},
			input: func() string { return m.payload(moment.payload, moment.event, calls.Add(1)) },
		}
		cmd := exec.CommandContext(ctx, p.args[0], p.args[1:]...)
		cmd.Env, cmd.Stdin = append(os.Environ(), p.env...), strings.NewReader(p.input())
		said, err := cmd.Output()
		if err != nil {
			return rows, err
		}
		sorted, _, err := p.times(ctx, in.Clock, in.Runs, 1)
		if err != nil {
			return rows, err
		}
		whole := MomentsRow{Bench: "moments", Repo: "hook process", Moment: moment.name, Set: moment.set, Asked: in.Runs, Limit: row.Limit}
		if len(said) > 0 {
			whole.Shown = in.Runs
		}
		whole.P50, whole.P95 = milliseconds(percentile(sorted, .5)), milliseconds(percentile(sorted, .95))
		rows = append(rows, whole)
	}
	return rows, nil
}

// payload is the call of a hook of Claude Code for a moment.
func (m *moments) payload(name string, e memory.Event, call int64) string {
	input := map[string]string{"command": e.Input}
	if len(e.Touches) > 0 {
		input = map[string]string{"file_path": filepath.Join(m.place.Root, e.Touches[0].Path), "old_string": "a", "new_string": "b"}
	}
	text, err := json.Marshal(map[string]any{
		"session_id": fmt.Sprintf("bench-%d", call), "cwd": e.Place.Root, "prompt": e.Text, "permission_mode": "default", "hook_event_name": name, "tool_name": e.Tool,
		"tool_input": input, "tool_use_id": fmt.Sprintf("toolu_%d", call), "error": e.Text,
	})
	if err != nil {
		panic(err) // strings
	}
	return string(text)
}

// fill builds the store that is timed.
func (m *moments) fill(ctx context.Context, c config.Config) (err error) {
	m.b, err = brain.Open(ctx, c, func() time.Time { return m.now })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.b.Close()) }()
	for i := range 400 {
		m.files = append(m.files, fmt.Sprintf("%s/%s/%s%d.go", largeWords[i%31], largeWords[i%67], largeWords[i%101], i))
	}
	first := []memory.Event{
		m.ran(memory.ToolFailed, "first", "go run ./cmd", "listen tcp :80: bind: address already in use"), m.edit(memory.ToolUsed, "first", m.files[1]), m.ran(memory.ToolUsed, "first", "go run ./cmd", ""),
		m.ran(memory.ToolFailed, "first", "go test -foo ./...", "flag provided but not defined: -foo"), m.ran(memory.ToolUsed, "first", "go test ./...", ""), m.event(memory.SessionEnded, "first"),
	}
	var paths []string // of a project whose folders all have conventions
	for i := range 100_000 {
		paths = append(paths, fmt.Sprintf("svc%d/part%d/%s%d_handler%s.go", i/2000, i/50%40, largeWords[i/2%67], i%50/2, []string{"", "_test"}[i%2]))
	}
	conventions := func(tx *store.Tx) error {
		return statements.ConventionsFact(m.place.Project()).Set(ctx, tx, code.Learn(paths))
	}
	if err := m.b.Store.Update(ctx, conventions); err != nil {
		return err
	}
	other := m.event(memory.SessionEnded, "small")
	other.Place = m.small
	if err := m.record(ctx, append(first, other)...); err != nil {
		return err
	}
	for _, place := range []memory.Place{m.place, m.small} {
		in := statements.RememberInput{Scope: brain.Scope{Project: place.Project().String()}, Kind: memory.Rule}
		for i := range 11 {
			in.Text = "invoices in the billing export are rounded to full cents, never to euros"
			if i > 0 {
				in.Text = fmt.Sprintf("the %s of the %s is kept apart, number %d", largeWords[i%len(largeWords)], largeWords[7*i%len(largeWords)], i)
			}
			if _, err := steward.Run(ctx, m.b, statements.Remember, in); err != nil {
				return err
			}
		}
	}
	programs := []string{"go vet ./%s", "npm run %s", "pytest tests/%s", "make %s", "git log %s"}
	for n := 0; n < m.in.Events; n += largeBatch {
		var events []memory.Event
		run := fmt.Sprint("filler-", n)
		for i := range largeBatch - 1 {
			line := fmt.Sprintf(programs[m.random.IntN(len(programs))], largeWords[m.random.IntN(len(largeWords))])
			switch i % 4 {
			case 0:
				events = append(events, m.ran(memory.ToolUsed, run, line, ""))
			case 1:
				events = append(events, m.edit(memory.ToolUsed, run, m.file()))
			case 2:
				e := m.edit(memory.ToolUsed, run, m.file())
				e.Touches[0].Kind = memory.Read
				events = append(events, e)
			default:
				_, text := failings[m.random.IntN(len(failings)-1)+1].met(m.random, m.name(), "x.go")
				events = append(events, m.ran(memory.ToolFailed, run, line, text))
			}
		}
		if err := m.record(ctx, append(events, m.event(memory.SessionEnded, run))...); err != nil {
			return err
		}
	}
	for i := range m.in.Memories {
		kind := []memory.CrystalKind{memory.Decision, memory.Rule, memory.Lesson, memory.Fact}[i%4]
		words := make([]string, 12)
		for j := range words {
			words[j] = largeWords[m.random.IntN(len(largeWords))]
		}
		text := strings.Join(words, " ") + fmt.Sprintf(" and number %d in ", i) + m.files[i%len(m.files)]
		if _, err := steward.Run(ctx, m.b, statements.Remember, statements.RememberInput{Scope: m.scope(), Kind: kind, Text: text}); err != nil {
			return err
		}
	}
	return nil
}
