package listen_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/listen"
)

func TestWorkIsPutOffOnlyIfItIsNamedInEnglish(t *testing.T) {
	t.Parallel()
	noRow := func(string) []float32 { return nil }
	for text, want := range map[string]bool{
		"leave the shipping calculator for EU countries until after launch":           true,
		"the login page shows a blank screen after the second attempt, please fix it": false,
		"debemos poder procesarlos para hacer busquedas, pero esto mas adelante":      false,
		"later": false,
	} {
		if got := listen.PutsOff(text, strings.Fields(text), noRow); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestATurnEndsTheGoalItIsAbout(t *testing.T) {
	t.Parallel()
	say := func(text string, cut []string) *listen.Said {
		return listen.NewSaid(text, cut, func(string) []float32 { return nil })
	}
	goals := listen.BuiltinConcerns().NewGoals([]string{"squash the migrations later", "the date picker can wait"}, strings.Fields, say)
	asked, commits := goals.HearAll("squash the migrations now"), []*listen.Heard{goals.Hear("squash the migrations")}
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
