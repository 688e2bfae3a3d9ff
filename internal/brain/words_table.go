package brain

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	describingTexts = 20  // latest commits and sessions whose words describe a file (design/embedding.md, section 3)
	tableGrowth     = 0.5 // but not before the past has grown by this share: a long one changes slowly (hebb bench replay)
	tableOpened     = 500 // files opened by sessions after which it is made anew, likewise (design/embedding.md, section 3)
)

// Blocks of a past besides those of the image: a table of word vectors trained on it, where its files point, and the habits of the
// project.
const (
	tableBlock      = 2
	directionsBlock = 3
	habitsBlock     = 4
)

// wordSense is what a past has taught about words.
type wordSense struct {
	trained
	table  *embedding.Table
	files  *recall.FileVectors
	saved  int // episodes known when files was saved
	habits *recall.Habits
}

// trained says what a table was made from.
type trained struct {
	Generation int // counts the tables of a project
	Commits    int
	Opened     int // files that sessions opened
}

const (
	trainedSize = 3 * 4
	wordSeed    = 1
)

func (t trained) encode() []byte {
	var b []byte
	for _, n := range []int{t.Generation, t.Commits, t.Opened} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// readMeaning takes in a block, which it copies: a question looks at few of its words. One that cannot be read is as good
// as none: it holds nothing that the past does not say, and is made again.
func (p *past) readMeaning(kind int, data []byte) {
	if p.meaning == nil {
		p.meaning = &wordSense{}
	}
	m := p.meaning
	if kind == habitsBlock {
		m.habits, _ = recall.DecodeHabits(data)
		return
	}
	if kind == directionsBlock {
		m.files, _ = recall.DecodeFileVectors(data)
		if m.files != nil {
			m.saved = m.files.Episodes()
		}
		return
	}
	m.table = nil
	if len(data) < trainedSize {
		return
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(data[i*4:])) }
	m.trained = trained{Generation: number(0), Commits: number(1), Opened: number(2)}
	m.table, _ = embedding.Decode(bytes.Clone(data[trainedSize:]))
}

// known reports whether there is a table, and what files mean by it.
func (m *wordSense) known() bool {
	return m != nil && m.table != nil && m.files != nil && m.table.Dims() == m.files.Dims()
}

// mean says what a question and the files mean, where that is known.
func (p *past) mean(q *recall.Question, without bool) {
	p.ranker.Point(nil)
	p.ranker.Adopt(nil)
	m := p.meaning
	if !m.known() || without {
		return
	}
	p.ranker.Adopt(m.habits)
	m.table.Direct(p.image, m.files, describingTexts)
	p.ranker.Point(m.files)
	q.Vector = m.table.Vector(recall.Asked(q.Text))
}

// due says whether a past has grown enough for a new table, and what that would be made from.
func (p *past) due(n numbers) (next trained, due bool) {
	next = trained{Generation: 1, Commits: p.image.Commits(), Opened: p.image.Opened()}
	if !p.meaning.known() {
		return next, next.Commits >= n.tableFrom
	}
	last := p.meaning.trained
	next.Generation = last.Generation + 1
	grown := func(was, is, least int) bool { return is-was >= max(least, int(tableGrowth*float64(was))) }
	return next, grown(last.Commits, next.Commits, n.tableAfter) || grown(last.Opened, next.Opened, tableOpened)
}

// WordsInput chooses the project whose words are to be learned.
type WordsInput struct {
	Project  memory.ProjectID
	Progress func(share float64)
}

// LearnWords makes a project's table of words anew if its past has grown enough for it. It takes seconds, all of them
// outside of any transaction, and reports whether it did.
var LearnWords = Operation[WordsInput, bool]{
	Name: "learn-words", Summary: "Learn what words mean in a project",
	Run: func(ctx context.Context, b *Brain, in WordsInput) (bool, error) {
		learned, err := b.learnWords(ctx, in.Project, in.Progress)
		if err != nil {
			return learned, err
		}
		return learned, b.learnHabits(ctx, in.Project, in.Progress)
	},
}

