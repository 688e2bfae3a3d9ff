package statements_test

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// ruleNow is the statement that holds as dreams and starts see it.
func ruleNow(l *braintest.Lab) (s state.Statement) {
	l.T.Helper()
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) error {
		holds, err := state.Statements(l.T.Context(), tx, l.Place.Project())
		if len(holds) != 1 {
			l.T.Fatalf("%d statements hold, want one", len(holds))
		}
		s = holds[0]
		return err
	}))
	return s
}

// A memory that a session was shown, and against which the person speaks there, loses half.
func TestWhatWasShownAndContradictedLoses(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt(rule).Edit("a.go").End()
	known := heard(l)[0]
	says := func(run string, work *braintest.Work) {
		t.Helper()
		work.Pause()
		must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
			session := memory.NewSessionID(l.Prompt(run, "").Agent, run, l.Place.Project())
			prompts, err := tx.Events(t.Context(), store.EventFilter{Session: session, Kind: memory.Prompted, Limit: 1})
			if err != nil || len(prompts) != 1 {
				t.Fatalf("%d prompts: %v", len(prompts), err)
			}
			said := memory.Crystal{Origin: memory.OriginUser, Session: session, Source: statements.SourceOf(prompts[0]), SaidAt: prompts[0].At}
			return statements.Contradicted(t.Context(), tx, said, known.ID)
		}))
	}
	before := ruleNow(l)
	says("two", l.Work("two", 100).Prompt("I would rather push to the trunk"))
	if s := ruleNow(l); s.Contradicted != 0 {
		t.Errorf("contradicted without being shown: %+v", s)
	}
	shown := memory.Suggestion{Moment: memory.AtStart, Offer: memory.OfferMemory, Crystal: known.ID}
	says("three", l.Work("three", 200).Offer(shown).Prompt("I would rather push to the trunk"))
	after := ruleNow(l)
	if was, is := before.Strength(l.Clock), after.Strength(l.Clock); after.Contradicted != 1 || is < 0.49*was || is > 0.51*was {
		t.Errorf("strength %.3f, then %.3f: %+v", was, is, after)
	}
}
