package brain

import (
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// NeuronState is a neuron as it stands now: fading values are given as they are now.
type NeuronState struct {
	memory.Neuron
	Myelin     float64 `json:"myelin"`
	Activation float64 `json:"activation"`
	// Standing is what is left of its say after suggestions of it were ignored, 1 for all of it.
	Standing float64 `json:"standing"`
}

func (r reader) WeightNow(s plasticity.Stored) float64 { return r.Weight.Value(s, r.Day) }

func (r reader) State(n store.Strength) NeuronState {
	return NeuronState{
		Neuron: n.Neuron, Standing: n.Standing,
		Myelin: r.Myelin.Value(n.Myelin, r.Day), Activation: r.Activation.Value(n.Activation, r.Day),
	}
}

// ListInput asks for the first of a list.
type ListInput struct {
	Scope
	Limit int `json:"limit,omitempty" flag:"limit,n"`
}

// End is one end of a link.
type End struct {
	ID   memory.NeuronID   `json:"id"`
	Kind memory.NeuronKind `json:"kind"`
	Key  string            `json:"key"`
}

// SynapseState is a link as it stands now, seen from the file asked for, else along its stronger direction.
type SynapseState struct {
	Project    memory.ProjectID `json:"project"`
	From       End              `json:"from"`
	To         End              `json:"to"`
	Weight     float64          `json:"weight"` // from From to To
	Back       float64          `json:"back"`
	CoAccesses int64            `json:"co_accesses"`
	CoSessions int64            `json:"co_sessions"`
	CoCommits  int64            `json:"co_commits"` // that changed both
	Origin     memory.Origin    `json:"origin"`
	LastAt     time.Time        `json:"last_at"`
	LastCommit time.Time        `json:"last_commit_at,omitzero"` // that changed both
}

func (r reader) Synapse(l store.Synapse, a, b End, from memory.NeuronID) SynapseState {
	s := SynapseState{
		Project: l.Project, From: a, To: b, Weight: r.WeightNow(l.AB), Back: r.WeightNow(l.BA),
		CoAccesses: l.CoAccesses, CoSessions: l.CoSessions, Origin: l.Origin, LastAt: l.LastAt,
	}
	if from == b.ID || from == 0 && s.Back > s.Weight {
		s.From, s.To, s.Weight, s.Back = s.To, s.From, s.Back, s.Weight
	}
	return s
}
