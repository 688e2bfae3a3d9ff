package answer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestASessionHearsOnceOfHalfAndOnceOfFullPressure(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("before", 0, "till.go")...)
	nudges := func(run string) int {
		l.T.Helper()
		l.Clock = l.Clock.Add(time.Second)
		out := l.Answer(run, "polish the brass sign above the entrance of the shop")
		return strings.Count(out.Text, "Notes add up") + 10*strings.Count(out.Text, "A dream should run")
	}
	l.Noted(0, 21) // with three lines of head 24 of 50
	if got := nudges("one"); got != 0 {
		t.Errorf("at 24 lines: %d", got)
	}
	l.Noted(21, 22)
	first := l.Answer("one", "polish the brass sign above the entrance of the shop")
	if !strings.HasPrefix(first.Text, answer.Opening) || !strings.Contains(first.Text, "the scratch has 25 of 50 lines") {
		t.Errorf("at 25 lines: %q", first.Text)
	}
	if got := nudges("one"); got != 0 {
		t.Errorf("the second time, from the spool: %d", got)
	}
	if _, err := steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{Wait: true}); err != nil {
		t.Fatal(err)
	}
	if got := nudges("one"); got != 0 {
		t.Errorf("the second time, from the store: %d", got)
	}
	if got := nudges("two"); got != 1 {
		t.Errorf("another session: %d", got)
	}
	l.Noted(22, 48) // 51 lines
	if got := []int{nudges("one"), nudges("one"), nudges("two")}; got[0] != 10 || got[1] != 0 || got[2] != 10 {
		t.Errorf("at 51 lines: %v", got)
	}
	// What was said of a dream is nothing that files are judged by.
	if _, err := steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{Wait: true}); err != nil {
		t.Fatal(err)
	}
	shown, err := brain.View(t.Context(), l.Brain, func(tx *store.Tx) ([]memory.Suggestion, error) {
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
	for name, silence := range map[string]func(*braintest.Lab){
		"dreams are off":  func(l *braintest.Lab) { l.Config.Dream.Off = true },
		"asks first":      func(l *braintest.Lab) { l.Config.Gates.Load = config.GateAsk },
		"never loads":     func(l *braintest.Lab) { l.Config.Gates.Load = config.GateNever },
		"is held out":     func(l *braintest.Lab) { l.Config.Tuning.Hook.Holdout, l.Config.Tuning.Hook.HoldoutAfter = 1, 0 },
		"was just dreamt": func(l *braintest.Lab) { l.Dreams(dreams.DreamInput{Force: true}) },
		"is paused": func(l *braintest.Lab) {
			if _, err := l.Config.Pause(l.Place.Project(), true); err != nil {
				l.T.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := braintest.NewLab(t)
			l.See(3, l.Worked("before", 0, "till.go")...)
			l.Noted(0, 30)
			silence(l)
			if out := l.Answer("one", "polish the brass sign above the entrance of the shop"); out.Text != "" {
				t.Errorf("%q", out.Text)
			}
		})
	}
}
