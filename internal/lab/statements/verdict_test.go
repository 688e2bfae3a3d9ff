package statements_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestAVerdictOnAMemoryActsAndIsTakenBack(t *testing.T) {
	for verdict, want := range map[statements.Verdict]struct {
		state string
		holds bool
	}{
		statements.VerdictRight:    {"", true},
		statements.VerdictWrong:    {statements.StateRejected, false},
		statements.VerdictOutdated: {statements.StateSuperseded, false},
		statements.VerdictNever:    {string(memory.Archived), false},
	} {
		t.Run(string(verdict), func(t *testing.T) {
			l := braintest.NewLab(t)
			l.Observe(l.Touch("one", 1, memory.Read, "a.go"))
			kept := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The cache lives in Redis.", Kind: memory.Decision})
			before := crystal(t, l, kept.ID)
			l.Clock = l.Clock.Add(time.Hour)
			in := statements.VerdictInput{Memory: string(kept.ID), Verdict: verdict}
			if got := braintest.Must(l, statements.GiveVerdict, in); got.Verdict != verdict || got.ID != string(kept.ID) {
				t.Errorf("got %+v", got)
			}
			all := braintest.Must(l, statements.Memories, statements.MemoriesInput{Scope: l.Scope(), History: true})
			if len(all) != 1 || all[0].State != want.state {
				t.Errorf("history: %+v", all)
			}
			if holds := braintest.Must(l, statements.Memories, statements.MemoriesInput{Scope: l.Scope()}); (len(holds) == 1) != want.holds {
				t.Errorf("holds: %+v", holds)
			}
			if got := braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Memory: string(kept.ID), Undo: true}); !got.Undone {
				t.Errorf("got %+v", got)
			}
			after := crystal(t, l, kept.ID)
			before.Anchors, after.Anchors = nil, nil
			if a, b := text(t, before), text(t, after); a != b {
				t.Errorf("taken back it is %s, was %s", b, a)
			}
			_, err := steward.Run(t.Context(), l.Brain, statements.GiveVerdict, statements.VerdictInput{Memory: string(kept.ID), Undo: true})
			if err == nil || !strings.Contains(err.Error(), "none to take back") {
				t.Errorf("a second time: %v", err)
			}
		})
	}
}

func TestOneVerdictTakesThePlaceOfAnother(t *testing.T) {
	l := braintest.NewLab(t)
	l.Observe(l.Touch("one", 1, memory.Read, "a.go"))
	kept := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The cache lives in Redis."})
	for _, v := range []statements.Verdict{statements.VerdictWrong, statements.VerdictNever, statements.VerdictRight} {
		braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Memory: string(kept.ID), Verdict: v})
	}
	if c := crystal(t, l, kept.ID); !c.ValidTo.IsZero() || !c.Lifecycle.Living() {
		t.Errorf("called right at last it is %+v", c)
	}
}

func TestAVerdictOnALineAboutAFileMovesItsStanding(t *testing.T) {
	l := braintest.NewLab(t)
	l.Observe(l.Touch("one", 1, memory.Read, "web/login.go"), l.Say("one", 2, memory.Prompted, "fix the login"))
	line := shownFile(t, l, "one", 3)
	standing := func() (float64, bool, memory.Outcome) { return fileStands(t, l, line) }
	for _, c := range []struct {
		verdict statements.Verdict
		below   float64
		never   bool
		outcome memory.Outcome
	}{
		{statements.VerdictRight, 1.01, false, memory.Used}, {statements.VerdictWrong, 1, false, memory.Ignored},
		{statements.VerdictOutdated, 0.5, false, memory.Ignored}, {statements.VerdictNever, 0.5, true, memory.Ignored},
	} {
		braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: line, Verdict: c.verdict})
		if s, never, outcome := standing(); s >= c.below || never != c.never || outcome != c.outcome {
			t.Errorf("%s: standing %.2f, never %v, outcome %s", c.verdict, s, never, outcome)
		}
		braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: line, Undo: true})
		if s, never, outcome := standing(); s != 1 || never || outcome != memory.Pending {
			t.Errorf("%s taken back: standing %.2f, never %v, outcome %q", c.verdict, s, never, outcome)
		}
	}
}

