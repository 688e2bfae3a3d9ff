package statements_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// A statement that a later one may have replaced, as earlier versions judged it, is shown at the start with that doubt and nowhere else, until
// somebody decides.
func TestWhatMayBeOutdatedIsNotToldAsWhatHolds(t *testing.T) {
	const old, newer = "use tabs in every shell script", "shell scripts are indented with two spaces"
	begin := func(t *testing.T) (l *braintest.Library, first, second memory.CrystalID) {
		l = braintest.NewLibrary(t)
		first = l.Remember(old, braintest.Of(memory.Rule)).ID
		l.Passes(48 * time.Hour)
		second = l.Remember(newer, braintest.Of(memory.Rule)).ID
		err := l.Store.Update(t.Context(), func(tx *store.Tx) error {
			c, err := tx.Crystal(t.Context(), first)
			c.OvertakenBy = second
			return errors.Join(err, tx.SaveCrystal(t.Context(), c.Crystal))
		})
		if err != nil {
			t.Fatal(err)
		}
		l.Passes(48 * time.Hour)
		return l, first, second
	}
	start := func(l *braintest.Library) (told, doubted bool) {
		t.Helper()
		text := braintest.Must(l.Lab, answer.StartContext, answer.ContextInput{Scope: brain.Scope{Dir: l.Dir}, Asked: true}).Text
		for line := range strings.Lines(text) {
			if strings.Contains(line, old) {
				doubt := strings.Contains(line, "may be outdated since") && strings.Contains(line, newer)
				told, doubted = told || !doubt, doubted || doubt
			}
		}
		if !strings.Contains(text, newer) {
			t.Errorf("what was said last is not told: %s", text)
		}
		return told, doubted
	}
	waits := func(l *braintest.Library) int {
		return len(braintest.Must(l.Lab, statements.Memories, statements.MemoriesInput{Scope: brain.Scope{Dir: l.Dir}, Waiting: true}))
	}
	l, first, _ := begin(t)
	if told, doubted := start(l); told || !doubted || waits(l) != 1 {
		t.Errorf("told: %v, with the doubt: %v, %d wait", told, doubted, waits(l))
	}
	for name, settle := range map[string]func(l *braintest.Library, first, second memory.CrystalID){
		"an agent hands over the later words": func(l *braintest.Library, first, second memory.CrystalID) {
			out := l.Remember("", func(in *statements.RememberInput) {
				in.Quote, in.Replaces, in.Origin = newer, []string{string(first)}, memory.OriginAgent
			})
			if out.ID != second || out.Proposed != "" {
				t.Errorf("kept as %+v", out)
			}
		},
		"the person rejects the earlier one": func(l *braintest.Library, first, _ memory.CrystalID) {
			braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(first)})
		},
	} {
		l, first, second := begin(t)
		settle(l, first, second)
		if told, doubted := start(l); told || doubted || waits(l) != 0 {
			t.Errorf("%s: told: %v, with the doubt: %v, %d wait", name, told, doubted, waits(l))
		}
		if c := l.Crystal(second); !slices.Contains(c.Parents, first) || l.Crystal(first).ValidTo.IsZero() {
			t.Errorf("%s: %s is not history because of %s", name, first, second)
		}
	}
	braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(first), Right: true})
	if told, doubted := start(l); !told || doubted || waits(l) != 0 {
		t.Errorf("confirmed: told: %v, with the doubt: %v, %d wait", told, doubted, waits(l))
	}
	l, first, second := begin(t)
	braintest.Must(l.Lab, statements.Judge, statements.JudgeInput{ID: string(second)})
	if waits(l) != 0 || !l.Crystal(first).ValidTo.IsZero() {
		t.Error("the later one is rejected, and the earlier one is still in doubt")
	}
}

// What holds until a day is not told after it, and becomes history in sleep.
func TestAStatementEndsWithItsLastDay(t *testing.T) {
	const freeze = "no merges to main until November 20th, we are in code freeze"
	l := braintest.NewLibrary(t) // it begins on 15 November
	id := l.Remember(freeze, braintest.Of(memory.Rule)).ID
	told := func() bool {
		return strings.Contains(braintest.Must(l.Lab, answer.StartContext, answer.ContextInput{Scope: brain.Scope{Dir: l.Dir}, Asked: true}).Text, freeze)
	}
	if !told() {
		t.Error("it is not told while it holds")
	}
	l.Passes(6 * 24 * time.Hour)
	if told() {
		t.Error("it is told after its last day")
	}
	l.Sleeps(7)
	if c := l.Crystal(id); c.ValidTo.IsZero() {
		t.Errorf("it is no history: %+v", c)
	}
}
