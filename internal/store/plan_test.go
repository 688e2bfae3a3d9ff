package store_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// What runs for every event, every prompt or every drain must find its rows by an index: a plan that reads a whole
// table is fast in every test and slow for the user with a year of memories.
func TestHotStatementsUseTheirIndexes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hebb.db")
	start := time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Tuning: tuning.Default().Store, Now: func() time.Time { return start }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ctx := t.Context()
	p := memory.NewProjectID("/p")
	session := memory.Session{ID: 7, Project: p, Agent: "a", AgentSession: "s", OpenedAt: start, LastEventAt: start}
	event := memory.StoredEvent{Event: memory.Event{ID: "e", At: start, Touches: []memory.Touch{{Kind: memory.Edit, Path: "f"}}}, Project: p}
	only := func(_ any, err error) error { return err }
	err = s.Update(ctx, func(tx *store.Tx) error {
		if err := tx.SeeProject(ctx, memory.Project{ID: p, Identity: "/p", FirstAt: start, LastAt: start}); err != nil {
			return err
		}
		if err := tx.SaveSession(ctx, session); err != nil {
			return err
		}
		return only(tx.InsertEvent(ctx, event))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		run  func(tx *store.Tx) error
		want []string // each somewhere in the plans
	}{
		{"known", func(tx *store.Tx) error { return only(tx.Known(ctx, "e")) },
			[]string{"SEARCH event USING COVERING INDEX sqlite_autoindex_event_1", "SEARCH tombstone USING COVERING INDEX sqlite_autoindex_tombstone_1"}},
		{"one event with its touches", func(tx *store.Tx) error { return only(tx.Events(ctx, store.EventFilter{ID: "e"})) },
			[]string{"sqlite_autoindex_event_1", "SEARCH access USING INDEX sqlite_autoindex_access_1", "SEARCH neuron USING INTEGER PRIMARY KEY"}},
		{"events of a project", func(tx *store.Tx) error {
			return only(tx.Events(ctx, store.EventFilter{Project: p, Since: start, Limit: 5}))
		}, []string{"SEARCH event USING INDEX event_by_project (project_id=? AND at>?)"}},
		{"events of a session", func(tx *store.Tx) error { return only(tx.Events(ctx, store.EventFilter{Session: 7, Limit: 5})) },
			[]string{"SEARCH event USING INDEX event_by_session (session_id=?)"}},
		{"events since", func(tx *store.Tx) error { return only(tx.CountEvents(ctx, store.EventFilter{Since: start})) },
			[]string{"event_by_time (at>?)"}},
		{"quiet sessions", func(tx *store.Tx) error { return only(tx.QuietSessions(ctx, start, start)) },
			[]string{"session_open"}},
		{"sessions of a run", func(tx *store.Tx) error { return only(tx.SessionsOfRun(ctx, "a", "s")) },
			[]string{"session_by_agent (agent_session=? AND agent=?)"}},
		{"sessions of a project", func(tx *store.Tx) error {
			return only(tx.Sessions(ctx, store.SessionFilter{Project: p, Limit: 5}))
		}, []string{"session_by_project (project_id=?)"}},
		{"one session", func(tx *store.Tx) error { return only(tx.Session(ctx, 7)) }, []string{"SEARCH session USING INTEGER PRIMARY KEY"}},
		{"numbering", func(tx *store.Tx) error { return only(tx.NumberEvent(ctx, 7)) }, []string{"SEARCH session USING INTEGER PRIMARY KEY"}},
		{"the first prompt", func(tx *store.Tx) error { return only(tx.FirstPrompt(ctx, 7)) }, []string{"event_by_session (session_id=?)"}},
		{"top neurons", func(tx *store.Tx) error { return only(tx.TopNeurons(ctx, p, memory.FileNeuron, 5)) },
			[]string{"neuron_by_project (project_id=? AND kind=?)"}},
		{"projects of a name", func(tx *store.Tx) error { return only(tx.ProjectsNamed(ctx, "x")) }, []string{"project_by_name (name=?)"}},
		{"forgetting a session", func(tx *store.Tx) error {
			_, _, err := tx.Forget(ctx, store.EventFilter{Session: 7})
			return err
		}, []string{"event_by_session (session_id=?)", "sqlite_autoindex_access_1 (event_seq=?)"}},
	} {
		var plans string
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := c.run(tx); err != nil {
				return err
			}
			plans = ""
			for _, statement := range tx.Statements() {
				// An index of the open sessions alone may be read whole: there are few.
				plans += strings.ReplaceAll(plan(ctx, t, db, statement), "SCAN session USING INDEX session_open", "session_open")
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(plans, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, plans)
			}
		}
		for _, table := range []string{"event", "access", "neuron", "session", "tombstone", "project"} {
			if strings.Contains(plans, "SCAN "+table+"\n") || strings.Contains(plans, "SCAN "+table+" ") {
				t.Errorf("%s reads all of %s:\n%s", c.name, table, plans)
			}
		}
	}
}

func plan(ctx context.Context, t *testing.T, db *sql.DB, statement string) (lines string) {
	t.Helper()
	rows, err := db.QueryContext(ctx, `EXPLAIN QUERY PLAN `+statement, make([]any, strings.Count(statement, "?"))...)
	if err != nil {
		t.Fatalf("explain %s: %v", statement, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		lines += detail + "\n"
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}
