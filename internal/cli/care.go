package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/wiring"
)

func (a *app) doctorCommand() *cobra.Command {
	type input struct {
		inspect.DoctorInput
		Project string `arg:"1"`
		Rebuild bool   `flag:"rebuild" about:"make what events taught again from them"`
	}
	return takes(a, &cobra.Command{
		Use: "doctor [PROJECT]", Short: "Check everything hebb depends on",
		Long: `Checks settings, permissions, hooks, spool, store, clock and backups, and reads the store:
its pages, and every event with its hash. Exits 6 if something is damaged or broken. Nothing is
changed without --fix, --clear or --rebuild; hook errors, lost events, late answers stay until
--clear.

--rebuild makes all that events taught (links, heat, ranking, what sleeps did) again from the
events, for PROJECT or for all projects. The old figures serve until then.`,
		Example: "  hebb doctor --fix\n  hebb doctor --rebuild",
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch {
		case in.Rebuild && (in.Fix || in.Clear):
			return fmt.Errorf("doctor: --rebuild goes without --fix and --clear: %w", memory.ErrInvalid)
		case in.Rebuild:
			of := brain.Scope{Project: in.Project, All: in.Project == ""}
			return run(cmd.Context(), a, a.fresh, steward.Rebuild, of, func(p *page, done []steward.Rebuilt) {
				for _, r := range done {
					p.line("%s  %s, %s", scrub.Line(r.Name), count(int(r.Events), "event", "events"), r.Took.Round(time.Millisecond))
				}
				p.lineIf(len(done) == 0, "No projects yet.")
			})
		case in.Project != "":
			return fmt.Errorf("doctor %s: a project is named with --rebuild: %w", in.Project, memory.ErrInvalid)
		}
		return a.doctor(cmd.Context(), in.DoctorInput)
	})
}

// examine lists what the doctor finds.
func (a *app) examine(ctx context.Context, in inspect.DoctorInput) (findings []inspect.Finding, err error) {
	c, configErr := config.Load(a.Getenv)
	if c.Dir == "" {
		return nil, configErr
	}
	if in.Machine, err = a.machine(); err != nil {
		return nil, err
	}
	in.Dir, in.Version = a.Dir, version()
	in.Program = wiring.CopyIn(c.Dir).Called()
	findings = append(inspect.Doctor(ctx, c, a.Now, configErr, in), silentDaemon(ctx, c)...)
	if place, err := project.Resolve(a.Dir); err == nil && c.Paused(c.Home(place).Project()) {
		findings = append(findings, inspect.Finding{
			Name: "paused", Level: inspect.Warn, Detail: "in this project hebb records and shows nothing", Fix: "hebb config resume ends the pause",
		})
	}
	return findings, nil
}

func (a *app) doctor(ctx context.Context, in inspect.DoctorInput) error {
	findings, err := a.examine(ctx, in)
	if err != nil {
		return err
	}
	broken := 0
	for _, f := range findings {
		if f.Level == inspect.Fail {
			broken++
		}
	}
	err = a.show(findings, func(p *page) {
		for _, f := range findings {
			mark := map[inspect.Level]string{
				inspect.Fine: p.style.green("ok  "), inspect.Warn: p.style.yellow("warn"), inspect.Fail: p.style.red("FAIL"),
			}[f.Level]
			p.line("%s  %-16s %s", mark, f.Name, f.Detail)
			p.lineIf(f.Fix != "", "%24s%s", "", p.style.dim("→ "+f.Fix))
		}
	})
	if err == nil && broken > 0 {
		err = fmt.Errorf("doctor: %s: %w", count(broken, "thing is broken", "things are broken"), memory.ErrDamaged)
	}
	return err
}

func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use: "backup [FILE]", Short: "Copy the memory to a file",
		Long: `Copies the memory while it is in use, verifies the copy and prints its name. Without FILE the copy
goes to the backups folder, where the oldest copies of each kind are deleted (tuning
store.backups_kept). The word list lists them.

hebb also makes a backup once a day, in the background after work, and keeps the newest of seven
days and of four weeks (tuning store.backup_size).`,
		Example: "  hebb backup /media/usb/hebb.db",
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Equal(args, []string{"list"}) { // what restore without a file does
				c, err := config.Load(a.Getenv)
				if err != nil {
					return err
				}
				return a.listBackups(cmd.Context(), c)
			}
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				r, err := transfer.Backup(ctx, b, strings.Join(args, "")) // at most one
				return a.outcome(r, err, func(p *page) { p.line("%s  %s", size(r.Bytes), scrub.Line(r.File)) })
			})
		},
	}
}