// shownFile shows web/login.go to a session and returns the ID of the line.
func shownFile(t *testing.T, l *braintest.Lab, run string, minutes float64) string {
	t.Helper()
	lines := must.Get(json.Marshal([]memory.Suggestion{{Offer: memory.OfferFile, Moment: memory.AtPrompt, Path: "web/login.go", Confidence: 0.7, Tokens: 9}}))(t)
	receipt := l.Say(run, minutes, memory.Suggested, string(lines))
	l.Observe(receipt)
	return string(receipt.ID) + "-1"
}

// fileStands is how web/login.go stands, and what became of a line about it.
func fileStands(t *testing.T, l *braintest.Lab, line string) (standing float64, never bool, outcome memory.Outcome) {
	t.Helper()
	must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
		n, err := tx.Neuron(t.Context(), memory.NewNeuronID(l.Place.Project(), memory.FileNeuron, "web/login.go"))
		if err != nil {
			return err
		}
		files, err := statements.NeverShown(t.Context(), tx, l.Place.Project())
		if err != nil {
			return err
		}
		found, err := tx.Suggestions(t.Context(), store.SuggestionFilter{ID: line})
		standing, never, outcome = n.Standing, files["web/login.go"], found[0].Outcome
		return err
	}))
	return standing, never, outcome
}

// Two lines about one file are judged, and each verdict is taken back by itself, in whatever order.
func TestVerdictsOnOneFileAreTakenBackOneByOne(t *testing.T) {
	for _, v := range []statements.Verdict{statements.VerdictNever, statements.VerdictOutdated, statements.VerdictWrong} {
		for first := range 2 {
			l := braintest.NewLab(t)
			l.Observe(l.Touch("one", 1, memory.Read, "web/login.go"), l.Say("one", 2, memory.Prompted, "fix the login"))
			lines := []string{shownFile(t, l, "one", 3), shownFile(t, l, "one", 4)}
			var once float64
			for i, line := range lines {
				l.Clock = l.Clock.Add(time.Minute)
				braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: line, Verdict: v})
				if i == 0 {
					once, _, _ = fileStands(t, l, line)
				}
			}
			braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: lines[first], Undo: true})
			if s, never, _ := fileStands(t, l, lines[first]); s != once || never != (v == statements.VerdictNever) {
				t.Errorf("%s, one of two taken back: standing %v, want %v; never %v", v, s, once, never)
			}
			braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: lines[1-first], Undo: true})
			if s, never, _ := fileStands(t, l, lines[1-first]); s != 1 || never {
				t.Errorf("%s, both taken back: standing %v, never %v", v, s, never)
			}
		}
	}
}

// A verdict that is taken back after the session ended leaves what the end would have given without it.
func TestAVerdictTakenBackAfterTheSessionLeavesWhatItsEndGives(t *testing.T) {
	for _, c := range []struct {
		reads string
		want  memory.Outcome
	}{{"", memory.Unjudged}, {"web/login.go", memory.Opened}, {"cart.go", memory.Ignored}} {
		var stood []float64
		for _, verdicts := range [][]statements.Verdict{nil, {statements.VerdictWrong}, {statements.VerdictRight, statements.VerdictNever}} {
			l := braintest.NewLab(t)
			l.Observe(l.Touch("zero", 1, memory.Read, "web/login.go"), l.Say("one", 2, memory.Prompted, "fix the login"))
			line := shownFile(t, l, "one", 3)
			for _, v := range verdicts {
				braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: line, Verdict: v})
			}
			if c.reads != "" {
				l.Observe(l.Touch("one", 5, memory.Read, c.reads))
			}
			l.Observe(l.Say("one", 6, memory.SessionEnded, ""))
			if verdicts != nil {
				braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: line, Undo: true})
			}
			s, never, outcome := fileStands(t, l, line)
			if outcome != c.want || never {
				t.Errorf("%q after %v: outcome %q, want %q; never %v", c.reads, verdicts, outcome, c.want, never)
			}
			stood = append(stood, s)
		}
		if stood[1] != stood[0] || stood[2] != stood[0] {
			t.Errorf("%q: standing %v, want the same with and without verdicts", c.reads, stood)
		}
	}
}

