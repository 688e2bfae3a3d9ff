package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/githook"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
	"github.com/hebb-memory/hebb/internal/wiring"
	"github.com/hebb-memory/hebb/internal/words"
)

func (a *app) statusCommand() *cobra.Command {
	var top int
	cmd := &cobra.Command{
		Use: "status", Short: "Show where things stand in this project",
		Long:    "Shows how much hebb knows of the project around you, its most touched files and its latest sessions.",
		Example: "  hebb status\n  hebb status --project shop --json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context(), top) },
	}
	a.scopeFlags(cmd, false)
	cmd.Flags().IntVarP(&top, "top", "n", 5, "files and sessions to name")
	return cmd
}

func (a *app) status(ctx context.Context, top int) error {
	c, err := config.Load(a.Getenv)
	if err != nil {
		return err
	}
	if a.project == "" && noMemory(c) {
		none := struct {
			inspect.StatusResult
			Hint string `json:"hint"`
		}{inspect.StatusResult{Files: []memory.Neuron{}, Sessions: []memory.Session{}}, "hebb init"}
		none.Store.Settings = map[string]string{}
		return a.show(none, func(p *page) {
			p.line("hebb has no memory on this machine yet.")
			p.line("Run %s in a git repository: it learns the history and finds your agents.", p.style.cyan("hebb init"))
		})
	}
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		status, err := steward.Run(ctx, b, inspect.Status, inspect.StatusInput{Scope: a.scope(), Top: top})
		if err != nil {
			return err
		}
		return a.show(status, func(p *page) {
			if status.Paused {
				p.line("%s hebb neither watches nor speaks here; %s goes on.", p.style.yellow("Paused:"), p.style.cyan("hebb resume"))
			}
			a.statusPage(p, status)
			if advice := brain.TwinAdvice(status.Twins); advice != "" {
				p.line("%s", scrub.Line(advice))
			}
		})
	})
}

