package brain

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/memory"
)

// texts are all that is remembered and known, without what a way out and in changes: IDs, origins, sources.
func (l *library) texts() (list []string) {
	l.t.Helper()
	out := must(l.lab, MoveOut, MoveOutInput{Scope: l.scope()})
	for _, c := range out.Crystals {
		list = append(list, fmt.Sprintf("%s %q about %q", c.Kind, c.Text, c.Subject))
	}
	for _, e := range out.Entities {
		list = append(list, fmt.Sprintf("%s (%s)", e.Name, e.Type))
		for _, o := range e.Observations {
			list = append(list, fmt.Sprintf("%s: %q", e.Name, o.Text))
		}
	}
	for _, r := range out.Relations {
		list = append(list, r.From+" "+r.Type+" "+r.To)
	}
	slices.Sort(list)
	return list
}

// What goes out comes back: what is remembered and known, and nothing else.
func TestTextsGoOutAndComeBack(t *testing.T) {
	l, _ := newGraph(t)
	l.remember("we chose WAL mode <!-- not a comment -->\n\n# because\n\ntwo hooks may write", of(memory.Decision))
	l.remember("café größer 日本 \u202eabc", of(memory.Lesson))
	l.remember("the staging database is db2")
	elsewhere := newLibrary(t)
	elsewhere.remember("of another project")
	for _, c := range []struct {
		format foreign.Format
		write  func(path string, m foreign.Memory) error
	}{
		{foreign.Markdown, foreign.WriteMarkdown},
		{foreign.MCPMemory, func(path string, m foreign.Memory) error {
			var text bytes.Buffer
			err := foreign.WriteMCPMemory(&text, m)
			writeFile(t, path, text.Bytes())
			return err
		}},
	} {
		path := filepath.Join(t.TempDir(), "out")
		if err := c.write(path, must(l.lab, MoveOut, MoveOutInput{Scope: l.scope()})); err != nil {
			t.Fatal(err)
		}
		back := newLibrary(t)
		in := must(back.lab, MoveIn, MoveInInput{Scope: back.scope(), Path: path})
		if in.Format != c.format || len(in.Problems) > 0 {
			t.Errorf("%s: %+v", c.format, in)
		}
		if got, want := back.texts(), l.texts(); !slices.Equal(got, want) {
			t.Errorf("%s gives back %q\nwant %q", c.format, got, want)
		}
		if again := must(back.lab, MoveIn, MoveInInput{Scope: back.scope(), Path: path}); again.Known != again.Crystals {
			t.Errorf("%s again: %+v", c.format, again)
		}
	}
}

// The past goes out with the notes and stays the past.
func TestHistoryGoesOutAndComesBackAsHistory(t *testing.T) {
	l := newLibrary(t)
	l.remember("the staging database is db1")
	l.passes(time.Hour)
	l.remember("the staging database is db2")
	path := filepath.Join(t.TempDir(), "notes")
	if err := foreign.WriteMarkdown(path, must(l.lab, MoveOut, MoveOutInput{Scope: l.scope()})); err != nil {
		t.Fatal(err)
	}
	back := newLibrary(t)
	back.passes(2 * time.Hour)
	must(back.lab, MoveIn, MoveInInput{Scope: back.scope(), Path: path})
	back.finds("staging database", []string{"the staging database is db2"})
	back.finds("staging database", []string{"the staging database is db1"}, asOf(start.Add(time.Minute)))
}

func TestMoveOutKeepsToItsScope(t *testing.T) {
	l, in := newGraph(t)
	l.remember("of the project")
	l.remember("of the person", func(in *RememberInput) { in.Everywhere = true })
	own := KnowledgeInput{Scope: l.scope(), Everywhere: true}
	must(l.lab, CreateEntities, EntitiesInput{KnowledgeInput: own, Entities: []KnownEntity{{Name: "Ada", Observations: []string{"a friend"}}}})
	for _, c := range []struct {
		in                            MoveOutInput
		crystals, entities, relations int
	}{
		{MoveOutInput{Scope: in.Scope}, 1, 3, 2},
		{MoveOutInput{Scope: in.Scope, Everywhere: true}, 1, 1, 0},
		{MoveOutInput{Scope: Scope{Dir: l.dir, All: true}}, 2, 3, 2},
		{MoveOutInput{Scope: Scope{Dir: t.TempDir()}}, 0, 0, 0},
	} {
		out := must(l.lab, MoveOut, c.in)
		if len(out.Crystals) != c.crystals || len(out.Entities) != c.entities || len(out.Relations) != c.relations {
			t.Errorf("%+v gives %+v", c.in, out)
		}
	}
}

func TestAnEditedNoteTakesThePlaceOfWhatItSaid(t *testing.T) {
	t.Parallel()
	l, notes := newLibrary(t), t.TempDir()
	write := func(name, text string) { t.Helper(); writeFile(t, filepath.Join(notes, name), []byte(text)) }
	read := func(path string) MoveInResult {
		t.Helper()
		l.passes(time.Hour)
		return must(l.lab, MoveIn, MoveInInput{Scope: l.scope(), Path: path, Format: foreign.Markdown})
	}
	expect := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, c := range must(l.lab, MoveOut, MoveOutInput{Scope: l.scope()}).Crystals {
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
	if history := l.find("pipeline", withHistory); len(history) != 2 {
		t.Errorf("history: %+v", history)
	}
	green := l.find("pipeline green")[0]
	if why := must(l.lab, WhyCrystal, ProvenanceInput{ID: string(green.Crystal.ID)}); len(why.Parents) != 1 {
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
	writeFile(t, filepath.Join(elsewhere, "other.md"), []byte("Quite another matter.\n"))
	read(elsewhere)
	expect("elsewhere", "deploy › Steps\n"+strings.TrimSpace(long), "deploy › Undo\nNever go back.", "other\nNothing to do with it.", "other\nQuite another matter.")
}
