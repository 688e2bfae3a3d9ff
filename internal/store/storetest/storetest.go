// Package storetest is the contract of the store: what both engines must do, stated once. An engine's own tests call
// Run with a way to open it. Every store a case opens is examined when the case ends: a case cannot pass and leave
// damage behind.
package storetest

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// Options say how a store is opened.
type Options struct {
	Migrations []store.Migration // nil means all of them
	Now        func() time.Time
}

// Location is a place for one store: empty at first, found again as it was left.
type Location struct {
	Open func(ctx context.Context, o Options) (*store.Store, error)
	// Raw reaches the tables past the store, to damage them.
	Raw *sql.DB
	// State is everything kept there. Two equal states mean that nothing was written in between.
	State func(t *testing.T) string
	// Snapshots lists the copies that lie beside the store.
	Snapshots func(t *testing.T) []string
}

// Opener makes a new location and takes it away when the test ends.
type Opener func(t *testing.T) Location

// Run holds an engine to the contract.
func Run(t *testing.T, open Opener) {
	for _, group := range []struct {
		name  string
		cases []contractCase
	}{
		{"transactions", transactionCases},
		{"recording", recordingCases},
		{"sessions", sessionCases},
		{"projects", projectCases},
		{"reading", readingCases},
		{"text", textCases},
		{"forgetting", forgettingCases},
		{"damage", damageCases},
		{"migrations", migrationCases},
		{"model", modelCases},
	} {
		t.Run(group.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range group.cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.run(t, newHome(t, open))
				})
			}
		})
	}
}

type contractCase struct {
	name string
	run  func(t *testing.T, h *home)
}

// start is the instant at which every test begins.
var start = time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)

// home is the location of one test with a clock that stands still until it is moved.
type home struct {
	Location
	t          *testing.T
	migrations []store.Migration
	damaged    bool // on purpose: the examination at the end would find it

	mu  sync.Mutex
	now time.Time
}

func newHome(t *testing.T, open Opener) *home {
	h := &home{Location: open(t), t: t, now: start}
	t.Cleanup(h.examine)
	return h
}

func (h *home) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *home) options() Options { return Options{Migrations: h.migrations, Now: h.Now} }

// open opens the store once more; it is closed when the test ends.
func (h *home) open() *store.Store {
	h.t.Helper()
	s, err := h.Open(h.t.Context(), h.options())
	if err != nil {
		h.t.Fatalf("open: %v", err)
	}
	h.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			h.t.Errorf("close: %v", err)
		}
	})
	return s
}

// examine looks for damage in what a test leaves behind, after its stores are closed.
func (h *home) examine() {
	if h.damaged {
		return
	}
	ctx := context.Background() // the test's own is over
	s, err := h.Open(ctx, h.options())
	if err != nil {
		h.t.Errorf("open after the test: %v", err)
		return
	}
	if found := findDamage(ctx, h.t, s); len(found) > 0 {
		h.t.Errorf("damage after the test: %v", found)
	}
	if err := s.Close(); err != nil {
		h.t.Errorf("close after the test: %v", err)
	}
}

func findDamage(ctx context.Context, t *testing.T, s *store.Store) []store.Damage {
	t.Helper()
	found, err := s.CheckEngine(ctx)
	if err != nil {
		t.Errorf("check engine: %v", err)
	}
	err = s.View(ctx, func(tx *store.Tx) error {
		_, rows, err := tx.CheckRows(ctx)
		found = append(found, rows...)
		return err
	})
	if err != nil {
		t.Errorf("check rows: %v", err)
	}
	return found
}

func update(t *testing.T, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); err != nil {
		t.Fatalf("update: %v", err)
	}
}

func view(t *testing.T, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := s.View(t.Context(), fn); err != nil {
		t.Fatalf("view: %v", err)
	}
}

// seed is the source of a test's chances. A failing run prints it; HEBB_SEED brings the run back.
func seed(t *testing.T) *rand.Rand {
	n := rand.Uint64()
	if text := os.Getenv("HEBB_SEED"); text != "" {
		var err error
		if n, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("HEBB_SEED=%s: %v", text, err)
		}
	}
	t.Logf("reproduce with HEBB_SEED=%d", n)
	return rand.New(rand.NewPCG(n, 0))
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// place is the n-th project of a test.
func place(n int) memory.Place {
	root := fmt.Sprintf("/home/ada/project-%d", n)
	return memory.Place{Identity: root + "/.git", Root: root}
}

