package record

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/config"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// RecordInput is what a person records by hand.
type RecordInput struct {
	Dir     string           `json:"dir"`
	Paths   []string         `json:"paths" arg:"1.."`
	Kind    memory.TouchKind `json:"kind" flag:"kind,k" about:"the kind of touch"`
	Text    string           `json:"text,omitempty" flag:"text" about:"a note about it"`
	Session string           `json:"session,omitempty" flag:"session,s" about:"join this session"`
	Origin  memory.Origin    `json:"origin,omitempty"` // empty: the user
}

// RecordTouch records by hand that files were touched.
var RecordTouch = brain.NeverBusy(brain.Operation[RecordInput, memory.StoredEvent]{
	Name: "record",
	Run: func(ctx context.Context, b *brain.Brain, in RecordInput) (memory.StoredEvent, error) {
		place, err := brain.PlaceAt(b.Config, in.Dir)
		if err != nil {
			return memory.StoredEvent{}, err
		}
		e, err := EventByHand(place, in)
		if err != nil {
			return memory.StoredEvent{}, err
		}
		return RecordByHand(ctx, b, e, in.Session)
	},
}, func(in RecordInput) string { return in.Text })

// RecordByHand records an event of a person, in a session if one is named.
func RecordByHand(ctx context.Context, b *brain.Brain, e memory.Event, session string) (stored memory.StoredEvent, err error) {
	err = Recording(ctx, b, b.Say, func(r *Recorder) (err error) {
		if session != "" {
			s, err := FindSession(ctx, r.Tx, session)
			if err != nil {
				return err
			}
			if s.Project != e.Place.Project() {
				return fmt.Errorf("record: session %s belongs to project %s, not to the one around you: %w",
					s.ID, s.Project, memory.ErrConflict)
			}
			e.Agent, e.AgentSession = s.Agent, s.AgentSession
		}
		if e.ID, err = r.Tx.NewID(); err != nil {
			return err
		}
		e.At = r.Tx.Now
		if _, err := r.Record(ctx, e); err != nil {
			return err
		}
		found, err := r.Tx.Events(ctx, store.EventFilter{ID: e.ID})
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("event %s: %w", e.ID, memory.ErrNotFound)
		}
		if err != nil {
			return fmt.Errorf("record: %w", err)
		}
		stored = found[0]
		return nil
	})
	return stored, err
}

// EventByHand is what a person says happened at a place; RecordByHand gives it its ID and time.
func EventByHand(place memory.Place, in RecordInput) (e memory.Event, err error) {
	if len(in.Paths) == 0 && strings.TrimSpace(in.Text) == "" {
		return e, fmt.Errorf("record: name a file, or say something with --text: %w", memory.ErrInvalid)
	}
	switch in.Kind {
	case memory.Edit, memory.Read, memory.Mention:
	default:
		return e, fmt.Errorf("record: kind %q: want edit, read or mention: %w", in.Kind, memory.ErrInvalid)
	}
	e = memory.Event{Kind: memory.Recorded, Origin: memory.OriginUser, Agent: memory.AgentUser, Place: place, Text: in.Text}
	if in.Origin != "" {
		e.Origin = in.Origin
	}
	for _, path := range in.Paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(in.Dir, path)
		}
		e.Touches = append(e.Touches, memory.Touch{Kind: in.Kind, Path: project.Key(place, path)})
	}
	return e, nil
}

// SessionInput chooses one session: by name, else the newest of the scope.
type SessionInput struct {
	brain.Scope
	Session string `json:"session,omitempty" arg:"1"`
}

func session(ctx context.Context, c config.Config, tx *store.Tx, in SessionInput, open bool) (memory.Session, error) {
	if in.Session != "" {
		return FindSession(ctx, tx, in.Session)
	}
	id, err := brain.Resolve(ctx, tx, c, in.Scope)
	if err != nil {
		return memory.Session{}, err
	}
	found, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Open: open, Limit: 1})
	if err == nil && len(found) == 0 {
		what := "session"
		if open {
			what = "open session"
		}
		err = fmt.Errorf("%s in this project: %w", what, memory.ErrNotFound)
	}
	if err != nil {
		return memory.Session{}, err
	}
	return found[0], nil
}

// IntentInput reads or sets what a session is about.
type IntentInput struct {
	SessionInput
	// Set is the new intent; nil only shows it, and an empty one lets it follow the first prompt again.
	Set *string `json:"set,omitempty" flag:"set" about:"the new intent; an empty one restores the first prompt"`
	// Origin is who sets it; empty: the user. What the user set is theirs.
	Origin memory.Origin `json:"origin,omitempty"`
}

