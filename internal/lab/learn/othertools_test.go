package learn_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

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
		known := must.Get(brain.View(t.Context(), l.Store, func(tx *store.Tx) ([]store.Kept, error) {
			return tx.Crystals(t.Context(), store.CrystalFilter{Current: true})
		}))(t)
		for _, c := range known {
			got = append(got, c.Text)
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
