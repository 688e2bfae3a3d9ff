package steward_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// Whatever the server does, and at whichever word of the conversation: what is said is acknowledged
// and stored once.
func TestWhatIsSaidIsStoredOnceWhereverTheServerFails(t *testing.T) {
	l := braintest.NewServerLab(t, "away")
	gate := braintest.NewGate(t, l.Config.Store+"&connect_timeout=1")
	c, scope := l.Config, brain.Scope{Dir: t.TempDir()}
	c.Store = gate.URL
	say := func(text string) error {
		b, err := steward.Open(t.Context(), c, time.Now)
		if err != nil {
			return err
		}
		_, err = steward.Run(t.Context(), b, statements.Remember, statements.RememberInput{Scope: scope, Text: text})
		return errors.Join(err, b.Close())
	}
	must.Do(t, say("the server works"))
	gate.Fail(braintest.Works, 0)
	must.Do(t, say("how many round trips that takes"))
	turns := gate.Turns()
	texts := map[string]bool{}
	for name, failure := range map[string]braintest.Failure{
		"dies": braintest.Dies, "dies after": braintest.DiesAfter, "falls quiet": braintest.FallsQuiet,
	} {
		step := 1
		if failure == braintest.FallsQuiet { // each takes the second that a server has to answer
			step = 9
		}
		// From beyond the last word down: the more texts there are like it, the more a text is compared
		// with.
		for at := turns + 15; at >= 0; at -= step {
			text := fmt.Sprintf("the server %s at round trip number n%d", name, at)
			texts[text] = true
			gate.Fail(failure, at)
			if err := say(text); err != nil && !isTaken(err) {
				t.Errorf("%s: %v", text, err)
			}
			gate.Restart()
			must.Get(steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{}))(t)
		}
	}
	if s := l.Spool.State(); s.Said != 0 || s.SaidRejected != 0 {
		t.Errorf("after the drain %+v", s)
	}
	stored := map[string]int{}
	must.Get(brain.View(t.Context(), l.Store, func(tx *store.Tx) (struct{}, error) {
		kept, err := tx.Crystals(t.Context(), store.CrystalFilter{Projects: []memory.ProjectID{memory.NewProjectID(scope.Dir)}})
		for _, c := range kept {
			traces, failed := tx.Traces(t.Context(), c.ID)
			stored[c.Text] += len(traces)
			err = errors.Join(err, failed)
		}
		return struct{}{}, err
	}))(t)
	for text := range texts {
		if stored[text] != 1 {
			t.Errorf("%q was stored %d times", text, stored[text])
		}
	}
	t.Logf("%d round trips, %d failures", turns, len(texts))
}

// Input that can be seen to be wrong without the store is refused as ever; the rest is refused when
// its turn comes.
func TestWrongInputIsRefusedWhileTheServerIsAway(t *testing.T) {
	l := braintest.NewServerLab(t, "away_wrong")
	gate := braintest.NewGate(t, l.Config.Store)
	c := l.Config
	c.Store = gate.URL
	gate.Close()
	b, err := steward.Open(t.Context(), c, l.Now)
	if err != nil {
		t.Fatal(err)
	}
	in := statements.RememberInput{Scope: brain.Scope{Dir: t.TempDir()}}
	if _, err := steward.Run(t.Context(), b, statements.Remember, in); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an empty text: %v", err)
	}
	in.Text, in.Project = "a text", "no-such-project"
	if _, err := steward.Run(t.Context(), b, statements.Remember, in); !isTaken(err) {
		t.Errorf("a project that may be there: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	out, err := steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{})
	if err != nil || out.Rejected != 1 || len(l.Spool.Rejected()) != 1 {
		t.Errorf("it is not set aside: %+v, %v", out, err)
	}
}