func (a *app) restoreCommand() *cobra.Command {
	type input struct {
		File string `arg:"1"`
		Yes  bool   `flag:"yes,y"`
	}
	return takes(a, &cobra.Command{
		Use: "restore [FILE]", Short: "Bring a backup back",
		Long: `Replaces the memory by a backup or an export, after copying the present one; a store that cannot
be copied is set aside. Processes that have the memory open see the old content or the new, never
a mixture. Without FILE the command verifies and lists the backups.`,
		Example: "  hebb backup restore ~/.hebb/backups/hebb-20261115-080000.000-manual.db --yes",
	}, input{}, func(cmd *cobra.Command, in input) error {
		c, err := config.Load(a.Getenv)
		switch {
		case err != nil:
			return err
		case cmd.Flags().NArg() == 0:
			return a.listBackups(cmd.Context(), c)
		case !in.Yes:
			return fmt.Errorf("restore: this replaces everything hebb remembers by %s; add --yes to go on: %w", in.File, memory.ErrRefused)
		}
		previous, err := transfer.Restore(cmd.Context(), c, a.Now, in.File)
		if err != nil {
			return err
		}
		return a.show(map[string]any{"restored": in.File, "previous": previous}, func(p *page) {
			p.line("Restored %s.", scrub.Line(in.File))
			p.lineIf(previous.File != "", "The memory before: %s", scrub.Line(previous.File))
		})
	})
}

func (a *app) listBackups(ctx context.Context, c config.Config) error {
	backups, err := transfer.Backups(ctx, c)
	return a.outcome(backups, err, func(p *page) {
		if len(backups) == 0 {
			p.line("No backups yet. `hebb backup` makes one.")
			return
		}
		tableOf(p, "AGO, SIZE>, STATE, FILE", backups, func(b transfer.BackupResult) []any {
			state := either(b.Problem != "", "broken", "whole")
			return []any{b.At, size(b.Bytes), state, b.File}
		})
		p.line("hebb backup restore FILE brings one back.")
	})
}

func (a *app) exportCommand() *cobra.Command {
	type input struct {
		Files  []string `arg:"1.."`
		From   string   `flag:"from" about:"postgres:// URL of the server to read"`
		Schema string   `flag:"schema" about:"with --from: the schema to read, where there are several"`
	}
	return takes(a, &cobra.Command{
		Use: "export [FILE]", Short: "Write everything as JSON Lines",
		Long: `Writes everything, one JSON object a line, to FILE (private to you) or to standard output.

With --from it writes what an earlier hebb kept on a PostgreSQL server, which stays as it is; hebb import FILE --mine then brings it here.
A password may stand in PGPASSWORD or in the password file of PostgreSQL.`,
		Example: "  hebb export memory.jsonl\n  hebb export memory.jsonl --from postgres://hebb@db.example/memory",
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch {
		case in.From != "":
			c, err := config.Load(a.Getenv)
			if err != nil {
				return err
			}
			return a.exported(in.Files, func(w io.Writer) (transfer.TransferResult, error) {
				return transfer.ExportServer(cmd.Context(), c, a.Now, in.From, in.Schema, w)
			})
		case in.Schema != "":
			return usageError{errors.New("export: --schema needs --from")}
		}
		return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			return a.exported(in.Files, func(w io.Writer) (transfer.TransferResult, error) { return transfer.Export(ctx, b.Store, w) })
		})
	})
}

