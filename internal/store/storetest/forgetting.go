package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// someEvents draws events in three projects and a few sessions of each, of every origin, not in the order of time.
func someEvents(r *rand.Rand, n int) []memory.Event {
	events := make([]memory.Event, n)
	for i := range events {
		var paths []string
		for range r.IntN(4) {
			paths = append(paths, fmt.Sprintf("dir/f%d.go", r.IntN(12)))
		}
		run := pick(r, []string{"", "run-1", "run-2", "run-3"})
		e := edited(r.IntN(3), fmt.Sprintf("event %d of %x", i, r.Uint64()), run, start.Add(time.Duration(r.IntN(1000))*time.Minute), paths...)
		e.Origin, e.Kind = pick(r, memory.Origins), pick(r, memory.EventKinds)
		e.Text = fmt.Sprint("text ", r.IntN(3)) // some fail with the same error
		events[i] = e
	}
	return events
}

// learnSome wires files and saves a block in every project of someEvents, as far as the store knows them.
func learnSome(t *testing.T, s *store.Store, r *rand.Rand) {
	t.Helper()
	var synapses []store.Synapse
	for range 30 {
		n, one, other := r.IntN(3), r.IntN(12), r.IntN(12)
		synapse := linked(n, fmt.Sprintf("dir/f%d.go", one), fmt.Sprintf("dir/f%d.go", other), 0)
		synapse.Link = someLink(r)
		if one != other && !slices.ContainsFunc(synapses, func(o store.Synapse) bool { return byEnds(o, synapse) == 0 }) {
			synapses = append(synapses, synapse)
		}
	}
	update(t, s, func(tx *store.Tx) error {
		for _, one := range synapses {
			if err := wire(t.Context(), tx, one); err != nil && !errors.Is(err, memory.ErrNotFound) {
				return err
			}
		}
		projects, err := tx.Projects(t.Context())
		for _, p := range projects {
			_, saved := tx.SaveBlock(t.Context(), p.ID, 1, 1, []byte(p.Identity))
			err = errors.Join(err, saved)
		}
		return err
	})
}

// closeAll closes every session: where the agent has ended the run, for that, and the others for their silence.
func closeAll(t *testing.T, s *store.Store) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		ends, err := tx.Events(t.Context(), store.EventFilter{Kind: memory.SessionEnded})
		if err != nil {
			return err
		}
		ended := map[string]bool{"": false}
		for _, e := range ends {
			ended[e.AgentSession] = true
		}
		open, err := tx.Sessions(t.Context(), store.SessionFilter{Open: true})
		if err != nil {
			return err
		}
		for _, one := range open {
			one.ClosedAt, one.CloseReason, one.Ticked = start.Add(24*time.Hour), memory.ClosedByIdle, true
			if ended[one.AgentSession] {
				one.CloseReason = memory.ClosedByAgent
			}
			if err := errors.Join(tx.SaveSession(t.Context(), one), tx.TickProject(t.Context(), one.Project)); err != nil {
				return err
			}
		}
		return nil
	})
}

// forget forgets a few events at a time, each few in a transaction of their own, and compares what went with what was counted before.
func forget(t *testing.T, s *store.Store, f store.EventFilter) (gone store.Forgotten, kept []memory.SessionID) {
	t.Helper()
	var counted store.Forgotten
	var seqs []int64
	view(t, s, func(tx *store.Tx) (err error) {
		if counted, err = tx.CountForgotten(t.Context(), f, false); err == nil {
			seqs, err = tx.EventSeqs(t.Context(), f)
		}
		return err
	})
	left := map[memory.SessionID]bool{}
	for some := range slices.Chunk(seqs, 5) {
		update(t, s, func(tx *store.Tx) error {
			sessions, err := tx.SessionsOf(t.Context(), store.EventFilter{Seqs: some})
			if err != nil {
				return err
			}
			more, still, err := tx.Forget(t.Context(), store.EventFilter{Seqs: some})
			gone.Events, gone.Accesses, gone.Files = gone.Events+more.Events, gone.Accesses+more.Accesses, gone.Files+more.Files
			gone.Sessions, gone.Projects = gone.Sessions+more.Sessions, gone.Projects+more.Projects
			for _, id := range sessions {
				left[id] = slices.Contains(still, id)
			}
			return err
		})
	}
	if counted != gone {
		t.Errorf("counted %+v, forgot %+v", counted, gone)
	}
	for id, still := range left {
		if still {
			kept = append(kept, id)
		}
	}
	slices.Sort(kept)
	return gone, kept
}

