package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// letGo lets links and neurons go, as in the sleep of that number.
func letGo(t *testing.T, s *store.Store, why plasticity.Reason, sleep int64, what ...any) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		var all []store.Gone
		for _, w := range what {
			all = append(all, goneOf(w, why, sleep))
		}
		return tx.Prune(t.Context(), all...)
	})
}

func goneOf(what any, why plasticity.Reason, sleep int64) store.Gone {
	g := store.Gone{Reason: why, Sleep: sleep}
	switch w := what.(type) {
	case store.Synapse:
		g.A, g.B, g.Project, g.Synapse = w.A, w.B, w.Project, &w
	case store.Strength:
		g.A, g.Project, g.Neuron = w.ID, w.Project, &w
	}
	return g
}

// expectGone compares what sleep forgot, with the rows behind the pointers.
func expectGone(t *testing.T, s *store.Store, f store.GoneFilter, want ...store.Gone) {
	t.Helper()
	text := func(all []store.Gone) (lines []string) {
		for _, g := range all {
			synapse, neuron := g.Synapse, g.Neuron
			g.Synapse, g.Neuron = nil, nil
			line := fmt.Sprintf("%+v", g)
			if synapse != nil {
				line += fmt.Sprintf(" %+v", *synapse)
			}
			if neuron != nil {
				line += fmt.Sprintf(" %+v", *neuron)
			}
			lines = append(lines, line)
		}
		return lines
	}
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.ListGone(t.Context(), f)
		same(t, fmt.Sprintf("%+v", f), text(got), text(want))
		return err
	})
}

func byPair(a, b store.Gone) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) }

