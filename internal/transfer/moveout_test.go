package transfer_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// What goes out comes back: what is remembered and known, and nothing else.
func TestTextsGoOutAndComeBack(t *testing.T) {
	l, _ := braintest.NewGraph(t)
	l.Remember("we chose WAL mode <!-- not a comment -->\n\n# because\n\ntwo hooks may write", braintest.Of(memory.Decision))
	l.Remember("café größer 日本 \u202eabc", braintest.Of(memory.Lesson))
	l.Remember("the staging database is db2")
	elsewhere := braintest.NewLibrary(t)
	elsewhere.Remember("of another project")
	for _, c := range []struct {
		format foreign.Format
		write  func(path string, m foreign.Memory) error
	}{
		{foreign.Markdown, foreign.WriteMarkdown},
		{foreign.MCPMemory, func(path string, m foreign.Memory) error {
			var text bytes.Buffer
			err := foreign.WriteMCPMemory(&text, m)
			braintest.WriteFile(t, path, text.Bytes())
			return err
		}},
	} {
		path := filepath.Join(t.TempDir(), "out")
		must.Do(t, c.write(path, braintest.Must(l.Lab, transfer.MoveOut, transfer.MoveOutInput{Scope: l.Scope()})))
		back := braintest.NewLibrary(t)
		in := braintest.Must(back.Lab, learn.MoveIn, learn.MoveInInput{Scope: back.Scope(), Path: path})
		if in.Format != c.format || len(in.Problems) > 0 {
			t.Errorf("%s: %+v", c.format, in)
		}
		if got, want := back.Texts(), l.Texts(); !slices.Equal(got, want) {
			t.Errorf("%s gives back %q\nwant %q", c.format, got, want)
		}
		if again := braintest.Must(back.Lab, learn.MoveIn, learn.MoveInInput{Scope: back.Scope(), Path: path}); again.Known != again.Crystals {
			t.Errorf("%s again: %+v", c.format, again)
		}
	}
}

// The past goes out with the notes and stays the past.
func TestHistoryGoesOutAndComesBackAsHistory(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Remember("the staging database is db1")
	l.Passes(time.Hour)
	l.Remember("the staging database is db2")
	path := filepath.Join(t.TempDir(), "notes")
	must.Do(t, foreign.WriteMarkdown(path, braintest.Must(l.Lab, transfer.MoveOut, transfer.MoveOutInput{Scope: l.Scope()})))
	back := braintest.NewLibrary(t)
	back.Passes(2 * time.Hour)
	braintest.Must(back.Lab, learn.MoveIn, learn.MoveInInput{Scope: back.Scope(), Path: path})
	back.Finds("staging database", []string{"the staging database is db2"})
	back.Finds("staging database", []string{"the staging database is db1"}, braintest.AsOf(braintest.Start.Add(time.Minute)))
}

func TestMoveOutKeepsToItsScope(t *testing.T) {
	l, in := braintest.NewGraph(t)
	l.Remember("of the project")
	l.Remember("of the person", func(in *statements.RememberInput) { in.Everywhere = true })
	own := texts.GraphInput{Scope: l.Scope(), Everywhere: true}
	braintest.Must(l.Lab, texts.CreateEntities, texts.EntitiesInput{GraphInput: own, Entities: []texts.Entity{{Name: "Ada", Observations: []string{"a friend"}}}})
	for _, c := range []struct {
		in                            transfer.MoveOutInput
		crystals, entities, relations int
	}{
		{transfer.MoveOutInput{Scope: in.Scope}, 1, 3, 2},
		{transfer.MoveOutInput{Scope: in.Scope, Everywhere: true}, 1, 1, 0},
		{transfer.MoveOutInput{Scope: brain.Scope{Dir: l.Dir, All: true}}, 2, 3, 2},
		{transfer.MoveOutInput{Scope: brain.Scope{Dir: t.TempDir()}}, 0, 0, 0},
	} {
		out := braintest.Must(l.Lab, transfer.MoveOut, c.in)
		if len(out.Crystals) != c.crystals || len(out.Entities) != c.entities || len(out.Relations) != c.relations {
			t.Errorf("%+v gives %+v", c.in, out)
		}
	}
}

func TestAnEditedNoteTakesThePlaceOfWhatItSaid(t *testing.T) {
	t.Parallel()
	l, notes := braintest.NewLibrary(t), t.TempDir()
	write := func(name, text string) { t.Helper(); braintest.WriteFile(t, filepath.Join(notes, name), []byte(text)) }
	read := func(path string) learn.MoveInResult {
		t.Helper()
		l.Passes(time.Hour)
		return braintest.Must(l.Lab, learn.MoveIn, learn.MoveInInput{Scope: l.Scope(), Path: path, Format: foreign.Markdown})
	}
	expect := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, c := range braintest.Must(l.Lab, transfer.MoveOut, transfer.MoveOutInput{Scope: l.Scope()}).Crystals {
			if c.ValidTo.IsZero() {
				got = append(got, c.Text)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	write("deploy.md", "The pipeline is blue.\n")
	write("other.md", "Nothing to do with it.\n")
	read(notes)
	expect("first", "deploy\nThe pipeline is blue.", "other\nNothing to do with it.")
	if out := read(notes); out.Known != 2 || out.Superseded != 0 {
		t.Errorf("again: %+v", out)
	}
	write("deploy.md", "The pipeline is green.\n")
	if out := read(notes); out.Known != 1 || out.Superseded != 1 {
		t.Errorf("edited: %+v", out)
	}
	expect("edited", "deploy\nThe pipeline is green.", "other\nNothing to do with it.")
	if history := l.Find("pipeline", braintest.WithHistory); len(history) != 2 {
		t.Errorf("history: %+v", history)
	}
	green := l.Find("pipeline green")[0]
	if why := braintest.Must(l.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(green.Crystal.ID)}); len(why.Parents) != 1 {
		t.Errorf("why: %+v", why)
	}
	write("deploy.md", "The pipeline is blue.\n") // and back
	read(notes)
	expect("as it was", "deploy\nThe pipeline is blue.", "other\nNothing to do with it.")

	long := strings.Repeat("Many words of no great weight. ", 50)
	write("deploy.md", "# deploy\n\n## Steps\n\n"+long+"\n\n## Undo\n\nGo back.\n") // by its headings now
	read(notes)
	write("deploy.md", "# deploy\n\n## Steps\n\n"+long+"\n\n## Undo\n\nNever go back.\n")
	if out := read(notes); out.Superseded != 1 {
		t.Errorf("one heading: %+v", out)
	}
	expect("one heading", "deploy › Steps\n"+strings.TrimSpace(long), "deploy › Undo\nNever go back.", "other\nNothing to do with it.")

	elsewhere := t.TempDir() // another folder has a note of that name
	braintest.WriteFile(t, filepath.Join(elsewhere, "other.md"), []byte("Quite another matter.\n"))
	read(elsewhere)
	expect("elsewhere", "deploy › Steps\n"+strings.TrimSpace(long), "deploy › Undo\nNever go back.", "other\nNothing to do with it.", "other\nQuite another matter.")
}
