package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/views"
)

func (a *app) wrapUpCommand() *cobra.Command {
	type input struct {
		desk.WrapUpInput
		Note []string `flag:"note" about:"FILE=TEXT: why a file matters just now; may be repeated"`
	}
	return takes(a, &cobra.Command{
		Use: "wrapup", Short: "End a session with a summary",
		Long: `Closes a session (the latest of this project, or the one of --session) and puts it on the shelf
that the next session reads. What you leave out is summarised by rules, so a wrap-up is optional.
What was learned is also kept as a lesson. - reads one of the texts from standard input.

A second wrap-up of the same session adds to the first. Where an agent runs the command, the words
are the agent's: yours are not replaced, and a pin waits for you. --by agent does so in a script.`,
		Example: `  hebb sessions wrapup --happened "moved auth to cookies" --next "revoke the old tokens"
  hebb sessions wrapup --learned "CI runs in UTC" --note "src/auth.go=refresh() still reads the header"`,
	}, input{}, func(cmd *cobra.Command, in input) (err error) {
		if in.Origin == memory.OriginUser {
			if err := a.personOnly("wrapup --by user"); err != nil {
				return err
			}
		}
		in.Origin = cmp.Or(in.Origin, a.speaker())
		if in.PinTitle == "" && in.PinText+in.PinReason != "" {
			return usageError{errors.New("wrapup: --pin-text and --pin-reason need --pin TITLE")}
		}
		if in.Notes, err = fileNotes(in.Note); err != nil {
			return err
		}
		texts := map[string]*string{"happened": &in.Happened, "learned": &in.Learned, "next": &in.Next, "pin-text": &in.PinText}
		if err := a.readOne(cmd, texts); err != nil {
			return err
		}
		return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error { return a.wrapUp(ctx, b, in.WrapUpInput) })
	})
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
			return nil, usageError{fmt.Errorf("wrapup: --note %s is given twice: a file has one note", file)}
		}
		notes[file] = text
	}
	return notes, nil
}

// readOne fills the one flag that is - from standard input.
func (a *app) readOne(cmd *cobra.Command, flags map[string]*string) (err error) {
	read := ""
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		switch value := flags[name]; {
		case *value != "-":
			continue
		case read != "":
			return usageError{fmt.Errorf("wrapup: --%s and --%s both want standard input: only one can have it", read, name)}
		}
		if read = name; err == nil {
			*flags[name], err = a.textOf(cmd, []string{"-"})
		}
	}
	if err == nil && read != "" && strings.TrimSpace(*flags[read]) == "" {
		err = usageError{fmt.Errorf("wrapup: --%s -: standard input is empty", read)}
	}
	return err
}

func (a *app) wrapUp(ctx context.Context, b *brain.Brain, in desk.WrapUpInput) error {
	out, err := steward.Run(ctx, b, desk.WrapUp, in)
	if err != nil {
		return err
	}
	err = a.show(out, func(p *page) {
		entryPage(p, out.Session)
		p.gap()
		p.lineIf(out.Lesson != "", "%s %s", p.style.dim("Remembered as a lesson:"), p.style.dim(string(out.Lesson)))
		for _, file := range out.Noted {
			p.line("Noted: %s", shownName(file))
		}
		if out.Pin != nil {
			word := either(out.Pin.Waiting(), "Proposed as a pin, which waits for you (hebb pin list --waiting)", "Pinned")
			p.line("%s: %s", word, scrub.Line(out.Pin.Title))
		}
		p.note("Wrapped up. Another wrap-up with --session changes the words.")
	})
	a.warnings("", out.Warnings)
	return err
}

// entryPage shows the summary of a session.
func entryPage(p *page, s memory.Session) {
	head := []string{p.style.bold(minute(s.LastEventAt)), p.style.cyan(scrub.Line(string(s.Agent)))}
	if name, ok := p.names[s.Project]; ok {
		head = append(head, p.style.cyan(shownName(name)))
	}
	if s.HasOwnSummary() {
		head = append(head, p.style.dim("by "+string(s.SummaryBy)))
	}
	p.line("%s", strings.Join(append(head, p.style.dim(s.ID.String())), "  "))
	summaryPage(p, s)
}

// summaryPage shows what happened, what was learned and what comes next.
func summaryPage(p *page, s memory.Session) {
	if s.Happened == "" {
		p.note(indent + "No summary.")
	} else {
		p.paragraphs("", s.Happened)
	}
	for _, part := range [][2]string{{"Learned:", s.Learned}, {"Next:", s.Next}} {
		if part[1] != "" {
			p.paragraphs(part[0], part[1])
		}
	}
}

func recentPage(p *page, sessions []memory.Session) {
	if len(sessions) == 0 {
		p.line("No session has ended here yet. `hebb sessions --open` shows the running ones; `hebb " +
			"sessions wrapup` ends one.")
		return
	}
	for i, s := range sessions {
		p.between(i)
		entryPage(p, s)
	}
}