// noMemory reports that nothing was ever kept here, not even by a hook.
func noMemory(c config.Config) bool {
	return c.Store == "" && missing(c.Database()) && missing(c.Spool())
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func (a *app) statusPage(p *page, s inspect.StatusResult) {
	if s.Project == nil {
		p.line("hebb knows nothing of this folder yet. %s learns its history.", p.style.cyan("hebb init"))
	} else {
		a.projectPage(p, *s.Project, s.Files)
		textsLine(p, s.Texts)
		if len(s.Sessions) > 0 {
			p.gap()
			p.heading("Recent sessions")
			a.sessionTable(p, s.Sessions, nil)
		}
	}
	p.gap()
	p.line("%s", p.style.dim(fmt.Sprintf("%s in %s · %s %s, %s · spool %s", count(s.Events, "event", "events"),
		count(s.Projects, "project", "projects"), s.Store.Engine, s.Store.Version, size(s.Store.Bytes), size(s.Spool.Waiting))))
	if n := s.Spool.Said; n > 0 {
		p.line("%s", p.style.yellow(count(n, "thing said waits", "things said wait")+" for the store: hebb drain stores them."))
	}
	if s.Spool.SaidRejected > 0 {
		p.line("%s", p.style.yellow("Something that was said could not be stored: hebb doctor tells what and why."))
	}
	if lost := s.Spool.Lost; lost.Count > 0 {
		p.line("%s", p.style.yellow(fmt.Sprintf("%s could not be kept, last %s: %s", count(lost.Count, "event", "events"), p.ago(lost.At), lost.Reason)))
	}
	if s.Spool.Late.Count > 0 || s.Spool.Rejected > 0 || s.Spool.Complaint != "" {
		p.line("%s", p.style.yellow("Hooks reported problems: see hebb doctor."))
	}
}

// projectPage shows a project and its most touched files.
func (a *app) projectPage(p *page, s inspect.ProjectSummary, files []memory.Neuron) {
	p.line("%s  %s", p.style.bold(shownName(s.Name)), p.style.dim(shownName(a.home(s.Root))))
	p.line("%s · %s · %s, since %s", count(s.Files, "file", "files"), count(s.Sessions, "session", "sessions"),
		count(s.Events, "event", "events"), s.FirstAt.Local().Format("2 Jan 2006"))
	if len(files) == 0 {
		return
	}
	p.gap()
	p.heading("Most touched files")
	rows := make([][]string, len(files))
	for i, f := range files {
		rows[i] = []string{grouped(f.Accesses), p.ago(f.LastAt), f.Key}
	}
	p.table([]string{"TOUCHES>", "LAST", "FILE"}, rows)
}

// initResult is what hebb init did and found.
type initResult struct {
	Learned *learn.LearnResult    `json:"learned,omitempty"` // nil when the history could not be read
	Texts   int                   `json:"texts,omitempty"`   // made findable
	Code    *learn.SnippetsResult `json:"code,omitempty"`
	Status  *inspect.StatusResult `json:"status,omitempty"`
	Agents  []agentResult         `json:"agents"`
	GitHook *gitHookResult        `json:"git_hook,omitempty"` // nil when it was not asked for
	// Unadopted are hand-written memories that hebb state adopt would take in.
	Unadopted views.UnadoptedResult `json:"unadopted,omitzero"`
	Warning   string                `json:"warning,omitempty"`
}

type gitHookResult struct {
	File    string `json:"file,omitempty"` // empty without a repository
	Changed bool   `json:"changed"`
}

type agentResult struct {
	wiring.Wiring
	Changed bool   `json:"changed"`           // its settings were changed now
	Removed bool   `json:"removed,omitempty"` // the file went: hebb had made it
	Backup  string `json:"backup,omitempty"`  // the settings as they were before hebb
	Diff    string `json:"diff,omitempty"`    // what was or would be changed
	// Notes are what a person has to do or to know afterwards.
	Notes []string `json:"notes,omitempty"`
}

func (a *app) initCommand() *cobra.Command {
	var yes, diff, undo, gitHook, again bool
	cmd := &cobra.Command{
		Use: "init", Short: "Learn this project's history and find your agents",
		Long: `Creates the memory if there is none, learns the commits of the repository around you, and says which coding agents it
found and what it would add to their settings. Nothing of theirs is changed without --yes; settings that were there
before are kept beside the file as .hebb-backup. Running it again only learns what is new; with --git-hook every commit
does that by itself, in the background: a few lines in the repository's post-commit hook, beside what is there already.`,
		Example: `  hebb init          learn, and show what would be wired
  hebb init --diff   only show the exact change to each agent's settings
  hebb init --yes    learn and wire
  hebb init --git-hook   learn, and have each commit learned as it is made
  hebb init --undo   take hebb's hooks out of the agents' settings and of this repository again`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case yes && diff || yes && undo || diff && undo:
				return usageError{errors.New("init: choose one of --yes, --diff and --undo")}
			case gitHook && (diff || undo):
				return usageError{errors.New("init: --git-hook goes alone or with --yes; --undo takes the git hook out as well")}
			case again:
				return a.learnAgain(cmd.Context())
			case undo:
				return a.unwire(cmd.Context())
			case diff:
				return a.showDiff(cmd.Context())
			}
			return a.init(cmd.Context(), yes, gitHook)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "wire the agents that were found")
	cmd.Flags().BoolVar(&diff, "diff", false, "only show the change to each agent's settings")
	cmd.Flags().BoolVar(&undo, "undo", false, "take the hooks out again; what was learned stays")
	cmd.Flags().BoolVar(&gitHook, "git-hook", false, "have every commit of this repository learned as it is made")
	cmd.Flags().BoolVar(&again, "from-git-hook", false, "what the git hook calls")
	_ = cmd.Flags().MarkHidden("from-git-hook") // fails only for an unknown flag
	return cmd
}

// learnAgain is what a commit starts: nobody waits for it or reads what it says.
func (a *app) learnAgain(ctx context.Context) error {
	c, err := config.Load(a.Getenv)
	if err != nil || !c.Background || noMemory(c) {
		return err
	}
	return a.with(ctx, func(ctx context.Context, b *brain.Brain) error {
		_, err := steward.Run(ctx, b, learn.LearnHistory, learn.LearnInput{Dir: a.Dir, Again: true})
		return err
	})
}

// installGitHook has the repository around call hebb after each commit.
func (a *app) installGitHook(ctx context.Context) (*gitHookResult, error) {
	program, unstable := a.stableProgram()
	if unstable != nil {
		return nil, unstable
	}
	change, err := githook.PlanInstall(ctx, a.Dir, program)
	if err != nil {
		return nil, err
	}
	return &gitHookResult{File: change.File, Changed: !change.Empty()}, change.Apply()
}

// wordSteps is how finely the progress of learning words is shown.
const wordSteps = 1000

