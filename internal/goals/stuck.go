package goals

import (
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Call is one use of a tool on one of a goal's files, by what makes it the same approach: the tool, the file and the error
// that came of it, as errors are known again. Empty: none.
type Call struct{ Tool, File, Error string }

const (
	stuckSessions   = 3                // without progress, as designed
	stuckTime       = 20 * time.Minute // in this session, as designed
	stuckCalls      = 20               // latest calls that are examined; proposed
	stuckCallsLeast = 5                // fewer prove nothing
	stuckRepeat     = 0.8              // share of them that an earlier session made with the same errors; proposed
)

// Stuck reports whether work on a goal goes round in circles: sessions that ended without progress, a good while spent in this one, and
// the same calls on its files, oldest first, with the same errors as in the session before that worked on it. All three are needed.
func Stuck(g memory.Goal, spent time.Duration, calls, before []Call) bool {
	latest := calls[max(len(calls)-stuckCalls, 0):]
	again := 0
	for _, c := range latest {
		if slices.Contains(before, c) {
			again++
		}
	}
	return g.Status == memory.GoalActive && g.Stalled >= stuckSessions && spent > stuckTime &&
		len(latest) >= stuckCallsLeast && float64(again) >= stuckRepeat*float64(len(latest))
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
		return Wake(g)
	}
	return g
}

// Incubate leaves a stuck goal alone from now on, and gives the line for the log. clock is that of its project.
func Incubate(g memory.Goal, clock int64) (memory.Goal, string, error) {
	if g.Status != memory.GoalActive {
		return g, "", fmt.Errorf("incubate %q: it is %s; only an active goal can be left alone: %w", g.Title, g.Status, memory.ErrConflict)
	}
	g.Status, g.IncubatedSince = memory.GoalIncubating, clock
	return g, fmt.Sprintf("[INCUBATION] %s stuck for %d sessions. Switching.", prose.OneLine(g.Title), g.Stalled), nil
}

// Sessions that a goal incubates, as designed.
const (
	incubateLeast = 1 // before anybody may come back to it: the session that got stuck may still run
	incubateMost  = 5 // after which somebody has to decide; each session later the advice changes
)

// Resting reports whether a goal incubates so shortly that nothing may bring it back yet.
func Resting(g memory.Goal, clock int64) bool {
	return g.Status == memory.GoalIncubating && clock-g.IncubatedSince < incubateLeast
}

// Incubation is the line that a session is to start with from the time when resting has not helped: ask somebody, try another way,
// or drop it. No stuck goal is dropped automatically. Nobody got stuck on a gap: it waits until something fills it.
func Incubation(g memory.Goal, clock int64) string {
	rested := clock - g.IncubatedSince
	if g.Status != memory.GoalIncubating || g.Kind == memory.GoalGap || rested < incubateMost {
		return ""
	}
	advice := []string{
		"Ask somebody who may know more.", "Try a radically different approach: name what all attempts had in common, and leave that out.",
		"Drop it, or say why it stays.",
	}[min(rested-incubateMost, 2)]
	return fmt.Sprintf("%q has incubated for %d sessions and nothing came of it. %s", prose.OneLine(g.Title), rested, advice)
}

// Wake makes an incubating goal active again, with its count of sessions restarted.
func Wake(g memory.Goal) memory.Goal {
	g.Status, g.IncubatedSince, g.Stalled, g.ClosedIn, g.ClosedBy = memory.GoalActive, 0, 0, 0, ""
	return g
}

// Close ends a goal because of what a session showed. by are the words that did.
func Close(g memory.Goal, status memory.GoalStatus, in memory.SessionID, by string, at time.Time) memory.Goal {
	g.Status, g.ClosedIn, g.ClosedBy, g.TouchedAt = status, in, prose.Shorten(prose.OneLine(by), titleMost), at
	if status == memory.GoalDone {
		g.Progress = 1
	}
	return g
}
