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
		Long: `Writes hebb's hooks, its MCP server and, where an agent wants one, a plugin into the settings of the agents named, or of
every agent found on this machine. All else in those files stays as it is, byte for byte; a file that was there before is
kept beside it as .hebb-backup, one that cannot be understood is left alone and named with the line. Running it again
changes nothing. Agents: ` + list(wiring.Wirable()) + `.`,
		Example: `  hebb install --dry-run          show the exact change to each file and make none
  hebb install                    wire every agent that is found
  hebb install codex gemini       wire these two
  hebb install --scope project    wire this project, for everybody who works in it
  hebb install --snippet          also say a word about hebb in CLAUDE.md, AGENTS.md or GEMINI.md`,
		ValidArgs: names(wiring.Wirable()),
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
	cmd.Flags().BoolVar(&in.snippet, "snippet", false, "also write a few lines into the file that the agent reads first")
	return cmd
}

func (a *app) uninstallCommand() *cobra.Command {
	var in installInput
	cmd := &cobra.Command{
		Use: "uninstall [AGENT...]", Short: "Have your agents stop calling hebb",
		Long: `Takes out what hebb install has put into the settings of the agents named, or of all. Where nothing else has changed
since, each file is again what it was, byte for byte, and files and folders that hebb made are gone. What was learned
stays.`,
		Example: `  hebb uninstall                   of all agents
  hebb uninstall codex --dry-run   show what would be taken out
  hebb uninstall --scope project   of this project`,
		ValidArgs: names(wiring.Wirable()),
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
	cmd.Flags().BoolVarP(&in.dryRun, "dry-run", "n", false, "show the change to each file and make none")
	cmd.Flags().StringVar(&in.scope, "scope", userScope, "user: your own settings; project: those of the project around you")
	fixedCompletion(cmd, "scope", []string{userScope, projectScope})
}

func names(agents []memory.Agent) []string {
	out := make([]string, len(agents))
	for i, name := range agents {
		out[i] = string(name)
	}
	return out
}

// order turns what was asked for into an order, and the agents that were named.
func (a *app) order(in installInput, program string) (wiring.Order, []memory.Agent, error) {
	o := wiring.Order{Program: program, Snippet: in.snippet, Anyway: len(in.names) > 0}
	switch in.scope {
	case userScope, "":
	case projectScope:
		o.Project = projectFolder(a.Dir)
	default:
		return o, nil, usageError{fmt.Errorf("--scope %q: want %s or %s", in.scope, userScope, projectScope)}
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

// install wires agents one after the other. One that cannot be wired does not keep the others from it.
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
			continue // it has no settings in a project, and nobody asked for it
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
		return fmt.Errorf("install: none of %s is on this machine: install one first, or name it (hebb install claude-code) to wire it before it comes; any other agent uses hebb mcp: %w",
			list(wiring.Wirable()), memory.ErrNotFound)
	}
	err = a.show(out, func(p *page) {
		for _, r := range out {
			a.installPage(p, m, r, in.dryRun, "wired")
		}
		a.installNext(p, out, in)
	})
	return errors.Join(append([]error{err}, failed...)...)
}

// carryOut makes the edits of a plan, unless they are only to be shown, and notes them.
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

// uninstall takes hebb out of agents one after the other.
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
			a.installPage(p, m, r, in.dryRun, "taken out")
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

// installPage tells of one agent.
func (a *app) installPage(p *page, m wiring.Machine, r installResult, dryRun bool, deed string) {
	version := scrub.Line(r.Version)
	if version != "" {
		version += ", "
	}
	note := p.style.dim("nothing to do")
	switch {
	case r.Error != "":
		note = p.style.red("left alone: ") + scrub.Line(plain(r.Error))
	case r.Changed:
		note = p.style.green(deed)
	case len(r.Edits) > 0:
		note = "would be " + deed
	case r.State == wiring.Wired:
		note = p.style.green("wired") + " already"
	}
	p.line("%s  %s%s", p.style.cyan(string(r.Agent)), version, note)
	if r.Problem != "" && r.Error == "" {
		p.line("%s%s", indent, p.style.dim(scrub.Line(r.Problem)))
	}
	if dryRun {
		for line := range strings.Lines(r.Diff) {
			line = strings.TrimRight(line, "\r\n")
			for _, mark := range []string{"--- ", "+++ "} {
				if file, ok := strings.CutPrefix(line, mark); ok {
					line = mark + below(m.Home, file)
				}
			}
			p.line("%s", paintDiff(p.style, scrub.Display(line)))
		}
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
		return file + " removed: hebb had made it"
	case e.Made:
		return file + " is new"
	case e.Backup != "":
		return file + ", as it was: " + shownName(below(m.Home, e.Backup))
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

// installNext says what a person would do now.
func (a *app) installNext(p *page, out []installResult, in installInput) {
	changed := slices.ContainsFunc(out, func(r installResult) bool { return r.Changed })
	switch {
	case in.dryRun:
		p.line("Nothing was changed.")
	case changed:
		p.line("Next: restart agents that are running, work as usual, then look at %s. %s takes it all out again.",
			p.style.cyan("hebb"), p.style.cyan("hebb uninstall"))
	}
}
