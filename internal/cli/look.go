package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/transcript"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/views"
)

func (a *app) eventsCommand() *cobra.Command {
	type input struct {
		inspect.EventsInput
		IDs bool `flag:"ids" about:"show the ID of each event, for hebb forget"`
	}
	return takes(a, &cobra.Command{
		Use: "events", Short: "List what agents did, newest first",
		Long: `Shows prompts, tool calls, failures, turns, sessions and commits, a line each. A session is named
by its ID, the beginning of it, or the agent's own name for the run. Old tool calls are packed
(tuning sleep.pack_after) and listed with --session only.`,
		Example: `  hebb sessions events --kind prompt --since 2d
  hebb sessions events --session s5rqswgc --ids`,
	}, input{EventsInput: inspect.EventsInput{Limit: 50}}, func(cmd *cobra.Command, in input) error {
		return run(cmd.Context(), a, a.fresh, inspect.Events, in.EventsInput, func(p *page, events []memory.StoredEvent) {
			switch {
			case len(events) == 0 && in.Session == "" && in.Kind == "" && in.Origin == "" && in.Since.IsZero():
				p.line("No events here yet. Work with a wired agent, or use --all for every project.")
			case len(events) == 0:
				p.line("No event matches.")
			default:
				eventTable(p, events, in.IDs)
			}
			p.limited(len(events), in.Limit)
		})
	})
}

// eventTable shows events; ids adds the ID of each.
func eventTable(p *page, events []memory.StoredEvent, ids bool) {
	columns, first := "AGO, PROJECT, AGENT, WHAT~", 1
	if ids {
		columns, first = "ID, "+columns, 0
	}
	tableOf(p, columns, events, func(e memory.StoredEvent) []any {
		return []any{e.ID, e.At, e.Project, e.Agent, happened(e)}[first:]
	})
}

// happened is an event as a sentence about its agent.
func happened(e memory.StoredEvent) string {
	done := cmp.Or(map[memory.EventKind]string{
		memory.SessionStarted: "began a session", memory.Prompted: "was asked", memory.ToolUsed: "used",
		memory.ToolFailed: "failed with", memory.TurnEnded: "answered", memory.Compacting: "begins to compact",
		memory.Compacted: "compacted", memory.SubagentBegan: "started a subagent",
		memory.SubagentEnded: "its subagent ended", memory.SessionEnded: "ended the session",
		memory.Committed: "committed", memory.Recorded: "recorded", memory.Suggested: "was shown",
		memory.Resolved: "fixed an error",
	}[e.Kind], string(e.Kind))
	if e.Kind == memory.ToolUsed || e.Kind == memory.ToolFailed {
		done += " " + e.Tool
	}
	if n := len(e.Touches); n > 0 {
		done += " on " + shownName(e.Touches[0].Path)
		if n > 1 {
			done += fmt.Sprintf(" and %d more", n-1)
		}
	}
	if said := cmp.Or(e.Text, e.Input); said != "" {
		done += ": " + said
	}
	return done
}

