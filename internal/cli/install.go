package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/wiring"
)

// installInput is the input of hebb agents install and hebb agents uninstall.
type installInput struct {
	Names   []string `arg:"1.."`
	DryRun  bool     `flag:"dry-run,n" about:"show the change to each file and make none"`
	Scope   string   `flag:"scope" of:"user project" about:"your own settings, or those of the project around you"`
	Snippet bool     // also a few lines in the file that the agent reads first
}

// agentResult is what was found and done for one agent.
type agentResult struct {
	wiring.Wiring
	Changed bool       `json:"changed"`         // its settings were changed now
	Diff    string     `json:"diff,omitempty"`  // what was or would be changed
	Edits   []fileEdit `json:"edits,omitempty"` // the same, file by file
	Notes   []string   `json:"notes,omitempty"` // instructions for the person
	Error   string     `json:"error,omitempty"` // why it was not changed
}

type fileEdit struct {
	File    string `json:"file"`
	Made    bool   `json:"made,omitempty"`    // there was none before
	Removed bool   `json:"removed,omitempty"` // nothing was left in it
	Backup  string `json:"backup,omitempty"`  // the file as it was before hebb
}

func (a *app) installCommand() *cobra.Command {
	type input struct {
		installInput
		Lines bool `flag:"snippet" about:"also add a few lines to the file that the agent reads first"`
	}
	return takes(a, &cobra.Command{
		Use: "install [AGENT...]", Short: "Have your agents call hebb",
		Long: `Writes hebb's hooks, its MCP server and, where an agent needs one, a plugin into the settings of the
agents named, or of every agent found on this machine. Everything else in those files stays as it is,
byte for byte; the previous file is kept beside it as .hebb-backup. A file that cannot be parsed is
not changed, and the error names the line. Running it again changes nothing. Agents: ` +
			list(wiring.Wirable()) + `.`,
		Example: `  hebb agents install --dry-run          show the exact change to each file and make none
  hebb agents install codex gemini       wire these two`,
		ValidArgs: wordsOf(wiring.Wirable()),
	}, input{installInput: installInput{Scope: "user"}}, func(cmd *cobra.Command, in input) error {
		m, err := a.machine()
		if err != nil {
			return err
		}
		in.Snippet = in.Lines
		return a.installHere(cmd.Context(), m, in.installInput)
	})
}

