package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

// pageName is something to read, and what it holds.
type pageName struct{ name, about string }

var pageNames = []pageName{
	{"soul", "how an agent is to work and speak here"},
	{"questions", "open questions, and what is known about them"},
	{"context", "what is going on now: people, deadlines, decisions"},
	{"projects", "the projects, their purpose and their relations"},
	{"recent", "summaries of the latest sessions of this project"},
	{"summary", "a line for each session of this project"},
	{"pinned", "the pins of this project"},
	{"live", "the hot files of every project"},
	{"memory", "the state, as dreams rewrite it"},
	{"scratch", "the notes that wait for a dream"},
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
	var edit bool
	var set string
	cmd := &cobra.Command{
		Use: "read [NAME]", Short: "Read a page about you and your work, or a shelf",
		Long: `Four pages are yours, about what hebb cannot see: soul (how an agent is to work and speak here), questions, context (what is going
on), projects (what they are for). hebb writes the others: recent, summary, pinned, live, memory and scratch. All are Markdown in the
folder vault of the data folder. Edit them with any program: hebb imports your changes, with you as the origin, and never overwrites
an edit.

Without NAME it lists them: file, last change, and which may be outdated. --edit opens the file in $EDITOR (or $VISUAL) and imports
the edit afterwards. --set writes one of your pages from a file, - from standard input. Secrets are removed.`,
		Example: `  hebb read
  hebb read soul
  hebb read context --edit
  hebb read recent --edit
  hebb read questions --set notes.md`,
		Args:              arguments(0, 1, "at most one name: "+strings.Join(namesOfPages(), ", ")),
		ValidArgsFunction: completePages,
		RunE: func(cmd *cobra.Command, args []string) error {
			write := cmd.Flags().Changed("set")
			switch {
			case len(args) == 0 && (edit || write):
				return usageError{fmt.Errorf("read: --edit and --set need a name: %s", strings.Join(namesOfPages(), ", "))}
			case edit && write:
				return usageError{errors.New("read: choose one of --edit and --set")}
			case len(args) == 0:
				return a.listPages(cmd.Context())
			}
			name := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(args[0]), ".md"))
			at := slices.Index(namesOfPages(), name)
			switch {
			case at < 0:
				return usageError{fmt.Errorf("read %q: want one of %s", args[0], strings.Join(namesOfPages(), ", "))}
			case write && at >= writtenByPeople:
				return usageError{fmt.Errorf("read %s --set: hebb writes this file and imports your edits: hebb read %s --edit", name, name)}
			case write:
				return a.setPage(cmd.Context(), name, set)
			case edit:
				return a.editPage(cmd.Context(), name)
			}
			return run(cmd.Context(), a, a.fresh, views.ReadPage, views.ReadInput{Scope: a.scope(), Name: name}, a.readPage)
		},
	}
	cmd.Flags().BoolVarP(&edit, "edit", "e", false, "open it in $EDITOR (or $VISUAL), and import the edit")
	cmd.Flags().StringVar(&set, "set", "", "write the page from this file, - for standard input")
	_ = cmd.MarkFlagFilename("set") // fails only for an unknown flag
	return a.scopeFlags(cmd, false)
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
	if strings.TrimSpace(out.Text) == "" {
		p.line("%s is empty: it fills as sessions end and things are pinned.", shownName(a.home(out.File)))
		return
	}
	p.line("%s", scrub.Display(strings.TrimRight(out.Text, "\n")))
	switch {
	case out.Template:
		p.gap()
		p.line("%s", p.style.dim("Nobody has written this page yet: hebb read "+out.Name+" --edit"))
	case out.Stale != "":
		p.gap()
		p.line("%s %s", p.style.yellow(out.Stale+":"), p.style.dim("last changed "+p.when(out.At)+"; hebb read "+out.Name+" --edit"))
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
			tableOf(p, []string{"NAME", "CHANGED", "STATE", "FILE", "HOLDS~"}, states, func(s pageState) []string {
				state := s.Stale
				if !s.Exists {
					state = "nothing yet"
				}
				return []string{s.Name, p.ago(s.ChangedAt), state, a.home(s.File), s.About}
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

// wholeText reads a file or standard input. It refuses text that cannot be kept as it is.
func (a *app) wholeText(from string) (string, error) {
	c, err := config.Load(a.Getenv)
	if err != nil {
		return "", err
	}
	in := a.Stdin
	switch from {
	case "":
		return "", usageError{errors.New("name a file, or - for standard input")}
	case "-":
	default:
		f, err := os.Open(from)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: %w", from, memory.ErrNotFound)
		}
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	most := c.Tuning.Hook.ReadLimit
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case err != nil:
		return "", err
	case int64(len(text)) > most:
		return "", fmt.Errorf("the text is longer than %s: keep a page short, every session reads it: %w", size(most), memory.ErrInvalid)
	case !utf8.Valid(text):
		return "", fmt.Errorf("the text is not UTF-8: save it as UTF-8: %w", memory.ErrInvalid)
	}
	return string(text), nil
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
		return fmt.Errorf("read %s --edit: %s does not exist yet: it is written as sessions end (hebb recent) and things are pinned (hebb pin): %w",
			name, a.home(before.File), memory.ErrNotFound)
	}
	if err := a.runEditor(ctx, before.File); err != nil { // the memory is closed meanwhile: an editor may stay open for hours
		return fmt.Errorf("read %s --edit: %w", name, err)
	}
	if err := read(&after); err != nil {
		return err
	}
	if text, err := os.ReadFile(after.File); err == nil && string(text) != after.Text { // the store differs from the file
		return fmt.Errorf("read %s --edit: %s could not be imported and is left as it is: hebb doctor says why: %w",
			name, a.home(after.File), memory.ErrInvalid)
	}
	return a.show(after, func(p *page) {
		if after.Text == before.Text {
			p.line("Nothing changed in %s.", shownName(a.home(after.File)))
			return
		}
		p.line("Edited: %s", shownName(a.home(after.File)))
		if slices.Index(namesOfPages(), name) >= writtenByPeople {
			p.line("%s", p.style.dim("Lines that hebb could not read stay in the file; hebb doctor names them."))
		}
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
