package ranking

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// KeepPast writes the file that questions map, if so many blocks have changed since the last one that reading them takes longer than a
// millisecond or two. What belongs to another generation of the project is removed.
func KeepPast(ctx context.Context, st *store.Store, pasts *record.PastCache, id memory.ProjectID) error {
	dir := pasts.Dir()
	var state recall.PastState
	var parts [][]byte
	err := st.View(ctx, func(tx *store.Tx) error {
		generation, err := record.GenerationMark(id).Get(ctx, tx)
		if err != nil {
			return err
		}
		blocks, err := tx.BlockVersions(ctx, id, 0)
		if err != nil {
			return err
		}
		last, changed := recall.PastVersions(dir, id)[generation], 0
		for _, v := range blocks {
			if v.Version > last {
				changed++
			}
		}
		if last == 0 {
			err = recall.RemovePast(dir, id)
		}
		if err != nil || changed <= min(max(fewBlocks, len(blocks)/10), manyBlocks) {
			return err
		}
		p, err := pasts.Of(ctx, tx, id)
		if err != nil {
			return err
		}
		defer pasts.Put(p)
		state, parts = packed(p)
		return nil
	})
	if err != nil || parts == nil {
		return err
	}
	if err := recall.WritePast(dir, state, parts...); err != nil {
		return err
	}
	now, err := brain.View(ctx, st, func(tx *store.Tx) (string, error) { return record.GenerationMark(id).Get(ctx, tx) })
	if err == nil && now != state.Generation { // something was forgotten meanwhile
		err = recall.RemovePast(dir, id)
	}
	return err
}

// packed is what a file of a past holds, with vectors of the files as they are now.
func packed(p *record.Past) (recall.PastState, [][]byte) {
	state := recall.PastState{Project: p.Project, Generation: p.Generation, Version: p.Version, Form: recall.PackedForm}
	parts, m := make([][]byte, record.MeaningParts), p.Meaning
	if m.Known() {
		m.Table.SetVectors(p.Image, m.Files, record.DescribingTexts)
		parts[0], parts[1] = append(m.Encode(), m.Table.Encode()...), m.Files.Encode()
		parts[record.MeaningParts-1] = binary.LittleEndian.AppendUint32(nil, uint32(m.Saved))
	}
	if m != nil && m.Habits != nil {
		parts[record.HabitsBlock-record.TableBlock] = m.Habits.Encode()
	}
	return state, append([][]byte{p.Image.Pack()}, parts...)
}

// Blocks that may have changed since a file was written: a tenth of all, within these bounds. Decoding one takes a hook 0.1 ms.
const (
	fewBlocks  = 4
	manyBlocks = 16
)

// KeepPasts writes the files of all projects that this process has learned from or answered for, as KeepPast does, and removes those of
// projects that the store does not know.
func KeepPasts(ctx context.Context, st *store.Store, pasts *record.PastCache) error {
	for _, id := range pasts.Held() {
		if err := KeepPast(ctx, st, pasts, id); err != nil {
			return err
		}
	}
	projects, err := brain.View(ctx, st, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return err
	}
	known := make([]memory.ProjectID, len(projects))
	for i, p := range projects {
		known[i] = p.ID
	}
	return recall.RemoveOtherPasts(pasts.Dir(), known...)
}

// Replaced gives every project a new generation after the store was replaced by another one, which has counted its versions from the
// beginning: what files and other processes hold of the old store is not used for the new one.
func Replaced(ctx context.Context, tx *store.Tx) error {
	projects, err := tx.Projects(ctx)
	for _, p := range projects {
		err = errors.Join(err, record.NewGeneration(ctx, tx, p.ID))
	}
	return err
}