// pageName is a page and its content; instead is, of a file that hebb only writes, the command that changes what it says.
type pageName struct{ name, about, instead string }

var pageNames = []pageName{
	{"soul", "how an agent is to work and speak here", ""},
	{"questions", "open questions, and what is known about them", ""},
	{"context", "what is going on now: people, deadlines, decisions", ""},
	{"projects", "the projects, their purpose and their relations", ""},
	{"recent", "summaries of the latest sessions of this project", "hebb sessions wrapup --session ID --happened TEXT"},
	{"summary", "a line for each session of this project", "hebb sessions wrapup --session ID --happened TEXT"},
	{"pinned", "the pins of this project", ""},
	{"live", "the hot files of every project", "hebb graph note FILE TEXT"},
	{"memory", "the state, as dreams rewrite it", ""},
	{"scratch", "the notes that wait for a dream", ""},
}

// writtenByPeople is how many of pageNames people write. hebb writes the others.
const writtenByPeople = 4

// pageState is a page in the list of pages.
type pageState struct {
	Name      string        `json:"name"`
	About     string        `json:"about"`
	File      string        `json:"file"`
	Exists    bool          `json:"exists"` // somebody wrote something
	ChangedAt time.Time     `json:"changed_at,omitzero"`
	By        memory.Origin `json:"by,omitempty"`
	Stale     string        `json:"stale,omitempty"`
}

func (a *app) readCommand() *cobra.Command {
	type input struct {
		brain.Scope
		Name string `arg:"1"`
		Edit bool   `flag:"edit,e" about:"open it in $EDITOR (or $VISUAL), and import the edit"`
		Set  string `flag:"set,,file" about:"write the page from this file, - for standard input"`
	}
	names := strings.Join(namesOfPages(), ", ")
	return takes(a, &cobra.Command{
		Use: "read [NAME | ID]", Short: "Read a page about you and your work, a shelf, or a text that hebb search found",
		Long: `Four pages are yours: soul (how an agent is to work and speak here), questions, context (what is
going on), projects (what they are for). hebb writes pinned, memory and scratch, and imports your
edits of them: a line that you write is kept, one that you take out ends. It only writes recent,
summary and live. All are Markdown in the folder vault of the data folder; no edit is overwritten
unread.

With an ID it shows all of a text of which hebb search shows a part. Without NAME it lists the
pages and which may be outdated.`,
		Example: `  hebb memories read context --edit
  hebb memories read pinned --edit
  hebb memories read questions --set notes.md`,
		ValidArgsFunction: completePages,
	}, input{}, func(cmd *cobra.Command, in input) error {
		named, write := cmd.Flags().NArg() > 0, cmd.Flags().Changed("set")
		name := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(in.Name), ".md"))
		at := slices.Index(namesOfPages(), name)
		switch {
		case !named && (in.Edit || write):
			return usageError{fmt.Errorf("read: --edit and --set need a name: %s", names)}
		case in.Edit && write:
			return usageError{errors.New("read: choose one of --edit and --set")}
		case !named:
			return a.listPages(cmd.Context())
		case at < 0 && !in.Edit && !write && strings.ContainsAny(name, "0123456789"):
			text := texts.ReadInput{Scope: in.Scope, ID: in.Name, Anywhere: a.speaker() == memory.OriginUser}
			return run(cmd.Context(), a, a.fresh, texts.ReadText, text, textPage)
		case at < 0:
			return usageError{fmt.Errorf("read %q: want one of %s, or an ID that hebb search shows", in.Name, names)}
		case (in.Edit || write) && pageNames[at].instead != "":
			return usageError{fmt.Errorf("read %s: hebb only writes this file: %s changes what it says", name, pageNames[at].instead)}
		case write && at >= writtenByPeople:
			return usageError{fmt.Errorf("read %s --set: hebb writes this file and imports your edits: hebb memories read %s --edit", name, name)}
		case write:
			return a.setPage(cmd.Context(), name, in.Set)
		case in.Edit:
			return a.editPage(cmd.Context(), name)
		}
		return run(cmd.Context(), a, a.fresh, views.ReadPage, views.ReadInput{Scope: in.Scope, Name: name}, a.readPage)
	})
}

// textPage shows a text to its end, with its lines as they are.
func textPage(p *page, f texts.Found) {
	foundHead(p, f)
	p.line("%s", scrub.Display(strings.TrimRight(f.Text, "\n")))
	if f.Answer != nil {
		p.gap()
		p.note(scrub.Line(string(f.Answer.Agent)) + " answered:")
		p.line("%s", scrub.Display(strings.TrimRight(f.Answer.Text, "\n")))
	}
}

func namesOfPages() []string { return mapped(pageNames, func(n pageName) string { return n.name }) }

