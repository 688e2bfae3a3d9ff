// Package storetest is the contract of the store. The engine's own tests call Run with a way to open it. Every store a case opens is examined when the case ends: a case cannot pass and leave
// damage behind.
package storetest

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
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
	// Ready puts an empty store of the present schema into the place, where that takes less than making it there; may be nil.
	Ready func(t *testing.T)
	// Raw reaches the tables past the store, to damage them.
	Raw *sql.DB
	// State is everything kept there. Two equal states mean that nothing was written in between.
	State func(t *testing.T) string
	// Snapshots lists the copies that lie beside the store.
	Snapshots func(t *testing.T) []string
}

// Opener makes a new location and takes it away when the test ends.
type Opener func(t *testing.T) Location

// Run holds the store to the contract.
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
		{"neurons", neuronCases},
		{"synapses", synapseCases},
		{"blocks", blockCases},
		{"suggestions", suggestionCases},
		{"calls", callCases},
		{"text", textCases},
		{"documents", documentCases},
		{"stubs", stubCases},
		{"crystals", crystalCases},
		{"knowledge", knowledgeCases},
		{"working memory", workmemCases},
		{"dreams", dreamCases},
		{"goals", goalCases},
		{"forgetting", forgettingCases},
		{"damage", damageCases},
		{"damaged rows", damagedRowCases},
		{"migrations", migrationCases},
		{"sleep", sleepCases},
		{"packs", packCases},
		{"forgotten", forgottenCases},
		{"timeline", timelineCases},
		{"model", modelCases},
	} {
		t.Run(group.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range group.cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					h := newHome(t, open)
					if h.Ready != nil && group.name != "migrations" {
						h.Ready(t)
					}
					c.run(t, h)
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
	another    Opener
	t          *testing.T
	migrations []store.Migration
	damaged    bool // on purpose: the examination at the end would find it

	mu  sync.Mutex
	now time.Time
}

func newHome(t *testing.T, open Opener) *home {
	h := &home{Location: open(t), another: open, t: t, now: start}
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

// expect returns a function that takes what a read returns and compares it with what is wanted.
func expect[T any](t *testing.T, what any, want T) func(T, error) error {
	t.Helper()
	return func(got T, err error) error {
		t.Helper()
		empty := func(v reflect.Value) bool {
			return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
		}
		if err == nil && !reflect.DeepEqual(got, want) && !(empty(reflect.ValueOf(got)) && empty(reflect.ValueOf(want))) {
			t.Errorf("%v: got %+v\nwant %+v", what, got, want)
		}
		return err
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

// record stores an event the way brain does: once, in its project, in its session, numbered, with the error it met and
// the line it showed. It returns the event's number, 0 for one that is known.
func record(ctx context.Context, tx *store.Tx, e memory.Event) (seq int64, err error) {
	known, err := tx.Known(ctx, e.ID)
	if err != nil || known {
		return 0, err
	}
	stored := memory.StoredEvent{Event: e, Project: e.Place.Project()}
	if err := tx.SeeProject(ctx, projectAt(e.Place, e.At)); err != nil {
		return 0, err
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
			return 0, err
		}
		if stored.Ord, err = tx.NumberEvents(ctx, stored.Session, 1); err != nil {
			return 0, err
		}
	}
	if seq, err = tx.InsertEvent(ctx, stored, tx.CountAccess); err != nil {
		return 0, err
	}
	switch e.Kind {
	case memory.ToolFailed:
		err = tx.MeetError(ctx, seq, stored, errorOf(e), tx.CountAccess)
	case memory.Suggested:
		err = tx.InsertSuggestion(ctx, seq, lineOf(e))
	}
	return seq, err
}

// errorOf is the key of the error that a failed tool met.
func errorOf(e memory.Event) string { return "error in " + e.Text }

// lineOf is the line that an event showed.
func lineOf(e memory.Event) memory.Suggestion {
	s := memory.Suggestion{
		ID: string(e.ID) + "-1", Project: e.Place.Project(), Offer: memory.OfferFile, Position: 1, Path: "shown.go",
		Neuron: memory.NewNeuronID(e.Place.Project(), memory.FileNeuron, "shown.go"),
		Score:  1.5, Confidence: .75, Reason: "for " + e.Text, Tokens: 12, ShownAt: e.At,
	}
	if e.AgentSession != "" {
		s.Session = sessionOf(e)
	}
	return s
}

// file is the neuron of a path in the n-th project.
func file(project int, path string) memory.NeuronID {
	return memory.NewNeuronID(place(project).Project(), memory.FileNeuron, path)
}

// wire saves a synapse the way brain does: a new one is one more link at both its ends.
func wire(ctx context.Context, tx *store.Tx, s store.Synapse) error {
	known, err := tx.SynapsesOf(ctx, []plasticity.Pair{{s.A, s.B}})
	if err != nil {
		return err
	}
	a, errA := tx.Neuron(ctx, s.A)
	b, errB := tx.Neuron(ctx, s.B)
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	if len(known) == 0 {
		a.Links++
		b.Links++
	}
	return errors.Join(tx.SaveStrength(ctx, a), tx.SaveStrength(ctx, b), tx.SaveSynapses(ctx, []store.Synapse{s}))
}

// someLink draws a link; each field has a value of its own.
func someLink(r *rand.Rand) plasticity.Link {
	at := start.Add(time.Duration(r.IntN(1000)) * time.Minute)
	link := plasticity.Link{
		AB: plasticity.Stored(r.NormFloat64()), BA: plasticity.Stored(r.NormFloat64()), CoAccesses: r.Int64N(100),
		CoSessions: r.Int64N(9), LastAt: at, LastEvent: memory.DerivedEventID(fmt.Sprint(r.Uint64())),
		Session: memory.SessionID(r.Int64()), SessionGain: r.Float64(), Day: r.Int64N(20_000), DayGain: r.Float64(),
	}
	if r.IntN(2) == 0 {
		link.TaggedAt = at.Add(-time.Minute)
	}
	return link
}

func sessionOf(e memory.Event) memory.SessionID {
	return memory.NewSessionID(e.Agent, e.AgentSession, e.Place.Project())
}

// fill records events in one transaction and expects each to be new.
func fill(t *testing.T, s *store.Store, events ...memory.Event) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		for _, e := range events {
			if seq, err := record(t.Context(), tx, e); err != nil || seq == 0 {
				return fmt.Errorf("record %s: number %d: %w", e.ID, seq, err)
			}
		}
		return nil
	})
}