// order turns the input into an order, and the agents that were named.
func (a *app) order(in installInput, program string) (wiring.Order, []memory.Agent, error) {
	o := wiring.Order{Program: program, Snippet: in.Snippet, Anyway: len(in.Names) > 0}
	if in.Scope == "project" {
		o.Project = projectFolder(a.Dir)
	}
	if len(in.Names) == 0 {
		return o, wiring.Wirable(), nil
	}
	var chosen []memory.Agent
	for _, text := range in.Names {
		name, err := wiring.ParseWirable(text)
		if err != nil {
			return o, nil, err
		}
		if !slices.Contains(chosen, name) {
			chosen = append(chosen, name)
		}
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

// installHere is install with this program.
func (a *app) installHere(ctx context.Context, m wiring.Machine, in installInput) error {
	called, err := a.calledProgram(ctx, in.DryRun)
	if err != nil {
		return err
	}
	return a.install(ctx, m, called, in)
}

// install has agents call hebb and shows what was changed.
func (a *app) install(ctx context.Context, m wiring.Machine, program string, in installInput) error {
	o, chosen, err := a.order(in, program)
	if err != nil {
		return err
	}
	out, failed, err := wireAgents(ctx, m, o, chosen, in.DryRun)
	if err != nil {
		return err
	}
	if !o.Anyway {
		out = slices.DeleteFunc(out, func(r agentResult) bool { return !r.Found })
	}
	if len(out) == 0 {
		return fmt.Errorf("install: none of %s is on this machine: install one first, or name it (hebb agents install claude-code) "+
			"to wire it in advance; any other agent uses hebb mcp: %w", list(wiring.Wirable()), memory.ErrNotFound)
	}
	err = a.show(out, func(p *page) {
		for _, r := range out {
			installPage(p, m.Home, r, in.DryRun, "wired")
		}
		if in.DryRun {
			p.line("Nothing was changed.")
		} else if slices.ContainsFunc(out, func(r agentResult) bool { return r.Changed }) {
			p.line("Next: restart running agents, work as usual, then look at `hebb`. `hebb agents " +
				"uninstall` undoes it.")
		}
	})
	return errors.Join(err, failed)
}

// wireAgents inspects agents and wires those that are installed or were named. One that cannot be wired does not stop the others;
// why is in failed.
func wireAgents(
	ctx context.Context, m wiring.Machine, o wiring.Order, chosen []memory.Agent, dryRun bool,
) (out []agentResult, failed, err error) {
	out = []agentResult{}
	m = m.Asked(ctx, chosen)
	for _, name := range chosen {
		found, err := wiring.Inspect(ctx, m, name, o)
		if err != nil && !o.Anyway && o.Project != "" && errors.Is(err, memory.ErrInvalid) {
			continue // it has no project settings, and was not named
		}
		if err != nil {
			return out, failed, err
		}
		r := agentResult{Wiring: found}
		if (found.Found || o.Anyway) && found.State != wiring.Wired {
			plan, err := wiring.PlanWire(ctx, m, name, o)
			failed = errors.Join(failed, r.carryOut(plan, err, dryRun))
			if r.Changed {
				r.State, r.Missing = wiring.Wired, nil
			}
		}
		out = append(out, r)
	}
	return out, failed, nil
}

// carryOut applies a plan, unless it could not be made or is only to be shown, and records its edits.
func (r *agentResult) carryOut(plan wiring.Plan, err error, dryRun bool) error {
	if err == nil && !dryRun {
		err = plan.Apply()
	}
	if err != nil {
		r.Error = err.Error()
		return err
	}
	r.Diff, r.Notes, r.Changed = plan.Diff(), plan.Notes, !dryRun && !plan.Empty()
	for _, c := range plan.Changes {
		e := fileEdit{File: c.File, Made: c.Old == nil, Removed: c.New == nil}
		if !dryRun {
			e.Backup = c.Backup()
		}
		r.Edits = append(r.Edits, e)
	}
	return nil
}

// uninstall removes hebb from agents and shows what was changed.
func (a *app) uninstall(m wiring.Machine, in installInput) error {
	o, chosen, err := a.order(in, "")
	if err != nil {
		return err
	}
	out := []agentResult{}
	var failed error
	for _, name := range chosen {
		r := agentResult{Wiring: wiring.Wiring{Agent: name, State: wiring.Unwired}}
		plan, err := wiring.PlanUnwire(m, name, o)
		failed = errors.Join(failed, r.carryOut(plan, err, in.DryRun))
		if r.Error != "" || !plan.Empty() || len(in.Names) > 0 {
			out = append(out, r)
		}
	}
	err = a.show(out, func(p *page) {
		for _, r := range out {
			installPage(p, m.Home, r, in.DryRun, "removed")
		}
		if len(out) == 0 {
			p.line("No agent calls hebb here.")
		} else if !in.DryRun {
			p.line("What was learned is still in `hebb`.")
		}
	})
	return errors.Join(err, failed)
}

// installPage shows the result for one agent.
func installPage(p *page, home string, r agentResult, dryRun bool, deed string) {
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
	p.line("%s  %s%s", p.style.cyan(string(r.Agent)), versionNote(r), note)
	p.noteIf(r.Problem != "" && r.Error == "", indent+scrub.Line(r.Problem))
	if dryRun {
		at := home + string(filepath.Separator)
		p.diff(strings.NewReplacer("--- "+at, "--- ~/", "+++ "+at, "+++ ~/").Replace(r.Diff))
	} else {
		for _, e := range r.Edits {
			p.line("%s%s", indent, editNote(home, e))
		}
	}
	for _, text := range r.Notes {
		p.line("%s%s", indent, scrub.Line(text))
	}
}

func editNote(home string, e fileEdit) string {
	file := shownName(below(home, e.File))
	switch {
	case e.Removed:
		return file + " removed (created by hebb)"
	case e.Made:
		return file + " is new"
	case e.Backup != "":
		return file + ", before: " + shownName(below(home, e.Backup))
	}
	return file
}

// versionNote is the version of an agent before a note on it.
func versionNote(g agentResult) string {
	return either(g.Version == "", "", scrub.Line(g.Version)+", ")
}

type upgradeResult struct {
	Version string `json:"version"`
	Newest  string `json:"newest"`
	Program string `json:"program,omitempty"` // what was replaced
}

func (a *app) upgradeCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "upgrade", Short: "Replace this hebb by the newest release",
		Long: `Downloads the newest release for this system, compares its checksum and, once releases are signed,
verifies the signature; then it replaces this program, and the copy that agents call follows. It is
the only command that asks a server of hebb's (HEBB_RELEASES names another). A hebb that a package
manager installed is upgraded by that.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.upgrade(cmd.Context(), check) },
	}
	cmd.Flags().BoolVar(&check, "check", false, "only say whether there is a newer release")
	return cmd
}

func (a *app) upgrade(ctx context.Context, check bool) error {
	path := wiring.Resolved(a.Program)
	owner, command := wiring.ProgramOwner(path, exists, wiring.GoBins(a.Getenv))
	if owner != "" && !check {
		return fmt.Errorf("upgrade: this hebb comes from %s. Upgrade it with: %s: %w", owner, command, memory.ErrRefused)
	}
	folder := cmp.Or(a.Getenv("HEBB_RELEASES"), wiring.Releases)
	newest, err := wiring.NewestRelease(ctx, folder, wiring.ReleaseKey)
	if err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	out := upgradeResult{Version: version(), Newest: newest.Version}
	newer, known := newest.NewerThan(out.Version)
	if !known && !check {
		return fmt.Errorf("upgrade: this is a development build (%s), which may be newer than the newest release (%s): install that instead: %w",
			scrub.Line(out.Version), newest.Version, memory.ErrRefused)
	}
	if newer && !check {
		if err := newest.Install(ctx, path); err != nil {
			return fmt.Errorf("upgrade: %w", err)
		}
		out.Program = path
		dir, err := config.DataDir(a.Getenv)
		if err == nil {
			err = wiring.CopyIn(dir).Upgraded(ctx, path)
		}
		if err != nil {
			a.warn("the copy that agents call was not upgraded: " + err.Error())
		}
	}
	return a.show(out, func(p *page) {
		switch {
		case known && !newer:
			p.line("hebb %s is the newest release.", scrub.Line(out.Version))
		case !known:
			p.line("This is a development build (%s); the newest release is %s.", scrub.Line(out.Version), scrub.Line(newest.Version))
		case check && command != "":
			p.line("hebb %s is out; this is %s. Upgrade: %s", scrub.Line(newest.Version), scrub.Line(out.Version), command)
		case check:
			p.line("hebb %s is out; this is %s. Upgrade: hebb upgrade", scrub.Line(newest.Version), scrub.Line(out.Version))
		default:
			p.line("Upgraded %s from %s to %s.", out.Program, scrub.Line(out.Version), scrub.Line(newest.Version))
		}
	})
}

// agents inspects every agent and, with wire, wires those that are installed.
func (a *app) agents(ctx context.Context, wire bool) (out []agentResult, failed, err error) {
	m, err := a.machine()
	if err != nil {
		return nil, nil, err
	}
	called, err := a.calledProgram(ctx, !wire)
	if err != nil {
		return nil, nil, err
	}
	return wireAgents(ctx, m, wiring.Order{Program: called}, wiring.Wirable(), !wire)
}

// agentsCommand shows which agents call hebb.
func (a *app) agentsCommand() *cobra.Command {
	return under(&cobra.Command{
		Use: "agents", Short: "List the agents that call hebb, wire them and unwire them",
		Long: `Lists the coding agents that hebb knows, which of them are on this machine, and what of hebb their
settings have. install adds hebb's hooks, its MCP server and, where an agent needs one, a plugin;
uninstall removes them.`,
		Example: "  hebb agents install codex --dry-run",
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, _, err := a.agents(cmd.Context(), false)
			return a.outcome(found, err, func(p *page) { a.agentsPage(p, found) })
		},
	}, a.installCommand(), takes(a, &cobra.Command{
		Use: "uninstall [AGENT...]", Short: "Have your agents stop calling hebb",
		Long: `Removes what hebb agents install added to the settings of the agents named, or of all. Where
nothing else has changed since, each file is again what it was, byte for byte, and files and
folders that hebb made are removed. What was learned stays.`,
		Example:   "  hebb agents uninstall codex --dry-run",
		ValidArgs: wordsOf(wiring.Wirable()),
	}, installInput{Scope: "user"}, func(_ *cobra.Command, in installInput) error {
		m, err := a.machine()
		if err != nil {
			return err
		}
		return a.uninstall(m, in)
	}))
}

func (a *app) agentsPage(p *page, agents []agentResult) {
	var missing []string
	for _, g := range agents {
		if !g.Found && g.State == wiring.Unwired {
			missing = append(missing, string(g.Agent))
			continue
		}
		p.line("%s%s  %s", indent, p.style.cyan(string(g.Agent)), a.wiringNote(p, g))
		p.lineIf(g.Found && g.Problem != "" && g.State != wiring.Unreadable, "%s%s", indent+indent, p.style.dim(scrub.Line(g.Problem)))
	}
	p.lineIf(len(missing) > 0, "%s%s", indent, p.style.dim("not installed here: "+strings.Join(missing, ", ")))
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
