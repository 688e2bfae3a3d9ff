package state

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Facts are what decides whether it is time to dream.
type Facts struct {
	Off       bool      // dreams are switched off
	HasState  bool      // a state was dreamt before
	LastDream time.Time // zero: never
	Urgency   Urgency
	New       int    // notes and crystals since the last dream
	Eligible  int    // crystals worth dreaming of
	Notes     int    // notes that wait
	NoteText  string // all that they say
	// Since the last dream:
	Lines     int  // of the scratch that wait
	Sessions  int  // closed
	Prompts   int  // of people: many make a conversation dense
	Compacted bool // an agent lost its context, and what only it knew
}

const (
	pressureSessions = 3  // without a dream, as the source has it
	densePrompts     = 20 // one session in eighteen of the public session traces has as many
)

// Pressure is what presses for a dream before more notes come: a context that was lost, more than 50 lines of notes, or two of: half as many,
// three sessions without a dream, a dense conversation.
func (f Facts) Pressure() (reasons []string, full bool) {
	points := 0
	lift := func(by bool, reason string) {
		if by {
			points++
			reasons = append(reasons, reason)
		}
	}
	lift(f.Compacted, "the context was compacted and "+prose.Count(f.Notes, "note waits", "notes wait"))
	lift(2*f.Lines >= desk.LinesFull, fmt.Sprintf("the scratch has %d of %d lines", f.Lines, desk.LinesFull))
	lift(f.Sessions >= pressureSessions, fmt.Sprintf("%d sessions without a dream", f.Sessions))
	lift(f.Prompts >= densePrompts, fmt.Sprintf("a dense conversation of %d prompts", f.Prompts))
	return reasons, f.Notes > 0 && (points > 1 || f.Compacted || f.Lines > desk.LinesFull)
}

// Decision says whether to dream, and why or why not.
type Decision struct {
	Run bool   `json:"run"`
	Why string `json:"why"`
}

// Line says in a sentence that a dream is due, or why not.
func (d Decision) Line() string {
	if d.Run {
		return "A dream is due: " + d.Why
	}
	return "No dream is due: " + d.Why
}

// When to dream, as designed.
const (
	newLeast      = 3   // new items since the last dream
	firstNotes    = 5   // notes that make the first state at once,
	firstChars    = 500 // or characters of notes
	intervalScore = 5.0 // urgency at which the interval is the base: the score at which a dream is due
)

// Due decides whether to dream now. What was never dreamt over begins as soon as there is enough to say; an agent that lost
// its context gets its notes back in order; full pressure waits for the shortest interval only, everything else for material and
// for its own.
func Due(f Facts, now time.Time, t tuning.Dream) Decision {
	no := func(format string, args ...any) Decision { return Decision{Why: fmt.Sprintf(format, args...)} }
	yes := func(format string, args ...any) Decision { return Decision{true, fmt.Sprintf(format, args...)} }
	if f.Off {
		return no("dreams are switched off")
	}
	if characters := utf8.RuneCountInString(strings.TrimSpace(f.NoteText)); !f.HasState && (f.Notes >= firstNotes || characters >= firstChars) {
		return yes("first breath: there is no state yet and %s, of %s", prose.Count(f.Notes, "note waits", "notes wait"), prose.Count(characters, "character", "characters"))
	}
	// A dream of the future is the work of a wrong clock. It must not keep the next one away.
	since := now.Sub(f.LastDream)
	rested := func(interval time.Duration) bool { return f.LastDream.IsZero() || since < 0 || since >= interval }
	if reasons, full := f.Pressure(); full && (f.Compacted || rested(soonest(t.Interval))) {
		return yes("a dream should run before more notes come: %s", strings.Join(reasons, ", "))
	}
	if f.New < newLeast {
		return no("%d of %d new items needed", f.New, newLeast)
	}
	if f.Eligible < t.MinCrystals {
		return no("%d of %d crystals needed", f.Eligible, t.MinCrystals)
	}
	interval := Interval(f.Urgency, t.Interval)
	if !rested(interval) {
		return no("the last dream was %s ago, and the next is after %s", minutes(since), minutes(interval))
	}
	if line := f.Urgency.Line(); line != "" {
		return yes("%s", line)
	}
	return yes("%s since the last dream", prose.Count(f.New, "new item", "new items"))
}

func minutes(d time.Duration) string { return prose.Count(int(d.Minutes()), "minute", "minutes") }

// soonest and latest bound the interval between two dreams: 30 and 240 minutes around the default of 120, as designed.
func soonest(base time.Duration) time.Duration { return max(base/4, time.Minute) }
func latest(base time.Duration) time.Duration  { return min(2*base, 100_000*time.Minute) }

// Interval is the time between two dreams: the more waits, the shorter. With a base of 120 minutes and a score of 5 it is 120
// minutes, with 10 it is 60, from 20 on 30, and below 2.5 it is 240.
func Interval(u Urgency, base time.Duration) time.Duration {
	if u.Score <= 0 {
		return latest(base)
	}
	interval := base.Minutes() * intervalScore / u.Score
	// Compared as numbers, because a tiny score makes more minutes than a duration holds.
	return time.Duration(max(soonest(base).Minutes(), min(interval, latest(base).Minutes())) * float64(time.Minute))
}
