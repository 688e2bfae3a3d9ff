package storetest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

func rules() plasticity.Rules { return plasticity.NewRules(plasticity.Default(), plasticity.Balance{}) }

// graph is all that a store knows of neurons and links.
type graph struct {
	neurons  []store.Strength // by ID
	synapses []store.Synapse  // by their ends
}

// someGraph draws a graph of the last weeks: two projects, files, errors, a hub, things gone, links of all strengths.
func someGraph(t *testing.T, s *store.Store, r *rand.Rand) graph {
	t.Helper()
	var events []memory.Event
	for i := range 60 {
		project, paths := 1+i%2, []string{"hub.go"}
		for range r.IntN(4) {
			paths = append(paths, fmt.Sprintf("f%d.go", r.IntN(15)))
		}
		e := edited(project, fmt.Sprint("event ", i), fmt.Sprint("run ", i%5), start.Add(-time.Duration(r.IntN(60*24))*time.Hour), paths...)
		if e.Text = fmt.Sprint("oops ", r.IntN(4)); r.IntN(4) == 0 {
			e.Kind = memory.ToolFailed
		}
		events = append(events, e)
	}
	fill(t, s, events...)
	ids := map[memory.NeuronID]bool{}
	for _, e := range events {
		for _, touch := range e.Touches {
			ids[memory.NewNeuronID(e.Place.Project(), memory.FileNeuron, touch.Path)] = true
		}
		if e.Kind == memory.ToolFailed {
			ids[memory.NewNeuronID(e.Place.Project(), memory.ErrorNeuron, errorOf(e))] = true
		}
	}
	update(t, s, func(tx *store.Tx) error {
		for _, id := range slices.Sorted(maps.Keys(ids)) { // the same for the same seed
			n, err := tx.Neuron(t.Context(), id)
			if err != nil {
				return err
			}
			growSome(&n, r)
			if err := tx.SaveStrength(t.Context(), n); err != nil {
				return err
			}
		}
		return nil
	})
	g := readGraph(t, s, ids)
	var links []store.Synapse
	for i, a := range g.neurons {
		for _, b := range g.neurons[i+1:] {
			hub := a.Key == "hub.go" || b.Key == "hub.go"
			if a.Project != b.Project || !hub && r.IntN(8) > 0 {
				continue
			}
			one := store.NewSynapse(a.Project, pick(r, memory.Origins), a.ID, b.ID)
			one.Link = fadingLink(r)
			links = append(links, one)
		}
	}
	wireAll(t, s, links...)
	return readGraph(t, s, ids)
}

func growSome(n *store.Strength, r *rand.Rand) {
	rules, day := rules(), plasticity.Days(n.LastAt)
	if r.IntN(5) > 0 {
		n.Myelin = rules.Myelin.Store(r.Float64()*r.Float64(), day)
		n.Activation = rules.Activation.Store(1, day)
	}
	n.Peak, n.Reviews, n.Boosted, n.Damped, n.Gone = n.Myelin, r.Int64N(5), r.IntN(3) == 0, r.Int64N(3), r.IntN(5) == 0
}

// fadingLink draws a link as it is found weeks after it was learned; some have nothing in a direction.
func fadingLink(r *rand.Rand) plasticity.Link {
	link := someLink(r)
	link.LastAt, link.CoAccesses = start.Add(-time.Duration(r.IntN(60*24))*time.Hour), r.Int64N(5)
	for _, w := range []*plasticity.Stored{&link.AB, &link.BA} {
		if *w = plasticity.Nothing; r.IntN(6) > 0 {
			*w = rules().Weight.Store(r.Float64()*r.Float64(), plasticity.Days(link.LastAt))
		}
	}
	if r.IntN(3) == 0 {
		link.Session = 0 // nobody's: from a commit or from the source text
	}
	return link
}

func readGraph(t *testing.T, s *store.Store, ids map[memory.NeuronID]bool) (g graph) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		g = graph{}
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			n, err := tx.Neuron(t.Context(), id)
			if err != nil {
				return err
			}
			g.neurons = append(g.neurons, n)
		}
		var err error
		g.synapses, err = tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
		slices.SortFunc(g.synapses, byEnds)
		return err
	})
	return g
}

// again reads the same graph once more.
func (g graph) again(t *testing.T, s *store.Store) graph {
	t.Helper()
	ids := map[memory.NeuronID]bool{}
	for _, n := range g.neurons {
		ids[n.ID] = true
	}
	return readGraph(t, s, ids)
}

