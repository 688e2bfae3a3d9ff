package record

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	pairCommits = 3  // commits two files must share to be wired by history (once or twice is chance)
	pairsOfFile = 20 // files most often changed with a file that history wires it to (ranking reads the commits themselves)
)

// seed wires two neurons, if they are known, by evidence other than their use, unless their link is stronger, and reports whether the link is
// new. What sleep has forgotten does not come back by older evidence; at is when that happened, zero for always, and now is when it is wired.
func (a *association) seed(
	ctx context.Context, one, other memory.NeuronID, origin memory.Origin, weight plasticity.Stored, at, now time.Time,
) (begun bool, err error) {
	from, errFrom := a.Neuron(ctx, one)
	to, errTo := a.Neuron(ctx, other)
	if brain.IsNotFound(errFrom) || brain.IsNotFound(errTo) {
		return false, nil
	}
	if err := errors.Join(errFrom, errTo); err != nil {
		return false, err
	}
	if err := a.load(ctx, from.Project, one, []memory.NeuronID{other}); err != nil {
		return false, err
	}
	key := plasticity.PairOf(one, other)
	if known, err := a.comesBack(ctx, from.Project, key, at); err != nil || !known {
		return false, err
	}
	link := a.links[key]
	begun = a.fresh[key]
	if !begun && origin == memory.OriginImport {
		return false, nil // said before; a second reading makes it no truer
	}
	if begun {
		delete(a.fresh, key)
		link.Origin, link.LastAt = origin, now
		from.Links++
		to.Links++
	}
	link.AB, link.BA = max(link.AB, weight), max(link.BA, weight)
	return begun, nil
}

// Hint is a link that something other than use suggests.
type Hint struct {
	A      string        `json:"a"` // paths
	B      string        `json:"b"`
	Origin memory.Origin `json:"-"`
	Weight float64       `json:"w"`
	at     time.Time     // of the latest evidence; zero: it was always so
}

// HintsOfHistory are what a project's commits suggest, from one on.
func HintsOfHistory(ctx context.Context, st *store.Store, pasts *PastCache, project memory.ProjectID, from int) (hints []Hint, err error) {
	err = pasts.View(ctx, st, project, func(_ *store.Tx, p *Past) error {
		pairs, most := p.Image.Pairs(from, pairCommits, pairsOfFile)
		for _, pair := range pairs {
			hints = append(hints, Hint{
				A: p.Image.File(pair.A).Path, B: p.Image.File(pair.B).Path,
				Origin: memory.OriginRepo, Weight: plasticity.GitSeed(pair.Commits, most), at: pair.Last,
			})
		}
		return nil
	})
	return hints, err
}

// Wire takes hints in, for files that are known, all at one time. What no commits say, the log keeps.
func (r *Recorder) Wire(ctx context.Context, project memory.ProjectID, hints []Hint, now time.Time) error {
	var begun []Hint
	for _, h := range hints {
		began, err := r.Hint(ctx, project, h, now)
		if err != nil {
			return err
		}
		if began && h.Origin == memory.OriginImport {
			begun = append(begun, h)
		}
	}
	if len(begun) == 0 {
		return nil
	}
	text, err := json.Marshal(begun)
	if err != nil {
		return err
	}
	return Log(ctx, r.Tx, memory.StoredEvent{Project: project, Event: memory.Event{
		Kind: memory.Wired, At: now, Tool: string(memory.OriginImport), Text: string(text),
	}})
}

// Hint takes one hint in, and reports whether it began a link.
func (a *association) Hint(ctx context.Context, project memory.ProjectID, h Hint, now time.Time) (begun bool, err error) {
	if err := a.useRules(ctx, project); err != nil {
		return false, err
	}
	one, other := memory.NewNeuronID(project, memory.FileNeuron, h.A), memory.NewNeuronID(project, memory.FileNeuron, h.B)
	return a.seed(ctx, one, other, h.Origin, a.rules.Weight.Store(h.Weight, plasticity.Days(now)), h.at, now)
}

// LogWired says that what the commits so far suggest is wired.
func LogWired(ctx context.Context, tx *store.Tx, project memory.ProjectID, now time.Time) error {
	return Log(ctx, tx, memory.StoredEvent{Project: project, Event: memory.Event{Kind: memory.Wired, At: now, Tool: string(memory.OriginRepo)}})
}