func completePages(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		for _, n := range pageNames {
			names = append(names, cobra.CompletionWithDesc(n.name, n.about))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) readPage(p *page, out views.ReadResult) {
	a.warnings("", out.Warnings)
	if strings.TrimSpace(out.Text) == "" {
		p.line("%s is empty: it fills as sessions end and things are pinned.", shownName(a.home(out.File)))
		return
	}
	p.line("%s", scrub.Display(strings.TrimRight(out.Text, "\n")))
	switch {
	case out.Template:
		p.gap()
		p.note("Nobody has written this page yet: hebb memories read " + out.Name + " --edit")
	case out.Stale != "":
		p.gap()
		p.line("%s %s", p.style.yellow(out.Stale+":"), p.style.dim("last changed "+p.when(out.At)+"; hebb memories read "+out.Name+" --edit"))
	}
}

func (a *app) listPages(ctx context.Context) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		states := make([]pageState, len(pageNames))
		for i, n := range pageNames {
			out, err := steward.Run(ctx, b, views.ReadPage, views.ReadInput{Scope: a.scope(), Name: n.name})
			if err != nil {
				return err
			}
			states[i] = pageState{
				Name: n.name, About: n.about, File: out.File, Exists: !out.Template && strings.TrimSpace(out.Text) != "",
				ChangedAt: out.At, By: out.By, Stale: out.Stale,
			}
			if info, err := os.Stat(out.File); err == nil && states[i].Exists && out.At.IsZero() {
				states[i].ChangedAt = info.ModTime()
			}
		}
		return a.show(states, func(p *page) {
			tableOf(p, "NAME, CHANGED, STATE, FILE, HOLDS~", states, func(s pageState) []any {
				state := either(!s.Exists, "nothing yet", s.Stale)
				return []any{s.Name, s.ChangedAt, state, a.home(s.File), s.About}
			})
		})
	})
}

// setPage writes a page from a file.
func (a *app) setPage(ctx context.Context, name, from string) error {
	text, err := a.wholeText(from)
	if err != nil {
		return fmt.Errorf("read %s --set: %w", name, err)
	}
	in := views.WriteInput{Name: name, Text: text, Origin: a.speaker()}
	return run(ctx, a, a.fresh, views.WritePage, in, func(p *page, out views.ReadResult) { p.line("Written: %s", shownName(a.home(out.File))) })
}

// editPage opens a file in an editor and imports the result.
func (a *app) editPage(ctx context.Context, name string) error {
	in := views.ReadInput{Name: name}
	var before, after views.ReadResult
	read := func(out *views.ReadResult) error {
		return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) (err error) {
			in.Scope = a.scope()
			*out, err = steward.Run(ctx, b, views.ReadPage, in)
			return err
		})
	}
	if err := read(&before); err != nil {
		return err
	}
	if missing(before.File) {
		return fmt.Errorf("read %s --edit: %s does not exist yet: it is written as sessions end (hebb context --recent) and things are pinned (hebb pin): %w",
			name, a.home(before.File), memory.ErrNotFound)
	}
	if err := a.runEditor(ctx, before.File); err != nil { // the memory is closed meanwhile: an editor may stay open for hours
		return fmt.Errorf("read %s --edit: %w", name, err)
	}
	in.Edited = a.Width > 0 // the person is here, and has seen all of it
	if err := read(&after); err != nil {
		return err
	}
	if after.Left {
		return fmt.Errorf("read %s --edit: %s could not be imported and is left as it is: hebb doctor --fix says why: %w",
			name, a.home(after.File), memory.ErrInvalid)
	}
	return a.show(after, func(p *page) {
		if after.Text == before.Text {
			p.line("Nothing changed in %s.", shownName(a.home(after.File)))
			return
		}
		p.line("Edited: %s", shownName(a.home(after.File)))
		p.noteIf(slices.Index(namesOfPages(), name) >= writtenByPeople, "Lines that hebb could not read stay in the file; hebb doctor --fix names them.")
	})
}

// runEditor opens a file in the person's editor and waits.
func (a *app) runEditor(ctx context.Context, file string) error {
	editor := cmp.Or(a.Getenv("EDITOR"), a.Getenv("VISUAL"))
	if strings.TrimSpace(editor) == "" {
		return fmt.Errorf("no editor is set: set EDITOR, or edit %s with any program, hebb imports it: %w", a.home(file), memory.ErrInvalid)
	}
	// EDITOR is a shell command, as for git.
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$@"`, editor, file)
	if runtime.GOOS == "windows" {
		words := append(strings.Fields(editor), file)
		cmd = exec.CommandContext(ctx, words[0], words[1:]...)
	}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = a.Dir, a.Stdin, a.Stdout, a.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w; the next hebb command imports what it saved", editor, err)
	}
	return nil
}
