package brain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// toldFact says that all a project's source text says is kept in blocks of their own, until the project is learned anew.
func toldFact(id memory.ProjectID) store.Fact[bool] { return store.NewFact[bool]("anew/told").Of(id) }

// told is a part of what a project's work tree says: which files there are, the names they define, and which belong together.
type told struct {
	Files []toldFile `json:"files,omitempty"`
	Links []toldLink `json:"links,omitempty"`
}

type toldFile struct {
	Path  string        `json:"path"`
	Names []recall.Word `json:"names,omitempty"`
}

type toldLink struct {
	A      memory.NeuronID   `json:"a"`
	B      memory.NeuronID   `json:"b"`
	Weight plasticity.Stored `json:"weight"`
}

// toldAtOnce are in one block, and taken in by one transaction.
const toldAtOnce = 150

// keepTold keeps what no event says, once, before it is unlearned.
func (l *relearner) keepTold(ctx context.Context) error {
	var parts []told
	kept, err := viewed(ctx, l.Brain, func(tx *store.Tx) (kept bool, err error) {
		if kept, err = toldFact(l.project).Get(ctx, tx); err == nil && !kept {
			parts, err = l.toldBySource(ctx, tx)
		}
		return kept, err
	})
	if err != nil || kept {
		return err
	}
	if err := l.step(ctx, func(r *recorder) error { return r.tx.DropBlocks(ctx, l.project, store.ToldBlock) }); err != nil {
		return err
	}
	for i, part := range parts {
		data, err := json.Marshal(part)
		if err != nil {
			return err
		}
		err = l.step(ctx, func(r *recorder) error {
			_, err := r.tx.SaveBlock(ctx, l.project, store.ToldBlock, i, data)
			return err
		})
		if err != nil {
			return err
		}
	}
	return l.step(ctx, func(r *recorder) error { return toldFact(l.project).Set(ctx, r.tx, true) })
}

func (l *relearner) toldBySource(ctx context.Context, tx *store.Tx) (parts []told, err error) {
	p, err := l.past(ctx, tx, l.project)
	if err != nil {
		return nil, err
	}
	defer l.pasts().put(p)
	var files []toldFile
	for i := range p.image.Files() {
		if f := p.image.File(recall.FileNo(i)); f.Told && !f.Gone {
			files = append(files, toldFile{Path: f.Path, Names: f.Names})
		}
	}
	for some := range slices.Chunk(files, toldAtOnce) {
		parts = append(parts, told{Files: some})
	}
	links, err := tx.StrongestSynapses(ctx, store.SynapseFilter{Project: l.project, Origin: memory.OriginImport})
	for some := range slices.Chunk(links, toldAtOnce) {
		var part told
		for _, s := range some {
			part.Links = append(part.Links, toldLink{A: s.A, B: s.B, Weight: max(s.AB, s.BA)})
		}
		parts = append(parts, part)
	}
	return parts, err
}

// retell takes in again what was kept by keepTold.
func (l *relearner) retell(ctx context.Context) error {
	var parts []told
	err := l.store.View(ctx, func(tx *store.Tx) error {
		return tx.EachBlock(ctx, l.project, func(v store.BlockVersion, data []byte) error {
			if v.Kind != store.ToldBlock {
				return nil
			}
			var part told
			if err := json.Unmarshal(data, &part); err != nil {
				return fmt.Errorf("block %d/%d of %s: %w: %w", v.Kind, v.Number, l.project, memory.ErrDamaged, err)
			}
			parts = append(parts, part)
			return nil
		})
	})
	if err != nil {
		return err
	}
	return steps(ctx, l, parts, 1, func(r *recorder, some []told) error {
		r.anew = l.anew.again()
		return r.retell(ctx, l.project, some[0])
	})
}

func (r *recorder) retell(ctx context.Context, project memory.ProjectID, part told) error {
	if _, err := r.tx.Project(ctx, project); err != nil {
		return ignoreNotFound(err)
	}
	p, err := r.past(ctx, project)
	if err != nil {
		return err
	}
	for _, f := range part.Files {
		p.image.Define(f.Path, f.Names)
	}
	for _, link := range part.Links {
		a, errA := r.neuron(ctx, link.A)
		b, errB := r.neuron(ctx, link.B)
		if isNotFound(errA) || isNotFound(errB) {
			continue
		}
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if err := r.seed(ctx, a, b, memory.OriginImport, link.Weight, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

func (l *relearner) dropTold(ctx context.Context, tx *store.Tx) error {
	return errors.Join(tx.DropBlocks(ctx, l.project, store.ToldBlock), toldFact(l.project).Clear(ctx, tx))
}
