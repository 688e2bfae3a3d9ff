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

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
	"github.com/hebb-memory/hebb/internal/wiring"
	"github.com/hebb-memory/hebb/internal/words"
)

func (a *app) statusCommand() *cobra.Command {
	var top int
	var worth bool
	var in inspect.GainInput
	cmd := &cobra.Command{
		Use: "status", Short: "Show the state of this project",
		Long: `Shows how much hebb knows of the project around you, its most touched files and its latest sessions.

--worth shows what agents were shown instead, what it cost and what became of it.

` + worthHelp,
		Example: "  hebb status\n  hebb status --project shop --json\n  hebb status --worth --since 30d",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in.Scope = a.scope(); worth {
				return a.worth(cmd.Context(), in)
			}
			if a.all || !in.Since.IsZero() {
				return usageError{errors.New("status: --all and --since go with --worth")}
			}
			return a.status(cmd.Context(), top)
		},
	}
	cmd.Flags().IntVarP(&top, "top", "n", 5, "files and sessions to show")
	cmd.Flags().BoolVar(&worth, "worth", false, "what suggestions cost and are worth")
	a.timeFlag(cmd, &in.Since, "since", "with --worth: only after this")
	return a.scopeFlags(cmd, true)
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
			p.line("%s hebb records and shows nothing here; %s ends the pause.", p.style.yellow("Paused:"), p.style.cyan("hebb config resume"))
		}
		a.statusPage(p, status)
		if advice := brain.TwinAdvice(status.Twins); advice != "" {
			p.line("%s", scrub.Line(advice))
		}
	})
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
	for _, line := range s.Attention {
		p.gap()
		p.line("%s", p.style.yellow(scrub.Line(line)))
	}
	p.gap()
	p.note(fmt.Sprintf("%s in %s · %s %s, %s · spool %s", count(s.Events, "event", "events"),
		count(s.Projects, "project", "projects"), s.Store.Engine, s.Store.Version, size(s.Store.Bytes), size(s.Spool.Waiting)))
	if len(s.Store.Others) > 0 {
		p.note("A memory of your own: " + inspect.OwnerLine(s.Store))
	}
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
	Scribe  string                `json:"scribe,omitempty"`  // who reads finished sessions, if that was chosen now
	Ask     string                `json:"ask,omitempty"`     // whether agents ask before they break a rule, likewise
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
	// Notes are instructions for the person.
	Notes []string `json:"notes,omitempty"`
}

