package storetest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// linked is a synapse between two files of a project that weighs the same in both directions.
func linked(project int, one, other string, weight plasticity.Stored) store.Synapse {
	s := store.NewSynapse(place(project).Project(), memory.OriginAgent, file(project, one), file(project, other))
	s.AB, s.BA = weight, weight
	return s
}

func wireAll(t *testing.T, s *store.Store, synapses ...store.Synapse) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		for _, one := range synapses {
			if err := wire(t.Context(), tx, one); err != nil {
				return err
			}
		}
		return nil
	})
}

func expectSynapses(t *testing.T, s *store.Store, f store.SynapseFilter, want ...store.Synapse) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		return expect(t, f, want)(tx.StrongestSynapses(t.Context(), f))
	})
}

var synapseCases = []contractCase{
	{"a new synapse is a link of nothing with the smaller ID first", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"))
		one := store.NewSynapse(place(1).Project(), memory.OriginRepo, file(1, "a.go"), file(1, "b.go"))
		other := store.NewSynapse(place(1).Project(), memory.OriginRepo, file(1, "b.go"), file(1, "a.go"))
		if one != other || one.A >= one.B {
			t.Errorf("got %+v and %+v", one, other)
		}
		wireAll(t, s, one)
		if one.AB != plasticity.Nothing || one.BA != plasticity.Nothing {
			t.Errorf("a new synapse weighs %v and %v", one.AB, one.BA)
		}
		expectSynapses(t, s, store.SynapseFilter{}, one)
	}},
	{"every field of a synapse round-trips, tagged or not, and saving again replaces it", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"))
		want := linked(1, "a.go", "b.go", 0)
		for _, change := range []func(){
			func() {
				want.Link = plasticity.Link{
					AB: math.Pi, BA: plasticity.Nothing, CoAccesses: 7, CoSessions: 3, TaggedAt: start.Add(time.Minute),
					LastAt: start.Add(time.Hour + time.Millisecond), LastEvent: "e", Session: math.MaxInt64, SessionGain: .1,
					Day: 20_772, DayGain: .3,
				}
			},
			func() { want.TaggedAt = time.Time{} },
			func() { want.TaggedAt, want.Origin = start, memory.OriginImport },
			func() { want.AB, want.BA = math.SmallestNonzeroFloat64, -math.MaxFloat64 },
			func() { want.Link = plasticity.NewLink() },
		} {
			change()
			wireAll(t, s, want)
			expectSynapses(t, s, store.SynapseFilter{}, want)
		}
	}},
	{"more synapses than one statement takes are all written, each as it is", func(t *testing.T, h *home) {
		const n = 2*25 + 3
		s, r := h.open(), seed(t)
		paths := []string{"hub.go"}
		var synapses []store.Synapse
		for i := range n {
			paths = append(paths, fmt.Sprintf("f%d.go", i))
			one := linked(1, "hub.go", paths[i+1], 0)
			one.Link = someLink(r)
			synapses = append(synapses, one)
		}
		fill(t, s, edited(1, "a", "run", start, paths...))
		wireAll(t, s, synapses...) // one by one
		for i := range synapses {
			synapses[i].Link = someLink(r)
		}
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.SaveSynapses(t.Context(), synapses), tx.SaveSynapses(t.Context(), nil))
		})
		slices.SortFunc(synapses, byEnds)
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
			slices.SortFunc(got, byEnds)
			if !slices.Equal(got, synapses) {
				t.Errorf("got %+v\nwant %+v", got, synapses)
			}
			return err
		})
	}},
	{"synapses between a neuron and others are found from either end", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "c.go", "d.go", "alone.go"))
		ab, ac := linked(1, "a.go", "b.go", 1), linked(1, "a.go", "c.go", 2)
		bc, cd := linked(1, "b.go", "c.go", 3), linked(1, "c.go", "d.go", 4)
		wireAll(t, s, ab, ac, bc, cd)
		a, b, c, d, alone := file(1, "a.go"), file(1, "b.go"), file(1, "c.go"), file(1, "d.go"), file(1, "alone.go")
		for _, one := range []struct {
			name   string
			id     memory.NeuronID
			others []memory.NeuronID
			want   []store.Synapse
		}{
			{"one to another", a, []memory.NeuronID{b}, []store.Synapse{ab}},
			{"and back", b, []memory.NeuronID{a}, []store.Synapse{ab}},
			{"some", c, []memory.NeuronID{d, a}, []store.Synapse{ac, cd}},
			{"all, and some that are none", c, []memory.NeuronID{alone, a, b, c, d, 5}, []store.Synapse{ac, bc, cd}},
			{"none", a, []memory.NeuronID{d, alone}, nil},
			{"no others", a, nil, nil},
		} {
			view(t, s, func(tx *store.Tx) error {
				var pairs []plasticity.Pair
				for _, other := range one.others {
					pairs = append(pairs, plasticity.PairOf(one.id, other))
				}
				found, err := tx.SynapsesOf(t.Context(), pairs)
				got := slices.SortedFunc(maps.Values(found), byEnds)
				slices.SortFunc(one.want, byEnds)
				if !slices.Equal(got, one.want) {
					t.Errorf("%s: got %+v\nwant %+v", one.name, got, one.want)
				}
				return err
			})
		}
	}},
	{"the strongest direction ranks a synapse, then its meetings, then its ends", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "c.go", "d.go"), edited(2, "b", "run", start, "a.go", "b.go"))
		there, back := linked(1, "a.go", "b.go", -9), linked(1, "b.go", "c.go", -9)
		there.AB, back.BA = 5, 6
		nothing, met := linked(1, "c.go", "d.go", plasticity.Nothing), linked(1, "a.go", "c.go", plasticity.Nothing)
		met.CoAccesses = 1
		nothing2 := linked(1, "b.go", "d.go", plasticity.Nothing)
		equal := []store.Synapse{nothing, nothing2}
		slices.SortFunc(equal, byEnds)
		elsewhere := linked(2, "a.go", "b.go", 5.5)
		back.Origin, elsewhere.Origin = memory.OriginRepo, memory.OriginRepo
		wireAll(t, s, nothing, there, nothing2, met, elsewhere, back)
		p := place(1).Project()
		for _, c := range []struct {
			filter store.SynapseFilter
			want   []store.Synapse
		}{
			{store.SynapseFilter{}, []store.Synapse{back, elsewhere, there, met, equal[0], equal[1]}},
			{store.SynapseFilter{Project: p}, []store.Synapse{back, there, met, equal[0], equal[1]}},
			{store.SynapseFilter{Project: p, Limit: 2}, []store.Synapse{back, there}},
			{store.SynapseFilter{Origin: memory.OriginRepo}, []store.Synapse{back, elsewhere}},
			{store.SynapseFilter{Neuron: file(1, "c.go")}, []store.Synapse{back, met, nothing}},
			{store.SynapseFilter{Neuron: file(1, "a.go")}, []store.Synapse{there, met}},
			{store.SynapseFilter{Project: place(2).Project(), Neuron: file(1, "a.go")}, nil},
			{store.SynapseFilter{Project: p, Neuron: file(1, "c.go"), Origin: memory.OriginAgent, Limit: 1},
				[]store.Synapse{met}},
		} {
			expectSynapses(t, s, c.filter, c.want...)
		}
		for project, want := range map[memory.ProjectID]map[memory.Origin]int64{
			0:                  {memory.OriginAgent: 4, memory.OriginRepo: 2},
			p:                  {memory.OriginAgent: 4, memory.OriginRepo: 1},
			place(3).Project(): {},
		} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, project, want)(tx.CountSynapses(t.Context(), project))
			})
		}
	}},
	{"companions are what a neuron leads to, the strongest first, without those gone", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "c.go", "d.go", "gone.go", "far.go"))
		to := func(other string, there, back plasticity.Stored) store.Synapse {
			link := linked(1, "a.go", other, there)
			if link.A == file(1, "a.go") {
				link.BA = back
			} else {
				link.AB = back
			}
			link.CoAccesses, link.CoSessions, link.LastAt = 3, 2, start.Add(time.Minute)
			return link
		}
		wireAll(t, s, to("b.go", 1, 9), to("c.go", 3, 0), to("d.go", 3, 8), to("gone.go", 7, 7), linked(1, "b.go", "far.go", 9))
		grow(t, s, "gone.go", func(n *store.Strength) { n.Gone = true })
		grow(t, s, "b.go", func(n *store.Strength) { n.Myelin, n.Standing = 2, .5 })
		view(t, s, func(tx *store.Tx) error {
			var want []store.Companion
			for _, c := range []store.Companion{{Weight: 3}, {Weight: 3}, {Weight: 1}} {
				neuron, err := tx.Neuron(t.Context(), file(1, []string{"c.go", "d.go", "b.go"}[len(want)]))
				if err != nil {
					return err
				}
				c.Strength, c.Origin = neuron, memory.OriginAgent
				c.CoAccesses, c.CoSessions, c.LastMet = 3, 2, start.Add(time.Minute)
				want = append(want, c)
			}
			for limit, want := range map[int][]store.Companion{9: want, 1: want[:1]} {
				got, err := tx.Companions(t.Context(), file(1, "a.go"), limit)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("at most %d: got %+v, %v\nwant %+v", limit, got, err, want)
				}
			}
			return nil
		})
	}},
	{"a deleted synapse is gone, and no other", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "c.go"))
		ab, ac, bc := linked(1, "a.go", "b.go", 1), linked(1, "a.go", "c.go", 2), linked(1, "b.go", "c.go", 3)
		wireAll(t, s, ab, ac, bc)
		update(t, s, func(tx *store.Tx) error { return tx.DeleteSynapse(t.Context(), ac.A, ac.B) })
		grow(t, s, "a.go", func(n *store.Strength) { n.Links-- })
		grow(t, s, "c.go", func(n *store.Strength) { n.Links-- })
		expectSynapses(t, s, store.SynapseFilter{}, bc, ab)
	}},
	{"a synapse with an unknown end is refused by the database", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go"))
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			return tx.SaveSynapses(t.Context(), []store.Synapse{linked(1, "a.go", "unknown.go", 1)})
		})
		if err == nil {
			t.Error("a synapse to nowhere was stored")
		}
		expectSynapses(t, s, store.SynapseFilter{})
	}},
}
