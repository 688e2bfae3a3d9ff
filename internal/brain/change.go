package brain

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

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
	Session string           `json:"session,omitempty"` // join this session instead of standing alone
	Origin  memory.Origin    `json:"origin,omitempty"`  // empty: the user
}

// RecordTouch records by hand that files were touched.
var RecordTouch = neverBusy(Operation[RecordInput, memory.StoredEvent]{
	Name: "record", Summary: "Record by hand that files were touched",
	Run: func(ctx context.Context, b *Brain, in RecordInput) (memory.StoredEvent, error) {
		e, err := b.eventByHand(in)
		if err != nil {
			return memory.StoredEvent{}, err
		}
		return b.recordByHand(ctx, e, in.Session)
	},
}, func(in RecordInput) string { return in.Text })

// recordByHand records an event of a person, in a session if one is named.
func (b *Brain) recordByHand(ctx context.Context, e memory.Event, session string) (stored memory.StoredEvent, err error) {
	err = b.recording(ctx, b.say, func(r *recorder) error {
		if session != "" {
			s, err := findSession(ctx, r.tx, session)
			if err != nil {
				return err
			}
			if s.Project != e.Place.Project() {
				return fmt.Errorf("record: session %s belongs to project %s, not to the one around you: %w",
					s.ID, s.Project, memory.ErrConflict)
			}
			e.Agent, e.AgentSession = s.Agent, s.AgentSession
		}
		if _, err := r.record(ctx, e); err != nil {
			return err
		}
		found, err := r.tx.Events(ctx, store.EventFilter{ID: e.ID})
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

func (b *Brain) eventByHand(in RecordInput) (e memory.Event, err error) {
	if len(in.Paths) == 0 && strings.TrimSpace(in.Text) == "" {
		return e, fmt.Errorf("record: name a file, or say something with --text: %w", memory.ErrInvalid)
	}
	switch in.Kind {
	case memory.Edit, memory.Read, memory.Mention:
	default:
		return e, fmt.Errorf("record: kind %q: want edit, read or mention: %w", in.Kind, memory.ErrInvalid)
	}
	place, err := b.placeAt(in.Dir)
	if err != nil {
		return e, err
	}
	now := b.now()
	id, err := memory.NewEventID(now, b.entropy)
	if err != nil {
		return e, err
	}
	e = memory.Event{
		ID: id, At: now, Kind: memory.Recorded, Origin: memory.OriginUser, Agent: memory.AgentUser, Place: place, Text: in.Text,
	}
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
		if utf8.RuneCountInString(name) > longestProjectName {
			return memory.Project{}, fmt.Errorf("project name: at most %d characters: %w", longestProjectName, memory.ErrInvalid)
		}
		if _, err := memory.ParseProjectID(name); err == nil {
			return memory.Project{}, fmt.Errorf("project name %q: looks like an ID: %w", name, memory.ErrInvalid)
		}
		moves := false
		p, err := updated(ctx, b, func(tx *store.Tx) (memory.Project, error) {
			id, err := b.resolve(ctx, tx, in.Scope)
			if err != nil {
				return memory.Project{}, err
			}
			if err := tx.NameProject(ctx, id, name); err != nil {
				return memory.Project{}, err
			}
			p, err := tx.Project(ctx, id)
			if err != nil {
				return p, err
			}
			moves, err = renameFolder(ctx, tx, p)
			return p, err
		})
		if err != nil || !moves {
			return p, err
		}
		_, err = b.refreshViews(ctx, nil) // its folder has the new name at once; one that cannot move is tried again
		return p, err
	},
}

// SessionInput chooses one session: by name, else the newest of the scope.
type SessionInput struct {
	Scope
	Session string `json:"session,omitempty"`
}

// findSession looks a session up by its ID, by the beginning of it, or by the agent's own name of the run.
func findSession(ctx context.Context, tx *store.Tx, name string) (memory.Session, error) {
	first, last, isID := memory.SessionsFrom(name)
	if label, err := strconv.ParseUint(name, 16, 32); err == nil && len(name) == len(shortID(0)) { // as files for people name it
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

func (b *Brain) session(ctx context.Context, tx *store.Tx, in SessionInput, open bool) (memory.Session, error) {
	if in.Session != "" {
		return findSession(ctx, tx, in.Session)
	}
	id, err := b.resolve(ctx, tx, in.Scope)
	if err != nil {
		return memory.Session{}, err
	}
	found, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Open: open, Limit: 1})
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
	Set *string `json:"set,omitempty"`
	// Origin is who sets it; empty: the user. What the user set is theirs.
	Origin memory.Origin `json:"origin,omitempty"`
}

// Intent shows what a session is about: its first prompt, or what a person set instead.
var Intent = Operation[IntentInput, memory.Session]{
	Name: "intent", Summary: "Show or set what a session is about",
	Run: func(ctx context.Context, b *Brain, in IntentInput) (memory.Session, error) {
		if in.Set != nil {
			return setIntent.Run(ctx, b, in)
		}
		return viewed(ctx, b, func(tx *store.Tx) (memory.Session, error) { return b.session(ctx, tx, in.SessionInput, false) })
	},
}

var setIntent = neverBusy(Operation[IntentInput, memory.Session]{
	Name: "set-intent", Summary: "Set what a session is about",
	Run: func(ctx context.Context, b *Brain, in IntentInput) (memory.Session, error) {
		return updated(ctx, b, func(tx *store.Tx) (memory.Session, error) {
			s, err := b.session(ctx, tx, in.SessionInput, false)
			if err != nil {
				return s, err
			}
			if s.IntentByHand && !byUser(in.Origin) {
				return s, personsOwn("change", "the intent of session "+s.ID.String())
			}
			text := scrub.Clean(*in.Set)
			s.IntentByHand = text != "" && byUser(in.Origin)
			if text == "" {
				if text, err = tx.FirstPrompt(ctx, s.ID); err != nil {
					return s, err
				}
			}
			s.Intent = intent(text, b.config.Tuning.Session.IntentLength)
			return s, tx.SaveSession(ctx, s)
		})
	},
}, nil)

// CloseSession wraps a session up by hand.
var CloseSession = neverBusy(Operation[SessionInput, memory.Session]{
	Name: "close-session", Summary: "Close a session that the agent left open",
	Run: func(ctx context.Context, b *Brain, in SessionInput) (memory.Session, error) {
		var s memory.Session
		err := b.recording(ctx, b.say, func(r *recorder) (err error) {
			if s, err = b.session(ctx, r.tx, in, true); err != nil {
				return err
			}
			if err := r.closeSession(ctx, s, memory.ClosedByWrapUp, false, r.tx.Now); err != nil {
				return err
			}
			s, err = r.tx.Session(ctx, s.ID)
			return err
		})
		return s, err
	},
}, nil)
