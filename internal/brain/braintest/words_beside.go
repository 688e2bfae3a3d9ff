package braintest

import (
	"os/exec"
	"path/filepath"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// PlaceOf is where a project is.
func (l *Lab) PlaceOf(id memory.ProjectID) (place memory.Place) {
	l.T.Helper()
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) error {
		p, err := tx.Project(l.T.Context(), id)
		place = memory.Place{Identity: p.Identity, Root: p.Root}
		return err
	}))
	return place
}

// Git runs git in the project's folder.
func (l *Lab) Git(args ...string) string {
	l.T.Helper()
	out, err := exec.CommandContext(l.T.Context(), "git", append([]string{"-C", filepath.FromSlash(l.Place.Root)}, args...)...).Output()
	if err != nil {
		l.T.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

func (l *Lab) KnowsWord(word string) bool {
	l.T.Helper()
	return l.MeaningOf().Table.Vector(vocab.Terms(word)) != nil
}
