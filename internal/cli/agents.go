package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/daemon"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transcript"
	"github.com/hebb-memory/hebb/internal/wiring"
)

func (a *app) statusCommand() *cobra.Command {
	type input struct {
		inspect.WorthInput
		Top   int  `flag:"top,n" about:"files and sessions to show"`
		Worth bool `flag:"worth" about:"what suggestions cost and are worth"`
	}
	return takes(a, &cobra.Command{
		Use: "status", Short: "Show the state of this project",
		Long: `Shows how much hebb knows of the project around you, its most touched files and its latest
sessions; with --worth, what agents were shown, what it cost and what became of it.

A line is judged when its session ended or you said what you think of it, and right when the session
opened or changed its file or you called it right. A few prompts, drawn at random, are answered with
nothing (tuning hook.holdout): withheld counts what was opened all the same. Said again counts what
you had to repeat although it was remembered.`,
		Example: "  hebb status --worth --since 30d",
	}, input{Top: 5}, func(cmd *cobra.Command, in input) error {
		if in.Worth {
			return run(cmd.Context(), a, a.fresh, inspect.Worth, in.WorthInput, worthPage)
		}
		if a.all || !in.Since.IsZero() {
			return usageError{errors.New("status: --all and --since go with --worth")}
		}
		return a.status(cmd.Context(), in.Top, false)
	})
}

// status shows the state of the project. hebb without a command begins with what the next session here is told, and ends with what hebb init --yes
// did not ask.
func (a *app) status(ctx context.Context, top int, bare bool) error {
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
			p.line("Run `hebb init` in a git repository: it learns the history and finds your agents.")
		})
	}
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		status, err := ask(ctx, a, b, inspect.Status, inspect.StatusInput{Scope: a.scope(), Top: top})
		if err != nil {
			return err
		}
		out := struct {
			inspect.StatusResult
			Told   *answer.ToldResult `json:"told,omitempty"`   // the next session
			Daemon *daemon.Status     `json:"daemon,omitempty"` // if one answers
		}{StatusResult: status}
		if bare && status.Project != nil {
			told, err := a.told(ctx, b)
			if err != nil {
				return err
			}
			out.Told = &told
		}
		if s, err := client(c, brieflyAsked).Status(ctx); err == nil {
			out.Daemon = &s
		}
		err = a.show(out, func(p *page) {
			if out.Told != nil {
				a.toldPage(p, *out.Told, true)
			}
			a.statusPage(p, status)
		})
		if err != nil || !bare || status.Project == nil || !a.asks() {
			return err
		}
		return a.offerScribe(ctx, b)
	})
}

func (a *app) statusPage(p *page, s inspect.StatusResult) {
	p.lineIf(s.Paused, "%s hebb records and shows nothing here; `hebb config resume` ends the pause.", p.style.yellow("Paused:"))
	if s.Project == nil {
		p.say(unknownFolder)
	} else {
		a.projectPage(p, *s.Project, s.Files)
		textsLine(p, s.Texts)
		if len(s.Sessions) > 0 {
			p.section("Recent sessions")
			sessionTable(p, s.Sessions)
		}
	}
	if line := scribeLine(s.Scribe); line != "" && s.Project != nil {
		p.gap()
		p.line("%s", line)
	}
	for _, line := range s.Attention {
		p.gap()
		p.warning(scrub.Line(line))
	}
	p.gap()
	p.note(fmt.Sprintf("%s in %s · %s %s, %s · spool %s", count(s.Events, "event", "events"),
		count(s.Projects, "project", "projects"), s.Store.Engine, s.Store.Version, size(s.Store.Bytes), size(s.Spool.Waiting)))
	if n := s.Spool.Said; n > 0 {
		p.warning(count(n, "memory or note waits", "memories and notes wait") + " for the store: hebb drain stores them.")
	}
	p.warnIf(s.Spool.SaidRejected > 0, "A memory or note could not be stored: see hebb doctor.")
	if lost := s.Spool.Lost; lost.Count > 0 {
		p.warning(fmt.Sprintf("%s lost, last %s: %s", count(lost.Count, "event", "events"), p.ago(lost.At), lost.Reason))
	}
	p.warnIf(s.Spool.Late.Count > 0 || s.Spool.Rejected > 0 || s.Spool.Complaint != "", "Hooks reported problems: see hebb doctor.")
	advice := brain.TwinAdvice(s.Twins)
	p.lineIf(advice != "", "%s", scrub.Line(advice))
}

