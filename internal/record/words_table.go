package record

import (
	"encoding/binary"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/recall"
)

// DescribingTexts are the latest commits and sessions whose words describe a file (measured with hebb-bench replay).
const DescribingTexts = 20

// Blocks of a past besides those of the image: a table of word vectors trained on it, the vectors of its files, and the habits of the
// project.
const (
	TableBlock       = 2
	FileVectorsBlock = 3
	HabitsBlock      = 4
)

// WordSense is what a past has taught about words.
type WordSense struct {
	Trained
	Table  *embedding.Table
	Files  *recall.FileVectors
	Saved  int // episodes known when files was saved
	Habits *recall.Habits
}

// Trained says what a table was made from.
type Trained struct {
	Generation int // counts the tables of a project
	Commits    int
	Opened     int // files that sessions opened
}

const (
	trainedSize = 3 * 4
)

func (t Trained) Encode() []byte {
	var b []byte
	for _, n := range []int{t.Generation, t.Commits, t.Opened} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// readMeaning goes on using a block: a question looks at few of its words. An unreadable one is ignored: it is derived from the past and
// will be made again.
func (p *Past) readMeaning(kind int, data []byte) {
	if p.Meaning == nil {
		p.Meaning = &WordSense{}
	}
	m := p.Meaning
	if kind == HabitsBlock {
		m.Habits, _ = recall.DecodeHabits(data)
		return
	}
	if kind == FileVectorsBlock {
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
	m.Table, _ = embedding.Decode(data[trainedSize:])
}

// MeaningParts are the last parts of a file of a past: the blocks from TableBlock on, and how many episodes the vectors in the store know.
const MeaningParts = HabitsBlock - TableBlock + 2

func (p *Past) mapMeaning(parts [][]byte) {
	for i, data := range parts[:MeaningParts-1] {
		if len(data) > 0 {
			p.readMeaning(TableBlock+i, data)
		}
	}
	if saved := parts[MeaningParts-1]; len(saved) == 4 {
		p.Meaning.Saved = int(binary.LittleEndian.Uint32(saved))
	}
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
	if m == nil || without {
		return
	}
	p.Ranker.Adopt(m.Habits)
	if !m.Known() {
		return
	}
	m.Table.SetVectors(p.Image, m.Files, DescribingTexts)
	p.Ranker.Point(m.Files)
	q.Vector = m.Table.Vector(recall.Asked(q.Text))
}
