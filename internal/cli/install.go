package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/wiring"
)

// installInput is what hebb install and hebb uninstall were asked for.
type installInput struct {
	names   []string
	scope   string
	dryRun  bool
	snippet bool
}

const (
	userScope    = "user"
	projectScope = "project"
)

// installResult is what became of one agent.
type installResult struct {
	agentResult
	Edits []fileEdit `json:"edits,omitempty"` // files that were or would be changed
	Error string     `json:"error,omitempty"` // why it was left alone
}

type fileEdit struct {
	File    string `json:"file"`
	Made    bool   `json:"made,omitempty"`    // there was none before
	Removed bool   `json:"removed,omitempty"` // nothing was left in it
	Backup  string `json:"backup,omitempty"`  // the file as it was before hebb
}

func (a *app) installCommand() *cobra.Command {
	var in installInput
	cmd := &cobra.Command{
		Use: "install [AGENT...]", Short: "Have your agents call hebb",
		Long: `Writes hebb's hooks, its MCP server and, where an agent needs one, a plugin into the settings of the agents named, or of every
agent found on this machine. Everything else in those files stays as it is, byte for byte. The previous file is kept beside it as
.hebb-backup. A file that cannot be parsed is not changed, and the error names the line. Running it again changes nothing. Agents: ` +
			list(wiring.Wirable()) + `.`,
		Example: `  hebb install --dry-run          show the exact change to each file and make none
  hebb install                    wire every agent that is found
  hebb install codex gemini       wire these two
  hebb install --scope project    wire this project, for everybody who works in it
  hebb install --snippet          also mention hebb in CLAUDE.md, AGENTS.md or GEMINI.md`,
		Args: cobra.ArbitraryArgs, ValidArgs: wirable(),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.names = args
			m, err := a.machine()
			if err != nil {
				return err
			}
			program, unstable := a.stableProgram()
			if unstable != nil && !in.dryRun {
				return unstable
			}
			return a.install(cmd.Context(), m, program, in)
		},
	}
	installFlags(cmd, &in)
	cmd.Flags().BoolVar(&in.snippet, "snippet", false, "also add a few lines to the file that the agent reads first")
	return cmd
}

func (a *app) uninstallCommand() *cobra.Command {
	var in installInput
	cmd := &cobra.Command{
		Use: "uninstall [AGENT...]", Short: "Have your agents stop calling hebb",
		Long: `Removes what hebb install added to the settings of the agents named, or of all. Where nothing else has changed since, each file
is again what it was, byte for byte, and files and folders that hebb made are removed. What was learned stays.`,
		Example: `  hebb uninstall                   of all agents
  hebb uninstall codex --dry-run   show what would be removed
  hebb uninstall --scope project   of this project`,
		Args: cobra.ArbitraryArgs, ValidArgs: wirable(),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.names = args
			m, err := a.machine()
			if err != nil {
				return err
			}
			return a.uninstall(m, in)
		},
	}
	installFlags(cmd, &in)
	return cmd
}

func installFlags(cmd *cobra.Command, in *installInput) {
	in.scope = userScope
	cmd.Flags().BoolVarP(&in.dryRun, "dry-run", "n", false, "show the change to each file and make none")
	choiceFlag(cmd, &in.scope, "scope", "", []string{userScope, projectScope}, "your own settings, or those of the project around you")
}

func wirable() []string {
	return mapped(wiring.Wirable(), func(name memory.Agent) string { return string(name) })
}

// order turns the input into an order, and the agents that were named.
func (a *app) order(in installInput, program string) (wiring.Order, []memory.Agent, error) {
	o := wiring.Order{Program: program, Snippet: in.snippet, Anyway: len(in.names) > 0}
	if in.scope == projectScope {
		o.Project = projectFolder(a.Dir)
	}
	var chosen []memory.Agent
	for _, text := range in.names {
		name, err := wiring.ParseWirable(text)
		if err != nil {
			return o, nil, err
		}
		if !slices.Contains(chosen, name) {
			chosen = append(chosen, name)
		}
	}
	if len(chosen) == 0 {
		chosen = wiring.Wirable()
	}
	return o, chosen, nil
}

