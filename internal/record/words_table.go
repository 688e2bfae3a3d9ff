package record

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	DescribingTexts = 20  // latest commits and sessions whose words describe a file (design/embedding.md, section 3)
	tableGrowth     = 0.5 // but not before the past has grown by this share: a long one changes slowly (hebb-bench replay)
	tableOpened     = 500 // files opened by sessions after which it is made anew, likewise (design/embedding.md, section 3)
)

// Blocks of a past besides those of the image: a table of word vectors trained on it, where its files point, and the habits of the
// project.
const (
	tableBlock      = 2
	DirectionsBlock = 3
	habitsBlock     = 4
)

// wordSense is what a past has taught about words.
type WordSense struct {
	Trained
	Table  *embedding.Table
	Files  *recall.FileVectors
	Saved  int // episodes known when files was saved
	Habits *recall.Habits
}

// trained says what a table was made from.
type Trained struct {
	Generation int // counts the tables of a project
	Commits    int
	Opened     int // files that sessions opened
}

const (
	trainedSize = 3 * 4
	wordSeed    = 1
)

func (t Trained) encode() []byte {
	var b []byte
	for _, n := range []int{t.Generation, t.Commits, t.Opened} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// readMeaning takes in a block, which it copies: a question looks at few of its words. One that cannot be read is as good
// as none: it holds nothing that the past does not say, and is made again.
func (p *Past) readMeaning(kind int, data []byte) {
	if p.Meaning == nil {
		p.Meaning = &WordSense{}
	}
	m := p.Meaning
	if kind == habitsBlock {
		m.Habits, _ = recall.DecodeHabits(data)
		return
	}
	if kind == DirectionsBlock {
		m.Files, _ = recall.DecodeFileVectors(data)
		if m.Files != nil {
			m.Saved = m.Files.Episodes()
		}
		return
	}
	m.Table = nil
	if len(data) < trainedSize {
		return
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(data[i*4:])) }
	m.Trained = Trained{Generation: number(0), Commits: number(1), Opened: number(2)}
	m.Table, _ = embedding.Decode(bytes.Clone(data[trainedSize:]))
}

// Known reports whether there is a table, and what files mean by it.
func (m *WordSense) Known() bool {
	return m != nil && m.Table != nil && m.Files != nil && m.Table.Dims() == m.Files.Dims()
}

// Mean says what a question and the files mean, where that is known.
func (p *Past) Mean(q *recall.Question, without bool) {
	p.Ranker.Point(nil)
	p.Ranker.Adopt(nil)
	m := p.Meaning
	if !m.Known() || without {
		return
	}
	p.Ranker.Adopt(m.Habits)
	m.Table.Direct(p.Image, m.Files, DescribingTexts)
	p.Ranker.Point(m.Files)
	q.Vector = m.Table.Vector(recall.Asked(q.Text))
}

// due says whether a past has grown enough for a new table, and what that would be made from.
func (p *Past) due(n brain.Numbers) (next Trained, due bool) {
	next = Trained{Generation: 1, Commits: p.Image.Commits(), Opened: p.Image.Opened()}
	if !p.Meaning.Known() {
		return next, next.Commits >= n.TableFrom
	}
	last := p.Meaning.Trained
	next.Generation = last.Generation + 1
	grown := func(was, is, least int) bool { return is-was >= max(least, int(tableGrowth*float64(was))) }
	return next, grown(last.Commits, next.Commits, n.TableAfter) || grown(last.Opened, next.Opened, tableOpened)
}

// WordsInput chooses the project whose words are to be learned.
type WordsInput struct {
	Project  memory.ProjectID
	Progress func(share float64)
}

// LearnWords makes a project's table of words anew if its past has grown enough for it. It takes seconds, all of them
// outside of any transaction, and reports whether it did.
var LearnWords = brain.Operation[WordsInput, bool]{
	Name: "learn-words", Summary: "Learn what words mean in a project",
	Run: func(ctx context.Context, b *brain.Brain, in WordsInput) (bool, error) {
		learned, err := TrainWords(ctx, b, in.Project, in.Progress)
		if err != nil {
			return learned, err
		}
		return learned, LearnHabits(ctx, b, in.Project, in.Progress)
	},
}

func TrainWords(ctx context.Context, b *brain.Brain, id memory.ProjectID, progress func(float64)) (bool, error) {
	var pairs []embedding.Pair
	var next Trained
	var era string
	beside := besideReader{}
	due, err := brain.View(ctx, b, func(tx *store.Tx) (due bool, err error) {
		p, err := PastOf(ctx, b, tx, id)
		if err != nil {
			return false, err
		}
		defer Pasts(b).Put(p)
		if next, due = p.due(b.Numbers); due {
			era, pairs = p.Era, embedding.Pairs(p.Image)
			err = beside.Look(ctx, tx, p)
		}
		return due, err
	})
	if err != nil || !due {
		return false, err
	}
	pairs = embedding.Join(pairs, beside.Read(ctx))
	rng := rand.New(rand.NewPCG(wordSeed, uint64(next.Generation))) // the same past and folder make the same table
	table, err := embedding.Train(ctx, pairs, b.Numbers.Training, rng, progress)
	if err != nil {
		return false, fmt.Errorf("learn words of %s: %w", id, err)
	}
	return keepTable(ctx, b, id, era, WordSense{Trained: next, Table: table})
}

// keepTable saves a table, unless its project was made anew meanwhile: what was forgotten must not live on in it. Where files point
// is computed while reading.
func keepTable(ctx context.Context, b *brain.Brain, id memory.ProjectID, era string, m WordSense) (kept bool, err error) {
	same := true
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		p, err := PastOf(ctx, b, tx, id)
		if err != nil {
			return err
		}
		defer Pasts(b).Put(p)
		if same = p.Era == era; same {
			m.Files = recall.NewFileVectors(m.Table.Dims())
			m.Table.Direct(p.Image, m.Files, DescribingTexts)
		}
		return nil
	})
	if err != nil || !same {
		return false, err
	}
	return KeepBlocks(ctx, b, id, era, map[int][]byte{
		tableBlock: append(m.encode(), m.Table.Encode()...), DirectionsBlock: m.Files.Encode(),
	})
}

// KeepBlocks saves blocks that were made of a project's past, unless that was made anew meanwhile.
func KeepBlocks(ctx context.Context, b *brain.Brain, id memory.ProjectID, era string, blocks map[int][]byte) (kept bool, err error) {
	err = b.Store.Update(ctx, func(tx *store.Tx) error {
		now, err := EraMark(id).Get(ctx, tx)
		if kept = err == nil && now == era; !kept {
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
