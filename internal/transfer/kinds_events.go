package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

var projects = &kind[memory.Project]{
	name:  "project",
	count: func(out *TransferResult) *int { return &out.Projects },
	each:  list(func(ctx context.Context, e *exporter) ([]memory.Project, error) { return e.tx.Projects(ctx) }),
	check: func(t *importer, _ context.Context, p memory.Project) error {
		if memory.NewProjectID(p.Identity) != p.ID {
			return fmt.Errorf("project %s: identity does not match its ID: %w", p.ID, memory.ErrInvalid)
		}
		if utf8.RuneCountInString(oneLine(p.Name)) > brain.LongestProjectName {
			return fmt.Errorf("project %s: a name of more than %d characters: %w", p.ID, brain.LongestProjectName, memory.ErrInvalid)
		}
		t.projects[p.ID] = true
		return nil
	},
	take: (*importer).takeProject,
	move: func(m *projectMove, p *memory.Project) bool {
		if p.ID != m.from {
			return false
		}
		*p = m.into
		return true
	},
}

// takeProject stores a new project. One that is known stays as it is: no file may rename it, move it or date it.
func (t *importer) takeProject(ctx context.Context, p memory.Project) error {
	_, err := t.tx.Project(ctx, p.ID)
	if err == nil || !brain.IsNotFound(err) {
		return err
	}
	p.Root, _ = scrub.Secrets(p.Root)
	p.FirstAt, p.LastAt = t.moment(p.FirstAt), t.moment(p.LastAt)
	name := oneLine(p.Name)
	if p.Name = name; p.Tagged || name == "" {
		p.Name, _ = scrub.Secrets(project.Name(memory.Place{Identity: p.Identity, Root: p.Root}))
	}
	if err := t.tx.SeeProject(ctx, p); err != nil || !p.Tagged || name == "" {
		return err
	}
	err = t.tx.NameProject(ctx, p.ID, name)
	if errors.Is(err, memory.ErrConflict) {
		return nil // the name is taken here; the project keeps the one of its folder
	}
	return err
}

// Sessions are stored with their first event.
var sessions = &kind[memory.Session]{
	name:  "session",
	count: func(out *TransferResult) *int { return &out.Sessions },
	each: list(func(ctx context.Context, e *exporter) ([]memory.Session, error) {
		return e.tx.Sessions(ctx, store.SessionFilter{})
	}),
	project: func(s *memory.Session) *memory.ProjectID { return &s.Project },
	check: func(t *importer, _ context.Context, s memory.Session) error {
		if memory.NewSessionID(s.Agent, s.AgentSession, s.Project) != s.ID {
			return fmt.Errorf("session %s: agent, run and project do not match its ID: %w", s.ID, memory.ErrInvalid)
		}
		if len(s.Agent)+len(s.AgentSession) > brain.LongestRun {
			return fmt.Errorf("session %s: names of agent and run of more than %d bytes: %w", s.ID, brain.LongestRun, memory.ErrInvalid)
		}
		s.Intent, s.CloseReason = oneLine(s.Intent), memory.CloseReason(oneLine(string(s.CloseReason)))
		s.ClosedAt = t.moment(s.ClosedAt)
		t.sessions[s.ID] = s
		return nil
	},
	move: func(m *projectMove, s *memory.Session) bool {
		id := memory.NewSessionID(s.Agent, s.AgentSession, s.Project)
		s.ID, m.sessions[s.ID] = id, id
		return true
	},
}

var events = &kind[memory.StoredEvent]{
	name: "event", // those that hebb made itself are not counted
	each: func(ctx context.Context, e *exporter, write func(memory.StoredEvent) error) error {
		return e.tx.WalkEvents(ctx, func(v memory.StoredEvent) error {
			if !slices.Contains(memory.OwnEvents, v.Kind) {
				e.out.Events++
			}
			return write(v)
		})
	},
	project: func(e *memory.StoredEvent) *memory.ProjectID { return &e.Project },
	check:   (*importer).checkEvent,
	take:    (*importer).takeEvent,
	// Commits are not moved: their repository has them, and the other project knows most of them.
	move: func(m *projectMove, e *memory.StoredEvent) bool {
		e.Session = m.sessions[e.Session]
		return e.Kind != memory.Committed
	},
}

