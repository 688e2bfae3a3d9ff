package ranking

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	tableGrowth = 0.5 // a table is rebuilt once the past has grown by this share: a long one changes slowly (hebb-bench replay)
	tableOpened = 500 // or once sessions have opened this many files, likewise
	wordSeed    = 1
)

// grownEnough says whether a past has grown enough for a new table, and what that would be made from.
func grownEnough(p *record.Past, n brain.Numbers) (next record.Trained, due bool) {
	next = record.Trained{Generation: 1, Commits: p.Image.Commits(), Opened: p.Image.Opened()}
	if !p.Meaning.Known() {
		return next, next.Commits >= n.TableFrom
	}
	last := p.Meaning.Trained
	next.Generation = last.Generation + 1
	grown := func(was, is, least int) bool { return is-was >= max(least, int(tableGrowth*float64(was))) }
	return next, grown(last.Commits, next.Commits, n.TableAfter) || grown(last.Opened, next.Opened, tableOpened)
}

// Input chooses the project whose words are to be learned.
type Input struct {
	Project  memory.ProjectID
	Progress func(share float64)
}

// Learn rebuilds a project's table of words if its past has grown enough for it. It takes seconds, all of them
// outside of any transaction, and reports whether it did.
var Learn = brain.Operation[Input, bool]{
	Name: "learn-words",
	Run: func(ctx context.Context, b *brain.Brain, in Input) (bool, error) {
		learned, err := Train(ctx, b, in.Project, in.Progress)
		if err != nil {
			return learned, err
		}
		if err := LearnHabits(ctx, b, in.Project, in.Progress); err != nil {
			return learned, err
		}
		return learned, KeepPast(ctx, b.Store, record.Pasts(b), in.Project)
	},
}

// Train rebuilds the table of words of a project if it is due, and reports whether it did.
func Train(ctx context.Context, b *brain.Brain, id memory.ProjectID, progress func(float64)) (bool, error) {
	var pairs []embedding.Pair
	var next record.Trained
	var generation string
	pasts, due := record.Pasts(b), false
	err := pasts.View(ctx, b.Store, id, func(_ *store.Tx, p *record.Past) error {
		if next, due = grownEnough(p, b.Numbers); due {
			generation, pairs = p.Generation, embedding.Pairs(p.Image)
		}
		return nil
	})
	if err != nil || !due {
		return false, err
	}
	rng := rand.New(rand.NewPCG(wordSeed, uint64(next.Generation))) // the same past makes the same table
	table, err := embedding.Train(ctx, pairs, b.Numbers.Training, rng, progress)
	if err != nil {
		return false, fmt.Errorf("learn words of %s: %w", id, err)
	}
	files := recall.NewFileVectors(table.Dims())
	err = pasts.View(ctx, b.Store, id, func(_ *store.Tx, p *record.Past) error { // where files point is computed while reading
		table.SetVectors(p.Image, files, record.DescribingTexts)
		return nil
	})
	if err != nil {
		return false, err
	}
	return KeepBlocks(ctx, b.Store, id, generation, map[int][]byte{
		record.TableBlock: append(next.Encode(), table.Encode()...), record.FileVectorsBlock: files.Encode(),
	})
}

// KeepBlocks saves blocks that were made of a project's past, unless that was rebuilt meanwhile: what was forgotten must not live on in them.
func KeepBlocks(ctx context.Context, st *store.Store, id memory.ProjectID, generation string, blocks map[int][]byte) (kept bool, err error) {
	err = st.Update(ctx, func(tx *store.Tx) error {
		now, err := record.GenerationMark(id).Get(ctx, tx)
		if kept = err == nil && now == generation; !kept {
			return err
		}
		for kind, data := range blocks {
			if _, err := tx.SaveBlock(ctx, id, kind, 0, data); err != nil {
				return err
			}
		}
		return nil
	})
	return kept && err == nil, err
}
