package state

import (
	"fmt"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Waiting is what makes somebody want to dream, since the last dream.
type Waiting struct {
	Lines     int  // of the scratch, as it is written down
	Notes     int  // that wait in it
	Sessions  int  // closed since
	Prompts   int  // of people since: many make a conversation dense
	Compacted bool // an agent lost its context since, and what only it knew
}

// PressureLevel is how loudly that is to be said.
type PressureLevel int

const (
	Silent PressureLevel = iota
	Gentle               // in passing: between two tasks would be a good moment
	Full                 // it is to be dreamt before more comes
)

// Pressure is how much notes want to be dreamt over.
type DreamPressure struct {
	Value   float64 // lines of the scratch, 1 at what fills it
	Level   PressureLevel
	Reasons []string // what lifts it, what counts most first
	// Review says that notes are to be looked through at once, because a context was lost.
	Review bool
}

const (
	pressureGentle   = 0.5 // from which on a dream is suggested; as designed
	pressureSessions = 3   // without a dream; as designed
	densePrompts     = 20  // one session in eighteen of the public session traces has as many
)

// PressureOf is the one judgement of how much waits: lines of the scratch, 1 at 50; from one half on a gentle word, beyond 1 it
// is full. Three sessions without a dream lift it by a level, and so does a dense conversation; a context that was lost
// fills it. Without a note there is nothing to dream over, and no pressure.
func PressureOf(w Waiting) DreamPressure {
	p := DreamPressure{Value: float64(max(0, w.Lines)) / float64(desk.LinesFull)}
	switch {
	case p.Value > 1:
		p.Level = Full
	case p.Value >= pressureGentle:
		p.Level = Gentle
	}
	if p.Level > Silent {
		p.Reasons = append(p.Reasons, fmt.Sprintf("the scratch has %d of %d lines", w.Lines, desk.LinesFull))
	}
	if w.Notes <= 0 {
		return p
	}
	lift := func(format string, args ...any) {
		p.Level, p.Reasons = min(p.Level+1, Full), append(p.Reasons, fmt.Sprintf(format, args...))
	}
	if w.Compacted {
		p.Level, p.Review = Full, true
		p.Reasons = append([]string{"the context was compacted and " + prose.Count(w.Notes, "note waits", "notes wait")}, p.Reasons...)
	}
	if w.Sessions >= pressureSessions {
		lift("%d sessions without a dream", w.Sessions)
	}
	if w.Prompts >= densePrompts {
		lift("a dense conversation of %d prompts", w.Prompts)
	}
	return p
}