var forgottenCases = []contractCase{
	{"what sleep forgets is gone, known as gone, and can be brought back for a while", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "c.go", "lone.go"), edited(2, "b", "run", start, "a.go", "b.go"))
		seeded := linked(1, "a.go", "b.go", -2) // by no session
		seeded.Origin = memory.OriginRepo
		learned, stays, elsewhere := linked(1, "a.go", "c.go", -1), linked(1, "b.go", "c.go", -1), linked(2, "a.go", "b.go", 1)
		learned.Link = someLink(seed(t))
		wireAll(t, s, seeded, learned, stays, elsewhere)
		lone := newborn(memory.Neuron{
			ID: file(1, "lone.go"), Project: place(1).Project(), Kind: memory.FileNeuron, Key: "lone.go", Accesses: 1, FirstAt: start, LastAt: start,
		})
		p := place(1).Project()
		anyForgotten := func(project int, want bool) {
			t.Helper()
			view(t, s, func(tx *store.Tx) error {
				return expect(t, project, want)(tx.AnyForgotten(t.Context(), place(project).Project()))
			})
		}
		anyForgotten(1, false)
		letGo(t, s, plasticity.Noise, 1, seeded)
		h.pass(time.Hour)
		letGo(t, s, plasticity.Lone, 2, lone)
		letGo(t, s, plasticity.Abandoned, 2, learned)
		anyForgotten(1, true)
		anyForgotten(2, false)
		expectSynapses(t, s, store.SynapseFilter{Project: p}, stays)
		goneNow := lone
		goneNow.Gone = true
		expectNeuron(t, s, goneNow)

		first, second, third := goneOf(seeded, plasticity.Noise, 1), goneOf(lone, plasticity.Lone, 2), goneOf(learned, plasticity.Abandoned, 2)
		first.At, second.At, third.At = start, start.Add(time.Hour), start.Add(time.Hour)
		latest := []store.Gone{second, third}
		slices.SortFunc(latest, byPair)
		expectGone(t, s, store.GoneFilter{}, append(latest, first)...)
		for _, c := range []struct {
			filter store.GoneFilter
			want   []store.Gone
		}{
			{store.GoneFilter{Project: p}, append(latest, first)},
			{store.GoneFilter{Project: place(2).Project()}, nil},
			{store.GoneFilter{Limit: 1}, latest[:1]},
			{store.GoneFilter{Sleep: 1}, []store.Gone{first}},
			{store.GoneFilter{Neuron: file(1, "b.go")}, []store.Gone{first}},
			{store.GoneFilter{Neuron: lone.ID}, []store.Gone{second}},
			{store.GoneFilter{Project: p, Neuron: file(1, "a.go"), Whole: true, Sleep: 2}, []store.Gone{third}},
		} {
			expectGone(t, s, c.filter, c.want...)
		}
		view(t, s, func(tx *store.Tx) error {
			at, err := tx.ForgottenAt(t.Context(), learned.A, learned.B)
			if !at.Equal(third.At) {
				t.Errorf("forgotten at %v", at)
			}
			if _, err := tx.ForgottenAt(t.Context(), stays.A, stays.B); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("what stays was forgotten: %v", err)
			}
			if _, err := tx.Synapse(t.Context(), learned.B, learned.A); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("it is still there: %v", err)
			}
			return err
		})

		closeBefore := func(before time.Time, want int64) {
			t.Helper()
			update(t, s, func(tx *store.Tx) error {
				n, err := tx.CloseForgotten(t.Context(), before, 100)
				if n != want {
					t.Errorf("before %v: closed %d, want %d", before, n, want)
				}
				return err
			})
		}
		closeBefore(start, 0)
		closeBefore(start.Add(time.Millisecond), 1)
		closeBefore(start.Add(time.Millisecond), 0)
		first.Synapse = nil
		expectGone(t, s, store.GoneFilter{}, append(latest, first)...)
		expectGone(t, s, store.GoneFilter{Whole: true}, latest...)
		expectGone(t, s, store.GoneFilter{Before: start.Add(time.Millisecond)}, first)

		// Back, and gone once more: it is known by its latest end.
		update(t, s, func(tx *store.Tx) error {
			if err := tx.SaveSynapses(t.Context(), []store.Synapse{seeded}); err != nil {
				return err
			}
			return tx.Linked(t.Context(), plasticity.Pair{seeded.A, seeded.B})
		})
		expectGone(t, s, store.GoneFilter{}, latest...)
		view(t, s, func(tx *store.Tx) error {
			return expect(t, "synapse", seeded)(tx.Synapse(t.Context(), seeded.B, seeded.A))
		})
		h.pass(time.Hour)
		letGo(t, s, plasticity.Dead, 3, seeded)
		letGo(t, s, plasticity.Lone, 3, lone) // without having been back
		first, second = goneOf(seeded, plasticity.Dead, 3), goneOf(lone, plasticity.Lone, 3)
		first.At, second.At = start.Add(2*time.Hour), start.Add(2*time.Hour)
		expectGone(t, s, store.GoneFilter{Neuron: lone.ID}, second)
		expectGone(t, s, store.GoneFilter{Neuron: file(1, "b.go")}, first)
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.Remembered(t.Context(), lone.ID, 0), tx.Remembered(t.Context(), lone.ID, 0))
		})
		expectGone(t, s, store.GoneFilter{Neuron: lone.ID})
	}},
	{"a neuron with every ID can be forgotten and found", func(t *testing.T, h *home) {
		h.damaged = true // no key has these IDs
		s := h.open()
		see(t, s, projectAt(place(1), start))
		ids := []memory.NeuronID{1, math.MaxInt64}
		for _, id := range ids {
			h.sql(t, fmt.Sprintf(`INSERT INTO neuron (id, project_id, kind, key, accesses, first_at, last_at)
				VALUES (%d, %d, 'file', 'f%d', 1, %d, %d)`, id, place(1).Project(), id, start.UnixMilli(), start.UnixMilli()))
		}
		link := store.NewSynapse(place(1).Project(), memory.OriginImport, ids[1], ids[0])
		wireAll(t, s, link)
		view(t, s, func(tx *store.Tx) error {
			all := plasticity.Suspect{Strength: 1, Met: 9, Before: start}
			return expect(t, "suspects", []store.Synapse{link})(tx.Suspects(t.Context(), store.Graph{Project: place(1).Project()}, all))
		})
		letGo(t, s, plasticity.Noise, 1, link)
		g := goneOf(link, plasticity.Noise, 1)
		g.At = start
		expectGone(t, s, store.GoneFilter{Neuron: math.MaxInt64}, g)
	}},
	{"many that go at once leave every count right", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		g := someGraph(t, s, r)
		r.Shuffle(len(g.synapses), func(i, j int) { g.synapses[i], g.synapses[j] = g.synapses[j], g.synapses[i] })
		going, staying := g.synapses[:len(g.synapses)/2], g.synapses[len(g.synapses)/2:]
		var what []any
		var pairs []plasticity.Pair
		for _, l := range going {
			what, pairs = append(what, l), append(pairs, plasticity.Pair{l.A, l.B})
		}
		letGo(t, s, plasticity.Dead, 1, what...)
		slices.SortFunc(staying, byEnds)
		if got := g.again(t, s); !slices.Equal(got.synapses, staying) {
			t.Errorf("%d links stayed, want %d", len(got.synapses), len(staying))
		}
		if found := findDamage(t.Context(), t, s); len(found) > 0 {
			t.Errorf("damage: %v", found)
		}
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.SaveSynapses(t.Context(), going), tx.Linked(t.Context(), pairs...))
		})
		expectGone(t, s, store.GoneFilter{})
	}},
	{"forgetting takes along what sleep had forgotten of it", func(t *testing.T, h *home) {
		s := h.open()
		lost := edited(1, "lost", "lost", start, "lost.go", "kept.go", "lone.go")
		fill(t, s, lost, edited(1, "kept", "run", start, "kept.go", "other.go"), edited(2, "elsewhere", "run", start, "a.go", "b.go"))
		going, staying, elsewhere := linked(1, "lost.go", "kept.go", 1), linked(1, "kept.go", "other.go", 2), linked(2, "a.go", "b.go", 3)
		wireAll(t, s, going, staying, elsewhere)
		lone := newborn(memory.Neuron{
			ID: file(1, "lone.go"), Project: place(1).Project(), Kind: memory.FileNeuron, Key: "lone.go", Accesses: 1, FirstAt: start, LastAt: start,
		})
		letGo(t, s, plasticity.Noise, 1, going, staying, elsewhere, lone)
		kept, other := goneOf(staying, plasticity.Noise, 1), goneOf(elsewhere, plasticity.Noise, 1)
		kept.At, other.At = start, start
		forget(t, s, store.EventFilter{Session: sessionOf(lost)})
		expectGone(t, s, store.GoneFilter{Project: place(1).Project()}, kept)
		forget(t, s, store.EventFilter{Project: place(1).Project()})
		expectGone(t, s, store.GoneFilter{}, other)
	}},
	{"a project is forgotten whole after all of it was forgotten", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"))
		link := linked(1, "a.go", "b.go", 1)
		wireAll(t, s, link)
		letGo(t, s, plasticity.Noise, 1, link)
		view(t, s, func(tx *store.Tx) error {
			all, err := tx.NeuronsByID(t.Context(), []memory.NeuronID{link.A, link.B})
			if len(all) != 2 {
				t.Errorf("got %v", all)
			}
			for _, n := range all {
				defer letGo(t, s, plasticity.Lone, 1, n)
			}
			return err
		})
		gone, _ := forget(t, s, store.EventFilter{Project: place(1).Project()})
		if gone.Files != 2 || gone.Projects != 1 {
			t.Errorf("gone: %+v", gone)
		}
		expectGone(t, s, store.GoneFilter{})
		expectEmpty(t, s)
	}},
	{"taking over replaces what sleep forgot", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "lone.go"), edited(2, "b", "run", start, "a.go", "b.go"))
		link, elsewhere := linked(1, "a.go", "b.go", 1), linked(2, "a.go", "b.go", 1)
		wireAll(t, s, link, elsewhere)
		lone := newborn(memory.Neuron{
			ID: file(1, "lone.go"), Project: place(1).Project(), Kind: memory.FileNeuron, Key: "lone.go", Accesses: 1, FirstAt: start, LastAt: start,
		})
		letGo(t, s, plasticity.Noise, 1, link, elsewhere, lone)
		h.unlearn(t, s, place(1).Project())
		other := goneOf(elsewhere, plasticity.Noise, 1)
		other.At = start
		expectGone(t, s, store.GoneFilter{Project: place(1).Project()})
		expectGone(t, s, store.GoneFilter{Project: place(2).Project()}, other)
		expectNeuron(t, s, lone) // there again: its events are
	}},
	{"emptying a store takes what was forgotten and the registers, keeps the rates, and can be done twice", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"))
		link, rates := linked(1, "a.go", "b.go", 1), plasticity.Rates{Weight: .5, Myelin: .6, Activation: .7}
		wireAll(t, s, link)
		letGo(t, s, plasticity.Noise, 1, link)
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.BeginSleep(t.Context(), "asked")
			return errors.Join(err, tx.SetRates(t.Context(), rates), tx.SetRegister(t.Context(), place(1).Project(), -1, -2), store.NewFact[string]("other").Set(t.Context(), tx, "fact"))
		})
		for range 2 {
			update(t, s, func(tx *store.Tx) error { return tx.Empty(t.Context()) })
		}
		expectEmpty(t, s)
		expectGone(t, s, store.GoneFilter{})
		view(t, s, func(tx *store.Tx) error {
			sleeps, err1 := tx.Sleeps(t.Context(), time.Time{}, 9)
			got, err2 := tx.Balance(t.Context(), place(1).Project())
			fact, err3 := store.NewFact[string]("other").Get(t.Context(), tx)
			if len(sleeps) > 0 || !reflect.DeepEqual(got, plasticity.Balance{Rates: rates}) || fact != "" {
				t.Errorf("left: %v, %+v, %q", sleeps, got, fact)
			}
			return errors.Join(err1, err2, err3)
		})
	}},
	{"damage in what can be brought back is reported", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"))
		link := linked(1, "a.go", "b.go", 1)
		wireAll(t, s, link)
		letGo(t, s, plasticity.Noise, 1, link)
		h.sql(t, `UPDATE forgotten SET data = '{"AB": "much"}'`)
		err := s.View(t.Context(), func(tx *store.Tx) error { _, err := tx.ListGone(t.Context(), store.GoneFilter{}); return err })
		if !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("got %v, want damage", err)
		}
	}},
}
