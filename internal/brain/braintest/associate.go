package braintest

import (
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/store"
)

// Touch is a file read or edited by run.
func (l *Lab) Touch(run string, minutes float64, kind memory.TouchKind, paths ...string) memory.Event {
	e := l.Event(memory.ToolUsed, minutes)
	e.AgentSession, e.Text = run, ""
	for _, p := range paths {
		e.Touches = append(e.Touches, memory.Touch{Kind: kind, Path: p})
	}
	return e
}

func (l *Lab) Say(run string, minutes float64, kind memory.EventKind, text string) memory.Event {
	e := l.Event(kind, minutes)
	e.AgentSession, e.Text = run, text
	return e
}

func (l *Lab) Commit(minutes float64, subject string, touches ...memory.Touch) memory.Event {
	e := l.Event(memory.Committed, minutes)
	e.AgentSession, e.Agent, e.Origin = "", memory.AgentGit, memory.OriginRepo
	e.Text, e.Input, e.Touches = subject, fmt.Sprintf("%040d", l.Count), touches
	return e
}

func Changed(paths ...string) (touches []memory.Touch) {
	for _, p := range paths {
		touches = append(touches, memory.Touch{Kind: memory.Edit, Path: p})
	}
	return touches
}

// Weight is what one file has learned of another, now.
func (l *Lab) Weight(from, to string) float64 {
	l.T.Helper()
	project := l.Place.Project()
	a, b := memory.NewNeuronID(project, memory.FileNeuron, from), memory.NewNeuronID(project, memory.FileNeuron, to)
	var w float64
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) error {
		pair := plasticity.PairOf(a, b)
		links, err := tx.SynapsesOf(l.T.Context(), []plasticity.Pair{pair})
		link, known := links[pair]
		if err != nil || !known {
			return err
		}
		stored := link.AB
		if link.A != a {
			stored = link.BA
		}
		rules, err := l.Rules(l.T.Context(), tx, l.Place.Project())
		w = rules.Weight.Value(stored, plasticity.Days(tx.Now))
		return err
	}))
	return w
}

func (l *Lab) recalled(in ranking.RecallInput) (paths []string) {
	l.T.Helper()
	in.Project = l.Place.Project().String()
	out := Must(l, ranking.Recall, in)
	for _, f := range out.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// learned is everything derived from the events of the lab's project, as it can be compared.
type learned struct {
	Neurons  []store.Strength
	Synapses []store.Synapse
	Answers  []string
}

func (l *Lab) Learned() (out learned) {
	l.T.Helper()
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) (err error) {
		if out.Neurons, err = tx.Neurons(l.T.Context(), store.NeuronFilter{}); err != nil {
			return err
		}
		out.Synapses, err = tx.StrongestSynapses(l.T.Context(), store.SynapseFilter{})
		return err
	}))
	out.Answers = append(l.recalled(ranking.RecallInput{Text: "login redirect"}), l.recalled(ranking.RecallInput{Open: []string{"web/login.go"}})...)
	return out
}

// SomeWork is a history and two sessions on it.
func (l *Lab) SomeWork() []memory.Event {
	var events []memory.Event
	for i := range 6 {
		events = append(events, l.Commit(float64(i), "fix login redirect", Changed("web/login.go", "web/session.go")...))
	}
	events = append(events, l.Commit(7, "move", memory.Touch{Kind: memory.Rename, Path: "web/auth.go", From: "web/session.go"}))
	for i, run := range []string{"one", "two"} {
		at := 10 + 10*float64(i)
		events = append(events,
			l.Say(run, at, memory.Prompted, "the login redirect loops"),
			l.Touch(run, at+1, memory.Read, "web/login.go"), l.Touch(run, at+2, memory.Edit, "web/auth.go"),
			l.Say(run, at+3, memory.ToolFailed, "panic: runtime error: invalid memory address or nil pointer dereference"),
			l.Touch(run, at+4, memory.Edit, "web/login.go"), l.Say(run, at+5, memory.SessionEnded, ""))
	}
	return events
}

func (l *Lab) Relearn() {
	l.T.Helper()
	l.LearnAnew(l.Place)
}
