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
		Use: "status", Short: "Show the state of this project",
		Long:    "Shows how much hebb knows of the project around you, its most touched files and its latest sessions.",
		Example: "  hebb status\n  hebb status --project shop --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context(), top) },
	}
	cmd.Flags().IntVarP(&top, "top", "n", 5, "files and sessions to show")
	return a.scopeFlags(cmd, false)
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
	return run(ctx, a, a.fresh, inspect.Status, inspect.StatusInput{Scope: a.scope(), Top: top}, func(p *page, status inspect.StatusResult) {
		if status.Paused {
			p.line("%s hebb records and shows nothing here; %s ends the pause.", p.style.yellow("Paused:"), p.style.cyan("hebb resume"))
		}
		a.statusPage(p, status)
		if advice := brain.TwinAdvice(status.Twins); advice != "" {
			p.line("%s", scrub.Line(advice))
		}
	})
}

// noMemory reports that nothing was ever stored here, not even by a hook.
func noMemory(c config.Config) bool {
	return c.Store == "" && missing(c.Database()) && missing(c.Spool())
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func unknownFolder(p *page) {
	p.line("hebb knows nothing of this folder yet. %s learns its history.", p.style.cyan("hebb init"))
}

func (a *app) statusPage(p *page, s inspect.StatusResult) {
	if s.Project == nil {
		unknownFolder(p)
	} else {
		a.projectPage(p, *s.Project, s.Files)
		textsLine(p, s.Texts)
		if len(s.Sessions) > 0 {
			p.gap()
			p.heading("Recent sessions")
			sessionTable(p, s.Sessions)
		}
	}
	p.gap()
	p.line("%s", p.style.dim(fmt.Sprintf("%s in %s · %s %s, %s · spool %s", count(s.Events, "event", "events"),
		count(s.Projects, "project", "projects"), s.Store.Engine, s.Store.Version, size(s.Store.Bytes), size(s.Spool.Waiting))))
	if n := s.Spool.Said; n > 0 {
		p.line("%s", p.style.yellow(count(n, "memory or note waits", "memories and notes wait")+" for the store: hebb drain stores them."))
	}
	if s.Spool.SaidRejected > 0 {
		p.line("%s", p.style.yellow("A memory or note could not be stored: see hebb doctor."))
	}
	if lost := s.Spool.Lost; lost.Count > 0 {
		p.line("%s", p.style.yellow(fmt.Sprintf("%s lost, last %s: %s", count(lost.Count, "event", "events"), p.ago(lost.At), lost.Reason)))
	}
	if s.Spool.Late.Count > 0 || s.Spool.Rejected > 0 || s.Spool.Complaint != "" {
		p.line("%s", p.style.yellow("Hooks reported problems: see hebb doctor."))
	}
}

// projectPage shows a project and its most touched files.
func (a *app) projectPage(p *page, s inspect.ProjectSummary, files []memory.Neuron) {
	p.line("%s  %s", p.style.bold(shownName(s.Name)), p.style.dim(shownName(a.home(s.Root))))
	p.line("%s · %s · %s, since %s", count(s.Files, "file", "files"), count(s.Sessions, "session", "sessions"),
		count(s.Events, "event", "events"), day(s.FirstAt))
	if len(files) == 0 {
		return
	}
	p.gap()
	p.heading("Most touched files")
	tableOf(p, []string{"TOUCHES>", "LAST", "FILE"}, files, func(f memory.Neuron) []string {
		return []string{grouped(f.Accesses), p.ago(f.LastAt), f.Key}
	})
}

// initResult is what hebb init did and found.
type initResult struct {
	Learned *learn.LearnResult    `json:"learned,omitempty"` // nil when the history could not be read
	Texts   int                   `json:"texts,omitempty"`   // made searchable
	Code    *learn.SnippetsResult `json:"code,omitempty"`
	Status  *inspect.StatusResult `json:"status,omitempty"`
	Agents  []agentResult         `json:"agents"`
	GitHook *gitHookResult        `json:"git_hook,omitempty"` // nil when it was not asked for
	// Unadopted are hand-written memories that hebb state adopt would import.
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
	Removed bool   `json:"removed,omitempty"` // the file was removed: hebb had made it
	Backup  string `json:"backup,omitempty"`  // the settings as they were before hebb
	Diff    string `json:"diff,omitempty"`    // what was or would be changed
	// Notes are what a person has to do or to know afterwards.
	Notes []string `json:"notes,omitempty"`
}

func (a *app) initCommand() *cobra.Command {
	var yes, diff, undo, gitHook, again bool
	cmd := &cobra.Command{
		Use: "init", Short: "Learn this project's history and find your agents",
		Long: `Creates the memory if there is none, learns the commits of the repository around you, and lists the coding agents it finds and
what it would add to their settings. Settings are changed only with --yes; the previous file is kept beside it as .hebb-backup.
Running it again learns what is new. --git-hook adds a few lines to the repository's post-commit hook, so that every commit is learned
in the background.`,
		Example: `  hebb init          learn, and show what would be wired
  hebb init --diff   only show the exact change to each agent's settings
  hebb init --yes    learn and wire
  hebb init --git-hook   learn, and have each commit learned as it is made
  hebb init --undo   remove hebb's hooks from the agents' settings and from this repository`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case yes && diff || yes && undo || diff && undo:
				return usageError{errors.New("init: choose one of --yes, --diff and --undo")}
			case gitHook && (diff || undo):
				return usageError{errors.New("init: --git-hook works alone or with --yes; --undo removes the git hook as well")}
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
	cmd.Flags().BoolVar(&undo, "undo", false, "remove the hooks again; what was learned stays")
	cmd.Flags().BoolVar(&gitHook, "git-hook", false, "have every commit of this repository learned as it is made")
	cmd.Flags().BoolVar(&again, "from-git-hook", false, "what the git hook calls")
	_ = cmd.Flags().MarkHidden("from-git-hook") // fails only for an unknown flag
	return cmd
}

// learnAgain is what a commit starts. Nobody waits for it or reads its output.
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

// installGitHook makes the repository around call hebb after each commit.
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

// wordSteps is the resolution of the progress bar for word vectors.
const wordSteps = 1000

func (a *app) init(ctx context.Context, yes, gitHook bool) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		var out initResult
		update, finish := a.progress("commits")
		learned, err := steward.Run(ctx, b, learn.LearnHistory, learn.LearnInput{Dir: a.Dir, Progress: update})
		finish()
		if err == nil {
			update, finish := a.progress("‰ of word vectors")
			_, err = steward.Run(ctx, b, words.Learn, words.Input{Project: learned.Project, Progress: func(share float64) {
				if update != nil {
					update(int(share*wordSteps), wordSteps)
				}
			}})
			finish()
		}
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted: %s learned so far; hebb init continues where it stopped", count(learned.Added, "commit", "commits"))
		case errors.Is(err, memory.ErrNotFound), errors.Is(err, memory.ErrRefused):
			out.Warning = err.Error() // no repository here, or git will not read it: agents can still be wired
		case err != nil:
			return err
		default:
			out.Learned = &learned
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
		for _, g := range out.Agents {
			if yes && g.State == wiring.Unreadable {
				return fmt.Errorf("%s was not wired: %s: %w", g.Agent, g.Problem, memory.ErrInvalid)
			}
		}
		return nil
	})
}

