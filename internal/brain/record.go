package brain

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// record is the one recording path. It stores an event once, places it in its project and session, and closes the
// session if the event says so. It reports false for an event that was already there or was forgotten on purpose.
func (b *Brain) record(ctx context.Context, tx *store.Tx, e memory.Event) (bool, error) {
	known, err := tx.Known(ctx, e.ID)
	if err != nil || known {
		return false, err
	}
	e = clean(e, tx.Now)
	stored := memory.StoredEvent{Event: e, Project: e.Place.Project()}
	if err := tx.SeeProject(ctx, memory.Project{
		ID: stored.Project, Identity: e.Place.Identity, Root: e.Place.Root, Name: project.Name(e.Place),
		FirstAt: e.At, LastAt: e.At,
	}); err != nil {
		return false, err
	}
	if e.AgentSession != "" {
		stored.Session = memory.NewSessionID(e.Agent, e.AgentSession, stored.Project)
		if err := b.followSession(ctx, tx, stored); err != nil {
			return false, err
		}
		if stored.Ord, err = tx.NumberEvent(ctx, stored.Session); err != nil {
			return false, err
		}
	}
	added, err := tx.InsertEvent(ctx, stored)
	if err != nil || !added {
		return added, err
	}
	if e.Kind == memory.SessionEnded {
		return true, b.endRun(ctx, tx, e)
	}
	return true, nil
}

// followSession opens, continues or reopens the session of an event.
func (b *Brain) followSession(ctx context.Context, tx *store.Tx, e memory.StoredEvent) error {
	s, err := tx.Session(ctx, e.Session)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	if err != nil {
		s = memory.Session{
			ID: e.Session, Project: e.Project, Agent: e.Agent, AgentSession: e.AgentSession, OpenedAt: e.At, LastEventAt: e.At,
		}
	}
	return tx.SaveSession(ctx, follow(s, e.Event, b.config.Tuning.Session))
}

// follow is what an event does to its session. A closed session opens again for something new; what merely arrives
// late, after its end, does not open it.
func follow(s memory.Session, e memory.Event, t tuning.Session) memory.Session {
	if !s.Open() && e.At.After(s.LastEventAt) && e.Kind != memory.SessionEnded {
		s.ClosedAt, s.CloseReason, s.Recovered = time.Time{}, "", false
	}
	if e.At.After(s.LastEventAt) {
		s.LastEventAt = e.At
	}
	if e.At.Before(s.OpenedAt) {
		s.OpenedAt = e.At
	}
	if s.Intent == "" && e.Kind == memory.Prompted {
		s.Intent = intent(e.Text, t.IntentLength)
	}
	return s
}

// intent is the beginning of a prompt on one line.
func intent(prompt string, length int) string {
	runes := []rune(scrub.Line(prompt))
	if len(runes) <= length {
		return string(runes)
	}
	return strings.TrimSpace(string(runes[:length-1])) + "…"
}

// endRun closes every session of an agent's run: one run may have worked in several projects.
func (b *Brain) endRun(ctx context.Context, tx *store.Tx, e memory.Event) error {
	sessions, err := tx.SessionsOfRun(ctx, e.Agent, e.AgentSession)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if err := closeSession(ctx, tx, s, memory.ClosedByAgent, false, e.At); err != nil {
			return err
		}
	}
	return nil
}

// closeSession closes once. The project's clock moves with the first close only, so a session that is resumed and
// closed again counts as one.
func closeSession(ctx context.Context, tx *store.Tx, s memory.Session, why memory.CloseReason, recovered bool, at time.Time) error {
	if !s.Open() {
		return nil
	}
	s.ClosedAt, s.CloseReason, s.Recovered = at, why, recovered
	if !s.Ticked {
		s.Ticked = true
		if err := tx.TickProject(ctx, s.Project); err != nil {
			return err
		}
	}
	return tx.SaveSession(ctx, s)
}

// sweep closes sessions that fell silent. One found much later than it should have been, or dated into the future by
// a wrong clock, is marked recovered.
func (b *Brain) sweep(ctx context.Context, tx *store.Tx) (closed int, err error) {
	t := b.config.Tuning.Session
	quiet, err := tx.QuietSessions(ctx, tx.Now.Add(-t.IdleAfter), tx.Now.Add(t.OrphanAfter))
	if err != nil {
		return 0, err
	}
	for _, s := range quiet {
		silence := tx.Now.Sub(s.LastEventAt)
		why, recovered := memory.ClosedByIdle, false
		if silence >= t.OrphanAfter || silence < 0 {
			why, recovered = memory.ClosedByOrphan, true
		}
		if err := closeSession(ctx, tx, s, why, recovered, tx.Now); err != nil {
			return closed, err
		}
		closed++
	}
	return closed, nil
}

// clean makes an event fit to be kept: no secrets, no private text, no time in the future.
func clean(e memory.Event, now time.Time) memory.Event {
	e.At = e.At.UTC().Truncate(time.Millisecond)
	if e.At.After(now) {
		e.At = now
	}
	e.Tool, e.Subagent = scrub.Line(scrub.Clean(e.Tool)), scrub.Line(scrub.Clean(e.Subagent))
	e.Input, e.Text = scrub.Clean(e.Input), scrub.Clean(e.Text)
	return e
}

// check refuses an event that no door of ours would make.
func check(e memory.Event) error {
	for name, value := range map[string]string{
		"id": string(e.ID), "kind": string(e.Kind), "agent": string(e.Agent), "origin": string(e.Origin), "place": e.Place.Identity,
	} {
		if value == "" {
			return fmt.Errorf("event %q: no %s: %w", e.ID, name, memory.ErrInvalid)
		}
	}
	if e.At.IsZero() {
		return fmt.Errorf("event %q: no time: %w", e.ID, memory.ErrInvalid)
	}
	return nil
}
