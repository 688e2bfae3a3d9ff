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

// sourceFact says that all a project's source text says is kept in blocks of their own, until the project is relearned.
func sourceFact(id memory.ProjectID) store.Fact[bool] { return store.NewFact[bool]("anew/told").Of(id) }

// sourceAtOnce are in one block, and learned in one transaction.
const sourceAtOnce = 150

// keepSource keeps what no event says, once, before it is unlearned.
func (l *relearner) keepSource(ctx context.Context) error {
	var parts []record.TreePart
	kept, err := brain.View(ctx, l.Store, func(tx *store.Tx) (kept bool, err error) {
		if kept, err = sourceFact(l.project).Get(ctx, tx); err == nil && !kept {
			parts, err = l.factsOfSource(ctx, tx)
		}
		return kept, err
	})
	if err != nil || kept {
		return err
	}
	if err := l.step(ctx, func(r *record.Recorder) error { return r.Tx.DropBlocks(ctx, l.project, store.TreeBlock) }); err != nil {
		return err
	}
	for i, part := range parts {
		data, err := json.Marshal(part)
		if err != nil {
			return err
		}
		err = l.step(ctx, func(r *record.Recorder) error {
			_, err := r.Tx.SaveBlock(ctx, l.project, store.TreeBlock, i, data)
			return err
		})
		if err != nil {
			return err
		}
	}
	return l.step(ctx, func(r *record.Recorder) error { return sourceFact(l.project).Set(ctx, r.Tx, true) })
}

func (l *relearner) factsOfSource(ctx context.Context, tx *store.Tx) (parts []record.TreePart, err error) {
	p, err := record.Pasts(l.Brain).Of(ctx, tx, l.project)
	if err != nil {
		return nil, err
	}
	defer record.Pasts(l.Brain).Put(p)
	var files []record.TreeFile
	for i := range p.Image.Files() {
		if f := p.Image.File(recall.FileNo(i)); f.InTree && !f.Gone {
			files = append(files, record.TreeFile{Path: f.Path, Names: f.Names})
		}
	}
	for some := range slices.Chunk(files, sourceAtOnce) {
		parts = append(parts, record.TreePart{Files: some})
	}
	links, err := tx.StrongestSynapses(ctx, store.SynapseFilter{Project: l.project, Origin: memory.OriginImport})
	for some := range slices.Chunk(links, sourceAtOnce) {
		var part record.TreePart
		for _, s := range some {
			part.Links = append(part.Links, record.TreeLink{A: s.A, B: s.B, Weight: max(s.AB, s.BA)})
		}
		parts = append(parts, part)
	}
	return parts, err
}

// restoreSource learns again what was kept by keepSource.
func (l *relearner) restoreSource(ctx context.Context) error {
	var parts []record.TreePart
	err := l.Store.View(ctx, func(tx *store.Tx) error {
		return tx.EachBlock(ctx, l.project, 0, func(v store.BlockVersion, data []byte) error {
			if v.Kind != store.TreeBlock {
				return nil
			}
			var part record.TreePart
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
	return steps(ctx, l, parts, 1, func(r *record.Recorder, some []record.TreePart) error {
		r.Anew = l.anew.Again()
		return r.LearnTree(ctx, l.project, some[0])
	})
}

func (l *relearner) dropSource(ctx context.Context, tx *store.Tx) error {
	return errors.Join(tx.DropBlocks(ctx, l.project, store.TreeBlock), sourceFact(l.project).Clear(ctx, tx))
}
