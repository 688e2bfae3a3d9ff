package statements_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/statements"
)

func TestATurnEndsTheGoalItIsAbout(t *testing.T) {
	t.Parallel()
	say := func(text string, cut []string) *statements.Said {
		return statements.NewSaid(text, cut, func(string) []float32 { return nil })
	}
	goals := statements.BuiltinConcerns().NewGoals([]string{"squash the migrations later", "the date picker can wait"}, strings.Fields, say)
	asked, commits := goals.HearAll("squash the migrations now"), []*statements.Heard{goals.Hear("squash the migrations")}
	if !goals.Done(0, asked, commits, nil) {
		t.Error("asked for and committed, and not done")
	}
	if goals.Done(1, asked, commits, nil) {
		t.Error("another goal is done as well")
	}
	if done, dropped := goals.Over(0, goals.Hear("are the migrations squashed?")); done || dropped {
		t.Error("a question ends a goal")
	}
}
