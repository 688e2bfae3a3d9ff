package plasticity

import (
	"iter"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Window is what one session has in view: the last few different things it touched, oldest first. Files and errors
// share one window; tools have their own, so that a tool used all the time does not push files out.
type Window struct {
	size int
	ids  []memory.NeuronID
}

// NewWindow returns an empty window for size things.
func NewWindow(size int) *Window { return &Window{size: size} }

// Touch makes id the newest of the window; the oldest falls out if there is no room.
func (w *Window) Touch(id memory.NeuronID) {
	w.ids = slices.DeleteFunc(w.ids, func(other memory.NeuronID) bool { return other == id })
	w.ids = append(w.ids, id)
	if over := len(w.ids) - w.size; over > 0 {
		w.ids = slices.Delete(w.ids, 0, over)
	}
}

// Others yields what an access to id meets, with the position of each: 1 for the newest of the window, falling evenly
// to 1/n for the oldest. Ask before Touch.
func (w *Window) Others(id memory.NeuronID) iter.Seq2[memory.NeuronID, float64] {
	return func(yield func(memory.NeuronID, float64) bool) {
		for i, other := range w.ids {
			if other != id && !yield(other, float64(i+1)/float64(len(w.ids))) {
				return
			}
		}
	}
}