// projectPage shows a project and its most touched files.
func (a *app) projectPage(p *page, s inspect.ProjectSummary, files []memory.Neuron) {
	p.line("%s  %s", p.style.bold(shownName(s.Name)), p.style.dim(shownName(a.home(s.Root))))
	p.line("%s · %s · %s, since %s", count(s.Files, "file", "files"), count(s.Sessions, "session", "sessions"),
		count(s.Events, "event", "events"), day(s.FirstAt))
	if len(files) == 0 {
		return
	}
	p.section("Most touched files")
	tableOf(p, "TOUCHES>, LAST, FILE", files, func(f memory.Neuron) []any { return []any{f.Accesses, f.LastAt, f.Key} })
}

// initResult is what hebb init did and found.
type initResult struct {
	Scribe  string                `json:"scribe,omitempty"`  // who reads finished sessions, if that was chosen now
	Ask     string                `json:"ask,omitempty"`     // whether agents ask before they break a rule, likewise
	Learned *learn.LearnResult    `json:"learned,omitempty"` // nil when the history could not be read
	Texts   int                   `json:"texts,omitempty"`   // made searchable
	Code    *learn.SnippetsResult `json:"code,omitempty"`
	// Sessions are those that agents had here before; nil when they were not read.
	Sessions *learn.TranscriptsResult `json:"sessions,omitempty"`
	// Sources are the memories that agents keep by themselves, and rule files.
	Sources learn.SourcesResult   `json:"sources,omitzero"`
	Status  *inspect.StatusResult `json:"status,omitempty"`
	// Try is what a person could ask first, Together something that the history shows.
	Try      []string          `json:"try,omitempty"`
	Together *ranking.Together `json:"together,omitempty"`
	Agents   []agentResult     `json:"agents"`
	Warning  string            `json:"warning,omitempty"`
}

func (a *app) initCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "init", Short: "Learn this project's past and find your agents",
		Long: `Creates the memory if there is none, learns the commits of the repository around you and the
sessions that your agents had here before (nothing is written to their folders; after a few seconds
the rest is learned in the background; --no-sessions leaves them out), and lists the coding agents
it finds and what it would add to their settings. Settings are changed only with --yes; the
previous file is kept beside it as .hebb-backup. Running it again learns what is new.

--scribe agent lets the agent that a session was held with read it in the background once it is
over, note what you said that holds, and write MEMORY.md. It runs without tools, files and network
of its own; only Claude Code can. --scribe claude-code hands it the sessions of other agents too.
It hears far more than hebb alone and is paid for like any other question to that agent;
llm.day_tokens and llm.month_tokens bound it, and hebb status says what was sent. A line
scribe = "off" in .hebb.toml of a repository or in /etc/hebb/config.toml wins.

--ask on has Claude Code, Cursor and Copilot ask you before a call that breaks a rule of yours
that says never, and that you asked to remember, confirmed or said twice. Other agents are only
told the rule. In a session without anybody to ask, Claude Code refuses the call.`,
		Example: "  hebb init --yes --scribe agent",
	}, initInput{}, func(cmd *cobra.Command, in initInput) error {
		switch {
		case in.Wire && in.Diff || in.Wire && in.Undo || in.Diff && in.Undo:
			return usageError{errors.New("init: choose one of --yes, --diff and --undo")}
		case in.Again:
			return a.learnAgain(cmd.Context())
		case !in.Undo && !in.Diff:
			return a.init(cmd.Context(), in)
		}
		m, err := a.machine()
		if err != nil {
			return err
		}
		if in.Undo {
			return a.uninstall(m, installInput{})
		}
		return a.installHere(cmd.Context(), m, installInput{DryRun: true})
	})
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

// wordSteps is the resolution of the progress bar for word vectors.
const wordSteps = 1000

// initInput is the input of hebb init.
type initInput struct {
	Wire       bool   `flag:"yes,y" about:"wire the agents that were found"`
	NoSessions bool   `flag:"no-sessions" about:"learn from commits alone"`
	Scribe     string `flag:"scribe" of:"agent claude-code off" about:"who reads finished sessions"`            // empty: ask once
	Ask        string `flag:"ask" of:"on off" about:"whether agents ask you before they break a rule of yours"` // likewise
	Diff       bool   `flag:"diff" about:"only show the change to each agent's settings"`
	Undo       bool   `flag:"undo" about:"remove hebb from the settings again; what was learned stays"`
	Again      bool   `flag:"from-git-hook,,hidden" about:"what a post-commit hook calls (docs/install.md)"`
}