// exported writes an export into the file of the arguments, or to standard output.
func (a *app) exported(args []string, export func(io.Writer) (transfer.TransferResult, error)) error {
	if len(args) == 0 || args[0] == "-" {
		_, err := export(&lineWriter{to: a.Stdout})
		return err
	}
	var r transfer.TransferResult
	err := newFile(args[0], func(f io.Writer) (err error) {
		r, err = export(f)
		return err
	})
	return a.outcome(r, err, func(p *page) {
		p.line("%s, %s and %s written to %s", count(r.Projects, "project", "projects"),
			count(r.Sessions, "session", "sessions"), count(r.Events, "event", "events"), scrub.Line(args[0]))
		if said, _ := transferred(r); len(said) > 0 {
			p.line("with %s", joined(said))
		}
	})
}

// transferred lists what an export contains besides events, and counts everything.
func transferred(r transfer.TransferResult) (said []string, all int) {
	all = r.Events
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{r.Crystals, "text", "texts"},
		{r.Entities, "entity", "entities"},
		{r.Relations, "relation", "relations"},
		{r.Pins, "pin", "pins"},
		{r.Pages, "page", "pages"},
		{r.Notes, "note on a file", "notes on files"},
		{r.Goals, "goal", "goals"},
	} {
		if all += part.n; part.n > 0 {
			said = append(said, count(part.n, part.one, part.many))
		}
	}
	return said, all
}

// joined lists words as a sentence does.
func joined(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// newFile writes a private file that must not exist yet, completely or not at all.
func newFile(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("export: %s already exists: %w", name, memory.ErrConflict)
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, filesys.Remove(name))
	}
	return nil
}

func (a *app) importCommand() *cobra.Command {
	type input struct {
		learn.MoveInInput
		Mine bool `flag:"mine" about:"the file is your own export: keep the origin of everything"`
	}
	return takes(a, &cobra.Command{
		Use: "import FILE", Short: "Import an export, or the memory of another tool",
		Long: `Imports what hebb export wrote; - reads standard input. All of it or nothing; duplicates are skipped. Without --mine everything is
marked as imported, the least trusted origin: a file from elsewhere must not count as your word.

With --from it imports a file or a folder of another tool, for this project or, with --everywhere, for all: the JSON lines of the
reference memory server (mcp-memory), the memory of Howell or BrainBox, or a folder of Markdown files, which many tools can export.
The source is not changed, a second import adds nothing, and what cannot be read is listed with its
place. --dry-run only counts.`,
		Example: `  hebb import --from mcp-memory ~/memory.json`,
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch {
		case in.Format != "" && in.Mine:
			return usageError{errors.New("import: --mine is for an export of hebb, not for --from")}
		case in.Format != "":
			return run(cmd.Context(), a, a.with, learn.MoveIn, in.MoveInInput, func(p *page, out learn.MoveInResult) { movedPage(p, out, in.Dry) })
		case in.Dry:
			return usageError{errors.New("import: --dry-run needs --from; an export of hebb is imported completely, without duplicates")}
		case in.Everywhere || a.project != "":
			return usageError{errors.New("import: --project and --everywhere need --from; an export of hebb names the project of everything")}
		}
		from, done, err := a.seekable(in.Path)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		defer done()
		return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			r, err := transfer.Import(ctx, b, transfer.ImportInput{From: from, Mine: in.Mine})
			return a.outcome(r, err, func(p *page) {
				said, all := transferred(r)
				p.line("%s read, %s new.", joined(append([]string{count(r.Events, "event", "events")}, said...)), grouped(int64(max(0, all-r.Known))))
				p.noteIf(!in.Mine && all > r.Known, "They are marked as imported, the least trusted origin; --mine keeps the original.")
			})
		})
	})
}

// seekable opens a file; standard input is copied to a private file first.
func (a *app) seekable(name string) (f *os.File, done func(), err error) {
	if name != "-" {
		f, err = filesys.Open(name, os.O_RDONLY, 0)
		info, _ := os.Stat(name) // a socket cannot even be opened
		switch {
		case errors.Is(err, os.ErrNotExist):
			err = fmt.Errorf("%s: %w", name, memory.ErrNotFound)
		case errors.Is(err, filesys.ErrSpecial), err != nil && info != nil && !info.Mode().IsRegular():
			err = fmt.Errorf("%s is a folder, a pipe or a device: name the file that hebb export wrote, or -; Markdown needs --from markdown: %w", name, memory.ErrInvalid)
		}
		return f, func() { _ = f.Close() }, err
	}
	if f, err = os.CreateTemp("", "hebb-import-*"); err != nil {
		return nil, nil, err
	}
	done = func() { _ = f.Close(); _ = filesys.Remove(f.Name()) }
	if err = transfer.CopyExport(f, a.Stdin); err != nil {
		done()
		return nil, nil, err
	}
	return f, done, nil
}

