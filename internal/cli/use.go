package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

func (a *app) statusCommand() *cobra.Command {
	var top int
	cmd := &cobra.Command{
		Use: "status", Short: "Show where things stand in this project",
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
	if c.Store == "" && a.project == "" && missing(c.Database()) && missing(c.Spool()) {
		none := struct {
			brain.StatusResult
			Hint string `json:"hint"`
		}{brain.StatusResult{Files: []memory.Neuron{}, Sessions: []memory.Session{}}, "hebb init"}
		none.Store.Settings = map[string]string{}
		return a.show(none, func(p *page) {
			p.line("hebb has no memory on this machine yet.")
			p.line("Run %s in a git repository: it learns the history and finds your agents.", p.style.cyan("hebb init"))
		})
	}
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		status, err := brain.Status.Run(ctx, b, brain.StatusInput{Scope: a.scope(), Top: top})
		if err != nil {
			return err
		}
		return a.show(status, func(p *page) { a.statusPage(p, status) })
	})
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func (a *app) statusPage(p *page, s brain.StatusResult) {
	if s.Project == nil {
		p.line("hebb knows nothing of this folder yet. %s learns its history.", p.style.cyan("hebb init"))
	} else {
		a.projectPage(p, *s.Project, s.Files)
		if len(s.Sessions) > 0 {
			p.gap()
			p.heading("Recent sessions")
			a.sessionTable(p, s.Sessions)
		}
	}
	p.gap()
	p.line("%s", p.style.dim(fmt.Sprintf("%s in %s · %s %s, %s · spool %s", count(s.Events, "event", "events"),
		count(s.Projects, "project", "projects"), s.Store.Engine, s.Store.Version, size(s.Store.Bytes), size(s.Spool.Waiting))))
	if s.Spool.Dropped > 0 || s.Spool.Rejected > 0 || s.Spool.Complaint != "" {
		p.line("%s", p.style.yellow("Hooks had trouble: hebb doctor tells more."))
	}
}

// projectPage shows a project and its most touched files.
func (a *app) projectPage(p *page, s brain.ProjectSummary, files []memory.Neuron) {
	p.line("%s  %s", p.style.bold(scrub.Line(s.Name)), p.style.dim(a.home(scrub.Line(s.Root))))
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
	Learned brain.LearnResult  `json:"learned"`
	Status  brain.StatusResult `json:"status"`
	Agents  []agentResult      `json:"agents"`
	Warning string             `json:"warning,omitempty"`
}

type agentResult struct {
	agent.Wiring
	Wired bool   `json:"wired_now"`
	Diff  string `json:"diff,omitempty"` // what would be changed
}

func (a *app) initCommand() *cobra.Command {
	var yes, diff bool
	cmd := &cobra.Command{
		Use: "init", Short: "Learn this project's history and find your agents",
		Long: `Creates the memory if there is none, learns the commits of the repository around you, and says which coding agents it
found and what it would add to their settings. Nothing of theirs is changed without --yes; their settings are kept
beside the file as .hebb-backup. Running it again only learns what is new.`,
		Example: `  hebb init          learn, and show what would be wired
  hebb init --diff   show the exact change to each agent's settings
  hebb init --yes    learn and wire`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(cmd.Context(), yes, diff) },
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "wire the agents that were found")
	cmd.Flags().BoolVar(&diff, "diff", false, "show the change to each agent's settings")
	return cmd
}

func (a *app) init(ctx context.Context, yes, diff bool) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		var out initResult
		var err error
		update, finish := a.progress("commits")
		out.Learned, err = brain.LearnHistory.Run(ctx, b, brain.LearnInput{Dir: a.Dir, Progress: update})
		finish()
		switch {
		case errors.Is(err, memory.ErrNotFound), errors.Is(err, memory.ErrRefused):
			out.Warning = err.Error() // no repository here, or git will not read it: agents can still be wired
		case err != nil:
			return err
		}
		if out.Status, err = brain.Status.Run(ctx, b, brain.StatusInput{Scope: a.scope(), Top: 5}); err != nil {
			return err
		}
		if out.Agents, err = a.wire(ctx, yes); err != nil {
			return err
		}
		return a.show(out, func(p *page) { a.initPage(p, out, diff) })
	})
}

// wire looks at every agent and, with yes, wires those that are installed.
func (a *app) wire(ctx context.Context, yes bool) ([]agentResult, error) {
	m, err := a.machine()
	if err != nil {
		return nil, err
	}
	program, unstable := a.stableProgram()
	if yes && unstable != nil {
		return nil, unstable
	}
	out := []agentResult{}
	for _, name := range agent.Known() {
		wiring, err := agent.Inspect(ctx, m, name, program)
		if err != nil {
			return out, err
		}
		r := agentResult{Wiring: wiring}
		if wiring.Found && wiring.State != agent.Wired && wiring.State != agent.Unreadable {
			change, err := agent.PlanWire(ctx, m, name, program)
			if err != nil {
				return out, err
			}
			r.Diff = change.Diff()
			if yes {
				if err := change.Apply(); err != nil {
					return out, err
				}
				r.State, r.Wired, r.Missing = agent.Wired, true, nil
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func (a *app) initPage(p *page, r initResult, diff bool) {
	switch {
	case r.Warning != "":
		p.line("%s %s", p.style.yellow("No history learned:"), scrub.Display(r.Warning))
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
	unwired := false
	for _, g := range r.Agents {
		p.line("%s%s  %s", indent, p.style.cyan(string(g.Agent)), a.wiringNote(p, g))
		if diff && g.Diff != "" {
			p.line("%s", scrub.Display(g.Diff))
		}
		unwired = unwired || (g.Found && g.State != agent.Wired)
	}
	p.gap()
	if unwired {
		p.line("Next: %s wires them (%s shows the change first).", p.style.cyan("hebb init --yes"), p.style.cyan("hebb init --diff"))
	} else {
		p.line("Next: work as usual, then look at %s.", p.style.cyan("hebb"))
	}
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
	case g.Wired:
		return name + p.style.green("wired now") + " in " + file
	case g.State == agent.Wired:
		return name + p.style.green("wired") + " in " + file
	case g.State == agent.Unreadable:
		return name + p.style.red("left alone: ") + scrub.Line(g.Problem)
	}
	return fmt.Sprintf("%snot wired: would add %s to %s", name, count(len(g.Missing), "hook", "hooks"), file)
}