func projectAt(p memory.Place, at time.Time) memory.Project {
	return memory.Project{
		ID: p.Project(), Identity: p.Identity, Root: p.Root, Name: p.Root[strings.LastIndexByte(p.Root, '/')+1:],
		FirstAt: at, LastAt: at,
	}
}

// edited is an event in the n-th project that edits files; session may be empty.
func edited(project int, id, session string, at time.Time, paths ...string) memory.Event {
	e := memory.Event{
		ID: memory.DerivedEventID(id), At: at, Kind: memory.ToolUsed, Origin: memory.OriginAgent, Agent: "claude",
		AgentSession: session, Place: place(project), Tool: "Edit", Text: "text of " + id,
	}
	for _, path := range paths {
		e.Touches = append(e.Touches, memory.Touch{Kind: memory.Edit, Path: path})
	}
	return e
}

// record stores an event the way brain does: once, in its project, in its session, numbered.
func record(ctx context.Context, tx *store.Tx, e memory.Event) (added bool, err error) {
	known, err := tx.Known(ctx, e.ID)
	if err != nil || known {
		return false, err
	}
	stored := memory.StoredEvent{Event: e, Project: e.Place.Project()}
	if err := tx.SeeProject(ctx, projectAt(e.Place, e.At)); err != nil {
		return false, err
	}
	if e.AgentSession != "" {
		stored.Session = sessionOf(e)
		s, err := tx.Session(ctx, stored.Session)
		if err != nil {
			s = memory.Session{
				ID: stored.Session, Project: stored.Project, Agent: e.Agent, AgentSession: e.AgentSession, OpenedAt: e.At, LastEventAt: e.At,
			}
		}
		if e.At.Before(s.OpenedAt) {
			s.OpenedAt = e.At
		}
		if e.At.After(s.LastEventAt) {
			s.LastEventAt = e.At
		}
		if err := tx.SaveSession(ctx, s); err != nil {
			return false, err
		}
		if stored.Ord, err = tx.NumberEvent(ctx, stored.Session); err != nil {
			return false, err
		}
	}
	return tx.InsertEvent(ctx, stored)
}

func sessionOf(e memory.Event) memory.SessionID {
	return memory.NewSessionID(e.Agent, e.AgentSession, e.Place.Project())
}

// fill records events in one transaction and expects each to be new.
func fill(t *testing.T, s *store.Store, events ...memory.Event) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		for _, e := range events {
			if added, err := record(t.Context(), tx, e); err != nil || !added {
				return fmt.Errorf("record %s: added %v: %w", e.ID, added, err)
			}
		}
		return nil
	})
}

// contents is all that a store knows, one line each, in an order that does not depend on the engine. Positions in a
// session become ranks, because what was forgotten leaves gaps.
func contents(t *testing.T, s *store.Store) []string {
	t.Helper()
	var lines []string
	add := func(v any) error {
		text, err := json.Marshal(v)
		lines = append(lines, string(text))
		return err
	}
	ctx := t.Context()
	view(t, s, func(tx *store.Tx) error {
		lines = nil
		projects, err := tx.Projects(ctx)
		if err != nil {
			return err
		}
		slices.SortFunc(projects, func(a, b memory.Project) int { return strings.Compare(a.Identity, b.Identity) })
		for _, p := range projects {
			if err := add(p); err != nil {
				return err
			}
			neurons, err := tx.TopNeurons(ctx, p.ID, memory.FileNeuron, 0)
			if err != nil {
				return err
			}
			slices.SortFunc(neurons, func(a, b memory.Neuron) int { return strings.Compare(a.Key, b.Key) })
			for _, n := range neurons {
				if err := add(n); err != nil {
					return err
				}
			}
		}
		sessions, err := tx.Sessions(ctx, store.SessionFilter{})
		if err != nil {
			return err
		}
		slices.SortFunc(sessions, func(a, b memory.Session) int { return strings.Compare(a.ID.String(), b.ID.String()) })
		for _, s := range sessions {
			if err := add(s); err != nil {
				return err
			}
		}
		rank := map[memory.SessionID]int64{}
		return tx.WalkEvents(ctx, func(e memory.StoredEvent) error {
			if e.Session != 0 {
				rank[e.Session]++
				e.Ord = rank[e.Session]
			}
			return add(e)
		})
	})
	return lines
}

// same fails with the first line that differs.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "(nothing)", "(nothing)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Fatalf("%s: line %d of %d\n got %s\nwant %s", what, i+1, len(want), g, w)
		}
	}
}
