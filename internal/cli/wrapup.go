package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) wrapUpCommand() *cobra.Command {
	var in desk.WrapUpInput
	var notes []string
	var by string
	speakers := []memory.Origin{memory.OriginUser, memory.OriginAgent}
	cmd := &cobra.Command{
		Use: "wrapup", Short: "End a session and say what came of it",
		Long: `Closes a session (the latest of this project, unless --session names one) and puts it on the shelf that the next session
reads. What you do not say is summarised by rules from what was seen: prompts, files, commits, mended errors. So nobody has
to wrap up; it only says better what happened, what was learned and what comes next. - reads one of them from standard
input. What was learned is remembered as a lesson, too.

--note keeps a note with a file, --pin something for every session to come. A second wrap-up of the same session adds
to the first; a session counts once. Where an agent runs the command, it counts as said by the agent: what you have told
of the session stands, and a pin waits for you (hebb pins --waiting). --by agent says so of a script.`,
		Example: `  hebb wrapup
  hebb wrapup --happened "moved auth to cookies" --next "revoke the old tokens"
  hebb wrapup --learned "CI runs in UTC" --note "src/auth.go=refresh() still reads the header"
  hebb wrapup --happened - < summary.md
  hebb wrapup --pin "Money is in cents" --pin-reason "rounding bug of March"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if in.Origin, err = oneOf("by", by, speakers); err != nil {
				return err
			}
			if in.Origin == memory.OriginUser {
				if err := a.personOnly("wrapup --by user"); err != nil {
					return err
				}
			}
			in.Origin = cmp.Or(in.Origin, a.speaker())
			if in.PinTitle == "" && in.PinText+in.PinReason != "" {
				return usageError{errors.New("wrapup: --pin-text and --pin-reason need --pin TITLE")}
			}
			if in.Notes, err = fileNotes(notes); err != nil {
				return err
			}
			texts := map[string]*string{"happened": &in.Happened, "learned": &in.Learned, "next": &in.Next, "pin-text": &in.PinText}
			if err := a.readOne(texts); err != nil {
				return err
			}
			in.Scope = a.scope()
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error { return a.wrapUp(ctx, b, in) })
		},
	}
	a.scopeFlags(cmd, false)
	f := cmd.Flags()
	f.StringVarP(&in.Session, "session", "s", "", "this session: its ID, the beginning of it, or the agent's own name for the run")
	f.StringVar(&in.Happened, "happened", "", "what happened, or -")
	f.StringVar(&in.Learned, "learned", "", "what was learned, or -")
	f.StringVar(&in.Next, "next", "", "what comes next, or -")
	f.StringArrayVar(&notes, "note", nil, "FILE=TEXT: why a file matters just now; may be repeated")
	f.StringVar(&in.PinTitle, "pin", "", "the title of something to keep in mind for good")
	f.StringVar(&in.PinText, "pin-text", "", "what the pin says, if its title does not say all")
	f.StringVar(&in.PinReason, "pin-reason", "", "why it is pinned")
	f.StringVar(&by, "by", "", "who says it: "+list(speakers)+" (default: the agent where one runs this, else you)")
	fixedCompletion(cmd, "by", speakers)
	return cmd
}

// fileNotes reads FILE=TEXT.
func fileNotes(pairs []string) (map[string]string, error) {
	notes := map[string]string{}
	for _, pair := range pairs {
		file, text, ok := strings.Cut(pair, "=")
		if !ok || strings.TrimSpace(file) == "" || strings.TrimSpace(text) == "" {
			return nil, usageError{fmt.Errorf("wrapup: --note %q: want FILE=TEXT", pair)}
		}
		if _, twice := notes[file]; twice {
			return nil, usageError{fmt.Errorf("wrapup: --note %s is there twice: a file has one note", file)}
		}
		notes[file] = text
	}
	return notes, nil
}

// readOne fills the one flag that says - from standard input.
func (a *app) readOne(flags map[string]*string) error {
	var asked []string
	for name, value := range flags {
		if *value == "-" {
			asked = append(asked, name)
		}
	}
	slices.Sort(asked)
	switch len(asked) {
	case 0:
		return nil
	case 1:
	default:
		return usageError{fmt.Errorf("wrapup: --%s and --%s both want standard input: only one can have it", asked[0], asked[1])}
	}
	text, err := a.textOf([]string{"-"})
	if err != nil {
		return fmt.Errorf("wrapup: %w", err)
	}
	if strings.TrimSpace(text) == "" {
		return usageError{fmt.Errorf("wrapup: --%s -: standard input is empty", asked[0])}
	}
	*flags[asked[0]] = text
	return nil
}

func (a *app) wrapUp(ctx context.Context, b *brain.Brain, in desk.WrapUpInput) error {
	out, err := steward.Run(ctx, b, desk.WrapUp, in)
	if err != nil {
		return err
	}
	err = a.show(out, func(p *page) {
		entryPage(p, out.Session, nil)
		p.gap()
		if out.Lesson != "" {
			p.line("%s %s", p.style.dim("Remembered as a lesson:"), p.style.dim(string(out.Lesson)))
		}
		for _, file := range out.Noted {
			p.line("Noted: %s", shownName(file))
		}
		if out.Pin != nil {
			word := "Pinned"
			if out.Pin.Waiting() {
				word = "Proposed as a pin, which waits for you (hebb pins --waiting)"
			}
			p.line("%s: %s", word, scrub.Line(out.Pin.Title))
		}
		p.line("%s", p.style.dim("Wrapped up. hebb read recent --edit changes the words."))
	})
	if !a.json { // the result lists them
		for _, w := range out.Warnings {
			a.warn(w)
		}
	}
	return err
}

// minute is a date and time as people here write them.
func minute(t time.Time) string { return t.Local().Format("2 Jan 2006 15:04") }

// entryPage shows what is left of a session. names adds its project.
func entryPage(p *page, s memory.Session, names labels) {
	head := []string{p.style.bold(minute(s.LastEventAt)), p.style.cyan(scrub.Line(string(s.Agent)))}
	if name, ok := names[s.Project]; ok {
		head = append(head, p.style.cyan(shownName(name)))
	}
	if s.Told() {
		head = append(head, p.style.dim("told by "+string(s.ToldBy)))
	}
	p.line("%s", strings.Join(append(head, p.style.dim(s.ID.String())), "  "))
	toldPage(p, s)
}

// toldPage shows what happened, what was learned and what comes next.
func toldPage(p *page, s memory.Session) {
	if s.Happened == "" {
		p.line("%s%s", indent, p.style.dim("Nothing is left of it."))
	} else {
		p.paragraphs("", s.Happened)
	}
	for _, part := range [][2]string{{"Learned:", s.Learned}, {"Next:", s.Next}} {
		if part[1] != "" {
			p.paragraphs(part[0], part[1])
		}
	}
}

func (a *app) recentCommand() *cobra.Command {
	var in desk.ShelfInput
	cmd := &cobra.Command{
		Use: "recent", Short: "Tell what happened in the latest sessions",
		Long: `Shows what is left of the sessions that ended last: when, which agent, what happened, what was learned, what comes next. It
is said by rules from what was seen, unless you or the agent said it (hebb wrapup). The words are in RECENT.md, where you
may correct them: hebb read recent --edit. hebb sessions show tells all of one.`,
		Example: "  hebb recent\n  hebb recent --all --limit 20\n  hebb recent --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				sessions, err := steward.Run(ctx, b, desk.Shelf, in)
				if err != nil {
					return err
				}
				names, err := projectNames(ctx, b, a.all)
				if err != nil {
					return err
				}
				return a.show(sessions, func(p *page) { recentPage(p, sessions, names) })
			})
		},
	}
	a.scopeFlags(cmd, true)
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "at most this many, 0 for as many as RECENT.md holds")
	return cmd
}

func recentPage(p *page, sessions []memory.Session, names labels) {
	if len(sessions) == 0 {
		p.line("No session has ended here yet. %s shows those that run; %s ends one in words.",
			p.style.cyan("hebb sessions --open"), p.style.cyan("hebb wrapup"))
		return
	}
	for i, s := range sessions {
		if i > 0 {
			p.gap()
		}
		entryPage(p, s, names)
	}
}

// sessionFile is what a session did with a file.
type sessionFile struct {
	Path     string    `json:"path"`
	Edits    int       `json:"edits"`
	Reads    int       `json:"reads"`
	Mentions int       `json:"mentions"`
	LastAt   time.Time `json:"last_at"`
}

// sessionDetails is all there is to tell of a session.
type sessionDetails struct {
	memory.Session
	Files []sessionFile `json:"files"`
}

func (a *app) sessionShowCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "show [SESSION]", Short: "Tell all of one session",
		Long: `Shows what a session was about, when it ran, what happened, what was learned, what comes next, and the files it touched:
by default the newest of this project. A session is named by its ID, the beginning of it, or the agent's own name for
the run.`,
		Example:           "  hebb session show\n  hebb session show s5rqswgc --json",
		Args:              arguments(0, 1, "at most one session ID"),
		ValidArgsFunction: a.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tended(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				s, err := steward.Run(ctx, b, record.Intent, record.IntentInput{SessionInput: a.sessionInput(args)})
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
		},
	}
	a.scopeFlags(cmd, false)
	return cmd
}

// touchedFiles are the files that events speak of, the most changed first, then the most read.
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
	told := ""
	switch {
	case s.Told():
		told = string(s.ToldBy) + ", " + p.when(s.ToldAt)
	case !s.ToldAt.IsZero():
		told = "rules, from what was seen"
	}
	closed := ""
	if !s.Open() {
		closed = minute(s.ClosedAt)
	}
	p.facts([][2]string{
		{"intent", scrub.Line(s.Intent)}, {"run", scrub.Line(s.AgentSession)}, {"began", minute(s.OpenedAt)},
		{"last", minute(s.LastEventAt) + ", " + count(s.Events, "event", "events")}, {"closed", closed}, {"told by", told},
	})
	if s.Happened+s.Learned+s.Next != "" {
		p.gap()
		toldPage(p, s.Session)
	}
	if len(s.Files) == 0 {
		return
	}
	p.gap()
	rows := make([][]string, len(s.Files))
	for i, f := range s.Files {
		rows[i] = []string{grouped(int64(f.Edits)), grouped(int64(f.Reads)), grouped(int64(f.Mentions)), p.ago(f.LastAt), f.Path}
	}
	p.table([]string{"EDITS>", "READS>", "NAMED>", "LAST", "FILE"}, rows)
}

// completeSessions offers the latest sessions of the project to the shell. It stays silent on any trouble.
func (a *app) completeSessions(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) > 0 || a.noMemoryYet() {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	const latest = 20
	_ = a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
		sessions, err := steward.Run(ctx, b, inspect.Sessions, inspect.SessionsInput{Scope: a.scope(), Limit: latest})
		for _, s := range sessions {
			names = append(names, cobra.CompletionWithDesc(s.ID.String(), scrub.Line(s.Intent)))
		}
		return err
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}
