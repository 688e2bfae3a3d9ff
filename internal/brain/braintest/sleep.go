package braintest

import (
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

const DayMinutes = 24 * 60

// Visit is a session that reads files one after the other, and ends.
func (l *Lab) Visit(run string, minutes float64, paths ...string) {
	l.T.Helper()
	events := []memory.Event{l.Say(run, minutes, memory.Prompted, "work on it")}
	for i, p := range paths {
		events = append(events, l.Touch(run, minutes+float64(i+1)/10, memory.Read, p))
	}
	last := minutes + float64(len(paths)+1)/10
	l.See(last, append(events, l.Say(run, last, memory.SessionEnded, ""))...)
}

// SleepOn sleeps some days after start, all of which were days of work.
func (l *Lab) SleepOn(days float64, in sleep.SleepInput) sleep.SleepReport {
	l.T.Helper()
	l.On(days)
	l.WorkedOn()
	return Must(l, steward.Sleep, in)
}

func (l *Lab) LinkCount() int {
	l.T.Helper()
	links := must.Get(brain.View(l.T.Context(), l.Store, func(tx *store.Tx) ([]store.Synapse, error) {
		return tx.StrongestSynapses(l.T.Context(), store.SynapseFilter{})
	}))(l.T)
	return len(links)
}

// Link is what two files have of each other.
func (l *Lab) Link(one, other string) (store.Synapse, bool) {
	l.T.Helper()
	p := l.Place.Project()
	link, err := brain.View(l.T.Context(), l.Store, func(tx *store.Tx) (store.Synapse, error) {
		return tx.Synapse(l.T.Context(), memory.NewNeuronID(p, memory.FileNeuron, one), memory.NewNeuronID(p, memory.FileNeuron, other))
	})
	if err != nil && !brain.IsNotFound(err) {
		l.T.Fatal(err)
	}
	return link, err == nil
}

// Strength is the weight of the stronger direction now, as balanced.
func (l *Lab) Strength(s store.Synapse) float64 {
	l.T.Helper()
	rules := must.Get(brain.View(l.T.Context(), l.Store, func(tx *store.Tx) (plasticity.Rules, error) { return l.Rules(l.T.Context(), tx, l.Place.Project()) }))(l.T)
	return rules.Weight.Value(max(s.AB, s.BA), plasticity.Days(l.Clock))
}

// Many is a session of so many files that all its links are noise, and too many to go at once.
func (l *Lab) Many(minutes float64) {
	var paths []string
	for i := range 9 {
		paths = append(paths, fmt.Sprintf("file%d.go", i))
	}
	l.Visit("many", minutes, paths...)
}

// Named are so many files whose IDs lie in one half of all there are, so that a test knows which slice they are in.
func (l *Lab) Named(upper bool, many int) (paths []string) {
	const middle = memory.NeuronID(1) << 62
	for i := 0; len(paths) < many; i++ {
		path := fmt.Sprintf("file%d.go", i)
		if id := memory.NewNeuronID(l.Place.Project(), memory.FileNeuron, path); id >= middle == upper {
			paths = append(paths, path)
		}
	}
	return paths
}

func (l *Lab) Neurons() []brain.NeuronState {
	l.T.Helper()
	return Must(l, inspect.Neurons, inspect.NeuronsInput{Scope: brain.Scope{All: true}})
}