func (t *importer) checkEvent(ctx context.Context, e memory.StoredEvent) error {
	if e.At.IsZero() || e.Kind == "" || e.Agent == "" {
		return fmt.Errorf("event %q: time, kind and agent are needed: %w", e.ID, memory.ErrInvalid)
	}
	if t.mine && !slices.Contains(memory.Origins, e.Origin) {
		return fmt.Errorf("event %q: origin %q: want one of %v: %w", e.ID, e.Origin, memory.Origins, memory.ErrInvalid)
	}
	if _, err := memory.ParseEventID(string(e.ID)); err != nil {
		return err
	}
	if err := record.CheckContent(e.Event); err != nil {
		return err
	}
	if _, inFile := t.sessions[e.Session]; e.Session == 0 || inFile {
		return nil
	}
	if _, err := t.tx.Session(ctx, e.Session); err != nil {
		return fmt.Errorf("event %q: %w", e.ID, err)
	}
	return nil
}

func (t *importer) takeEvent(ctx context.Context, e memory.StoredEvent) error {
	own := slices.Contains(memory.OwnEvents, e.Kind)
	if !own {
		t.out.Events++
	}
	if known, err := t.tx.KnownEvent(ctx, e); err != nil || known {
		if own {
			return err
		}
		return t.known(err)
	}
	if id, err := memory.ParseSessionID(e.Input); err == nil && e.Kind == memory.Closed { // earlier versions named the session so
		e.Input, e.Text = string(t.sessions[id].Agent), t.sessions[id].AgentSession
	}
	e.Origin = t.origin(e.Origin)
	e.Event = record.Clean(e.Event, t.tx.Now)
	if e.Session != 0 {
		if err := t.visit(ctx, e.Session); err != nil {
			return err
		}
		if err := t.tx.KeepOrdinal(ctx, e.Session, e.Ord); err != nil {
			return err
		}
		e.AgentSession = t.visited[e.Session].AgentSession
	}
	t.changed[e.Project] = true
	_, err := t.tx.InsertEvent(ctx, e, t.tx.CountAccess)
	return err
}

// tombstones are the IDs of what was deleted on purpose. What others deleted may still be learned here.
var tombstones = &kind[memory.EventID]{
	name: "forgot",
	each: list(func(ctx context.Context, e *exporter) ([]memory.EventID, error) { return e.tx.Tombstones(ctx) }),
	check: func(_ *importer, _ context.Context, id memory.EventID) error {
		_, err := memory.ParseEventID(string(id))
		return err
	},
	take: func(t *importer, ctx context.Context, id memory.EventID) error {
		if !t.mine {
			return nil
		}
		return t.tx.Tombstone(ctx, id)
	},
}

// traces are tombstones by agent, run and time, for what transcripts would bring back.
var traces = &kind[store.Traced]{
	name: "trace",
	each: list(func(ctx context.Context, e *exporter) ([]store.Traced, error) { return e.tx.Traced(ctx) }),
	check: func(_ *importer, _ context.Context, t store.Traced) error {
		_, err := memory.ParseEventID(string(t.ID))
		return err
	},
	take: func(t *importer, ctx context.Context, v store.Traced) error {
		if !t.mine {
			return nil
		}
		v.At = t.moment(v.At)
		return t.tx.TakeTraced(ctx, v)
	},
}