func (a *app) sessionsCommand() *cobra.Command {
	return under(asks(a, &cobra.Command{
		Use: "sessions", Aliases: []string{"session"}, Short: "List runs of agents, newest first",
		Long: `A session is one run of one agent in one project. STATE is open; ended (by the agent); wrap_up (by
hand); idle (nothing happened for a while); or recovered (found open long after its last event).
INTENT is the first prompt, unless you set another.`,
		Example: "  hebb sessions --open --all\n  hebb sessions show s5rqswgc",
	}, a.fresh, inspect.Sessions, inspect.SessionsInput{Limit: 20}, sessionTable),
		asks(a, &cobra.Command{
			Use: "close [SESSION]", Short: "Close a session that the agent left open",
			Long:    "Closes the session, by default the newest open one here. hebb closes idle ones by itself.",
			Example: "  hebb sessions close s5rqswgc",
		}, a.fresh, record.CloseSession, record.SessionInput{}, oneSession),
		a.sessionShowCommand(), a.eventsCommand(), a.bootstrapCommand(),
		asks(a, &cobra.Command{
			Use: "intent [SESSION]", Short: "Show or set what a session is about",
			Long:    "Shows what the newest session of this project (or the one named) is about: its first prompt, unless you set it.",
			Example: "  hebb sessions intent --set \"move billing to the new API\"",
		}, a.fresh, record.Intent, record.IntentInput{}, oneSession),
		a.predictCommand(), takes(a, &cobra.Command{
			Use: "timeline", Short: "Show what happened, day by day",
			Long: `Shows, newest first: sessions with their intent and how many files and commits they touched, the
commits of each day, errors and the files that fixed them, sleeps and what they did, and
forgetting on request. Automatic sleeps that did nothing are not shown.`,
			Example: "  hebb sessions timeline --since 1w --all",
		}, inspect.TimelineInput{Zone: time.Local, Limit: 20}, func(cmd *cobra.Command, in inspect.TimelineInput) error {
			return run(cmd.Context(), a, a.fresh, inspect.Timeline, in, func(p *page, moments []inspect.Moment) {
				timelinePage(p, moments)
				p.limited(len(moments), in.Limit)
			})
		}), a.wrapUpCommand(),
	)
}

var sessionTable = rows("No sessions here yet. `hebb agents install` wires your agents.",
	"LAST, PROJECT, AGENT, EVENTS>, STATE, ID, INTENT~", func(s memory.Session) []any {
		return []any{s.LastEventAt, s.Project, s.Agent, s.Events, sessionState(s), s.ID, s.Intent}
	})

func oneSession(p *page, s memory.Session) { sessionTable(p, []memory.Session{s}) }

func sessionState(s memory.Session) string {
	switch {
	case s.Open():
		return "open"
	case s.Recovered:
		return "recovered"
	}
	return string(s.CloseReason)
}

func (a *app) projectsCommand() *cobra.Command {
	return under(&cobra.Command{
		Use: "projects", Short: "List the projects hebb knows",
		Long: `A project is a git repository with all its clones and worktrees on this machine, or a plain
folder. A repository is known by its history, not by its path. merge joins two
projects.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				doubles, err := steward.Run(ctx, b, inspect.Doubles, struct{}{})
				if err != nil {
					return err
				}
				return runOn(ctx, a, b, inspect.Projects, struct{}{}, func(p *page, projects []inspect.ProjectSummary) {
					rows("None yet. `hebb init` adds the one around you.", "LAST, NAME, SESSIONS>, EVENTS>, FILES>, ID, ROOT", func(s inspect.ProjectSummary) []any {
						root := a.home(s.Root)
						if path, err := memory.UnescapePath(s.Root); err == nil && missing(path) {
							root += "  (gone)"
						}
						return []any{s.LastAt, s.Name, s.Sessions, s.Events, s.Files, s.ID.String(), root}
					})(p, projects)
					for _, d := range doubles {
						p.note(scrub.Line(d.Line()))
					}
				})
			})
		},
	}, asks(a, &cobra.Command{
		Use: "merge PROJECT [OTHER]", Short: "Move what is known of this folder, or of another project, into a project",
		Long: `Joins the memory of the project around you, or of OTHER, with that of PROJECT (names or IDs of hebb
projects), such as clones whose remotes differ. Sessions, texts, notes, pins, goals and knowledge
move to PROJECT, which all places of both then use. Where both have a state document or a pin of
the same title, PROJECT's stays. All memory is copied to the backups folder first. Without --yes the command only shows what it would do.`,
		Example: `  hebb projects merge p422qgz1q2wych --yes`,
	}, a.fresh, transfer.Merge, transfer.MergeInput{}, a.mergePage), asks(a, &cobra.Command{
		Use: "tag NAME", Short: "Give a project a name of its own",
		Long: `Names the project around you, or the one given with --project. The name is unique and works
wherever a command takes --project.`,
		Example: "  hebb projects tag --project p422qgz1q2wych shop-fork",
	}, a.fresh, views.TagProject, views.TagInput{}, func(p *page, project memory.Project) {
		p.line("%s is now called %s.", shownName(a.home(project.Root)), p.style.bold(shownName(project.Name)))
	}))
}