func (a *app) init(ctx context.Context, yes, gitHook bool) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		var out initResult
		update, finish := a.progress("commits")
		learned, err := steward.Run(ctx, b, learn.LearnHistory, learn.LearnInput{Dir: a.Dir, Progress: update})
		finish()
		if err == nil {
			update, finish := a.progress("‰ of what words mean here")
			_, err = steward.Run(ctx, b, words.Learn, words.Input{Project: learned.Project, Progress: func(share float64) {
				if update != nil { // nobody looks
					update(int(share*wordSteps), wordSteps)
				}
			}})
			finish()
		}
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted: %s learned so far; hebb init goes on where it stopped", count(learned.Added, "commit", "commits"))
		case errors.Is(err, memory.ErrNotFound), errors.Is(err, memory.ErrRefused):
			out.Warning = err.Error() // no repository here, or git will not read it: agents can still be wired
		case err != nil:
			return err
		default:
			out.Learned = &learned
		}
		if out.Learned != nil {
			if err := a.readCode(ctx, b, &out); err != nil {
				return err
			}
		}
		status, err := steward.Run(ctx, b, inspect.Status, inspect.StatusInput{Scope: a.scope(), Top: 5})
		if err != nil {
			return err
		}
		out.Status = &status
		if out.Agents, err = a.agents(ctx, yes); err != nil {
			return err
		}
		if out.Unadopted, err = steward.Run(ctx, b, views.Unadopted, brain.Scope{Dir: a.Dir}); err != nil {
			return err
		}
		if gitHook {
			if out.GitHook, err = a.installGitHook(ctx); err != nil {
				return err
			}
		}
		if err := a.show(out, func(p *page) { a.initPage(p, out) }); err != nil {
			return err
		}
		return unreadable(out.Agents, yes)
	})
}

// unreadable makes a failure of what was asked for and not done.
func unreadable(agents []agentResult, asked bool) error {
	for _, g := range agents {
		if asked && g.State == wiring.Unreadable {
			return fmt.Errorf("%s was not wired: %s: %w", g.Agent, g.Problem, memory.ErrInvalid)
		}
	}
	return nil
}

