package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// newborn is a neuron that was met and has not grown yet.
func newborn(n memory.Neuron) store.Strength {
	return store.Strength{Neuron: n, Myelin: plasticity.Nothing, Activation: plasticity.Nothing, Peak: plasticity.Nothing, Standing: 1}
}

func keys(neurons []store.Strength) (out []string) {
	for _, n := range neurons {
		out = append(out, n.Key)
	}
	return out
}

// grow changes a file of the first project.
func grow(t *testing.T, s *store.Store, path string, change func(n *store.Strength)) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		n, err := tx.Neuron(t.Context(), file(1, path))
		if err != nil {
			return err
		}
		change(&n)
		return tx.SaveStrength(t.Context(), n)
	})
}

func expectNeuron(t *testing.T, s *store.Store, want store.Strength) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		return expect(t, "neuron", want)(tx.Neuron(t.Context(), want.ID))
	})
}

var neuronCases = []contractCase{
	{"a neuron keeps how it has grown, while accesses are counted", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"))
		update(t, s, func(tx *store.Tx) error {
			return wire(t.Context(), tx, linked(1, "a.go", "b.go", 1))
		})
		want := newborn(memory.Neuron{
			ID: file(1, "a.go"), Project: place(1).Project(), Kind: memory.FileNeuron, Key: "a.go", Accesses: 1,
			FirstAt: start, LastAt: start, Links: 1,
		})
		expectNeuron(t, s, want)

		want.Myelin, want.Activation, want.Standing, want.Ignored, want.Gone = 3.25, -0.125, .4374, 3, true
		grow(t, s, "a.go", func(n *store.Strength) {
			*n = want
			n.Accesses, n.FirstAt, n.LastAt = 99, start.Add(-time.Hour), start.Add(time.Hour) // these are not its to say
		})
		expectNeuron(t, s, want)

		fill(t, s, edited(1, "later", "run", start.Add(time.Minute), "a.go"))
		want.Accesses, want.LastAt = 2, start.Add(time.Minute)
		expectNeuron(t, s, want)
	}},
	{"nothing stays nothing", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go"))
		grow(t, s, "a.go", func(n *store.Strength) { n.Myelin, n.Activation = 1, 1 })
		grow(t, s, "a.go", func(n *store.Strength) { n.Myelin, n.Activation = plasticity.Nothing, plasticity.Nothing })
		expectNeuron(t, s, newborn(memory.Neuron{
			ID: file(1, "a.go"), Project: place(1).Project(), Kind: memory.FileNeuron, Key: "a.go", Accesses: 1,
			FirstAt: start, LastAt: start,
		}))
	}},
	{"an unknown neuron is not found", func(t *testing.T, h *home) {
		err := h.open().View(t.Context(), func(tx *store.Tx) error { _, err := tx.Neuron(t.Context(), 5); return err })
		if !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
	}},
	{"each field of a filter chooses neurons, and each order ranks them", func(t *testing.T, h *home) {
		s := h.open()
		failed := edited(1, "failed", "run", start, "a.go", "a.go", "a.go", "b.go", "b.go", "c.go", "gone.go")
		failed.Kind = memory.ToolFailed
		fill(t, s, failed, edited(1, "later", "run", start.Add(time.Hour), "c.go"))
		fill(t, s, edited(2, "elsewhere", "run", start, "d.go"))
		wireAll(t, s, linked(1, "c.go", "b.go", 1), linked(1, "c.go", "a.go", 1))
		grow(t, s, "a.go", func(n *store.Strength) { n.Myelin, n.Ignored, n.Standing = 1, 1, .5 })
		grow(t, s, "b.go", func(n *store.Strength) { n.Myelin, n.Ignored, n.Standing = 3, 1, .25 })
		grow(t, s, "c.go", func(n *store.Strength) { n.Myelin, n.Ignored = 2, 2 })
		grow(t, s, "gone.go", func(n *store.Strength) { n.Myelin, n.Ignored, n.Gone = 9, 9, true })
		p, oops := place(1).Project(), errorOf(failed)
		for _, c := range []struct {
			name   string
			filter store.NeuronFilter
			want   []string
		}{
			{"all", store.NeuronFilter{}, []string{"a.go", "c.go", "b.go", "d.go", oops}},
			{"a project", store.NeuronFilter{Project: p}, []string{"a.go", "c.go", "b.go", oops}},
			{"files", store.NeuronFilter{Project: p, Kind: memory.FileNeuron}, []string{"a.go", "c.go", "b.go"}},
			{"errors", store.NeuronFilter{Kind: memory.ErrorNeuron}, []string{oops}},
			{"ignored", store.NeuronFilter{Ignored: true}, []string{"a.go", "c.go", "b.go"}},
			{"by accesses", store.NeuronFilter{Order: store.ByAccesses, Limit: 2}, []string{"a.go", "c.go"}},
			{"by links", store.NeuronFilter{Project: p, Order: store.ByLinks}, []string{"c.go", "a.go", "b.go", oops}},
			{"by ignored", store.NeuronFilter{Project: p, Order: store.ByIgnored}, []string{"c.go", "b.go", "a.go", oops}},
			{"together", store.NeuronFilter{Project: p, Kind: memory.FileNeuron, Ignored: true, Order: store.ByIgnored, Limit: 1}, []string{"c.go"}},
		} {
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Neurons(t.Context(), c.filter)
				if !slices.Equal(keys(got), c.want) {
					t.Errorf("%s: got %q, want %q", c.name, keys(got), c.want)
				}
				return err
			})
		}
		for project, want := range map[memory.ProjectID]map[memory.NeuronKind]int64{
			0:                  {memory.FileNeuron: 4, memory.ErrorNeuron: 1},
			p:                  {memory.FileNeuron: 3, memory.ErrorNeuron: 1},
			place(2).Project(): {memory.FileNeuron: 1},
			place(3).Project(): {},
		} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, project, want)(tx.CountNeurons(t.Context(), project))
			})
		}
	}},
	{"an error that was met is counted as an access and shown as no touch", func(t *testing.T, h *home) {
		s := h.open()
		first, second := edited(1, "first", "run", start, "a.go"), edited(1, "second", "run", start.Add(time.Hour))
		first.Kind, second.Kind, first.Text, second.Text = memory.ToolFailed, memory.ToolFailed, "the same", "the same"
		fill(t, s, first, second)
		met := newborn(memory.Neuron{
			ID:      memory.NewNeuronID(place(1).Project(), memory.ErrorNeuron, errorOf(first)),
			Project: place(1).Project(), Kind: memory.ErrorNeuron, Key: errorOf(first), Accesses: 2,
			FirstAt: start, LastAt: start.Add(time.Hour),
		})
		expectNeuron(t, s, met)
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Events(t.Context(), store.EventFilter{Kind: memory.ToolFailed})
			if len(got) != 2 || len(got[0].Touches) != 0 || !slices.Equal(got[1].Touches, first.Touches) {
				t.Errorf("got %+v", got)
			}
			return err
		})
	}},
}

// seq is the number of an event.
func (h *home) seq(t *testing.T, id memory.EventID) (n int64) {
	t.Helper()
	must.Do(t, h.Raw.QueryRowContext(t.Context(), `SELECT seq FROM event WHERE id = '`+string(id)+`'`).Scan(&n))
	return n
}
