package cli

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
)

func TestAShareIsReadAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"0": 0, "0.4": 0.4, ".5": 0.5, "40%": 0.4, "100 %": 1, " 1 ": 1} {
		if got, err := parseShare(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "%", "half", "-0.1", "1.5", "40", "101%", "NaN", "Inf", "-Inf%"} {
		if got, err := parseShare(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestComparedLinesShowAllConnectionsAndFewWeakGoals(t *testing.T) {
	t.Parallel()
	p := &page{}
	comparedLines(p, []goal.Compared{
		{Title: "a", Strength: .9, Outcome: goal.StrongConnected}, {Title: "b", Strength: .6, Outcome: goal.ShownLately},
		{Title: "c", Strength: .3, Outcome: goal.TooWeak}, {Title: "d", Strength: .2, Outcome: goal.TooWeak},
		{Title: "e", Strength: .1, Outcome: goal.TooWeak}, {Title: "f", Outcome: goal.TooWeak},
	})
	want := `    0.90  strong connection  a
    0.60  shown lately  b
    0.30  too weak  c
    0.20  too weak  d
    and 2 weaker goals
`
	if got := p.b.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestThinkPageEscapesTerminalCodes(t *testing.T) {
	t.Parallel()
	const evil = "red \x1b[31malert\nsecond line"
	g := memory.Goal{Title: evil, Kind: memory.GoalAim, Status: memory.GoalActive}
	train := goal.Train{
		Steps:       []goal.Step{{Episode: goal.Episode{Text: evil}, Compared: []goal.Compared{{Title: evil, Outcome: goal.Connected}}}},
		Connections: []goal.Connection{{Goal: g, Episode: goal.Episode{Text: evil}, Why: evil}}, Ended: evil,
	}
	ranked := goal.Ranked{Goal: g, Priority: goal.Priority{Reasons: []string{"recency 1.00: " + evil}}}
	p := &page{}
	thinkPage(p, goals.ThinkResult{Train: train}, false)
	nextPage(p, goals.NextResult{Next: []goal.Ranked{ranked}, Left: evil, Resting: []string{evil}})
	for _, show := range []goalsShown{{}, {explain: true, ids: true}} {
		goalsPage(p, goals.GoalsResult{Goals: []goal.Ranked{ranked}, Closed: []memory.Goal{g}}, show)
	}
	if got := p.b.String(); strings.ContainsRune(got, '\x1b') {
		t.Errorf("an escape comes through: %q", got)
	}
}

func TestReasonsWithoutNumbers(t *testing.T) {
	t.Parallel()
	got := inWords([]string{"recency 0.37: worked on 7 days ago", "mention 1.00: never mentioned by a person", "odd"})
	if want := "worked on 7 days ago; never mentioned by a person; odd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
