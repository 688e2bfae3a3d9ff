package brain

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// RecordInput is what a person tells hebb by hand.
type RecordInput struct {
	Dir     string           `json:"dir"`
	Paths   []string         `json:"paths"`
	Kind    memory.TouchKind `json:"kind"`
	Text    string           `json:"text,omitempty"`
	Session memory.SessionID `json:"session,omitzero"` // join this session instead of standing alone
}

// RecordTouch records by hand that files were touched.
var RecordTouch = Operation[RecordInput, memory.StoredEvent]{
	Name: "record", Summary: "Record by hand that files were touched",
	Run: func(ctx context.Context, b *Brain, in RecordInput) (memory.StoredEvent, error) {
		e, err := b.eventByHand(in)
		if err != nil {
			return memory.StoredEvent{}, err
		}
		return updated(ctx, b, func(tx *store.Tx) (memory.StoredEvent, error) {
			if in.Session != 0 {
				s, err := tx.Session(ctx, in.Session)
				if err != nil {
					return memory.StoredEvent{}, err
				}
				if s.Project != e.Place.Project() {
					return memory.StoredEvent{}, fmt.Errorf("record: session %s belongs to project %s, not to the one around you: %w",
						s.ID, s.Project, memory.ErrConflict)
				}
				e.Agent, e.AgentSession = s.Agent, s.AgentSession
			}
			if _, err := b.record(ctx, tx, e); err != nil {
				return memory.StoredEvent{}, err
			}
			found, err := tx.Events(ctx, store.EventFilter{ID: e.ID})
			if err == nil && len(found) == 0 {
				err = fmt.Errorf("event %s: %w", e.ID, memory.ErrNotFound)
			}
			if err != nil {
				return memory.StoredEvent{}, fmt.Errorf("record: %w", err)
			}
			return found[0], nil
		})
	},
}

func (b *Brain) eventByHand(in RecordInput) (e memory.Event, err error) {
	if len(in.Paths) == 0 && strings.TrimSpace(in.Text) == "" {
		return e, fmt.Errorf("record: name a file, or say something with --text: %w", memory.ErrInvalid)
	}
	switch in.Kind {
	case memory.Edit, memory.Read, memory.Mention:
	default:
		return e, fmt.Errorf("record: kind %q: want edit, read or mention: %w", in.Kind, memory.ErrInvalid)
	}
	place, err := project.Resolve(in.Dir)
	if err != nil {
		return e, fmt.Errorf("record: project of %s: %w", in.Dir, err)
	}
	now := b.now()
	id, err := memory.NewEventID(now, b.entropy)
	if err != nil {
		return e, err
	}
	e = memory.Event{
		ID: id, At: now, Kind: memory.Recorded, Origin: memory.OriginUser, Agent: memory.AgentUser, Place: place, Text: in.Text,
	}
	for _, path := range in.Paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(in.Dir, path)
		}
		e.Touches = append(e.Touches, memory.Touch{Kind: in.Kind, Path: project.Relative(place, path)})
	}
	return e, nil
}

// TagInput names a project.
type TagInput struct {
	Scope
	Name string `json:"name"`
}

// TagProject gives a project a name of its own, which then works in every command.
var TagProject = Operation[TagInput, memory.Project]{
	Name: "tag-project", Summary: "Give a project a name",
	Run: func(ctx context.Context, b *Brain, in TagInput) (memory.Project, error) {
		name := scrub.Line(scrub.Clean(in.Name))
		if name == "" {
			return memory.Project{}, fmt.Errorf("project name %q: must not be empty: %w", in.Name, memory.ErrInvalid)
		}
		if _, err := memory.ParseProjectID(name); err == nil {
			return memory.Project{}, fmt.Errorf("project name %q: looks like an ID: %w", name, memory.ErrInvalid)
		}
		return updated(ctx, b, func(tx *store.Tx) (memory.Project, error) {
			id, err := b.resolve(ctx, tx, in.Scope)
			if err != nil {
				return memory.Project{}, err
			}
			if err := tx.NameProject(ctx, id, name); err != nil {
				return memory.Project{}, err
			}
			return tx.Project(ctx, id)
		})
	},
}

// SessionInput chooses one session: by ID, else the newest of the scope.
type SessionInput struct {
	Scope
	Session memory.SessionID `json:"session,omitzero"`
}

func (b *Brain) session(ctx context.Context, tx *store.Tx, in SessionInput) (memory.Session, error) {
	if in.Session != 0 {
		return tx.Session(ctx, in.Session)
	}
	id, err := b.resolve(ctx, tx, in.Scope)
	if err != nil {
		return memory.Session{}, err
	}
	found, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: 1})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("session: none in this project yet: %w", memory.ErrNotFound)
	}
	if err != nil {
		return memory.Session{}, err
	}
	return found[0], nil
}

// IntentInput reads or sets what a session is about.
type IntentInput struct {
	SessionInput
	Set string `json:"set,omitempty"`
}

// Intent shows what a session is about: its first prompt, or what a person set instead.
var Intent = Operation[IntentInput, memory.Session]{
	Name: "intent", Summary: "Show or set what a session is about",
	Run: func(ctx context.Context, b *Brain, in IntentInput) (memory.Session, error) {
		if in.Set == "" {
			return viewed(ctx, b, func(tx *store.Tx) (memory.Session, error) { return b.session(ctx, tx, in.SessionInput) })
		}
		return updated(ctx, b, func(tx *store.Tx) (memory.Session, error) {
			s, err := b.session(ctx, tx, in.SessionInput)
			if err != nil {
				return s, err
			}
			s.Intent = intent(scrub.Clean(in.Set), b.config.Tuning.Session.IntentLength)
			s.IntentByHand = true
			return s, tx.SaveSession(ctx, s)
		})
	},
}

// CloseSession wraps a session up by hand.
var CloseSession = Operation[SessionInput, memory.Session]{
	Name: "close-session", Summary: "Close a session that the agent left open",
	Run: func(ctx context.Context, b *Brain, in SessionInput) (memory.Session, error) {
		return updated(ctx, b, func(tx *store.Tx) (memory.Session, error) {
			s, err := b.session(ctx, tx, in)
			if err != nil {
				return s, err
			}
			if err := closeSession(ctx, tx, s, memory.ClosedByWrapUp, false, tx.Now); err != nil {
				return s, err
			}
			return tx.Session(ctx, s.ID)
		})
	},
}
