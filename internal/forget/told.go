package forget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// toldFact says that all a project's source text says is kept in blocks of their own, until the project is learned anew.
func toldFact(id memory.ProjectID) store.Fact[bool] { return store.NewFact[bool]("anew/told").Of(id) }

// toldAtOnce are in one block, and taken in by one transaction.
const toldAtOnce = 150

// keepTold keeps what no event says, once, before it is unlearned.
func (l *relearner) keepTold(ctx context.Context) error {
	var parts []record.Told
	kept, err := brain.View(ctx, l.Brain, func(tx *store.Tx) (kept bool, err error) {
		if kept, err = toldFact(l.project).Get(ctx, tx); err == nil && !kept {
			parts, err = l.toldBySource(ctx, tx)
		}
		return kept, err
	})
	if err != nil || kept {
		return err
	}
	if err := l.step(ctx, func(r *record.Recorder) error { return r.Tx.DropBlocks(ctx, l.project, store.ToldBlock) }); err != nil {
		return err
	}
	for i, part := range parts {
		data, err := json.Marshal(part)
		if err != nil {
			return err
		}
		err = l.step(ctx, func(r *record.Recorder) error {
			_, err := r.Tx.SaveBlock(ctx, l.project, store.ToldBlock, i, data)
			return err
		})
		if err != nil {
			return err
		}
	}
	return l.step(ctx, func(r *record.Recorder) error { return toldFact(l.project).Set(ctx, r.Tx, true) })
}

func (l *relearner) toldBySource(ctx context.Context, tx *store.Tx) (parts []record.Told, err error) {
	p, err := record.PastOf(ctx, l.Brain, tx, l.project)
	if err != nil {
		return nil, err
	}
	defer record.Pasts(l.Brain).Put(p)
	var files []record.ToldFile
	for i := range p.Image.Files() {
		if f := p.Image.File(recall.FileNo(i)); f.InTree && !f.Gone {
			files = append(files, record.ToldFile{Path: f.Path, Names: f.Names})
		}
	}
	for some := range slices.Chunk(files, toldAtOnce) {
		parts = append(parts, record.Told{Files: some})
	}
	links, err := tx.StrongestSynapses(ctx, store.SynapseFilter{Project: l.project, Origin: memory.OriginImport})
	for some := range slices.Chunk(links, toldAtOnce) {
		var part record.Told
		for _, s := range some {
			part.Links = append(part.Links, record.ToldLink{A: s.A, B: s.B, Weight: max(s.AB, s.BA)})
		}
		parts = append(parts, part)
	}
	return parts, err
}

// retell takes in again what was kept by keepTold.
func (l *relearner) retell(ctx context.Context) error {
	var parts []record.Told
	err := l.Store.View(ctx, func(tx *store.Tx) error {
		return tx.EachBlock(ctx, l.project, func(v store.BlockVersion, data []byte) error {
			if v.Kind != store.ToldBlock {
				return nil
			}
			var part record.Told
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
	return steps(ctx, l, parts, 1, func(r *record.Recorder, some []record.Told) error {
		r.Anew = l.anew.Again()
		return r.Retell(ctx, l.project, some[0])
	})
}

func (l *relearner) dropTold(ctx context.Context, tx *store.Tx) error {
	return errors.Join(tx.DropBlocks(ctx, l.project, store.ToldBlock), toldFact(l.project).Clear(ctx, tx))
}