// agents inspects every agent and, with wire, wires those that are installed.
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
			p.diff(g.Diff)
		}
	})
}

// diff shows a unified diff, coloured.
func (p *page) diff(text string) {
	for line := range strings.Lines(text) {
		line = scrub.Display(strings.TrimRight(line, "\r\n"))
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			line = p.style.bold(line)
		case strings.HasPrefix(line, "+"):
			line = p.style.green(line)
		case strings.HasPrefix(line, "-"):
			line = p.style.red(line)
		case strings.HasPrefix(line, "@@"):
			line = p.style.cyan(line)
		}
		p.line("%s", line)
	}
}

// unwire removes hebb's hooks from every agent's settings and from the repository around.
func (a *app) unwire(ctx context.Context) error {
	m, err := a.machine()
	if err != nil {
		return err
	}
	out := []agentResult{}
	for _, name := range wiring.Wirable() {
		change, err := wiring.PlanUnwire(m, name, wiring.Order{})
		if err == nil {
			err = change.Apply()
		}
		if err != nil {
			return err
		}
		r := agentResult{Wiring: wiring.Wiring{Agent: name, State: wiring.Unwired}, Changed: !change.Empty(), Diff: change.Diff()}
		if r.Changed {
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
			p.line("%s  %s from %s", p.style.cyan("git"), p.style.green("hook removed"), shownName(a.home(hook.File)))
		}
		for _, g := range out {
			note := "had no hooks of hebb"
			switch file := shownName(a.home(g.File)); {
			case g.Removed:
				note = p.style.green("hooks removed") + ", and with them " + file + ", which hebb had made"
			case g.Changed:
				note = p.style.green("hooks removed") + " from " + file
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
		wide := ""
		if r.Learned.Wide > 0 {
			wide = fmt.Sprintf(" (%s with too many files to learn from)", count(r.Learned.Wide, "commit", "commits"))
		}
		p.line("Learned %s%s.", count(r.Learned.Added, "commit", "commits"), wide)
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
		p.line("%s learns from your earlier sessions.", p.style.cyan("hebb bootstrap --sessions"))
	}
	if line := r.Unadopted.Line(); line != "" {
		p.line("%s", p.style.dim(scrub.Line(line)+"."))
	}
}

// nextSteps shows what a person would do now.
func (a *app) nextSteps(p *page, agents []agentResult) {
	has := func(test func(agentResult) bool) bool { return slices.ContainsFunc(agents, test) }
	switch {
	case has(func(g agentResult) bool { return g.Changed }):
		p.line("Next: restart running agents, work as usual, then look at %s.", p.style.cyan("hebb"))
		for _, g := range agents {
			if g.Changed && g.Backup == "" {
				p.line("%s", p.style.dim(shownName(a.home(g.File))+" is new; hebb init --undo removes it again."))
			} else if g.Changed {
				p.line("%s", p.style.dim("The settings before: "+shownName(a.home(g.Backup))+"; hebb init --undo removes the hooks again."))
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

func (a *app) wiringNote(p *page, g agentResult) string {
	name, file := versionNote(g), scrub.Line(a.home(g.File))
	switch {
	case !g.Found:
		return p.style.dim("not installed here")
	case g.Changed:
		return name + p.style.green("wired now") + " in " + file
	case g.State == wiring.Wired:
		return name + p.style.green("wired") + " in " + file
	case g.State == wiring.Unreadable:
		return name + p.style.red("not changed: ") + scrub.Line(plain(g.Problem))
	case g.State == wiring.Partly:
		return fmt.Sprintf("%spartly wired: would renew the hooks in %s", name, file)
	}
	return fmt.Sprintf("%snot wired: would add %s to %s", name, count(len(g.Missing), "hook", "hooks"), file)
}

// versionNote is the version of an agent before a note on it.
func versionNote(g agentResult) string {
	if g.Version == "" {
		return ""
	}
	return scrub.Line(g.Version) + ", "
}
