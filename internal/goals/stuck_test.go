package goals

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// calls are so many of a kind: "x" is made in every session, "n" only here.
func calls(kinds string) []Call {
	var made []Call
	for _, k := range kinds {
		made = append(made, Call{Tool: "bash", File: "a.go", Error: string(k)})
	}
	return made
}

func TestStuckNeedsAllThree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		stalled int
		minutes float64
		calls   string
		status  memory.GoalStatus
		stuck   bool
	}{
		{"grinding", 3, 20.1, "xxxxx", memory.GoalActive, true},
		{"four of five are too many", 3, 21, "xxxxn", memory.GoalActive, true},
		{"three of five are a new approach", 3, 21, "xxxnn", memory.GoalActive, false},
		{"two sessions", 2, 60, "xxxxx", memory.GoalActive, false},
		{"twenty minutes are not more than that", 9, 20, "xxxxx", memory.GoalActive, false},
		{"too few calls", 9, 60, "xxxx", memory.GoalActive, false},
		{"no calls", 9, 60, "", memory.GoalActive, false},
		{"incubating", 9, 60, "xxxxx", memory.GoalIncubating, false},
		{"only the last twenty count", 3, 60, strings.Repeat("n", 50) + strings.Repeat("x", 16) + "nnnn", memory.GoalActive, true},
		{"however long it ground before", 3, 60, strings.Repeat("x", 50) + strings.Repeat("n", 5) + strings.Repeat("x", 15), memory.GoalActive, false},
	} {
		g := memory.Goal{Status: c.status, Stalled: c.stalled}
		stuck := Stuck(g, time.Duration(c.minutes*float64(time.Minute)), calls(c.calls), calls("xy"))
		if stuck != c.stuck {
			t.Errorf("%s: %v", c.name, stuck)
		}
	}
}

func TestAnotherErrorIsANewApproach(t *testing.T) {
	t.Parallel()
	g := memory.Goal{Status: memory.GoalActive, Stalled: 5}
	before := Call{"go test", "a.go", "undefined: Open"}
	for _, c := range []struct {
		call  Call
		stuck bool
	}{
		{before, true},
		{Call{"go test", "a.go", "undefined: Close"}, false},
		{Call{"go test", "b.go", "undefined: Open"}, false},
		{Call{"edit", "a.go", ""}, false},
	} {
		if stuck := Stuck(g, time.Hour, slices.Repeat([]Call{c.call}, 10), []Call{before}); stuck != c.stuck {
			t.Errorf("%+v: %v", c.call, stuck)
		}
	}
}

func TestSessionsWithoutProgressAreCounted(t *testing.T) {
	t.Parallel()
	g := memory.Goal{Status: memory.GoalActive, TouchedAt: noon}
	g = Worked(Worked(g, false, noon.Add(time.Hour)), false, noon.Add(-time.Hour))
	if g.Stalled != 2 || g.TouchedAt != noon.Add(time.Hour) {
		t.Errorf("%+v", g)
	}
	g.Status, g.IncubatedSince = memory.GoalIncubating, 7
	if g = Worked(g, true, noon); g.Stalled != 0 || g.Status != memory.GoalActive || g.IncubatedSince != 0 {
		t.Errorf("%+v", g)
	}
	done := memory.Goal{Status: memory.GoalDone}
	if got := Worked(done, false, noon); got.Stalled != 0 || !got.TouchedAt.IsZero() {
		t.Errorf("%+v", got)
	}
}

func TestIncubationGoesByTheClockOfItsProject(t *testing.T) {
	t.Parallel()
	g, line, err := Incubate(memory.Goal{Title: "fast\nsearch", Status: memory.GoalActive, Stalled: 4}, 10)
	if want := "[INCUBATION] fast search stuck for 4 sessions. Switching."; line != want || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	for _, c := range []struct {
		clock   int64
		resting bool
		line    string
	}{
		{9, true, ""}, {10, true, ""}, {11, false, ""}, {14, false, ""},
		{15, false, `"fast search" has incubated for 5 sessions and nothing came of it. Ask`}, {16, false, "radically different approach"},
		{17, false, "Drop it"}, {99, false, "89 sessions"},
	} {
		line := Incubation(g, c.clock)
		if Resting(g, c.clock) != c.resting || !strings.Contains(line, c.line) || (c.line == "") != (line == "") {
			t.Errorf("at %d: %v, %q", c.clock, Resting(g, c.clock), line)
		}
	}
	if back := Wake(g); back.Status != memory.GoalActive || back.Stalled != 0 || back.IncubatedSince != 0 || Resting(back, 10) || Incubation(back, 99) != "" {
		t.Errorf("%+v", back)
	}
	if ranked := Order([]memory.Goal{g}, noon); len(ranked) != 1 || len(Direct(ranked)) != 0 {
		t.Error("what incubates is ranked, and nobody is sent to it")
	}
	if _, _, err := Incubate(g, 11); !errors.Is(err, memory.ErrConflict) {
		t.Error(err)
	}
}