func (a *app) forgetCommand() *cobra.Command {
	type input struct {
		forget.ForgetInput
		Events []string `arg:"1.."`
	}
	return takes(a, &cobra.Command{
		Use: "forget [EVENT...]", Short: "Forget events, as if they had never been seen",
		Long: `Forgets the events named (hebb sessions events --ids shows their IDs) and the texts named (hebb
search shows theirs), or all that match every flag, with everything derived from them; the same
source does not teach them again. Without --yes the command only shows what it would delete.
Automatic backups are made again without them; other backups that still hold them are named. What was
learned in their projects is made again from the other events in the background, or by hebb drain.`,
		Example: `  hebb forget --session s5rqswgc
  hebb forget --origin web --since 2d --all --yes
  hebb forget --project old-shop`,
	}, input{}, func(cmd *cobra.Command, in input) error {
		if len(in.Events) == 0 && in.Session == "" && in.Origin == "" && in.Since.IsZero() && a.project == "" {
			return usageError{errors.New("forget: say what: event IDs, --session, --origin, --since or --project")}
		}
		in.By = a.speaker()
		for _, word := range in.Events {
			id, err := memory.ParseEventID(word)
			if err != nil {
				return err
			}
			in.IDs = append(in.IDs, id)
		}
		return run(cmd.Context(), a, func(ctx context.Context, fn func(context.Context, *brain.Brain) error) error {
			return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
				err := fn(ctx, b)
				if err == nil && in.Apply && b.Config.Background {
					_ = hook.Spawn(a.Program, "drain", "--quiet") // else the next hook does
				}
				return err
			})
		}, steward.Forget, in.ForgetInput, forgetPage)
	})
}

func forgetPage(p *page, r forget.ForgetResult) {
	f := r.Forgotten
	what := fmt.Sprintf("%s with %s, %s, %s and %s", count(f.Events, "event", "events"), count(f.Accesses, "touch", "touches"),
		count(f.Files, "file", "files"), count(f.Sessions, "session", "sessions"), count(f.Projects, "project", "projects"))
	if r.Texts > 0 {
		what = count(r.Texts, "text", "texts") + " and " + what
	}
	if r.Applied {
		p.line("Forgot %s.", what)
		p.warnIf(r.Warning != "", r.Warning)
		for _, file := range r.Backups {
			p.warning("Still held by " + scrub.Line(file) + ": delete it if it must be gone there too.")
		}
		return
	}
	eventTable(p, r.Newest, true)
	if more := r.Events - int64(len(r.Newest)); more > 0 {
		p.note(indent + "… and " + grouped(more) + " older")
	}
	p.line("Would forget %s. They would not be learned again from the same source.", what)
	p.unlessApplied(false)
}

func (a *app) tuningCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show [NAME...]", Short: "Show every setting, its range and its default",
		Long: `Shows the settings whose names contain NAME, or all. To change one, put it into config.toml in the
data folder. An unknown name or a value out of range is an error.

  [tuning.session]
  idle_after = 20        # minutes, the unit of the table; "20m" works too`,
		Example: "  hebb config show",
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := config.Load(a.Getenv)
			if err != nil {
				return err
			}
			table := slices.DeleteFunc(c.Tuning.Table(), func(e tuning.Setting) bool {
				return len(args) > 0 && !slices.ContainsFunc(args, func(part string) bool { return strings.Contains(e.Name, part) })
			})
			if len(table) == 0 {
				return fmt.Errorf("tuning %s (hebb config show lists all settings): %w", strings.Join(args, ", "), memory.ErrNotFound)
			}
			return a.show(table, func(p *page) { tuningPage(p, table) })
		},
	}
}

