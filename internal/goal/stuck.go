package goal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Call is one use of a tool on one of a goal's files, by what makes it the same approach: the tool, the file and the error
// that came of it, as errors are known again. Empty: none.
type Call struct{ Tool, File, Error string }

// Attempt is what the session that goes on has done for a goal.
type Attempt struct {
	Time   time.Duration // spent on it
	Calls  []Call        // on its files, oldest first
	Before []Call        // those of the session before that worked on it
}

const (
	stuckSessions   = 3                // without progress, as designed
	stuckTime       = 20 * time.Minute // in this session, as designed
	stuckCalls      = 20               // latest calls that are examined; proposed
	stuckCallsLeast = 5                // fewer prove nothing
	stuckRepeat     = 0.8              // share of them that an earlier session made with the same errors; proposed
)

// Stuck reports whether work on a goal goes round in circles: sessions that ended without progress, a good while in this
// one, and the same calls with the same errors as in the last. All three are needed. Too few calls prove nothing.
func Stuck(g memory.Goal, a Attempt) bool {
	if g.Status != memory.GoalActive || g.Stalled < stuckSessions || a.Time <= stuckTime {
		return false
	}
	latest := a.Calls[max(len(a.Calls)-stuckCalls, 0):]
	again := 0
	for _, c := range latest {
		if slices.Contains(a.Before, c) {
			again++
		}
	}
	return len(latest) >= stuckCallsLeast && float64(again) >= stuckRepeat*float64(len(latest))
}

func times(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Worked is a goal after a session that worked on it has closed. Progress makes it active again and restarts its count;
// none is counted. A goal that is no concern any more stays as it is.
func Worked(g memory.Goal, progress bool, at time.Time) memory.Goal {
	if !g.Status.Open() {
		return g
	}
	if at.After(g.TouchedAt) {
		g.TouchedAt = at
	}
	if !progress {
		g.Stalled++
		return g
	}
	g.Stalled = 0
	if g.Status == memory.GoalIncubating {
		g.Status, g.IncubatedSince = memory.GoalActive, 0
	}
	return g
}

// Incubate leaves a stuck goal alone from now on, and gives the line for the log. clock is that of its project.
func Incubate(g memory.Goal, clock int64) (memory.Goal, string, error) {
	if g.Status != memory.GoalActive {
		return g, "", fmt.Errorf("incubate %q: it is %s; only an active goal can be left alone: %w",
			g.Title, g.Status, memory.ErrConflict)
	}
	g.Status, g.IncubatedSince = memory.GoalIncubating, clock
	return g, fmt.Sprintf("[INCUBATION] %s stuck for %d sessions. Switching.", oneLine(g.Title), g.Stalled), nil
}

// Stage is how far an incubation has come.
type Stage string

const (
	NotIncubating Stage = ""
	Resting       Stage = "resting"          // nobody may come back to it yet
	Open          Stage = "open"             // a strong connection may bring it back
	Ask           Stage = "ask"              // it has rested long enough: somebody else may know
	Differently   Stage = "another approach" // nobody did: try it in a radically different way
	GiveUp        Stage = "drop"             // neither helped
)

// Sessions that a goal incubates, as designed.
const (
	incubateLeast = 1 // before it may resume
	incubateMost  = 5 // after which somebody has to decide
	escalateEvery = 1 // between asking, another approach and dropping it
)

// Incubation is the stage of a goal at a clock of its project, and the line that a session is to start with from the time
// when resting has not helped. No goal is dropped automatically: the last step asks somebody to.
func Incubation(g memory.Goal, clock int64) (Stage, string) {
	if g.Status != memory.GoalIncubating {
		return NotIncubating, ""
	}
	rested := max(clock-g.IncubatedSince, 0)
	most := int64(incubateMost)
	switch {
	case rested < int64(incubateLeast):
		return Resting, ""
	case rested < most || g.Kind == memory.GoalGap: // nobody got stuck on a gap: it waits until something fills it
		return Open, ""
	}
	line := func(advice string) string {
		return fmt.Sprintf("%q has incubated for %d sessions and nothing came of it. %s", oneLine(g.Title), rested, advice)
	}
	switch (rested - most) / int64(escalateEvery) {
	case 0:
		return Ask, line("Ask somebody who may know more.")
	case 1:
		return Differently, line("Try a radically different approach: name what all attempts had in common, and leave that out.")
	}
	return GiveUp, line("Drop it, or say why it stays.")
}

// Resume makes an incubating goal active again, with its count of sessions restarted. It refuses one that has not rested
// for a session: the session that got stuck may still run. by says what brought it back, for the error.
func Resume(g memory.Goal, clock int64, by string) (memory.Goal, error) {
	stage, _ := Incubation(g, clock)
	switch stage {
	case NotIncubating:
		return g, fmt.Errorf("resume %q: it is %s, not incubating: %w", g.Title, g.Status, memory.ErrConflict)
	case Resting:
		return g, fmt.Errorf("resume %q for %s: it has to rest for %s first; work on something else: %w",
			g.Title, strings.TrimSpace(by), times(incubateLeast, "session"), memory.ErrRefused)
	}
	g.Status, g.IncubatedSince, g.Stalled = memory.GoalActive, 0, 0
	return g, nil
}
