package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// session is a run of claude in the first project.
func session(run string, at time.Time) memory.Session {
	p := place(1).Project()
	return memory.Session{ID: memory.NewSessionID("claude", run, p), Project: p, Agent: "claude", AgentSession: run, OpenedAt: at, LastEventAt: at}
}

func saveSessions(t *testing.T, s *store.Store, sessions ...memory.Session) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		if err := tx.SeeProject(t.Context(), projectAt(place(1), start)); err != nil {
			return err
		}
		for _, one := range sessions {
			if err := tx.SaveSession(t.Context(), one); err != nil {
				return err
			}
		}
		return nil
	})
}

func runs(sessions []memory.Session) (names []string) {
	for _, s := range sessions {
		names = append(names, s.AgentSession)
	}
	return names
}

var sessionCases = []contractCase{
	{"every field of a session round-trips through open, closed and open again", func(t *testing.T, h *home) {
		s := h.open()
		open := session("run", start)
		closed := open
		closed.LastEventAt, closed.ClosedAt = start.Add(time.Minute), start.Add(time.Hour)
		closed.CloseReason, closed.Recovered, closed.Ticked = memory.ClosedByOrphan, true, true
		closed.Intent, closed.IntentByHand = "mend the lexer", true
		reopened := closed
		reopened.ClosedAt, reopened.CloseReason, reopened.Recovered = time.Time{}, "", false
		saveSessions(t, s) // the project
		update(t, s, func(tx *store.Tx) error { return tx.TickProject(t.Context(), open.Project) })
		for _, want := range []memory.Session{open, closed, reopened} {
			saveSessions(t, s, want)
			view(t, s, func(tx *store.Tx) error {
				return expect(t, "session", want)(tx.Session(t.Context(), want.ID))
			})
		}
	}},
	{"saving a session does not touch its count and numbering", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start), edited(1, "b", "run", start))
		saved := session("run", start)
		saved.Events = 99
		saveSessions(t, s, saved)
		fill(t, s, edited(1, "c", "run", start))
		expectGapless(t, s, 1, 3)
	}},
	{"sessions of a project opened before a moment are counted, up to a limit", func(t *testing.T, h *home) {
		s := h.open()
		for i := range 5 {
			saveSessions(t, s, session(fmt.Sprint("run", i), start.Add(time.Duration(i)*time.Minute)))
		}
		p := place(1).Project()
		for _, c := range []struct {
			project memory.ProjectID
			at      time.Time
			most    int
			want    int
		}{
			{p, start, 10, 0}, {p, start.Add(time.Millisecond), 10, 1}, {p, start.Add(2 * time.Minute), 10, 2},
			{p, start.Add(time.Hour), 10, 5}, {p, start.Add(time.Hour), 3, 3}, {p, start.Add(time.Hour), 0, 0},
			{place(2).Project(), start.Add(time.Hour), 10, 0},
		} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, fmt.Sprint(c.at.Sub(start), ", ", c.most), c.want)(tx.SessionsBefore(t.Context(), c.project, c.at, c.most))
			})
		}
	}},
	{"an unknown session is not found", func(t *testing.T, h *home) {
		s := h.open()
		for name, fn := range map[string]func(tx *store.Tx) error{
			"session":      func(tx *store.Tx) error { _, err := tx.Session(t.Context(), 5); return err },
			"number event": func(tx *store.Tx) error { _, err := tx.NumberEvents(t.Context(), 5, 1); return err },
			"keep ordinal": func(tx *store.Tx) error { return tx.KeepOrdinal(t.Context(), 5, 1) },
		} {
			if err := s.Update(t.Context(), fn); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("%s: got %v, want not found", name, err)
			}
		}
	}},
	{"quiet sessions are open ones outside the window: silent, or dated into the future", func(t *testing.T, h *home) {
		s := h.open()
		since, future := start, start.Add(time.Hour)
		closed := session("closed long ago", since.Add(-time.Hour))
		closed.ClosedAt = since
		saveSessions(t, s, closed,
			session("far future", future.Add(24*time.Hour)),
			session("just ahead of the window", future.Add(time.Millisecond)),
			session("at its end", future),
			session("inside", since.Add(time.Millisecond)),
			session("at its beginning", since),
			session("long silent", since.Add(-time.Hour)))
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.QuietSessions(t.Context(), since, future)
			if want := []string{"long silent", "at its beginning", "just ahead of the window", "far future"}; !reflect.DeepEqual(runs(got), want) {
				t.Errorf("got %q, want %q", runs(got), want)
			}
			return err
		})
	}},
	{"sessions are listed newest first, by project, open ones, up to a limit", func(t *testing.T, h *home) {
		s := h.open()
		closed := session("closed", start.Add(2*time.Hour))
		closed.ClosedAt = start.Add(3 * time.Hour)
		saveSessions(t, s, session("old", start), session("new", start.Add(time.Hour)), closed)
		person := edited(4, "p", "a day", start.Add(5*time.Hour))
		person.Agent = memory.AgentPerson
		fill(t, s, edited(2, "e", "elsewhere", start.Add(4*time.Hour)), person)
		h.pass(6 * time.Hour)
		for _, c := range []struct {
			name   string
			filter store.SessionFilter
			want   []string
		}{
			{"all", store.SessionFilter{}, []string{"a day", "elsewhere", "closed", "new", "old"}},
			{"of agents", store.SessionFilter{ByAgents: true}, []string{"elsewhere", "closed", "new", "old"}},
			{"of a project", store.SessionFilter{Project: place(1).Project()}, []string{"closed", "new", "old"}},
			{"open", store.SessionFilter{Open: true}, []string{"a day", "elsewhere", "new", "old"}},
			{"open of a project, one", store.SessionFilter{Project: place(1).Project(), Open: true, Limit: 1}, []string{"new"}},
			{"of an unknown project", store.SessionFilter{Project: 3}, nil},
		} {
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Sessions(t.Context(), c.filter)
				if !reflect.DeepEqual(runs(got), c.want) {
					t.Errorf("%s: got %q, want %q", c.name, runs(got), c.want)
				}
				return err
			})
		}
	}},
	{"one run of an agent in two projects is two sessions, found together", func(t *testing.T, h *home) {
		s := h.open()
		other := edited(2, "c", "run", start)
		other.Agent = "codex"
		fill(t, s, edited(1, "a", "run", start), edited(2, "b", "run", start), other, edited(1, "d", "another run", start))
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.SessionsOfRun(t.Context(), "claude", "run")
			if len(got) != 2 || got[0].Project == got[1].Project {
				t.Errorf("got %+v, want the session in each project", got)
			}
			return err
		})
	}},
	{"the first prompt of a session is the person's with the lowest position", func(t *testing.T, h *home) {
		s := h.open()
		for n, text := range []string{"submitted by the agent", "first", "second"} {
			e := edited(1, fmt.Sprint("later", n), "run", start.Add(-time.Duration(n)*time.Hour))
			e.Kind, e.Text, e.Origin = memory.Prompted, text, memory.OriginUser
			if n == 0 {
				e.Origin = memory.OriginTool
			}
			fill(t, s, edited(1, fmt.Sprint("tool", n), "run", start), e)
		}
		view(t, s, func(tx *store.Tx) error {
			return errors.Join(expect(t, "a session", "first")(tx.FirstPrompt(t.Context(), session("run", start).ID)),
				expect(t, "an unknown session", "")(tx.FirstPrompt(t.Context(), 5)))
		})
	}},
}
