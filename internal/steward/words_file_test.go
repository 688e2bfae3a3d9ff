package steward_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/steward"
)

// The file with the words of a project's files is made in the background after work, also if it has
// gone and no sleep is due.
func TestADrainInTheBackgroundMakesTheMissingWordsFile(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	dir := t.TempDir()
	braintest.WriteFile(t, filepath.Join(dir, "price.go"), []byte("package shop\n\nfunc RoundHalfUp() {}\n"))
	must.Do(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	place := must.Get(project.Resolve(dir))(t)
	l.Place = place
	file := l.Config.Contents(place.Project())
	for round := range 3 {
		minutes := float64(round)
		l.Clock = braintest.Start
		for _, e := range []memory.Event{l.Event(memory.SessionStarted, minutes), l.Event(memory.TurnEnded, minutes)} {
			must.Do(t, l.Spool.Append(e))
		}
		must.Get(steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{Wait: true, Sleep: true}))(t)
		if err := os.Remove(file); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
}