func (a *app) initCommand() *cobra.Command {
	var yes, diff, undo, gitHook, again bool
	var scribe, ask string
	cmd := &cobra.Command{
		Use: "init", Short: "Learn this project's history and find your agents",
		Long: `Creates the memory if there is none, learns the commits of the repository around you, and lists the coding agents it finds and
what it would add to their settings. Settings are changed only with --yes; the previous file is kept beside it as .hebb-backup.
Running it again learns what is new. --git-hook adds a few lines to the repository's post-commit hook, so that every commit is learned
in the background.

--scribe agent lets an installed agent (Claude Code, Codex, Gemini CLI or OpenCode, without tools where it can be told so) read each
session in the background once it is over, note what you said that holds, and write MEMORY.md. It hears far more than hebb alone does
and is paid for like any other question to that agent; llm.day_tokens bounds it. A first init in a terminal asks. --scribe off ends it.

--ask on has Claude Code, Cursor and Copilot ask you before a call that breaks a rule of yours that says never, and that you asked to
remember, confirmed or said twice. Other agents are only told the rule. In a session without anybody to ask, Claude Code refuses the call.`,
		Example: `  hebb init          learn, and show what would be wired
  hebb init --diff   only show the exact change to each agent's settings
  hebb init --yes    learn and wire
  hebb init --git-hook   learn, and have each commit learned as it is made
  hebb init --scribe agent   learn, and let your agent note what you say
  hebb init --ask on   learn, and be asked before an agent breaks a rule
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
			return a.init(cmd.Context(), initInput{wire: yes, gitHook: gitHook, scribe: scribe, ask: ask})
		},
	}
	choiceFlag(cmd, &scribe, "scribe", "", []string{config.ScribeAgent, scribeOff}, "who reads finished sessions")
	choiceFlag(cmd, &ask, "ask", "", []string{askOn, askOff}, "whether agents ask you before they break a rule of yours")
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
	change, err := git.PlanHook(ctx, a.Dir, program)
	if err != nil {
		return nil, err
	}
	return &gitHookResult{File: change.File, Changed: !change.Empty()}, change.Apply()
}

// wordSteps is the resolution of the progress bar for word vectors.
const wordSteps = 1000

// initInput is what hebb init does beside learning.
type initInput struct {
	wire    bool // the agents that are found
	gitHook bool
	scribe  string // who reads finished sessions; empty: ask once
	ask     string // whether agents ask before they break a rule; likewise
}

func (a *app) init(ctx context.Context, in initInput) error {
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
		if out.Agents, err = a.agents(ctx, in.wire); err != nil {
			return err
		}
		if out.Unadopted, err = steward.Run(ctx, b, views.Unadopted, brain.Scope{Dir: a.Dir}); err != nil {
			return err
		}
		if in.gitHook {
			if out.GitHook, err = a.installGitHook(ctx); err != nil {
				return err
			}
		}
		if in.scribe != "" {
			if err := b.Config.SetScribe(strings.TrimSuffix(in.scribe, scribeOff)); err != nil {
				return err
			}
			out.Scribe = in.scribe
		}
		if in.ask != "" {
			if err := b.Config.SetAsk(in.ask == askOn); err != nil {
				return err
			}
			out.Ask = in.ask
		}
		if err := a.show(out, func(p *page) { a.initPage(p, out) }); err != nil {
			return err
		}
		if in.scribe == "" && in.ask == "" && !in.wire {
			var found []memory.Agent
			for _, g := range out.Agents {
				if g.Found {
					found = append(found, g.Agent)
				}
			}
			if err := a.offer(ctx, b, found); err != nil {
				return err
			}
		}
		for _, g := range out.Agents {
			if in.wire && g.State == wiring.Unreadable {
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
		r := installResult{agentResult: agentResult{Wiring: found}}
		if found.Found && found.State != wiring.Wired && found.State != wiring.Unreadable {
			if err := r.wire(ctx, m, wiring.Order{Program: program}, !wire); err != nil {
				return out, err
			}
		}
		out = append(out, r.agentResult)
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
	change, err := git.PlanHookRemoval(ctx, a.Dir)
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
				note = p.style.green("hooks removed") + ", and " + file + " (created by hebb)"
			case g.Changed:
				note = p.style.green("hooks removed") + " from " + file
			}
			p.line("%s  %s", p.style.cyan(string(g.Agent)), note)
		}
		p.line("What was learned is still in %s.", p.style.cyan("hebb"))
	})
}

// agentsCommand shows which agents call hebb.
func (a *app) agentsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "agents", Short: "Show which agents call hebb, wire them and unwire them",
		Long: `Lists the coding agents that hebb knows, which of them are on this machine, and what of hebb their settings have. install adds hebb's
hooks, its MCP server and, where an agent needs one, a plugin; uninstall removes them.`,
		Example: "  hebb agents\n  hebb agents install\n  hebb agents install codex --dry-run\n  hebb agents uninstall",
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := a.agents(cmd.Context(), false)
			if err != nil {
				return err
			}
			return a.show(found, func(p *page) { a.agentsPage(p, found) })
		},
	}
}

func (a *app) agentsPage(p *page, agents []agentResult) {
	for _, g := range agents {
		p.line("%s%s  %s", indent, p.style.cyan(string(g.Agent)), a.wiringNote(p, g))
		if g.Found && g.Problem != "" && g.State != wiring.Unreadable {
			p.line("%s%s", indent+indent, p.style.dim(scrub.Line(g.Problem)))
		}
	}
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
	a.agentsPage(p, r.Agents)
	if r.GitHook != nil {
		p.line("%s%s  %s in %s", indent, p.style.cyan("git"), p.style.green("learns each commit"), shownName(a.home(r.GitHook.File)))
	}
	p.gap()
	a.nextSteps(p, r.Agents)
	if slices.ContainsFunc(r.Agents, func(g agentResult) bool { return g.Found }) {
		p.line("%s learns from your earlier sessions.", p.style.cyan("hebb sessions import"))
	}
	switch agent := llm.Installed(); {
	case r.Scribe == scribeOff:
		p.line("No agent reads your sessions.")
	case r.Scribe != "" && agent == "":
		p.line("Your agent will read finished sessions once Claude Code, Codex, Gemini CLI or OpenCode is on PATH.")
	case r.Scribe != "":
		p.line("From now on your agent (here %s) reads finished sessions in the background.", p.style.cyan(string(agent)))
	}
	switch r.Ask {
	case askOn:
		p.line("From now on Claude Code, Cursor and Copilot CLI ask you before they break a rule that you insisted on.")
	case askOff:
		p.line("Agents are told your rules and do not ask.")
	}
	if line := r.Unadopted.Line(); line != "" {
		p.note(scrub.Line(line) + ".")
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
				p.note(shownName(a.home(g.File)) + " is new; hebb init --undo removes it again.")
			} else if g.Changed {
				p.note("The settings before: " + shownName(a.home(g.Backup)) + "; hebb init --undo removes the hooks again.")
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

// installInput is the input of hebb agents install and hebb agents uninstall.
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

// installResult is the result for one agent.
type installResult struct {
	agentResult
	Edits []fileEdit `json:"edits,omitempty"` // files that were or would be changed
	Error string     `json:"error,omitempty"` // why it was not changed
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
		Example: `  hebb agents install --dry-run          show the exact change to each file and make none
  hebb agents install                    wire every agent that is found
  hebb agents install codex gemini       wire these two
  hebb agents install --scope project    wire this project, for everybody who works in it
  hebb agents install --snippet          also mention hebb in CLAUDE.md, AGENTS.md or GEMINI.md`,
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
		Long: `Removes what hebb agents install added to the settings of the agents named, or of all. Where nothing else has changed since, each file
is again what it was, byte for byte, and files and folders that hebb made are removed. What was learned stays.`,
		Example: `  hebb agents uninstall                   of all agents
  hebb agents uninstall codex --dry-run   show what would be removed
  hebb agents uninstall --scope project   of this project`,
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
		if err := r.wire(ctx, m, o, in.dryRun); err != nil {
			r.Error = err.Error()
			failed = append(failed, err)
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return fmt.Errorf("install: none of %s is on this machine: install one first, or name it (hebb agents install claude-code) to wire it in advance; any other agent uses hebb mcp: %w",
			list(wiring.Wirable()), memory.ErrNotFound)
	}
	err = a.show(out, func(p *page) {
		for _, r := range out {
			a.installPage(p, m, r, in.dryRun, "wired")
		}
		if in.dryRun {
			p.line("Nothing was changed.")
		} else if slices.ContainsFunc(out, func(r installResult) bool { return r.Changed }) {
			p.line("Next: restart running agents, work as usual, then look at %s. %s undoes it.", p.style.cyan("hebb"), p.style.cyan("hebb agents uninstall"))
		}
	})
	return errors.Join(append([]error{err}, failed...)...)
}

// wire plans the change that wires the agent and, unless it is a dry run, makes it.
func (r *installResult) wire(ctx context.Context, m wiring.Machine, o wiring.Order, dryRun bool) error {
	plan, err := wiring.PlanWire(ctx, m, r.Agent, o)
	if err == nil {
		err = r.carryOut(plan, dryRun)
	}
	if err != nil {
		return err
	}
	if r.Notes = plan.Notes; r.Changed {
		r.State, r.Missing = wiring.Wired, nil
		if backups := plan.Backups(); len(backups) > 0 {
			r.Backup = backups[0]
		}
	}
	return nil
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
		p.note(indent + scrub.Line(r.Problem))
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
		return file + " removed (created by hebb)"
	case e.Made:
		return file + " is new"
	case e.Backup != "":
		return file + ", before: " + shownName(below(m.Home, e.Backup))
	}
	return file
}
