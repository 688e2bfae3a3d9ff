package record

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// MarkedAnew holds the projects that are marked to be relearned.
var MarkedAnew = store.NewFact[[]memory.ProjectID]("anew")

// ClosedFact holds the sessions that were closed while their project was marked, with a + for those that moved its clock.
func ClosedFact(id memory.ProjectID) store.Fact[[]string] {
	return store.NewFact[[]string]("anew/closed").Of(id)
}

// UptoFact holds the event up to which a marked project had been learned before. Later ones are learned when all else is done.
func UptoFact(id memory.ProjectID) store.Fact[int64] { return store.NewFact[int64]("anew/upto").Of(id) }

// reachFact holds what of a marked project is to be relearned; nil is all of it.
func reachFact(id memory.ProjectID) store.Fact[*store.Reach] {
	return store.NewFact[*store.Reach]("anew/reach").Of(id)
}

// MarkAnew marks a project, of which what lies within a reach is to be relearned, or all of it. It belongs into the transaction
// that changes its events: from then on nothing that a process has read of its past is true, and one that is relearning it
// starts over.
func MarkAnew(ctx context.Context, tx *store.Tx, project memory.ProjectID, reach *store.Reach) error {
	marked, err := MarkedAnew.Get(ctx, tx)
	if err != nil {
		return err
	}
	known := slices.Contains(marked, project)
	if known && reach != nil {
		earlier, err := ReadReach(ctx, tx, project)
		if err != nil {
			return err
		}
		if earlier == nil {
			reach = nil
		} else {
			earlier.Add(reach)
			reach = earlier
		}
	}
	if !known {
		err = MarkedAnew.Set(ctx, tx, append(marked, project))
	}
	if !known || reach == nil {
		last, failed := tx.LastEvent(ctx)
		err = errors.Join(err, failed, UptoFact(project).Set(ctx, tx, last))
	}
	return errors.Join(err, SaveReach(ctx, tx, project, reach), NewGeneration(ctx, tx, project))
}

func ReadReach(ctx context.Context, tx *store.Tx, project memory.ProjectID) (*store.Reach, error) {
	return reachFact(project).Get(ctx, tx)
}

func SaveReach(ctx context.Context, tx *store.Tx, project memory.ProjectID, reach *store.Reach) error {
	if reach == nil || reach.Whole {
		return reachFact(project).Clear(ctx, tx)
	}
	return reachFact(project).Set(ctx, tx, reach)
}

// NewGeneration makes every process read a project's past again.
func NewGeneration(ctx context.Context, tx *store.Tx, project memory.ProjectID) error {
	generation, err := memory.NewEventID(tx.Now, rand.Reader) // no memory has this ID, so it takes no seed of a replayed record
	if err != nil {
		return err
	}
	return GenerationMark(project).Set(ctx, tx, string(generation))
}

// TreePart is a part of what is known from a work tree: its files, the names they define, and which belong together.
type TreePart struct {
	Files []TreeFile `json:"files,omitempty"`
	Links []TreeLink `json:"links,omitempty"`
}

type TreeFile struct {
	Path  string       `json:"path"`
	Names []vocab.Word `json:"names,omitempty"`
}

type TreeLink struct {
	A      memory.NeuronID   `json:"a"`
	B      memory.NeuronID   `json:"b"`
	Weight plasticity.Stored `json:"weight"`
}

// LearnTree takes in what was known from a work tree.
func (a *association) LearnTree(ctx context.Context, project memory.ProjectID, part TreePart) error {
	if _, err := a.Tx.Project(ctx, project); err != nil {
		return brain.IgnoreNotFound(err)
	}
	p, err := a.Past(ctx, project)
	if err != nil {
		return err
	}
	for _, f := range part.Files {
		p.Image.Define(f.Path, f.Names)
	}
	for _, link := range part.Links {
		if err := a.seed(ctx, link.A, link.B, memory.OriginImport, link.Weight, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}
