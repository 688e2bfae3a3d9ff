package ranking

import (
	"cmp"
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Highway is a file that sessions keep coming back to.
type Highway struct {
	brain.NeuronState
	Sessions int `json:"sessions"` // of the latest ones, that opened it
}

// A highway is a file that a fifth of a project's latest sessions opened, so the rule grows with the project. Replayed on the three public sets of
// sessions it names 2 to 5 files; the next session opens one of them in 54 to 59 % of all cases, and the first is named in the second week at the
// latest. A tenth instead of a fifth names up to 18 files that are opened less often each.
const (
	highwaySessions = 100 // latest sessions that count: some weeks of work
	highwayShare    = 0.2 // of these
	highwayLeast    = 5   // sessions: fewer are one piece of work
)

// Highways are the files of a project that sessions keep coming back to, those with the most myelin first.
func (a *Query) Highways(ctx context.Context, id memory.ProjectID) (found []Highway, err error) {
	p, err := a.pasts.Of(ctx, a.tx, id)
	if err != nil {
		return nil, err
	}
	defer a.pasts.Put(p)
	opened, sessions := p.Image.OpenedBy(highwaySessions)
	var ids []memory.NeuronID
	for path, by := range opened {
		if by >= highwayLeast && float64(by) >= highwayShare*float64(sessions) {
			ids = append(ids, memory.NewNeuronID(id, memory.FileNeuron, path))
		}
	}
	known, err := a.tx.NeuronsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	rules, err := a.rules(ctx, id)
	now := brain.ReaderAt(rules, a.tx.Now)
	for _, n := range known {
		if !n.Gone {
			found = append(found, Highway{now.State(n), opened[n.Key]})
		}
	}
	slices.SortFunc(found, func(a, b Highway) int { return cmp.Or(cmp.Compare(b.Myelin, a.Myelin), cmp.Compare(a.Key, b.Key)) })
	return found, err
}
