package learn

import (
	"context"
	"os"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transcript"
	"github.com/hebb-memory/hebb/internal/views"
)

// workingWhen are the sessions that hooks watched when a transcript was last changed.
func (h *historian) workingWhen(ctx context.Context, t transcript.Transcript) (sessions []string, err error) {
	info, err := os.Stat(t.File)
	if err != nil || h.in.Mine || h.in.Foreign {
		return nil, nil // a session in a database, of which there is no file
	}
	at := filesys.Written(info)
	err = h.Store.View(ctx, func(tx *store.Tx) error {
		open, err := views.SessionsAt(ctx, tx, at)
		for _, s := range open {
			var w watch
			if err == nil {
				w, err = watchOf(ctx, tx, s)
			}
			if err == nil && !w.from.IsZero() && !at.Before(w.from) && !at.After(w.to) {
				sessions = append(sessions, s.AgentSession)
			}
		}
		return err
	})
	return sessions, err
}

// withheld reports whether an event must not come back: its session or it was forgotten, or the project was paused then. Hooks name
// it otherwise than transcripts, so its ID does not say.
func (h *historian) withheld(ctx context.Context, tx *store.Tx, e pastEvent) (bool, error) {
	if h.pauses == nil {
		pauses, err := brain.Pauses.Get(ctx, tx)
		if err != nil {
			return false, err
		}
		h.pauses = append(pauses, brain.Pause{}) // read once
	}
	if brain.Covers(h.pauses, e.Place.Project(), e.At) {
		return true, nil
	}
	forgotten, err := tx.ForgottenRun(ctx, e.Event)
	if err == nil && !forgotten && (!e.named || e.Kind == memory.Prompted) { // older versions gave prompts no ID
		forgotten, err = tx.ForgottenThen(ctx, e.Event)
	}
	return forgotten, err
}

// watch is the time in which hooks recorded a session.
type watch struct{ from, to time.Time }

// watched reports whether hooks have recorded an event under an ID that only they know: hooks that see a session miss no
// beginning and no end of a turn in it.
func (h *historian) watched(ctx context.Context, tx *store.Tx, e pastEvent) (bool, error) {
	id := sessionOf(e.Event)
	w, known := h.watches[id]
	if !known {
		session, err := tx.Session(ctx, id)
		if err != nil && !brain.IsNotFound(err) {
			return false, err
		}
		if err == nil {
			if w, err = watchOf(ctx, tx, session); err != nil {
				return false, err
			}
		}
		h.watches[id] = w
	}
	slack := record.RepeatWithin
	return !w.from.IsZero() && !e.At.Before(w.from.Add(-slack)) && !e.At.After(w.to.Add(slack)), nil
}

// watchOf looks for events that hooks alone make: their IDs are drawn, those from transcripts are derived.
func watchOf(ctx context.Context, tx *store.Tx, s memory.Session) (w watch, err error) {
	for _, kind := range []memory.EventKind{memory.SessionStarted, memory.TurnEnded, memory.SessionEnded} {
		events, err := tx.Events(ctx, store.EventFilter{Session: s.ID, Kind: kind})
		if err != nil {
			return w, err
		}
		for _, e := range events {
			if !e.ID.DrawnAt(e.At) {
				continue
			}
			if w.from.IsZero() || e.At.Before(w.from) {
				w.from = e.At
			}
			if e.At.After(w.to) {
				w.to = e.At
			}
		}
	}
	if s.Open() && !w.from.IsZero() {
		w.to = tx.Now // and goes on
	}
	return w, nil
}
