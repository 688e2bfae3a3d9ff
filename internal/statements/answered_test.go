package statements_test

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// ruleNow is the statement that holds as dreams and starts see it.
func ruleNow(l *braintest.Lab) (s state.Statement) {
	l.T.Helper()
	err := l.Store.View(l.T.Context(), func(tx *store.Tx) error {
		holds, err := state.Statements(l.T.Context(), tx, l.Place.Project())
		if len(holds) != 1 {
			l.T.Fatalf("%d statements hold, want one", len(holds))
		}
		s = holds[0]
		return err
	})
	if err != nil {
		l.T.Fatal(err)
	}
	return s
}

// A memory gains by praise for the turn in which it was shown, once in a session; a list at a start is for all that may come.
func TestPraiseAfterAMemoryWasShownRaisesIt(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt(rule).Edit("a.go").End()
	id := heard(l)[0].ID
	shown := func(at memory.Moment) memory.Suggestion {
		return memory.Suggestion{Moment: at, Offer: memory.OfferMemory, Crystal: id}
	}
	held := shown(memory.AtPrompt)
	held.Held = true
	for _, c := range []struct {
		name    string
		work    *braintest.Work
		praised int
	}{
		{"nothing was shown", l.Work("two", 100).Prompt("fix the login").Edit("a.go").Prompt("Perfect!"), 0},
		{"it was shown at the start", l.Work("three", 200).Offer(shown(memory.AtStart)).Prompt("fix the login").Edit("a.go").Prompt("Perfect!"), 0},
		{"it was held out", l.Work("four", 300).Prompt("fix the login").Offer(held).Edit("a.go").Prompt("Perfect!"), 0},
		{"an earlier turn was shown it", l.Work("five", 400).Prompt("fix the login").Offer(shown(memory.AtPrompt)).Edit("a.go").Prompt("now the logout").Prompt("Perfect!"), 0},
		{"the person says nothing of it", l.Work("six", 500).Prompt("fix the login").Offer(shown(memory.AtPrompt)).Edit("a.go").Prompt("make the perfect logout next"), 0},
		{"the turn was shown it", l.Work("seven", 600).Prompt("fix the login").Offer(shown(memory.AtPrompt)).Edit("a.go").Prompt("Perfect!"), 1},
		{"the same session again", l.Work("seven", 700).Prompt("and the logout").Offer(shown(memory.AtEdit)).Edit("b.go").Prompt("Great work!"), 1},
		{"before an edit, in another", l.Work("eight", 800).Prompt("fix the login").Offer(shown(memory.AtEdit)).Edit("a.go").Prompt("Perfect!"), 2},
	} {
		c.work.Pause()
		after := ruleNow(l)
		without := after
		if without.Praised = 0; after.Praised != c.praised || (after.Strength(l.Clock) > without.Strength(l.Clock)) != (c.praised > 0) {
			t.Errorf("%s: praised in %d sessions, want %d; strength %.3f", c.name, after.Praised, c.praised, after.Strength(l.Clock))
		}
	}
	if c := heard(l)[0]; c.Accesses != 3 {
		t.Errorf("used %d times, want one for each praise", c.Accesses)
	}
	traced := 0
	for _, trace := range braintest.Must(l, statements.WhyCrystal, statements.ProvenanceInput{ID: string(id)}).Traces {
		if trace.What == store.Praised {
			traced++
		}
	}
	if traced != 3 {
		t.Errorf("hebb why names %d praises, want 3", traced)
	}
	braintest.Must(l, steward.Forget, forget.ForgetInput{Session: "seven", Apply: true})
	if s := ruleNow(l); s.Praised != 1 {
		t.Errorf("after a session is forgotten: praised in %d", s.Praised)
	}
}

// A memory that a session was shown, and against which the person speaks there, loses half.
func TestWhatWasShownAndContradictedLoses(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt(rule).Edit("a.go").End()
	known := heard(l)[0]
	says := func(run string, work *braintest.Work) {
		t.Helper()
		work.Pause()
		err := l.Store.Update(t.Context(), func(tx *store.Tx) error {
			session := memory.NewSessionID(l.Prompt(run, "").Agent, run, l.Place.Project())
			prompts, err := tx.Events(t.Context(), store.EventFilter{Session: session, Kind: memory.Prompted, Limit: 1})
			if err != nil || len(prompts) != 1 {
				t.Fatalf("%d prompts: %v", len(prompts), err)
			}
			said := memory.Crystal{Origin: memory.OriginUser, Session: session, Source: statements.SourceOf(prompts[0]), SaidAt: prompts[0].At}
			return statements.Contradicted(t.Context(), tx, said, known.ID)
		})
		if err != nil {
			t.Fatal(err)
		}
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