func (a *app) mergePage(p *page, out transfer.MergeResult) {
	uses, became := "uses", "are part of it now"
	if !out.Applied {
		uses, became = "would use", "would become part of it"
	}
	p.line("%s %s the memory of %s.", shownName(a.home(out.Root)), uses, shownName(out.Into.Name))
	if out.Moved != nil {
		p.line("%s and %s %s.", count(out.Moved.Sessions, "session", "sessions"), count(out.Moved.Events, "event", "events"), became)
	}
	if out.Backup != "" {
		p.note("Backup of all memory: " + scrub.Line(out.Backup))
	}
	p.unlessApplied(out.Applied)
}

func timelinePage(p *page, moments []inspect.Moment) {
	if len(moments) == 0 {
		p.line("Nothing has happened here yet. `hebb init` learns this repository's history.")
		return
	}
	heading := ""
	for _, m := range moments {
		at := m.At.Local()
		if today := at.Format("Monday, 2 January 2006"); today != heading {
			if heading != "" {
				p.gap()
			}
			heading = today
			p.heading(today)
		}
		kind, what := momentLine(m)
		if name := p.names[m.Project]; name != "" {
			what = shownName(name) + ": " + what
		}
		before := fmt.Sprintf("%s%s  %-8s  ", indent, at.Format("15:04"), kind)
		p.line("%s%s", p.style.dim(before), p.cut(scrub.Line(what), p.width-visibleWidth(before)))
	}
}

// momentLine is the kind of a moment and a line about it.
func momentLine(m inspect.Moment) (kind, what string) {
	switch m.Kind {
	case inspect.SleepMoment:
		return "sleep", fmt.Sprintf("%s: %s (%s)", sleepWhy(m.Sleep.Why), sleepGist(*m.Sleep), "sleep "+grouped(m.Sleep.ID))
	case inspect.DreamMoment:
		return "dream", fmt.Sprintf("by %s: %s used, %s", m.Dream.By, count(m.Dream.Notes, "note", "notes"),
			count(m.Dream.Lines, "line changed", "lines changed"))
	case inspect.SessionMoment:
		return "session", sessionLine(*m.Session)
	case inspect.CommitsMoment:
		if m.Commits == 1 {
			return "commit", fmt.Sprintf("%q", m.Text)
		}
		return "commits", fmt.Sprintf("%s, the latest %q", grouped(m.Commits), m.Text)
	case inspect.ResolvedMoment:
		line, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		return "resolved", fmt.Sprintf("%q by %s", line, strings.Join(mapped(m.Files, shownName), ", "))
	case inspect.ErrorMoment:
		line, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		times := ""
		if m.Times > 1 {
			times = ", " + grouped(m.Times) + " times"
		}
		return "error", fmt.Sprintf("%q%s: no fix is known", line, times)
	case inspect.ThoughtMoment:
		return "thought", thoughtLine(m)
	case inspect.OnPurposeMoment:
		return "forgot", count(m.Events, "event", "events") + ", on purpose"
	}
	return string(m.Kind), m.Text
}

func sleepWhy(why string) string {
	words := map[string]string{sleep.SleptAsked: "you asked", inspect.SleptAfterWork: "after work", inspect.SleptIdle: "idle"}
	return cmp.Or(words[why], why)
}

// sessionLine is a session in one line: agent, times, files, commits and intent.
func sessionLine(s inspect.SessionWork) string {
	parts := []string{string(s.Agent)}
	if s.Open() {
		parts = append(parts, "open since "+s.OpenedAt.Local().Format("15:04"))
	} else {
		parts = append(parts, fmt.Sprintf("%s to %s, %s", s.OpenedAt.Local().Format("15:04"), s.LastEventAt.Local().Format("15:04"), sessionState(s.Session)))
	}
	parts = append(parts, count(s.Files, "file", "files"))
	if s.Commits > 0 {
		parts = append(parts, count(s.Commits, "commit", "commits"))
	}
	line := strings.Join(parts, ", ")
	if s.Intent != "" {
		line += fmt.Sprintf("  %q", s.Intent)
	}
	return line
}