func (b *Brain) learnWords(ctx context.Context, id memory.ProjectID, progress func(float64)) (bool, error) {
	var pairs []embedding.Pair
	var next trained
	var era string
	beside := besideReader{}
	due, err := viewed(ctx, b, func(tx *store.Tx) (due bool, err error) {
		p, err := b.past(ctx, tx, id)
		if err != nil {
			return false, err
		}
		defer b.pasts().put(p)
		if next, due = p.due(b.numbers); due {
			era, pairs = p.era, embedding.Pairs(p.image)
			err = beside.look(ctx, tx, p)
		}
		return due, err
	})
	if err != nil || !due {
		return false, err
	}
	pairs = embedding.Join(pairs, beside.read(ctx))
	rng := rand.New(rand.NewPCG(wordSeed, uint64(next.Generation))) // the same past and folder make the same table
	table, err := embedding.Train(ctx, pairs, b.numbers.training, rng, progress)
	if err != nil {
		return false, fmt.Errorf("learn words of %s: %w", id, err)
	}
	return b.keepTable(ctx, id, era, wordSense{trained: next, table: table})
}

// keepTable saves a table, unless its project was made anew meanwhile: what was forgotten must not live on in it. Where files point
// is computed while reading.
func (b *Brain) keepTable(ctx context.Context, id memory.ProjectID, era string, m wordSense) (kept bool, err error) {
	same := true
	err = b.store.View(ctx, func(tx *store.Tx) error {
		p, err := b.past(ctx, tx, id)
		if err != nil {
			return err
		}
		defer b.pasts().put(p)
		if same = p.era == era; same {
			m.files = recall.NewFileVectors(m.table.Dims())
			m.table.Direct(p.image, m.files, describingTexts)
		}
		return nil
	})
	if err != nil || !same {
		return false, err
	}
	return b.keepBlocks(ctx, id, era, map[int][]byte{
		tableBlock: append(m.encode(), m.table.Encode()...), directionsBlock: m.files.Encode(),
	})
}

// keepBlocks saves blocks that were made of a project's past, unless that was made anew meanwhile.
func (b *Brain) keepBlocks(ctx context.Context, id memory.ProjectID, era string, blocks map[int][]byte) (kept bool, err error) {
	err = b.store.Update(ctx, func(tx *store.Tx) error {
		now, err := eraMark(id).Get(ctx, tx)
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

// learnWords goes through all projects while hebb sleeps, and says that it still does: others may take the lease of a
// sleeper that is silent.
func (s *sleeper) learnWords(ctx context.Context) error {
	if s.in.Dry {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	said := s.Brain.now()
	progress := func(share float64) {
		s.in.Progress("learning words", share)
		if now := s.Brain.now(); now.Sub(said) > leaseTime/3 {
			said = now
			if err := s.write(ctx, 0, func(*store.Tx, plasticity.Rules) error { return nil }); err != nil {
				cancel(err)
			}
		}
	}
	projects, err := viewed(ctx, s.Brain, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return err
	}
	for _, p := range projects {
		_, err := s.Brain.learnWords(ctx, p.ID, progress)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if err != nil {
			return err
		}
		err = s.learnHabits(ctx, p.ID, progress)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if err != nil {
			return err
		}
		if err := s.keepDirections(ctx, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// keepDirections saves where files point once much has happened since: a hook would make too many of them itself.
func (s *sleeper) keepDirections(ctx context.Context, id memory.ProjectID) error {
	var era string
	var data []byte
	err := s.store.View(ctx, func(tx *store.Tx) error {
		p, err := s.past(ctx, tx, id)
		if err != nil {
			return err
		}
		defer s.pasts().put(p)
		if m := p.meaning; m.known() && p.image.Episodes()-m.saved >= s.numbers.refresh {
			m.table.Direct(p.image, m.files, describingTexts)
			era, data = p.era, m.files.Encode()
		}
		return nil
	})
	if err != nil || data == nil {
		return err
	}
	_, err = s.keepBlocks(ctx, id, era, map[int][]byte{directionsBlock: data})
	return err
}