// agents looks at every agent and, with wire, wires those that are installed.
func (a *app) agents(ctx context.Context, wire bool) ([]agentResult, error) {
	m, err := a.machine()
	if err != nil {
		return nil, err
	}
	program, unstable := a.stableProgram()
	if wire && unstable != nil {
		return nil, unstable
	}
	out := []agentResult{}
	for _, name := range wiring.Wirable() {
		found, err := wiring.Inspect(ctx, m, name, program)
		if err != nil {
			return out, err
		}
		r := agentResult{Wiring: found}
		if found.Found && found.State != wiring.Wired && found.State != wiring.Unreadable {
			change, err := wiring.PlanWire(ctx, m, name, wiring.Order{Program: program})
			if err != nil {
				return out, err
			}
			r.Diff = change.Diff()
			if wire {
				if err := change.Apply(); err != nil {
					return out, err
				}
				r.State, r.Changed, r.Missing, r.Notes = wiring.Wired, true, nil, change.Notes
				if backups := change.Backups(); len(backups) > 0 {
					r.Backup = backups[0]
				}
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func (a *app) showDiff(ctx context.Context) error {
	agents, err := a.agents(ctx, false)
	if err != nil {
		return err
	}
	return a.show(initResult{Agents: agents}, func(p *page) {
		for _, g := range agents {
			p.line("%s  %s", p.style.cyan(string(g.Agent)), a.wiringNote(p, g))
			for line := range strings.Lines(g.Diff) {
				p.line("%s", paintDiff(p.style, scrub.Display(strings.TrimRight(line, "\n"))))
			}
		}
	})
}

func paintDiff(s style, line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return s.green(line)
	case strings.HasPrefix(line, "-"):
		return s.red(line)
	}
	return s.dim(line)
}

// unwire takes hebb's hooks out of every agent's settings.
func (a *app) unwire(ctx context.Context) error {
	m, err := a.machine()
	if err != nil {
		return err
	}
	out := []agentResult{}
	for _, name := range wiring.Wirable() {
		change, err := wiring.PlanUnwire(m, name, wiring.Order{})
		if err != nil {
			return err
		}
		r := agentResult{Wiring: wiring.Wiring{Agent: name, State: wiring.Unwired}, Changed: !change.Empty(), Diff: change.Diff()}
		if r.Changed {
			if err := change.Apply(); err != nil {
				return err
			}
			r.File, r.Removed = change.Changes[0].File, change.Changes[0].New == nil
		}
		out = append(out, r)
	}
	change, err := githook.PlanRemove(ctx, a.Dir)
	if err == nil {
		err = change.Apply()
	}
	if err != nil {
		return err
	}
	hook := gitHookResult{File: change.File, Changed: !change.Empty()}
	return a.show(initResult{Agents: out, GitHook: &hook}, func(p *page) {
		if hook.Changed {
			p.line("%s  %s of %s", p.style.cyan("git"), p.style.green("hook taken out"), shownName(a.home(hook.File)))
		}
		for _, g := range out {
			note := "had no hooks of hebb"
			switch file := shownName(a.home(g.File)); {
			case g.Removed:
				note = p.style.green("hooks taken out") + " and " + file + " removed: hebb had made it"
			case g.Changed:
				note = p.style.green("hooks taken out") + " of " + file
			}
			p.line("%s  %s", p.style.cyan(string(g.Agent)), note)
		}
		p.line("What was learned is still in %s.", p.style.cyan("hebb"))
	})
}

func (a *app) initPage(p *page, r initResult) {
	switch {
	case r.Learned == nil:
		p.line("%s %s", p.style.yellow("No history learned:"), scrub.Display(strings.TrimSuffix(r.Warning, ": "+memory.ErrNotFound.Error())))
	case r.Learned.Commits == 0 && (r.Status.Project == nil || r.Status.Project.Events == 0):
		p.line("No commits here yet.")
	case r.Learned.Added == 0:
		p.line("Nothing new in the history.")
	default:
		p.line("Learned %s%s.", count(r.Learned.Added, "commit", "commits"), wideNote(r.Learned.Wide))
	}
	if r.Status.Project != nil {
		p.gap()
		a.projectPage(p, *r.Status.Project, r.Status.Files)
	}
	p.gap()
	p.heading("Agents")
	for _, g := range r.Agents {
		p.line("%s%s  %s", indent, p.style.cyan(string(g.Agent)), a.wiringNote(p, g))
		if g.Found && g.Problem != "" && g.State != wiring.Unreadable {
			p.line("%s%s", indent+indent, p.style.dim(scrub.Line(g.Problem)))
		}
	}
	if r.GitHook != nil {
		p.line("%s%s  %s in %s", indent, p.style.cyan("git"), p.style.green("learns each commit"), shownName(a.home(r.GitHook.File)))
	}
	p.gap()
	a.nextSteps(p, r.Agents)
	if slices.ContainsFunc(r.Agents, func(g agentResult) bool { return g.Found }) {
		p.line("%s learns from the sessions you had before.", p.style.cyan("hebb bootstrap --sessions"))
	}
	if line := r.Unadopted.Line(); line != "" {
		p.line("%s", p.style.dim(scrub.Line(line)+"."))
	}
}

// nextSteps says what a person would do now.
func (a *app) nextSteps(p *page, agents []agentResult) {
	has := func(test func(agentResult) bool) bool { return slices.ContainsFunc(agents, test) }
	switch {
	case has(func(g agentResult) bool { return g.Changed }):
		p.line("Next: restart agents that are running, work as usual, then look at %s.", p.style.cyan("hebb"))
		for _, g := range agents {
			if g.Changed {
				p.line("%s", p.style.dim(a.undoNote(g)))
			}
			for _, note := range g.Notes {
				p.line("%s: %s", p.style.cyan(string(g.Agent)), scrub.Line(note))
			}
		}
	case has(func(g agentResult) bool { return g.Found && (g.State == wiring.Unwired || g.State == wiring.Partly) }):
		p.line("Next: %s wires them (%s shows the change first).", p.style.cyan("hebb init --yes"), p.style.cyan("hebb init --diff"))
	case has(func(g agentResult) bool { return g.State == wiring.Wired }):
		p.line("Next: work as usual, then look at %s.", p.style.cyan("hebb"))
	default:
		p.line("Next: install an agent hebb knows, or let scripts report with %s.", p.style.cyan("hebb record"))
	}
}

// undoNote says how an agent's settings get back to what they were.
func (a *app) undoNote(g agentResult) string {
	if g.Backup == "" {
		return shownName(a.home(g.File)) + " is new; hebb init --undo removes it again."
	}
	return "The settings as they were: " + shownName(a.home(g.Backup)) + "; hebb init --undo takes the hooks out again."
}

func wideNote(wide int) string {
	if wide == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s of too many files to say what belongs together)", count(wide, "commit", "commits"))
}

func (a *app) wiringNote(p *page, g agentResult) string {
	name := scrub.Line(g.Version)
	if name != "" {
		name += ", "
	}
	file := scrub.Line(a.home(g.File))
	switch {
	case !g.Found:
		return p.style.dim("not installed here")
	case g.Changed:
		return name + p.style.green("wired now") + " in " + file
	case g.State == wiring.Wired:
		return name + p.style.green("wired") + " in " + file
	case g.State == wiring.Unreadable:
		return name + p.style.red("left alone: ") + scrub.Line(plain(g.Problem))
	case g.State == wiring.Partly:
		return fmt.Sprintf("%spartly wired: would renew the hooks in %s", name, file)
	}
	return fmt.Sprintf("%snot wired: would add %s to %s", name, count(len(g.Missing), "hook", "hooks"), file)
}
