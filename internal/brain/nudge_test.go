package brain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// noted leaves so many notes that wait, each of one line.
func (l *lab) noted(from, to int) {
	l.t.Helper()
	for n := from; n < to; n++ {
		if _, err := Run(l.t.Context(), l.Brain, TakeNote, NoteInput{Scope: l.scope(), Text: fmt.Sprintf("Drawer %d of the till sticks", n)}); err != nil {
			l.t.Fatal(err)
		}
	}
}

func TestASessionHearsOnceOfHalfAndOnceOfFullPressure(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(3, l.worked("before", 0, "till.go")...)
	nudges := func(run string) int {
		l.t.Helper()
		l.clock = l.clock.Add(time.Second)
		out := l.answer(run, "polish the brass sign above the entrance of the shop")
		return strings.Count(out.Text, "Notes come together") + 10*strings.Count(out.Text, "Notes should be dreamt over")
	}
	l.noted(0, 21) // with three lines of head 24 of 50
	if got := nudges("one"); got != 0 {
		t.Errorf("at 24 lines: %d", got)
	}
	l.noted(21, 22)
	first := l.answer("one", "polish the brass sign above the entrance of the shop")
	if !strings.HasPrefix(first.Text, opening) || !strings.Contains(first.Text, "the scratch has 25 of 50 lines") {
		t.Errorf("at 25 lines: %q", first.Text)
	}
	if got := nudges("one"); got != 0 {
		t.Errorf("the second time, from the spool: %d", got)
	}
	if _, err := Run(t.Context(), l.Brain, Drain, DrainInput{Wait: true}); err != nil {
		t.Fatal(err)
	}
	if got := nudges("one"); got != 0 {
		t.Errorf("the second time, from the store: %d", got)
	}
	if got := nudges("two"); got != 1 {
		t.Errorf("another session: %d", got)
	}
	l.noted(22, 48) // 51 lines
	if got := []int{nudges("one"), nudges("one"), nudges("two")}; got[0] != 10 || got[1] != 0 || got[2] != 10 {
		t.Errorf("at 51 lines: %v", got)
	}
	// What was said of a dream is nothing that files are judged by.
	if _, err := Run(t.Context(), l.Brain, Drain, DrainInput{Wait: true}); err != nil {
		t.Fatal(err)
	}
	shown, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]memory.Suggestion, error) {
		return tx.Suggestions(t.Context(), store.SuggestionFilter{})
	})
	for _, s := range shown {
		if s.Path == "" || s.Offer == memory.OfferNudge {
			t.Errorf("%+v", s)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestNobodyIsNudgedWhereHebbIsToBeSilent(t *testing.T) {
	t.Parallel()
	for name, silence := range map[string]func(*lab){
		"dreams are off":  func(l *lab) { l.config.Dream.Off = true },
		"asks first":      func(l *lab) { l.config.Gates.Load = config.GateAsk },
		"never loads":     func(l *lab) { l.config.Gates.Load = config.GateNever },
		"is held out":     func(l *lab) { l.config.Tuning.Hook.Holdout, l.config.Tuning.Hook.HoldoutAfter = 1, 0 },
		"was just dreamt": func(l *lab) { l.dreams(DreamInput{Force: true}) },
		"is paused": func(l *lab) {
			if _, err := l.config.Pause(l.place.Project(), true); err != nil {
				l.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.see(3, l.worked("before", 0, "till.go")...)
			l.noted(0, 30)
			silence(l)
			if out := l.answer("one", "polish the brass sign above the entrance of the shop"); out.Text != "" {
				t.Errorf("%q", out.Text)
			}
		})
	}
}