// contents is all that a store knows, one line each, in an order that does not depend on the engine. Positions in a
// session become ranks, because what was forgotten leaves gaps. Neurons that are gone are not among them.
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
			neurons, err := tx.Neurons(ctx, store.NeuronFilter{Project: p.ID})
			if err != nil {
				return err
			}
			slices.SortFunc(neurons, byName)
			for _, n := range neurons {
				if err := add(n); err != nil {
					return err
				}
			}
			if err := tx.EachBlock(ctx, p.ID, 0, func(v store.BlockVersion, data []byte) error { return add(block{v, data}) }); err != nil {
				return err
			}
		}
		synapses, err := tx.StrongestSynapses(ctx, store.SynapseFilter{})
		if err != nil {
			return err
		}
		slices.SortFunc(synapses, byEnds)
		for _, s := range synapses {
			if err := add(s); err != nil {
				return err
			}
		}
		shown, err := tx.Suggestions(ctx, store.SuggestionFilter{})
		if err != nil {
			return err
		}
		slices.SortFunc(shown, func(a, b memory.Suggestion) int { return strings.Compare(a.ID, b.ID) })
		for _, s := range shown {
			if err := add(s); err != nil {
				return err
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

type block struct {
	store.BlockVersion
	Data []byte
}

func byName(a, b store.Strength) int {
	return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Key, b.Key))
}

func byEnds(a, b store.Synapse) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) }

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