func (a *app) init(ctx context.Context, in initInput) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		var out initResult
		update, finish := a.progress("commits")
		learned, err := steward.Run(ctx, b, learn.LearnHistory, learn.LearnInput{Dir: a.Dir, Progress: update})
		finish()
		if err == nil {
			update, finish := a.progress("‰ of word vectors")
			_, err = steward.Run(ctx, b, ranking.Learn, ranking.Input{Project: learned.Project, Progress: func(share float64) {
				update(int(share*wordSteps), wordSteps)
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
		if !in.NoSessions {
			if out.Sessions, err = a.learnSessions(ctx, b); err != nil {
				return err
			}
		}
		status, err := steward.Run(ctx, b, inspect.Status, inspect.StatusInput{Scope: a.scope(), Top: 5})
		if err != nil {
			return err
		}
		out.Status = &status
		if status.Project != nil {
			if out.Sources, err = learn.ReadSources(ctx, b.Store, b.Config.Sources, a.sources(), status.Project.Project); err != nil {
				return err
			}
		}
		if err := a.suggest(ctx, b, &out); err != nil {
			return err
		}
		var failed error
		if out.Agents, failed, err = a.agents(ctx, in.Wire); err != nil {
			return err
		}
		if in.Scribe != "" {
			who := in.Scribe
			if who == config.ScribeOff {
				who = ""
			}
			every := func(tx *store.Tx) error { return statements.ScribeProjects.Clear(ctx, tx) }
			if err := errors.Join(b.Config.SetScribe(who), b.Store.Update(ctx, every)); err != nil {
				return err
			}
			out.Scribe = in.Scribe
		}
		if in.Ask != "" {
			if err := b.Config.SetAsk(in.Ask == askOn); err != nil {
				return err
			}
			out.Ask = in.Ask
		}
		if err := a.show(out, func(p *page) { a.initPage(p, out) }); err != nil {
			return err
		}
		if in.Scribe == "" && in.Ask == "" && !in.Wire {
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
		if in.Wire {
			return failed
		}
		return nil
	})
}

// pastLooked is how many of the newest commits suggest looks at.
const pastLooked = 500

// suggest finds what a person could ask first about this project, and one thing that its history shows.
func (a *app) suggest(ctx context.Context, b *brain.Brain, out *initResult) error {
	commits, err := steward.Run(ctx, b, ranking.Commits, ranking.CommitsInput{Scope: a.scope(), Limit: pastLooked})
	if err != nil {
		return err
	}
	if pair, found := ranking.MostTogether(commits); found {
		out.Together = &pair
		if plainName(pair.B) {
			out.Try = append(out.Try, "hebb graph "+pair.B)
		}
	}
	spoken := func(c ranking.PastCommit) bool {
		words := len(strings.Fields(c.Subject))
		return words >= 3 && words <= 10 && !strings.HasPrefix(c.Subject, "Merge ") && !strings.ContainsAny(c.Subject, "\"`$\\!")
	}
	if i := slices.IndexFunc(commits, spoken); i >= 0 {
		out.Try = append(out.Try, fmt.Sprintf("hebb recall %q", scrub.Line(commits[i].Subject)))
	}
	out.Try = append(out.Try, "hebb context")
	return nil
}

// plainName reports whether a shell reads a file name as it is written.
func plainName(name string) bool {
	special := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-", r)
	}
	return !strings.ContainsFunc(name, special) && !strings.HasPrefix(name, "-")
}

// sessionsAtOnce is how long init learns from earlier sessions before it leaves the rest to the background.
const sessionsAtOnce = 5 * time.Second

// learnSessions learns from the sessions that agents had in this project before.
func (a *app) learnSessions(ctx context.Context, b *brain.Brain) (*learn.TranscriptsResult, error) {
	m, err := a.machine()
	if err != nil {
		return nil, err
	}
	draw, finish := a.progressLine()
	out, err := steward.Run(ctx, b, learn.LearnTranscripts, learn.TranscriptsInput{
		Dir: a.Dir, Folders: transcript.Folders(m.Home, m.Getenv), Until: a.Now().Add(sessionsAtOnce),
		Progress: func(done, total int64) {
			draw(float64(done)/float64(max(total, 1)), fmt.Sprintf("%s/%s of earlier sessions", size(done), size(total)))
		},
	})
	finish()
	if ctx.Err() != nil {
		return nil, errors.New("interrupted; hebb init continues where it stopped")
	}
	if err == nil && out.Left > 0 && b.Config.Background {
		if err := hook.Spawn(a.Program, "drain", "--quiet"); err != nil {
			a.warn("the rest of your sessions is learned after the next one: " + err.Error())
		}
	}
	return &out, err
}

// pastPage says what was learned of earlier sessions, and what of them could not be.
func (a *app) pastPage(p *page, s *learn.TranscriptsResult) {
	if s == nil {
		return
	}
	if here := s.Transcripts - s.Elsewhere - s.Older; s.Sessions+s.Left+s.Unread > 0 {
		rest := ""
		if s.Left > 0 {
			rest = "; the rest is learned in the background, or at once with `hebb sessions import`"
		}
		p.line("Learned %s that your agents had here (%s; %d of %s read)%s.", count(s.Sessions, "session", "sessions"), count(s.Events, "event", "events"),
			here-s.Left-s.Unread, count(here, "transcript", "transcripts"), rest)
	}
	p.warnIf(s.Refused > 0, count(s.Refused, "record of them was", "records of them were")+" set aside, because the store cannot take it:")
	for _, problem := range s.Problems {
		p.warning(scrub.Line(problem))
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
		wide := either(r.Learned.Wide > 0, fmt.Sprintf(" (%s with too many files to learn from)", count(r.Learned.Wide, "commit", "commits")), "")
		p.line("Learned %s%s.", count(r.Learned.Added, "commit", "commits"), wide)
	}
	a.pastPage(p, r.Sessions)
	if s := r.Sources; s.Added > 0 {
		p.line("Read %s in rule files and in your agents' own memories, for the agents that do not read them.", count(s.Added, "line", "lines"))
	}
	for _, problem := range r.Sources.Problems {
		p.line("%s %s", p.style.yellow("Not read:"), shownName(problem))
	}
	if r.Status.Project != nil {
		p.gap()
		a.projectPage(p, *r.Status.Project, r.Status.Files)
	}
	p.section("Agents")
	a.agentsPage(p, r.Agents)
	if t := r.Together; t != nil {
		p.gap()
		share := either(t.Both == t.Of, fmt.Sprintf("all %d", t.Of), fmt.Sprintf("%d of the %d", t.Both, t.Of))
		p.line("From the history: %s commits that changed %s changed %s too.", share, shownName(t.B), shownName(t.A))
	}
	if len(r.Try) > 1 {
		p.section("Try")
		for _, command := range r.Try {
			p.line("%s%s", indent, p.style.cyan(command))
		}
	}
	p.gap()
	a.nextSteps(p, r.Agents)
	switch agent, err := llm.Installed(); {
	case r.Scribe == config.ScribeOff:
		p.line("No agent reads your sessions.")
	case r.Scribe != "" && r.Status.Scribe.Forbidden != "":
		p.line("No agent reads your sessions here: %s forbids it.", shownName(a.home(r.Status.Scribe.Forbidden)))
	case r.Scribe != "" && err != nil:
		p.line("No agent reads your sessions yet: %s.", scrub.Line(strings.TrimSuffix(err.Error(), ": "+memory.ErrRefused.Error())))
	case r.Scribe == config.ScribeAgent:
		p.line("From now on your agent (here %s) reads the finished sessions that it held, in the background. hebb status shows what it was sent.", p.style.cyan(string(agent)))
	case r.Scribe != "":
		p.line("From now on %s reads the finished sessions of all agents, in the background. hebb status shows what it was sent.", p.style.cyan(r.Scribe))
	}
	switch r.Ask {
	case askOn:
		p.line("From now on Claude Code, Cursor and Copilot CLI ask you before they break a rule that you insisted on.")
	case askOff:
		p.line("Agents are told your rules and do not ask.")
	}
}

// nextSteps shows what a person would do now.
func (a *app) nextSteps(p *page, agents []agentResult) {
	has := func(test func(agentResult) bool) bool { return slices.ContainsFunc(agents, test) }
	switch {
	case has(func(g agentResult) bool { return g.Changed }):
		p.line("Next: restart running agents, work as usual, then look at `hebb`.")
		for _, g := range agents {
			for _, e := range g.Edits {
				p.note(editNote(a.Getenv("HOME"), e))
			}
			for _, note := range g.Notes {
				p.line("%s: %s", p.style.cyan(string(g.Agent)), scrub.Line(note))
			}
		}
		p.line("`hebb init --undo` removes hebb from them again.")
	case has(func(g agentResult) bool { return g.Found && (g.State == wiring.Unwired || g.State == wiring.Partly) }):
		p.line("Next: `hebb init --yes` wires them (`hebb init --diff` shows the change first).")
	case has(func(g agentResult) bool { return g.State == wiring.Wired }):
		p.line("Next: work as usual, then look at `hebb`.")
	default:
		p.line("Next: install an agent hebb knows, or let scripts report with `hebb record`.")
	}
}

// readCode makes texts and code searchable, with progress.
func (a *app) readCode(ctx context.Context, b *brain.Brain, out *initResult) error {
	update, finish := a.progress("texts")
	texts, err := steward.Run(ctx, b, texts.IndexTexts, texts.IndexInput{Progress: update})
	finish()
	if err != nil {
		return err
	}
	out.Texts = texts.Texts
	update, finish = a.progress("files")
	defer finish()
	code, err := steward.Run(ctx, b, learn.ReadSnippets, learn.SnippetsInput{Dir: a.Dir, Progress: update})
	out.Code = &code
	return err
}