// Intent shows what a session is about: its first prompt, or what a person set instead.
var Intent = brain.Operation[IntentInput, memory.Session]{
	Name: "intent",
	Run: func(ctx context.Context, b *brain.Brain, in IntentInput) (memory.Session, error) {
		if in.Set != nil {
			return setIntent.Run(ctx, b, in)
		}
		return brain.View(ctx, b.Store, func(tx *store.Tx) (memory.Session, error) { return session(ctx, b.Config, tx, in.SessionInput, false) })
	},
}

var setIntent = brain.NeverBusy(brain.Operation[IntentInput, memory.Session]{
	Name: "set-intent",
	Run: func(ctx context.Context, b *brain.Brain, in IntentInput) (memory.Session, error) {
		return brain.Update(ctx, b, func(tx *store.Tx) (memory.Session, error) {
			s, err := session(ctx, b.Config, tx, in.SessionInput, false)
			if err != nil {
				return s, err
			}
			if s.IntentByHand && !brain.ByUser(in.Origin) {
				return s, brain.PersonsOwn("change", "the intent of session "+s.ID.String())
			}
			text := scrub.Clean(*in.Set)
			s.IntentByHand = text != "" && brain.ByUser(in.Origin)
			if text == "" {
				first, err := tx.FirstPrompt(ctx, s.ID)
				if err != nil {
					return s, err
				}
				text = typed.Task(first)
			}
			s.Intent = IntentOf(text)
			return s, tx.SaveSession(ctx, s)
		})
	},
}, nil)

// CloseSession wraps a session up by hand.
var CloseSession = brain.NeverBusy(brain.Operation[SessionInput, memory.Session]{
	Name: "close-session",
	Run: func(ctx context.Context, b *brain.Brain, in SessionInput) (memory.Session, error) {
		var s memory.Session
		err := Recording(ctx, b, b.Say, func(r *Recorder) (err error) {
			if s, err = session(ctx, b.Config, r.Tx, in, true); err != nil {
				return err
			}
			if err := r.CloseSession(ctx, s, memory.ClosedByWrapUp, false, r.Tx.Now); err != nil {
				return err
			}
			s, err = r.Tx.Session(ctx, s.ID)
			return err
		})
		return s, err
	},
}, nil)

// Filter chooses the events of a session, or of a project.
func Filter(ctx context.Context, c config.Config, tx *store.Tx, scope brain.Scope, session string) (f store.EventFilter, err error) {
	if session == "" {
		f.Project, err = brain.Resolve(ctx, tx, c, scope)
		return f, err
	}
	s, err := FindSession(ctx, tx, session)
	f.Session = s.ID
	return f, err
}

// ShortID is the label of a session in files for people.
func ShortID(id memory.SessionID) string { return fmt.Sprintf("%08x", uint64(id)>>32) }

// Wrapped closes a session by wrap-up. One that was closed without counting, because the settings ask first, counts now.
func (r *Recorder) Wrapped(ctx context.Context, s memory.Session) error {
	if !s.Open() && (s.Ticked || s.Agent == memory.AgentUser) { // one that nobody saw moves no clock
		s.CloseReason = memory.ClosedByWrapUp
		return r.Tx.SaveSession(ctx, s)
	}
	if s.Happened == "" {
		s = s.WithoutDerivedSummary() // it had no summary; now it needs one
	}
	s.ClosedAt = time.Time{}
	return r.CloseSession(ctx, s, memory.ClosedByWrapUp, false, r.Tx.Now)
}

// FindSession looks a session up by its ID, by the beginning of it, or by the agent's own name of the run.
func FindSession(ctx context.Context, tx *store.Tx, name string) (memory.Session, error) {
	first, last, isID := memory.SessionsFrom(name)
	if label, err := strconv.ParseUint(name, 16, 32); err == nil && len(name) == len(ShortID(0)) { // as files for people name it
		first, isID = memory.SessionID(label<<32), true
		last = first | math.MaxUint32
	}
	if !isID {
		first, last = 1, 0 // an empty range
	}
	found, err := tx.SessionsLike(ctx, first, last, name, 2)
	switch {
	case err != nil:
		return memory.Session{}, err
	case len(found) == 0:
		return memory.Session{}, fmt.Errorf("session %q (hebb sessions --all lists them): %w", name, memory.ErrNotFound)
	case len(found) > 1:
		return memory.Session{}, fmt.Errorf("session %q could be %s or %s: %w", name, found[0].ID, found[1].ID, memory.ErrConflict)
	}
	return found[0], nil
}
