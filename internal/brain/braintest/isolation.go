package braintest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

// figures are all numbers of a project that anybody can see, as they are stored.
type figures struct {
	Known     bool
	Clock     int64
	Neurons   []store.Strength
	Links     []store.Synapse
	Heat      []store.Heat
	Registers []store.Register
	Gone      []store.Gone
	Recalled  []string // with scores
	Crystals  []string
	Goals     []memory.Goal
}

func (l *Lab) Figures(place memory.Place) (f figures) {
	l.T.Helper()
	id, ctx := place.Project(), l.T.Context()
	View(l, func(tx *store.Tx) (err error) {
		f = figures{}
		p, err := tx.Project(ctx, id)
		if brain.IsNotFound(err) {
			return nil
		}
		f.Known, f.Clock = true, p.Clock
		var one, two, three, four, five, six error
		f.Neurons, one = tx.Neurons(ctx, store.NeuronFilter{Project: id})
		f.Links, two = tx.StrongestSynapses(ctx, store.SynapseFilter{Project: id})
		f.Heat, three = tx.Hottest(ctx, id, plasticity.Nothing, 1000)
		f.Registers, four = tx.Registers(ctx, id)
		f.Gone, five = tx.ListGone(ctx, store.GoneFilter{Project: id})
		for i := range f.Registers {
			f.Registers[i].After = 0 // events are numbered over all projects
		}
		kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id}})
		for _, c := range kept {
			f.Crystals = append(f.Crystals, fmt.Sprint(c.Text, c.Importance, c.Lifecycle, c.Accesses, c.GapHours, c.LastAt, c.ValidTo))
		}
		slices.Sort(f.Crystals) // those of one moment are ordered by IDs, which are drawn at random
		f.Goals, six = tx.Goals(ctx, false, id)
		for i := range f.Goals {
			f.Goals[i].ID = ""
			f.Goals[i].Links.Crystals = make([]memory.CrystalID, len(f.Goals[i].Links.Crystals))
		}
		slices.SortFunc(f.Goals, func(a, b memory.Goal) int { return strings.Compare(a.Title, b.Title) })
		return errors.Join(err, one, two, three, four, five, six)
	})
	if len(f.Neurons) == 0 {
		return f
	}
	for _, in := range []ranking.RecallInput{{Text: "fix the login redirect"}, {Open: []string{f.Neurons[0].Key}}} {
		in.Project = id.String()
		for _, r := range Must(l, ranking.Recall, in).Files {
			f.Recalled = append(f.Recalled, fmt.Sprint(r.Path, r.Score, r.Confidence))
		}
	}
	return f
}

// Differ names the first figure in which two projects differ.
func (f figures) Differ(other figures) string {
	a, b := reflect.ValueOf(f), reflect.ValueOf(other)
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			return fmt.Sprintf("%s:\n%+v\n%+v", a.Type().Field(i).Name, a.Field(i).Interface(), b.Field(i).Interface())
		}
	}
	return ""
}

// SomeSession is one of a project: prompts, files read and changed, now and then an error and what fixed it.
func (l *Lab) SomeSession(r *rand.Rand, place memory.Place, run string, minutes float64) (events []memory.Event) {
	file := func() string { return fmt.Sprintf("f%d.go", r.IntN(9)) }
	events = append(events, l.Say(run, minutes, memory.Prompted, "fix the login redirect"))
	for i := range 3 + r.IntN(8) {
		at := minutes + float64(i+1)/10
		kind := memory.Read
		if r.IntN(3) == 0 {
			kind = memory.Edit
		}
		events = append(events, l.Touch(run, at, kind, file()))
		if r.IntN(6) == 0 {
			failed := l.Say(run, at, memory.ToolFailed, "panic: runtime error: index out of range [3] with length 3")
			failed.Input = "go test"
			passed := l.Say(run, at, memory.ToolUsed, "ok")
			passed.Input = "go test"
			events = append(events, failed, l.Touch(run, at, memory.Edit, file()), passed)
		}
	}
	if r.IntN(4) > 0 {
		events = append(events, l.Say(run, minutes+2, memory.SessionEnded, ""))
	}
	for i := range events {
		events[i].Place = place
	}
	return events
}

// At moves the lab's clock to so many minutes after start.
func (l *Lab) At(minutes float64) {
	l.Clock = Start.Add(time.Duration(minutes * float64(time.Minute)))
}

// LearnAnew makes all figures of a project again.
func (l *Lab) LearnAnew(place memory.Place) {
	l.T.Helper()
	err := l.Store.Update(l.T.Context(), func(tx *store.Tx) error { return record.MarkAnew(l.T.Context(), tx, place.Project()) })
	if err = errors.Join(err, forget.LearnAnew(l.T.Context(), l.Brain), sleep.LearnWords(l.T.Context(), l.Brain, place.Project())); err != nil {
		l.T.Fatal(err)
	}
}

// Without leaves out what has to do with some files.
func (f figures) Without(place memory.Place, paths ...string) figures {
	of := map[memory.NeuronID]bool{}
	for _, p := range paths {
		of[memory.NewNeuronID(place.Project(), memory.FileNeuron, p)] = true
	}
	f.Neurons = slices.DeleteFunc(f.Neurons, func(n store.Strength) bool { return of[n.ID] })
	f.Links = slices.DeleteFunc(f.Links, func(s store.Synapse) bool { return of[s.A] || of[s.B] })
	f.Heat = slices.DeleteFunc(f.Heat, func(h store.Heat) bool { return of[h.Neuron] })
	f.Gone = slices.DeleteFunc(f.Gone, func(g store.Gone) bool { return of[g.A] || of[g.B] })
	f.Recalled = nil
	return f
}