func crystal(t *testing.T, l *braintest.Lab, id memory.CrystalID) (c memory.Crystal) {
	t.Helper()
	must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
		kept, err := tx.Crystal(t.Context(), id)
		c = kept.Crystal
		return err
	}))
	return c
}

func text(t *testing.T, value any) string {
	t.Helper()
	text := must.Get(json.Marshal(value))(t)
	return string(text)
}

// A memory may stand in several lines, and may be changed after it was judged: taking a verdict back then breaks nothing.
func TestAVerdictIsNotTakenBackOverALaterChange(t *testing.T) {
	l := braintest.NewLab(t)
	l.Observe(l.Touch("one", 1, memory.Read, "a.go"))
	kept := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The cache lives in Redis.", Kind: memory.Decision})
	braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Memory: string(kept.ID), Verdict: statements.VerdictRight})
	l.Clock = l.Clock.Add(time.Hour)
	braintest.Must(l, statements.Edit, statements.EditInput{ID: string(kept.ID), Text: "The cache lives in memory."})
	_, err := steward.Run(t.Context(), l.Brain, statements.GiveVerdict, statements.VerdictInput{Memory: string(kept.ID), Undo: true})
	if !errors.Is(err, memory.ErrConflict) {
		t.Errorf("taken back after an edit: %v", err)
	}
	if holds := braintest.Must(l, statements.Memories, statements.MemoriesInput{Scope: l.Scope()}); len(holds) != 1 || holds[0].Text != "The cache lives in memory." {
		t.Errorf("holds: %+v", holds)
	}
}

// A proposal that was confirmed or rejected by mistake waits again, and what it made or ended is as before.
func TestAVerdictOnAProposalIsTakenBack(t *testing.T) {
	for _, verdict := range []statements.Verdict{statements.VerdictRight, statements.VerdictWrong} {
		l := braintest.NewLab(t)
		l.Observe(l.Touch("one", 1, memory.Read, "a.go"))
		old := braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "Deploy at any time of the day.", Kind: memory.Rule})
		proposed := braintest.Must(l, statements.Remember, statements.RememberInput{
			Scope: l.Scope(), Text: "Deploy in the morning only.", Kind: memory.Rule, Origin: memory.OriginAgent, Replaces: []string{string(old.ID)},
		})
		if proposed.Proposed == "" {
			t.Fatalf("no proposal: %+v", proposed)
		}
		l.Clock = l.Clock.Add(time.Hour)
		braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Memory: string(proposed.ID), Verdict: verdict})
		l.Clock = l.Clock.Add(time.Hour)
		braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Memory: string(proposed.ID), Undo: true})
		holds := braintest.Must(l, statements.Memories, statements.MemoriesInput{Scope: l.Scope()})
		if len(holds) != 1 || holds[0].Text != old.Text {
			t.Errorf("%s taken back: %+v holds", verdict, holds)
		}
		waiting := braintest.Must(l, statements.Memories, statements.MemoriesInput{Scope: l.Scope(), Waiting: true})
		if len(waiting) != 1 || waiting[0].ID != proposed.ID || waiting[0].Proposed != statements.ProposeReplace {
			t.Errorf("%s taken back: %+v waits", verdict, waiting)
		}
	}
}