// unlearn takes a project over from a store that has its events, and has learned nothing from them.
func (h *home) unlearn(t *testing.T, s *store.Store, project memory.ProjectID) {
	t.Helper()
	bare := newHome(t, h.another).open()
	update(t, bare, func(to *store.Tx) error {
		return s.View(t.Context(), func(tx *store.Tx) error {
			p, one := tx.Project(t.Context(), project)
			sessions, two := tx.Sessions(t.Context(), store.SessionFilter{Project: project})
			log, three := tx.LogOf(t.Context(), project, 0)
			if err := errors.Join(one, two, three, to.SeeProject(t.Context(), p)); err != nil {
				return err
			}
			for _, session := range sessions {
				if err := to.SaveSession(t.Context(), session); err != nil {
					return err
				}
				if session.Ticked {
					if err := to.TickProject(t.Context(), project); err != nil {
						return err
					}
				}
			}
			for _, e := range log {
				if seq, err := to.PlaceEvent(t.Context(), e.Seq, e.StoredEvent, to.CountAccess); err != nil || seq != e.Seq {
					return fmt.Errorf("event %d is placed as %d: %w", e.Seq, seq, err)
				}
				if e.Session != 0 {
					if _, err := to.NumberEvents(t.Context(), e.Session, 1); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
	view(t, bare, func(from *store.Tx) error {
		return s.Update(t.Context(), func(tx *store.Tx) error { return tx.TakeOver(t.Context(), project, from) })
	})
	view(t, s, func(tx *store.Tx) error {
		_, damage, err := tx.CheckRows(t.Context())
		if len(damage) > 0 {
			t.Errorf("after it was taken over: %v", damage)
		}
		return err
	})
}

// chosenBy says in plain Go what a filter means.
func chosenBy(f store.EventFilter, e memory.Event) bool {
	session := memory.SessionID(0)
	if e.AgentSession != "" {
		session = sessionOf(e)
	}
	return (f.ID == "" || f.ID == e.ID) && (f.Project == 0 || f.Project == e.Place.Project()) &&
		(f.Session == 0 || f.Session == session) && (f.Kind == "" || f.Kind == e.Kind) &&
		(f.Origin == "" || f.Origin == e.Origin) && (f.Since.IsZero() || !e.At.Before(f.Since))
}

var forgettingCases = []contractCase{
	{"after forgetting, the store is one that never saw it", func(t *testing.T, h *home) {
		r := seed(t)
		s := h.open()
		never := s // emptied and filled again with what is left
		for _, draw := range []struct {
			name   string
			filter func(e memory.Event) store.EventFilter
		}{
			{"a whole session", func(e memory.Event) store.EventFilter { return store.EventFilter{Session: sessionOf(e)} }},
			{"an origin", func(e memory.Event) store.EventFilter { return store.EventFilter{Origin: e.Origin} }},
			{"since an instant", func(e memory.Event) store.EventFilter { return store.EventFilter{Since: e.At} }},
			{"a kind", func(e memory.Event) store.EventFilter { return store.EventFilter{Kind: e.Kind} }},
			{"one event", func(e memory.Event) store.EventFilter { return store.EventFilter{ID: e.ID} }},
			{"a project's origin", func(e memory.Event) store.EventFilter {
				return store.EventFilter{Project: e.Place.Project(), Origin: e.Origin}
			}},
			{"a whole project", func(e memory.Event) store.EventFilter { return store.EventFilter{Project: e.Place.Project()} }},
			{"everything", func(memory.Event) store.EventFilter { return store.EventFilter{Since: start.Add(-time.Hour)} }},
		} {
			events := someEvents(r, 40)
			for i := range events {
				if events[i].Kind == memory.SessionEnded { // a session that was over stays closed
					events[i].Kind = memory.TurnEnded
				}
			}
			withSession := slices.IndexFunc(events, func(e memory.Event) bool { return e.AgentSession != "" })
			f := draw.filter(events[withSession])
			left := slices.DeleteFunc(slices.Clone(events), func(e memory.Event) bool { return chosenBy(f, e) })

			lessons := r.Uint64()
			fill(t, s, events...)
			learnSome(t, s, rand.New(rand.NewPCG(lessons, 0)))
			closeAll(t, s)
			gone, _ := forget(t, s, f)
			got := contents(t, s)
			if gone.Events != int64(len(events)-len(left)) {
				t.Errorf("%s: %d events are gone, want %d", draw.name, gone.Events, len(events)-len(left))
			}
			update(t, s, func(tx *store.Tx) error { return tx.Empty(t.Context()) })

			fill(t, never, left...)
			learnSome(t, never, rand.New(rand.NewPCG(lessons, 0)))
			closeAll(t, never)
			same(t, draw.name, got, contents(t, never))
			update(t, s, func(tx *store.Tx) error { return tx.Empty(t.Context()) })
		}
	}},
	{"what was forgotten is known and does not come back", func(t *testing.T, h *home) {
		s := h.open()
		events := mixed()
		fill(t, s, events...)
		forget(t, s, store.EventFilter{Session: sessionOf(events[0])})
		after := contents(t, s)
		update(t, s, func(tx *store.Tx) error {
			for _, e := range events {
				if seq, err := record(t.Context(), tx, e); err != nil || seq != 0 {
					return fmt.Errorf("%s came back: %w", e.Text, err)
				}
			}
			tombs, err := tx.Tombstones(t.Context())
			want := []memory.EventID{events[0].ID, events[1].ID}
			slices.Sort(want)
			if !slices.Equal(tombs, want) {
				t.Errorf("tombstones are %v, want %v", tombs, want)
			}
			return err
		})
		same(t, "after trying again", contents(t, s), after)
	}},
	{"a tombstone may be set for an event never seen, and set twice", func(t *testing.T, h *home) {
		s := h.open()
		e := edited(1, "never seen", "run", start, "a.go")
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.Tombstone(t.Context(), e.ID), tx.Tombstone(t.Context(), e.ID))
		})
		update(t, s, func(tx *store.Tx) error {
			if seq, err := record(t.Context(), tx, e); err != nil || seq != 0 {
				return fmt.Errorf("it was stored: %w", err)
			}
			return nil
		})
		expectEmpty(t, s)
	}},
	{"forgetting everything by accident is refused", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, mixed()...)
		before := contents(t, s)
		for _, f := range []store.EventFilter{{}, {Limit: 5}} {
			err := s.Update(t.Context(), func(tx *store.Tx) error { _, _, err := tx.Forget(t.Context(), f); return err })
			if !errors.Is(err, memory.ErrInvalid) {
				t.Errorf("%+v: got %v, want invalid", f, err)
			}
		}
		same(t, "after the refusal", contents(t, s), before)
	}},
	{"forgetting says what went and which sessions are left to settle", func(t *testing.T, h *home) {
		s := h.open()
		web := edited(1, "web", "mixed", start, "a.go", "b.go")
		web.Origin = memory.OriginWeb
		alone := edited(2, "alone", "alone", start, "c.go")
		alone.Origin = memory.OriginWeb
		fill(t, s, web, alone, edited(1, "kept", "mixed", start.Add(time.Hour), "a.go"))
		gone, kept := forget(t, s, store.EventFilter{Origin: memory.OriginWeb})
		if want := (store.Forgotten{Events: 2, Accesses: 3, Files: 2, Sessions: 1, Projects: 1}); gone != want {
			t.Errorf("gone: %+v, want %+v", gone, want)
		}
		if !slices.Equal(kept, []memory.SessionID{sessionOf(web)}) {
			t.Errorf("kept: %v, want the mixed session", kept)
		}
		none, _ := forget(t, s, store.EventFilter{Origin: memory.OriginWeb})
		if none != (store.Forgotten{}) {
			t.Errorf("again: %+v", none)
		}
	}},
	{"the projects of events are those that forgetting them would change", func(t *testing.T, h *home) {
		s := h.open()
		events := mixed()
		fill(t, s, events...)
		one, two := place(1).Project(), place(2).Project()
		for _, c := range []struct {
			filter store.EventFilter
			want   []memory.ProjectID
		}{
			{store.EventFilter{}, []memory.ProjectID{min(one, two), max(one, two)}},
			{store.EventFilter{Since: start.Add(2 * time.Hour)}, []memory.ProjectID{min(one, two), max(one, two)}},
			{store.EventFilter{Origin: memory.OriginWeb}, []memory.ProjectID{one}},
			{store.EventFilter{Session: sessionOf(events[3])}, []memory.ProjectID{two}},
			{store.EventFilter{Origin: memory.OriginUser}, nil},
		} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, c.filter, c.want)(tx.ProjectsOf(t.Context(), c.filter))
			})
		}
	}},
	{"a project goes with all it has learned, and only that one", func(t *testing.T, h *home) {
		s := h.open()
		for project := 1; project <= 2; project++ {
			fill(t, s, taught(project)...)
		}
		h.learn(t, s, 2)
		forget(t, s, store.EventFilter{Project: place(1).Project()})
		want := contents(t, s)
		update(t, s, func(tx *store.Tx) error { return tx.Empty(t.Context()) })

		for project := 1; project <= 2; project++ {
			fill(t, s, taught(project)...)
			h.learn(t, s, project)
		}
		gone, _ := forget(t, s, store.EventFilter{Project: place(1).Project()})
		if gone.Projects != 1 || gone.Files != 4 {
			t.Errorf("gone: %+v", gone)
		}
		same(t, "without the first project", contents(t, s), want)
		expectVersions(t, s, 1)
		expectVersions(t, s, 2, store.BlockVersion{Version: 1}, store.BlockVersion{Kind: 1, Version: 2})
	}},
	{"a project with a name of its own stays when all its events go", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go"))
		update(t, s, func(tx *store.Tx) error { return tx.NameProject(t.Context(), place(1).Project(), "mine") })
		gone, _ := forget(t, s, store.EventFilter{Since: start})
		if gone.Projects != 0 || gone.Sessions != 1 {
			t.Errorf("gone: %+v", gone)
		}
		p := projectAt(place(1), start)
		p.Name, p.Tagged = "mine", true
		expectProject(t, s, p)
	}},
	{"a project stays while a session without events belongs to it", func(t *testing.T, h *home) {
		s := h.open()
		// An import leaves such a session when its events had been forgotten here.
		saveSessions(t, s, session("imported", start))
		fill(t, s, edited(1, "a", "run", start, "a.go"))
		gone, _ := forget(t, s, store.EventFilter{Since: start})
		if gone.Events != 1 || gone.Projects != 0 {
			t.Errorf("gone: %+v", gone)
		}
		expectProject(t, s, projectAt(place(1), start))
	}},
	{"what is used is part of the store, and less once much of it is forgotten", func(t *testing.T, h *home) {
		const many, few = 400, 20 // events of a run that goes and of one that stays
		s := h.open()
		var events []memory.Event
		for i := range many + few {
			run := "goes"
			if i >= many {
				run = "stays"
			}
			e := edited(1, fmt.Sprint("event ", i), run, start.Add(time.Duration(i)*time.Minute), fmt.Sprintf("dir/f%d.go", i%7))
			e.Text = strings.Repeat(e.Text+" ", 40)
			events = append(events, e)
		}
		fill(t, s, events...)
		used := func() int64 {
			facts, err := s.Facts(t.Context())
			if err != nil || facts.Used <= 0 || facts.Used > facts.Bytes {
				t.Errorf("%d bytes of %d are used: %v", facts.Used, facts.Bytes, err)
			}
			return facts.Used
		}
		before := used()
		forget(t, s, store.EventFilter{Session: sessionOf(events[0])})
		if after := used(); after >= before {
			t.Errorf("%d bytes are used after forgetting, %d before", after, before)
		}
	}},
	{"tidying after forgetting keeps the rest", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, mixed()...)
		fill(t, s, taught(1)...)
		h.learn(t, s, 1)
		forget(t, s, store.EventFilter{Origin: memory.OriginWeb})
		before := contents(t, s)
		must.Do(t, s.Tidy(t.Context()))
		same(t, "after tidying", contents(t, s), before)
	}},
}