// sessionFile is what a session did with a file.
type sessionFile struct {
	Path     string    `json:"path"`
	Edits    int       `json:"edits"`
	Reads    int       `json:"reads"`
	Mentions int       `json:"mentions"`
	LastAt   time.Time `json:"last_at"`
}

// sessionDetails is everything known about a session.
type sessionDetails struct {
	memory.Session
	Files []sessionFile `json:"files"`
}

func (a *app) sessionShowCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "show [SESSION]", Short: "Show the details of one session",
		Long: `Shows the intent, times, summary and files of a session, by default the newest of this project. A
session is named by its ID, the beginning of it, or the agent's own name for the run.`,
		Example: "  hebb sessions show s5rqswgc",
	}, record.SessionInput{}, func(cmd *cobra.Command, in record.SessionInput) error {
		return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			s, err := steward.Run(ctx, b, record.Intent, record.IntentInput{SessionInput: in})
			if err != nil {
				return err
			}
			events, err := steward.Run(ctx, b, inspect.Events, inspect.EventsInput{Session: s.ID.String()})
			if err != nil {
				return err
			}
			out := sessionDetails{Session: s, Files: touchedFiles(events)}
			return a.show(out, func(p *page) { sessionPage(p, out) })
		})
	})
}

// touchedFiles are the files of events, the most changed first, then the most read.
func touchedFiles(events []memory.StoredEvent) []sessionFile {
	at := map[string]int{}
	files := []sessionFile{}
	for _, e := range events {
		for _, t := range e.Touches {
			i, met := at[t.Path]
			if !met {
				i = len(files)
				at[t.Path], files = i, append(files, sessionFile{Path: t.Path})
			}
			switch f := &files[i]; t.Kind {
			case memory.Read:
				f.Reads++
			case memory.Mention:
				f.Mentions++
			default: // changed, renamed or deleted
				f.Edits++
			}
			if e.At.After(files[i].LastAt) {
				files[i].LastAt = e.At
			}
		}
	}
	slices.SortFunc(files, func(x, y sessionFile) int {
		return cmp.Or(cmp.Compare(y.Edits, x.Edits), cmp.Compare(y.Reads, x.Reads), cmp.Compare(y.Mentions, x.Mentions),
			cmp.Compare(x.Path, y.Path))
	})
	return files
}

func sessionPage(p *page, s sessionDetails) {
	p.line("%s  %s  %s", p.style.bold(s.ID.String()), p.style.cyan(scrub.Line(string(s.Agent))), sessionState(s.Session))
	author := ""
	switch {
	case s.HasOwnSummary():
		author = string(s.SummaryBy) + ", " + p.when(s.SummaryAt)
	case !s.SummaryAt.IsZero():
		author = "rules"
	}
	closed := either(!s.Open(), minute(s.ClosedAt), "")
	p.facts([][2]string{
		{"intent", scrub.Line(s.Intent)}, {"run", scrub.Line(s.AgentSession)}, {"began", minute(s.OpenedAt)},
		{"last", minute(s.LastEventAt) + ", " + count(s.Events, "event", "events")}, {"closed", closed}, {"summary by", author},
	})
	if s.Happened+s.Learned+s.Next != "" {
		p.gap()
		summaryPage(p, s.Session)
	}
	if len(s.Files) == 0 {
		return
	}
	p.gap()
	tableOf(p, "EDITS>, READS>, NAMED>, LAST, FILE", s.Files, func(f sessionFile) []any {
		return []any{f.Edits, f.Reads, f.Mentions, f.LastAt, f.Path}
	})
}