// pauses are the times in which projects were paused.
var pauses = &kind[brain.Pause]{
	name: "pause",
	each: list(func(ctx context.Context, e *exporter) ([]brain.Pause, error) { return brain.Pauses.Get(ctx, e.tx) }),
	check: func(_ *importer, _ context.Context, p brain.Pause) error {
		if p.Project == 0 || p.From.IsZero() {
			return fmt.Errorf("a pause of no project or time: %w", memory.ErrInvalid)
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, p brain.Pause) error {
		all, err := brain.Pauses.Get(ctx, t.tx)
		if err != nil || !t.mine || slices.Contains(all, p) {
			return err
		}
		if p.To.IsZero() { // it lasts there, not here
			p.To = t.tx.Now
		}
		return brain.Pauses.Set(ctx, t.tx, append(all, p))
	},
}

// visit makes sure that the session of an event is stored, and remembers how it was before this batch.
func (t *importer) visit(ctx context.Context, id memory.SessionID) error {
	if _, ok := t.visited[id]; ok {
		return nil
	}
	s, err := t.tx.Session(ctx, id)
	file, inFile := t.sessions[id]
	if brain.IsNotFound(err) && inFile {
		t.visited[id] = memory.Session{AgentSession: file.AgentSession}
		return t.tx.SaveSession(ctx, memory.Session{
			ID: id, Project: file.Project, Agent: file.Agent, AgentSession: file.AgentSession, OpenedAt: file.OpenedAt, LastEventAt: file.OpenedAt,
		})
	}
	t.visited[id] = s
	return err
}

// describedOnly reports whether somebody described a session of which no event was recorded.
func describedOnly(s memory.Session) bool {
	return s.Events == 0 && s.Agent == memory.AgentUser && s.HasOwnSummary()
}

// describedSessions stores the new sessions that somebody described and that have no events.
func (t *importer) describedSessions(ctx context.Context) error {
	for id, s := range t.sessions {
		if !describedOnly(s) {
			continue
		}
		_, err := t.tx.Session(ctx, id)
		if brain.IsNotFound(err) {
			err = t.visit(ctx, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// updateSession brings a session up to date after its events were stored; before is the time of its last event before that. Its
// figures are counted from the events here. How it ended is taken from the file if the file has the latest of it.
func (t *importer) updateSession(ctx context.Context, id memory.SessionID, before time.Time) error {
	file, inFile := t.sessions[id]
	described := describedOnly(file)
	if !described {
		if gone, err := t.tx.RecountSession(ctx, id); err != nil || gone > 0 {
			return err
		}
	}
	s, err := t.tx.Session(ctx, id)
	if err != nil {
		return err
	}
	newer := inFile && (s.LastEventAt.After(before) || described && before.IsZero())
	if newer {
		t.describe(&s, file)
		s.ClosedAt, s.CloseReason, s.Recovered = file.ClosedAt, file.CloseReason, file.Recovered
		if file.IntentByHand && (t.mine || !s.IntentByHand) { // a file of others does not replace what a person wrote here
			s.Intent, s.IntentByHand = file.Intent, true
		}
	}
	if !s.Ticked && (!s.Open() && !described || newer && file.Ticked) {
		s.Ticked = true
		if err := t.tx.TickProject(ctx, s.Project); err != nil {
			return err
		}
	}
	if err := t.tx.SaveSession(ctx, s); err != nil {
		return err
	}
	return forget.RestoreIntent(ctx, t.tx, id)
}

// describe copies the description of a session. A file of others neither replaces one that is here nor counts as the user's.
func (t *importer) describe(s *memory.Session, file memory.Session) {
	if s.HasOwnSummary() && !t.mine {
		return
	}
	if file.SummaryAt.IsZero() || !t.mine && !file.HasOwnSummary() { // rules here will derive it from the events
		*s = s.WithoutDerivedSummary()
		return
	}
	s.Happened, s.Learned, s.Next = scrub.Clean(file.Happened), scrub.Clean(file.Learned), scrub.Clean(file.Next)
	s.SummaryBy, s.SummaryAt = t.origin(file.SummaryBy), t.moment(file.SummaryAt)
}
