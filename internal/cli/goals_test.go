package cli

import (
	"strings"
	"testing"

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

func TestThinkPageEscapesTerminalCodes(t *testing.T) {
	t.Parallel()
	const evil = "red \x1b[31malert\nsecond line"
	g := memory.Goal{Title: evil, Kind: memory.GoalAim, Status: memory.GoalActive}
	ranked := goals.Ranked{Goal: g, Priority: goals.Priority{Reasons: []string{"recency 1.00: " + evil}}}
	p := &page{}
	thinkPage(p, goals.ThinkResult{Goals: 1, Woken: []string{evil}, Connections: []goals.Connection{{Goal: g, Episode: goals.Episode{Text: evil}, Why: evil}}})
	nextPage(p, goals.NextResult{Next: []goals.Ranked{ranked}, Left: evil, Resting: []string{evil}})
	for _, show := range []goalsShown{{}, {Explain: true, IDs: true}} {
		goalsPage(p, goals.GoalsResult{Goals: []goals.Ranked{ranked}, Closed: []memory.Goal{g}}, show)
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