func tuningPage(p *page, table []tuning.Setting) {
	for _, e := range table {
		changed := ""
		if e.Changed() {
			changed = p.style.yellow("  changed in config.toml")
		}
		p.line("%s %8s %-10s  default %s, %s to %s%s", p.style.bold(fmt.Sprintf("%-24s", e.Name)), tuning.Figure(e.Value), e.Unit,
			tuning.Figure(e.Default), tuning.Figure(e.Min), tuning.Figure(e.Max), changed)
		p.note(fmt.Sprintf("    %s", e.Meaning))
	}
}

// Version is set by the release build; a plain build reads it from the module.
var Version = ""

// version is the version of this build.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && Version == "" {
		return info.Main.Version
	}
	return Version
}

// configCommand shows and changes settings.
func (a *app) configCommand() *cobra.Command {
	show := a.tuningCommand()
	return under(&cobra.Command{
		Use: "config", Short: "Show and change the settings, pause and resume",
		Long: `Shows every setting with its value, its range and what it does. They are in config.toml in the
data folder, which you may edit; set changes one of them. pause stops recording and answering in
this project, resume goes on.`,
		Example: "  hebb config set hook.max_files 5",
		RunE:    func(cmd *cobra.Command, _ []string) error { return show.RunE(cmd, nil) },
	}, &cobra.Command{
		Use: "set NAME VALUE", Short: "Change a setting in config.toml",
		Long: `Writes a setting into config.toml; hebb config shows the names. A value out of range is an error,
and nothing is changed. The value "default" takes the line out again.`,
		Example: "  hebb config set hook.max_files 5\n  hebb config set session.idle_after 20m\n  hebb config set hook.max_files default",
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := config.Load(a.Getenv)
			if c.Dir == "" {
				return err
			} // what is wrong in the file may be what is to be changed
			if err := c.SetTuning(args[0], args[1]); err != nil {
				return fmt.Errorf("config set: %w", err)
			}
			return a.show(map[string]string{args[0]: args[1]}, func(p *page) { p.line("%s = %s", args[0], args[1]) })
		},
	}, show, a.pauseCommand(true, &cobra.Command{
		Use: "pause", Short: "Stop recording and answering in this project",
		Long: `Hooks record nothing here and show agents nothing until hebb config resume. What is known stays,
and commands answer as before. What an agent does meanwhile is never learned; commits are. The
start of a session says that hebb is paused. Agents may neither pause nor resume.`,
		Example: "  hebb config pause --project shop",
	}), a.pauseCommand(false, &cobra.Command{
		Use: "resume", Short: "Record and answer in this project again",
		Long:    "Ends hebb config pause. Running sessions are recorded from now on.",
		Example: "  hebb config resume --project shop",
	}))
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show versions",
		Example: "  hebb version",
		RunE: func(*cobra.Command, []string) error {
			steps := store.Migrations()
			v := struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				System  string `json:"system"`
				Schema  int    `json:"schema"`
			}{version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, steps[len(steps)-1].Version}
			return a.show(v, func(p *page) {
				p.line("hebb %s  %s %s  schema %d", scrub.Line(v.Version), v.Go, v.System, v.Schema)
			})
		},
	}
}

func movedPage(p *page, out learn.MoveInResult, dry bool) {
	verb := either(dry, "Would import", "Imported")
	p.line("%s from %s: %s (%s), %s with %s, %s, %s between files.", verb, p.style.cyan(string(out.Format)),
		count(out.Crystals, "text", "texts"), count(out.Known, "duplicate", "duplicates"), count(out.Entities, "entity", "entities"),
		count(out.Observations, "observation", "observations"), count(out.Relations, "relation", "relations"), count(out.Links, "link", "links"))
	p.lineIf(out.Superseded > 0, "%s; it stays as history.", count(out.Superseded, "earlier text of these notes was superseded", "earlier texts of these notes were superseded"))
	const most = 10
	for i, problem := range out.Problems {
		if i == most {
			p.note(fmt.Sprintf("… and %d more; --json lists all", len(out.Problems)-most))
			break
		}
		p.line("%s %s", p.style.yellow("skipped"), scrub.Line(problem))
	}
	p.note("All of it is marked as imported, the least trusted origin.")
}
