package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

func openStore(t *testing.T, o Options) *store.Store {
	t.Helper()
	s := must.Get(Open(t.Context(), o))(t)
	t.Cleanup(func() { closeStore(t, s) }) // closing twice is allowed
	return s
}

func closeStore(t *testing.T, s *store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// someEvent is the n-th event of a test, in one session of one project.
func someEvent(n int) memory.StoredEvent {
	p := memory.NewProjectID("/home/ada/compiler/.git")
	return memory.StoredEvent{
		Event: memory.Event{
			ID: memory.DerivedEventID(fmt.Sprint("event ", n)), At: start.Add(time.Duration(n) * time.Second), Kind: memory.ToolUsed,
			Origin: memory.OriginAgent, Agent: "claude", AgentSession: "run", Tool: "Edit", Input: fmt.Sprintf("input%06d", n),
			Text: fmt.Sprintf("canary%06d %s", n, strings.Repeat("text ", n%20)),
			Touches: []memory.Touch{
				{Kind: memory.Edit, Path: fmt.Sprintf("src/file%04d.go", n%50)}, {Kind: memory.Read, Path: fmt.Sprintf("src/other%04d.go", n%7)},
			},
		},
		Project: p, Session: memory.NewSessionID("claude", "run", p),
	}
}

// add stores events from to to-1 in one transaction.
func add(t testing.TB, s *store.Store, from, to int) error {
	ctx := t.Context()
	return s.Update(ctx, func(tx *store.Tx) error {
		for n := from; n < to; n++ {
			e := someEvent(n)
			err := tx.SeeProject(ctx, memory.Project{
				ID: e.Project, Identity: "/home/ada/compiler/.git", Root: "/home/ada/compiler", Name: "compiler", FirstAt: e.At, LastAt: e.At,
			})
			if err != nil {
				return err
			}
			err = tx.SaveSession(ctx, memory.Session{
				ID: e.Session, Project: e.Project, Agent: e.Agent, AgentSession: e.AgentSession, OpenedAt: start, LastEventAt: e.At,
			})
			if err != nil {
				return err
			}
			if e.Ord, err = tx.NumberEvents(ctx, e.Session, 1); err != nil {
				return err
			}
			if _, err := tx.InsertEvent(ctx, e, tx.CountAccess); err != nil {
				return err
			}
		}
		return nil
	})
}

func mustAdd(t *testing.T, s *store.Store, from, to int) {
	t.Helper()
	must.Do(t, add(t, s, from, to))
}

// said is every event and every neuron it touches, one line each. How strong a neuron has grown carries no hash: it is
// derived and can be made again, so it is not part of what was said.
func said(t *testing.T, s *store.Store) (lines []string, err error) {
	t.Helper()
	err = s.View(t.Context(), func(tx *store.Tx) error {
		lines = nil
		return tx.WalkEvents(t.Context(), func(e memory.StoredEvent) error {
			lines = append(lines, fmt.Sprintf("%+v", e))
			for _, touch := range e.Touches {
				n, err := tx.Neuron(t.Context(), memory.NewNeuronID(e.Project, memory.FileNeuron, touch.Path))
				if err != nil {
					return err
				}
				lines = append(lines, fmt.Sprintln(n.ID, n.Project, n.Kind, n.Key, n.Accesses, n.FirstAt, n.LastAt, n.Links))
			}
			return nil
		})
	})
	return lines, err
}

func count(t *testing.T, s *store.Store) (n int64) {
	t.Helper()
	must.Do(t, s.View(t.Context(), func(tx *store.Tx) (err error) {
		n, err = tx.CountEvents(t.Context(), store.EventFilter{})
		return err
	}))
	return n
}

// damage opens the store at path and returns whatever says that something is wrong with it.
func damage(t *testing.T, path string) (found []string) {
	t.Helper()
	s, err := Open(t.Context(), testOptions(path))
	if err != nil {
		return []string{err.Error()}
	}
	defer closeQuietly(s)
	engine, err := s.CheckEngine(t.Context())
	if err != nil {
		found = append(found, err.Error())
	}
	err = s.View(t.Context(), func(tx *store.Tx) error {
		_, rows, err := tx.CheckRows(t.Context())
		engine = append(engine, rows...)
		return err
	})
	if err != nil {
		found = append(found, err.Error())
	}
	for _, d := range engine {
		found = append(found, d.Where+": "+d.What)
	}
	return found
}

// closeQuietly closes a damaged store, which may well complain.
func closeQuietly(s *store.Store) { _ = s.Close() }

// closedStore leaves a store with n events on disk and returns its bytes.
func closedStore(t *testing.T, n int) (path string, image []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "hebb.db")
	s := openStore(t, testOptions(path))
	mustAdd(t, s, 0, n)
	closeStore(t, s)
	image = must.Get(os.ReadFile(path))(t)
	return path, image
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, content, 0o600))
}
