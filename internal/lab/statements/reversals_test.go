package statements_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
)

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