func (g graph) neuron(id memory.NeuronID) store.Strength {
	return g.neurons[slices.IndexFunc(g.neurons, func(n store.Strength) bool { return n.ID == id })]
}

// within are the neurons and links of a project.
func (g graph) within(project memory.ProjectID) graph {
	return graph{
		neurons:  only(g.neurons, func(n store.Strength) bool { return n.Project == project }),
		synapses: only(g.synapses, func(l store.Synapse) bool { return l.Project == project }),
	}
}

// only returns what a plain filter leaves.
func only[T any](list []T, keep func(T) bool) (kept []T) {
	for _, x := range list {
		if keep(x) {
			kept = append(kept, x)
		}
	}
	return kept
}

func (h *home) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

var sleepCases = []contractCase{
	{"the size of a graph is that of its living neurons and its links", func(t *testing.T, h *home) {
		s := h.open()
		g := someGraph(t, s, seed(t))
		for project := 1; project <= 2; project++ {
			part := g.within(place(project).Project())
			alive := only(part.neurons, func(n store.Strength) bool { return !n.Gone })
			want := store.Graph{
				Project: place(project).Project(), Links: int64(len(part.synapses)), Neurons: int64(len(alive)), Most: 2*len(part.synapses) > len(g.synapses),
			}
			view(t, s, func(tx *store.Tx) error { return expect(t, "graph", want)(tx.GraphOf(t.Context(), want.Project)) })
		}
	}},
	{"looking for what may go finds what a plain filter finds", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		g := someGraph(t, s, r)
		for range 60 {
			own := store.Graph{Project: place(1 + r.IntN(2)).Project(), Most: r.IntN(2) == 0} // it says how to look, not what to find
			part, aLink, aNeuron := g.within(own.Project), pick(r, g.synapses), pick(r, g.neurons)
			before, weak, dead := aLink.LastAt, max(aLink.AB, aLink.BA), pick(r, g.synapses).AB
			bounds := plasticity.Suspect{Strength: weak, Dead: dead, Met: r.Int64N(5), Before: before, Abandoned: pick(r, g.synapses).LastAt}
			busy, rare, today := float64(r.IntN(40))/4, float64(r.IntN(40))/4, r.Int64N(3)
			accesses, reviews := r.Int64N(6), r.Int64N(5)
			view(t, s, func(tx *store.Tx) error {
				suspects, err1 := tx.Suspects(t.Context(), own, bounds)
				severed, err2 := tx.Severed(t.Context(), own, before)
				lone, err3 := tx.LoneNeurons(t.Context(), own, accesses, aNeuron.Myelin, aNeuron.Activation+1)
				unsteady, err4 := tx.UnsteadyFiles(t.Context(), own, store.Unsteady{Busy: busy, Rare: rare, Myelin: aNeuron.Myelin, Today: today})
				review, err5 := tx.FilesToReview(t.Context(), own, aNeuron.Myelin, aNeuron.LastAt, reviews)

				if want := only(part.synapses, func(l store.Synapse) bool {
					strength := max(l.AB, l.BA)
					return strength < weak && l.LastAt.Before(before) &&
						(l.CoAccesses <= bounds.Met || l.LastAt.Before(bounds.Abandoned) || strength < dead)
				}); !slices.Equal(suspects, want) {
					t.Errorf("suspects of %+v: %d, want %d", bounds, len(suspects), len(want))
				}
				wantSevered := only(g.synapses, func(l store.Synapse) bool {
					a, b := g.neuron(l.A), g.neuron(l.B)
					in := func(n store.Strength) bool {
						return n.Gone && n.Project == own.Project
					}
					return l.LastAt.Before(before) && (in(a) || in(b))
				})
				slices.SortFunc(severed, byEnds)
				if severed = slices.Compact(severed); !slices.Equal(severed, wantSevered) {
					t.Errorf("severed before %v: %d, want %d", before, len(severed), len(wantSevered))
				}
				if want := only(part.neurons, func(n store.Strength) bool {
					return !n.Gone && n.Links == 0 && n.Accesses < accesses && n.Myelin < aNeuron.Myelin && n.Activation < aNeuron.Activation+1
				}); !slices.Equal(lone, want) {
					t.Errorf("lone: %d, want %d", len(lone), len(want))
				}
				if want := only(part.neurons, func(n store.Strength) bool {
					return n.Kind == memory.FileNeuron && !n.Gone && (float64(n.Accesses) > busy && n.Damped != today ||
						float64(n.Accesses) < rare && !n.Boosted && n.Myelin > aNeuron.Myelin)
				}); !slices.Equal(unsteady, want) {
					t.Errorf("used more than %v or less than %v: %d, want %d", busy, rare, len(unsteady), len(want))
				}
				if want := only(part.neurons, func(n store.Strength) bool {
					return n.Kind == memory.FileNeuron && !n.Gone && n.Myelin > aNeuron.Myelin && !n.LastAt.After(aNeuron.LastAt) && n.Reviews < reviews
				}); !slices.Equal(review, want) {
					t.Errorf("to review: %d, want %d", len(review), len(want))
				}
				return errors.Join(err1, err2, err3, err4, err5)
			})
		}
	}},
	{"tags that expired are taken off, some at a time, and nothing else", func(t *testing.T, h *home) {
		const most = 4
		s := h.open()
		g := someGraph(t, s, seed(t))
		before, project := start.Add(500*time.Minute), place(1).Project()
		want, total := int64(0), int64(0)
		for i := range g.synapses {
			if l := &g.synapses[i]; l.Project == project && !l.TaggedAt.IsZero() && l.TaggedAt.Before(before) {
				l.TaggedAt = time.Time{}
				want++
			}
		}
		view(t, s, func(tx *store.Tx) error {
			return expect(t, "count tags", want)(tx.CountTags(t.Context(), project, before))
		})
		for expired := int64(most); expired == most; {
			update(t, s, func(tx *store.Tx) (err error) {
				expired, err = tx.ExpireTags(t.Context(), project, before, most)
				return err
			})
			total += expired
		}
		if total != want || want == 0 {
			t.Errorf("took off %d, want %d", total, want)
		}
		if got := g.again(t, s); !slices.Equal(got.synapses, g.synapses) {
			t.Error("other links changed")
		}
	}},
	{"registers are kept to the last digit, for each project separately", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "one", "run", start, "a.go"), edited(2, "two", "run", start, "a.go"))
		one, two := place(1).Project(), place(2).Project()
		expect := func(project memory.ProjectID, want plasticity.Balance) {
			t.Helper()
			view(t, s, func(tx *store.Tx) error {
				return expect(t, "balance", want)(tx.Balance(t.Context(), project))
			})
		}
		for _, project := range []memory.ProjectID{one, two, 0} {
			expect(project, plasticity.Balance{})
		}
		rates := plasticity.Rates{Weight: .98, Myelin: 1 - 1e-16, Activation: 1e-9}
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.SetRates(t.Context(), rates), tx.SetRegister(t.Context(), two, -1, -2))
		})
		for _, b := range []plasticity.Balance{
			{Weight: plasticity.Stored(-math.Pi / 1e7), Myelin: -1.0 / 3},
			{Weight: plasticity.Nothing, Myelin: math.SmallestNonzeroFloat64},
			{},
			{Weight: -5},
		} {
			b.Rates = rates
			update(t, s, func(tx *store.Tx) error {
				_, one1 := tx.Balance(t.Context(), one)
				one2 := tx.SetRegister(t.Context(), one, b.Weight, b.Myelin)
				got, one3 := tx.Balance(t.Context(), one) // not what was read before
				if !reflect.DeepEqual(got, b) {
					t.Errorf("set to %+v, in the same transaction it is %+v", b, got)
				}
				return errors.Join(one1, one2, one3)
			})
			expect(one, b)
			expect(two, plasticity.Balance{Weight: -1, Myelin: -2, Rates: rates})
		}
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			return errors.Join(tx.SetRegister(t.Context(), one, 7, 7), errOnPurpose)
		})
		if !errors.Is(err, errOnPurpose) {
			t.Error(err)
		}
		expect(one, plasticity.Balance{Weight: -5, Rates: rates})
	}},
	{"a register holds for the events after it, and goes with its project", func(t *testing.T, h *home) {
		s := h.open()
		p := place(1).Project()
		register := func(weight, myelin plasticity.Stored) {
			t.Helper()
			update(t, s, func(tx *store.Tx) error { return tx.SetRegister(t.Context(), p, weight, myelin) })
		}
		expect := func(want ...store.Register) {
			t.Helper()
			view(t, s, func(tx *store.Tx) error {
				return expect(t, "registers", want)(tx.Registers(t.Context(), p))
			})
		}
		first, second := edited(1, "first", "run", start, "a.go"), edited(1, "second", "run", start, "b.go")
		fill(t, s, first)
		expect()
		register(-1, -2)
		register(-3, -4) // nothing was learned in between
		fill(t, s, second)
		register(-5, -6)
		expect(store.Register{After: h.seq(t, first.ID), Weight: -3, Myelin: -4}, store.Register{After: h.seq(t, second.ID), Weight: -5, Myelin: -6})
		update(t, s, func(tx *store.Tx) error {
			_, _, err := tx.Forget(t.Context(), store.EventFilter{Project: p})
			return err
		})
		expect()
	}},
	{"the strongest of all projects come in the order of what they are worth there", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "one", "run", start, "a.go", "b.go"), edited(2, "two", "run", start, "a.go", "b.go"))
		strong, weak := linked(1, "a.go", "b.go", 1), linked(2, "a.go", "b.go", 1)
		strong.AB, strong.BA, weak.AB, weak.BA = 3, 3, 2, 2
		wireAll(t, s, strong, weak)
		update(t, s, func(tx *store.Tx) error {
			return tx.SetRegister(t.Context(), place(1).Project(), -2, -2)
		})
		view(t, s, func(tx *store.Tx) error {
			links, err := tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
			if len(links) != 2 || links[0].A != weak.A {
				t.Errorf("links %+v", links)
			}
			return err
		})
	}},
	{"a shift moves all that fades as plain additions do, and nothing stays nothing", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		g := someGraph(t, s, r)
		link, neuron := g.synapses[0], g.neurons[0]
		letGo(t, s, plasticity.Noise, 3, link, neuron)
		g = g.again(t, s)
		old, retuned := plasticity.NewFading(.98, 1), plasticity.NewFading(.5, 1)
		weight := retuned.Rebase(old, plasticity.Days(start))
		const myelin, activation = plasticity.Stored(-1234.5), plasticity.Stored(.25)
		update(t, s, func(tx *store.Tx) error { return tx.Shift(t.Context(), weight, myelin, activation) })
		for i := range g.synapses {
			l := &g.synapses[i]
			l.AB, l.BA = l.AB+weight, l.BA+weight
		}
		for i := range g.neurons {
			n := &g.neurons[i]
			n.Myelin, n.Peak, n.Activation = n.Myelin+myelin, n.Peak+myelin, n.Activation+activation
		}
		got := g.again(t, s)
		if !slices.Equal(got.synapses, g.synapses) || !slices.Equal(got.neurons, g.neurons) {
			t.Error("the store and plain additions differ")
		}
		nothing := 0
		for _, l := range got.synapses {
			for _, w := range []plasticity.Stored{l.AB, l.BA} {
				if w == plasticity.Nothing {
					nothing++
				}
			}
		}
		if nothing == 0 {
			t.Error("no link had nothing: the test says little")
		}
		link.AB, link.BA = link.AB+weight, link.BA+weight
		neuron.Myelin, neuron.Peak, neuron.Activation = neuron.Myelin+myelin, neuron.Peak+myelin, neuron.Activation+activation
		both := []store.Gone{goneOf(link, plasticity.Noise, 3), goneOf(neuron, plasticity.Noise, 3)}
		for i := range both {
			both[i].At = start
		}
		slices.SortFunc(both, byPair)
		expectGone(t, s, store.GoneFilter{}, both...)
	}},
	{"a sample begins anywhere, goes round in its project and takes nothing twice", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		g := someGraph(t, s, r)
		project := place(1).Project()
		g.synapses = only(g.synapses, func(l store.Synapse) bool { return l.Project == project })
		files := only(g.neurons, func(n store.Strength) bool {
			return n.Project == project && n.Kind == memory.FileNeuron && !n.Gone
		})
		for _, from := range []memory.NeuronID{math.MinInt64, math.MaxInt64, 0, pick(r, g.synapses).A, pick(r, files).ID} {
			links := append(only(g.synapses, func(l store.Synapse) bool { return l.A >= from }),
				only(g.synapses, func(l store.Synapse) bool { return l.A < from })...)
			around := append(only(files, func(n store.Strength) bool { return n.ID >= from }),
				only(files, func(n store.Strength) bool { return n.ID < from })...)
			for _, most := range []int{0, 1, 5, len(links) - 1, 10000} {
				view(t, s, func(tx *store.Tx) error {
					weights, err1 := tx.SampleWeights(t.Context(), project, from, most)
					myelin, accesses, err2 := tx.SampleFiles(t.Context(), project, from, most)
					var wantWeights, wantMyelin []plasticity.Stored
					var wantAccesses []int64
					for _, l := range links[:min(most, len(links))] {
						wantWeights = append(wantWeights, l.AB, l.BA)
					}
					for _, n := range around[:min(most, len(around))] {
						wantMyelin, wantAccesses = append(wantMyelin, n.Myelin), append(wantAccesses, n.Accesses)
					}
					if !slices.Equal(weights, wantWeights) || !slices.Equal(myelin, wantMyelin) || !slices.Equal(accesses, wantAccesses) {
						t.Errorf("%d from %d on: %d weights, %d files, want %d and %d", most, from, len(weights), len(myelin), len(wantWeights), len(wantMyelin))
					}
					return errors.Join(err1, err2)
				})
			}
		}
	}},
	{"recent accesses are what sessions read and edited, in the order of time", func(t *testing.T, h *home) {
		s := h.open()
		at := func(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }
		all := edited(1, "all kinds", "run", at(5), "edit.go", "read.go", "mention.go", "delete.go", "rename.go")
		for i, kind := range []memory.TouchKind{memory.Edit, memory.Read, memory.Mention, memory.Delete, memory.Rename} {
			all.Touches[i].Kind = kind
		}
		all.Kind = memory.ToolFailed // an error is none
		late := edited(1, "late letter", "other", at(3), "late.go")
		fill(t, s, all, edited(1, "next", "run", at(9), "b.go", "a.go"), late, edited(1, "at once", "other", at(9), "c.go"),
			edited(1, "no session", "", at(9), "d.go"), edited(2, "elsewhere", "run", at(9), "e.go"), edited(1, "before", "run", at(1), "f.go"))
		access := func(e memory.Event, path string) plasticity.Access {
			return plasticity.Access{Seq: h.seq(t, e.ID), Session: sessionOf(e), At: e.At, Neuron: file(1, path)}
		}
		next, once := edited(1, "next", "run", at(9)), edited(1, "at once", "other", at(9))
		want := []plasticity.Access{
			access(late, "late.go"), access(all, "edit.go"), access(all, "read.go"), access(next, "b.go"), access(next, "a.go"), access(once, "c.go"),
		}
		for most := range 8 {
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.RecentAccesses(t.Context(), place(1).Project(), at(1), most)
				if latest := want[max(0, len(want)-most):]; !slices.Equal(got, latest) {
					t.Errorf("the latest %d: %+v, want %+v", most, got, latest)
				}
				return err
			})
		}
	}},
	{"new evidence is every project with a later event, and the last of them", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go"), edited(2, "b", "run", start), edited(1, "c", "", start.Add(-time.Hour)))
		seq := func(id string) int64 { return h.seq(t, memory.DerivedEventID(id)) }
		one, two := place(1).Project(), place(2).Project()
		for after, want := range map[int64][]memory.ProjectID{
			0: {min(one, two), max(one, two)}, seq("a"): {min(one, two), max(one, two)}, seq("b"): {one}, seq("c"): nil, seq("c") + 7: nil,
		} {
			view(t, s, func(tx *store.Tx) error {
				got, last, err := tx.NewEvidence(t.Context(), after)
				if !slices.Equal(got, want) || last != max(after, seq("c")) {
					t.Errorf("after %d: %v up to %d, want %v", after, got, last, want)
				}
				return err
			})
		}
	}},
	{"the latest events are kept from a moment on", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start), edited(1, "b", "run", start.Add(2*time.Hour)), edited(1, "c", "run", start.Add(time.Hour)), edited(2, "d", "run", start))
		for most, want := range []time.Time{start.Add(2 * time.Hour), start.Add(time.Hour), start, {}, {}} {
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Kept(t.Context(), place(1).Project(), most)
				if !got.Equal(want) {
					t.Errorf("%d: before %v, want %v", most, got, want)
				}
				return err
			})
		}
	}},
	{"neurons and links are read many at once as they are one by one", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		g := someGraph(t, s, r)
		var ids []memory.NeuronID
		var pairs []plasticity.Pair
		for len(ids) < 250 { // more than one statement takes, some unknown, some twice
			ids = append(ids, pick(r, g.neurons).ID, memory.NeuronID(r.Int64()))
		}
		from := pick(r, g.synapses).A
		for _, n := range g.neurons {
			if n.ID > from {
				pairs = append(pairs, plasticity.Pair{from, n.ID})
			}
		}
		view(t, s, func(tx *store.Tx) error {
			got, err1 := tx.NeuronsByID(t.Context(), ids)
			want := map[memory.NeuronID]store.Strength{}
			for _, n := range g.neurons {
				if slices.Contains(ids, n.ID) {
					want[n.ID] = n
				}
			}
			if !maps.Equal(got, want) {
				t.Errorf("%d neurons, want %d", len(got), len(want))
			}
			known, err2 := tx.SynapsesOf(t.Context(), pairs)
			links := slices.SortedFunc(maps.Values(known), byEnds)
			if want := only(g.synapses, func(l store.Synapse) bool { return l.A == from }); !slices.Equal(links, want) {
				t.Errorf("%d links, want %d", len(links), len(want))
			}
			none, err3 := tx.NeuronsByID(t.Context(), nil)
			no, err4 := tx.SynapsesOf(t.Context(), nil)
			if len(none)+len(no) > 0 {
				t.Errorf("of nothing: %v and %v", none, no)
			}
			return errors.Join(err1, err2, err3, err4)
		})
	}},
	{"sleeps are listed with what came of them, the latest few", func(t *testing.T, h *home) {
		s := h.open()
		var want []store.SleepRecord
		for i := range 6 {
			at := h.Now()
			var id int64
			update(t, s, func(tx *store.Tx) (err error) {
				id, err = tx.BeginSleep(t.Context(), fmt.Sprint("why ", i))
				return err
			})
			report := fmt.Sprintf(`{"n": %d}`, i)
			if i != 4 { // this one was killed
				update(t, s, func(tx *store.Tx) error { return tx.EndSleep(t.Context(), id, report, 3) })
			} else {
				report = "{}"
			}
			want = append([]store.SleepRecord{{ID: id, At: at, Why: fmt.Sprint("why ", i), Report: report}}, want...)
			h.pass(time.Hour)
		}
		for _, c := range []struct {
			since time.Time
			limit int
			want  []store.SleepRecord
		}{{time.Time{}, 10, want[:3]}, {time.Time{}, 2, want[:2]}, {want[1].At, 10, want[:2]}, {h.Now(), 10, nil}} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, fmt.Sprint(c.since, ", ", c.limit), c.want)(tx.Sleeps(t.Context(), c.since, c.limit))
			})
		}
	}},
	{"a lease is one holder's until it ends, lapses or is dated by a wrong clock", func(t *testing.T, h *home) {
		s := h.open()
		const span = time.Minute
		gone := ""
		take := func(name, holder string, want bool) {
			t.Helper()
			update(t, s, func(tx *store.Tx) error {
				got, err := tx.TakeLease(t.Context(), name, holder, gone, span)
				if got != want {
					t.Errorf("%s takes %s: %v, want %v", holder, name, got, want)
				}
				return err
			})
		}
		end := func(holder string) {
			t.Helper()
			update(t, s, func(tx *store.Tx) error { return tx.EndLease(t.Context(), "sleep", holder) })
		}
		take("sleep", "one", true)
		take("sleep", "one", true)
		take("sleep", "two", false)
		take("dream", "two", true)
		end("two") // not its to end
		take("sleep", "two", false)
		end("one")
		take("sleep", "two", true)
		h.sql(t, `UPDATE fact SET value = '{', checksum = -1 WHERE name = 'lease' AND subject = 'sleep'`)
		end("two")                 // which is nothing
		take("sleep", "two", true) // nobody can say whose it was

		h.pass(span)
		take("sleep", "one", false) // to the last instant
		h.pass(time.Millisecond)
		take("sleep", "one", true)
		take("sleep", "two", false)
		h.pass(span / 2)
		take("sleep", "one", true) // again, for longer
		h.pass(span)
		take("sleep", "two", false)

		h.pass(-span / 2) // the clock of another machine
		take("sleep", "two", false)
		h.pass(-10 * 365 * 24 * time.Hour) // from here, the lease lies far in the future
		take("sleep", "two", true)
		take("sleep", "one", false)

		gone = "three"
		take("sleep", "one", false) // two is not known to be gone
		gone = "two"
		take("sleep", "one", true)
		take("sleep", "two", false)
	}},
	{"of many that ask at once, one gets the lease", func(t *testing.T, h *home) {
		s := h.open()
		got := make([]bool, 8)
		inParallel(t, len(got), func(i int) error {
			return s.Update(t.Context(), func(tx *store.Tx) (err error) {
				got[i], err = tx.TakeLease(t.Context(), "sleep", fmt.Sprint(i), "", time.Minute)
				return err
			})
		})
		if held := only(got, func(held bool) bool { return held }); len(held) != 1 {
			t.Errorf("%d hold it", len(held))
		}
	}},
}