// projectFolder is the work tree around a folder, or the folder itself.
func projectFolder(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// install wires agents one after the other. An agent that cannot be wired does not stop the others.
func (a *app) install(ctx context.Context, m wiring.Machine, program string, in installInput) error {
	o, chosen, err := a.order(in, program)
	if err != nil {
		return err
	}
	out := []installResult{}
	var failed []error
	for _, name := range chosen {
		found, err := wiring.InspectOrder(ctx, m, name, o)
		switch {
		case err != nil && !o.Anyway && o.Project != "" && errors.Is(err, memory.ErrInvalid):
			continue // it has no project settings, and was not named
		case err != nil:
			return err
		case !found.Found && !o.Anyway:
			continue
		}
		r := installResult{agentResult: agentResult{Wiring: found}}
		plan, err := wiring.PlanWire(ctx, m, name, o)
		if err == nil {
			err = r.carryOut(plan, in.dryRun)
		}
		if err != nil {
			r.Error = err.Error()
			failed = append(failed, err)
		} else if r.Notes = plan.Notes; r.Changed {
			r.State, r.Missing = wiring.Wired, nil
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return fmt.Errorf("install: none of %s is on this machine: install one first, or name it (hebb install claude-code) to wire it in advance; any other agent uses hebb mcp: %w",
			list(wiring.Wirable()), memory.ErrNotFound)
	}
	err = a.show(out, func(p *page) {
		for _, r := range out {
			a.installPage(p, m, r, in.dryRun, "wired")
		}
		if in.dryRun {
			p.line("Nothing was changed.")
		} else if slices.ContainsFunc(out, func(r installResult) bool { return r.Changed }) {
			p.line("Next: restart running agents, work as usual, then look at %s. %s undoes it.", p.style.cyan("hebb"), p.style.cyan("hebb uninstall"))
		}
	})
	return errors.Join(append([]error{err}, failed...)...)
}

// carryOut applies a plan, unless it is only to be shown, and records its edits.
func (r *installResult) carryOut(plan wiring.Plan, dryRun bool) error {
	r.Diff = plan.Diff()
	if !dryRun {
		if err := plan.Apply(); err != nil {
			return err
		}
		r.Changed = !plan.Empty()
	}
	for _, c := range plan.Changes {
		e := fileEdit{File: c.File, Made: c.Old == nil, Removed: c.New == nil}
		if !dryRun {
			e.Backup = c.Backup()
		}
		r.Edits = append(r.Edits, e)
	}
	return nil
}

// uninstall removes hebb from agents one after the other.
func (a *app) uninstall(m wiring.Machine, in installInput) error {
	o, chosen, err := a.order(in, "")
	if err != nil {
		return err
	}
	out := []installResult{}
	var failed []error
	for _, name := range chosen {
		r := installResult{agentResult: agentResult{Wiring: wiring.Wiring{Agent: name, State: wiring.Unwired}}}
		plan, err := wiring.PlanUnwire(m, name, o)
		if err == nil {
			err = r.carryOut(plan, in.dryRun)
		}
		if err != nil {
			r.Error = err.Error()
			failed = append(failed, err)
		}
		if err != nil || !plan.Empty() || len(in.names) > 0 {
			out = append(out, r)
		}
	}
	err = a.show(out, func(p *page) {
		for _, r := range out {
			a.installPage(p, m, r, in.dryRun, "removed")
		}
		if len(out) == 0 {
			p.line("No agent calls hebb here.")
			return
		}
		if !in.dryRun {
			p.line("What was learned is still in %s.", p.style.cyan("hebb"))
		}
	})
	return errors.Join(append([]error{err}, failed...)...)
}

// installPage shows the result for one agent.
func (a *app) installPage(p *page, m wiring.Machine, r installResult, dryRun bool, deed string) {
	note := p.style.dim("nothing to do")
	switch {
	case r.Error != "":
		note = p.style.red("not changed: ") + scrub.Line(plain(r.Error))
	case r.Changed:
		note = p.style.green(deed)
	case len(r.Edits) > 0:
		note = "would be " + deed
	case r.State == wiring.Wired:
		note = p.style.green("wired") + " already"
	}
	p.line("%s  %s%s", p.style.cyan(string(r.Agent)), versionNote(r.agentResult), note)
	if r.Problem != "" && r.Error == "" {
		p.line("%s%s", indent, p.style.dim(scrub.Line(r.Problem)))
	}
	if dryRun {
		home := m.Home + string(filepath.Separator)
		p.diff(strings.NewReplacer("\n--- "+home, "\n--- ~/", "\n+++ "+home, "\n+++ ~/").Replace("\n" + r.Diff)[1:])
	} else {
		for _, e := range r.Edits {
			p.line("%s%s", indent, a.editNote(m, e))
		}
	}
	for _, text := range r.Notes {
		p.line("%s%s", indent, scrub.Line(text))
	}
}

func (a *app) editNote(m wiring.Machine, e fileEdit) string {
	file := shownName(below(m.Home, e.File))
	switch {
	case e.Removed:
		return file + " removed, which hebb had made"
	case e.Made:
		return file + " is new"
	case e.Backup != "":
		return file + ", before: " + shownName(below(m.Home, e.Backup))
	}
	return file
}

// below shortens a path in the home folder.
func below(home, path string) string {
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return "~/" + filepath.ToSlash(rest)
	}
	return path
}