func (a *app) bootstrapCommand() *cobra.Command {
	type input struct {
		learn.TranscriptsInput
		From     string `flag:"from" about:"read this folder instead of the agents' own"`
		Sessions bool   `flag:"sessions,,hidden" about:"what hebb bootstrap wanted"`
	}
	return takes(a, &cobra.Command{
		Use: "import", Short: "Learn from the sessions your agents had before hebb",
		Long: `Imports the past sessions that Claude Code, Codex, Gemini CLI, OpenCode and Kilo Code keep on this
machine, of this project or with --all-projects of all: hebb search --sessions finds prompts and
answers, and files and commands become touches at their original time. Nothing is written to the
agents' folders. Secrets are removed, duplicates skipped, and an interrupted run continues.

--from reads another folder, such as a copy from another machine. Such sessions are marked as
imported, the least trusted origin, unless you add --mine.`,
		Example: `  hebb sessions import --from /media/usb/old-home/.claude --mine`,
	}, input{}, func(cmd *cobra.Command, in input) error {
		in.Folders, in.Foreign = []string{in.From}, !in.Mine
		switch {
		case in.Mine && in.From == "":
			return usageError{errors.New("--mine needs --from; what is in your agents' own folders is yours")}
		case in.From == "":
			m, err := a.machine()
			if err != nil {
				return err
			}
			in.Folders, in.Foreign = transcript.Folders(m.Home, m.Getenv), false
		case missing(in.From):
			return usageError{fmt.Errorf("--from %s: there is no such folder", in.From)}
		}
		return a.bootstrap(cmd.Context(), in.TranscriptsInput)
	})
}

func (a *app) bootstrap(ctx context.Context, in learn.TranscriptsInput) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		draw, finish := a.progressLine()
		in.Progress = func(done, total int64) {
			draw(float64(done)/float64(max(total, 1)), fmt.Sprintf("%s/%s of sessions", size(done), size(total)))
		}
		out, err := steward.Run(ctx, b, learn.LearnTranscripts, in)
		finish()
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted: %s learned so far; the same command continues", count(out.Events, "event", "events"))
		}
		return a.outcome(out, err, func(p *page) { bootstrapPage(p, in, out) })
	})
}

func bootstrapPage(p *page, in learn.TranscriptsInput, r learn.TranscriptsResult) {
	word := either(in.Dry, "Would learn", "Learned")
	switch {
	case r.Transcripts == 0:
		p.line("No past sessions found. Looked in:")
		for _, dir := range in.Folders {
			p.line("%s%s", indent, scrub.Line(dir))
		}
	case r.Events == 0 && r.Read+r.Unchanged == 0:
		p.line("%s found, none of this project. `--all-projects` takes them all.",
			count(r.Transcripts, "transcript", "transcripts"))
	case r.Events == 0:
		p.line("Nothing new in %s.", count(r.Read+r.Unchanged, "transcript", "transcripts"))
	default:
		var parts []string
		for _, agent := range slices.Sorted(maps.Keys(r.Agents)) {
			parts = append(parts, fmt.Sprintf("%s %s", agent, grouped(int64(r.Agents[agent]))))
		}
		p.line("%s %s of %s (%s).", word, count(r.Events, "event", "events"), count(r.Sessions, "session", "sessions"), strings.Join(parts, ", "))
	}
	for _, note := range []struct {
		n    int
		text string
	}{
		{r.Known, "duplicates skipped"},
		{r.Withheld, "events left out: forgotten, or of a time in which the project was paused"},
		{r.Elsewhere, "transcripts are of other projects"},
		{r.Older, "transcripts are older"},
		{r.Malformed, "lines could not be parsed"},
		{r.Refused, "events could not be stored and were set aside"},
	} {
		p.noteIf(note.n > 0 && r.Transcripts > 0, grouped(int64(note.n))+" "+note.text)
	}
	for _, problem := range r.Problems {
		p.warning(scrub.Line(problem))
	}
	p.lineIf(r.Events > 0 && !in.Dry, "Next: `hebb search --sessions WORDS` finds what was said.")
}
