package embedding

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
)

// Table holds a vector for each word of one project's past. It stays packed: only the words of one
// question are looked up.
type Table struct {
	dims   int
	words  []byte // ascending, wordSize bytes each
	scales []byte // what a row is multiplied with, scaleSize bytes each
	rows   []byte // dims signed bytes each
}

const (
	tableFormat = 1
	wordSize    = 4
	scaleSize   = 4
	headSize    = 12
)

// newTable packs rows, one for each word in ascending order.
func newTable(words []vocab.Word, rows []float32, dims int) *Table {
	t := &Table{dims: dims, words: make([]byte, 0, len(words)*wordSize), scales: make([]byte, 0, len(words)*scaleSize), rows: make([]byte, 0, len(rows))}
	for i, w := range words {
		scale, row := recall.Quantized(rows[i*dims : (i+1)*dims])
		t.words = binary.LittleEndian.AppendUint32(t.words, uint32(w))
		t.scales = binary.LittleEndian.AppendUint32(t.scales, math.Float32bits(scale))
		t.rows = append(t.rows, row...)
	}
	return t
}

// Encode packs a table into one piece.
func (t *Table) Encode() []byte {
	b := make([]byte, 0, headSize+len(t.words)+len(t.scales)+len(t.rows))
	for _, n := range []int{tableFormat, t.dims, t.Words()} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return slices.Concat(b, t.words, t.scales, t.rows)
}

// Decode reads a packed table, which goes on using the bytes.
func Decode(b []byte) (*Table, error) {
	if len(b) < headSize {
		return nil, fmt.Errorf("table of words: %w", memory.ErrDamaged)
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(b[i*4:])) }
	format, dims, words := number(0), number(1), number(2)
	if format != tableFormat || dims == 0 || len(b) != headSize+words*(wordSize+scaleSize+dims) {
		return nil, fmt.Errorf("table of %d words, format %d: %w", words, format, memory.ErrDamaged)
	}
	t := &Table{dims: dims}
	b = b[headSize:]
	t.words, b = b[:words*wordSize], b[words*wordSize:]
	t.scales, t.rows = b[:words*scaleSize], b[words*scaleSize:]
	return t, nil
}

// Words is how many words have a vector.
func (t *Table) Words() int { return len(t.words) / wordSize }

// Dims is the number of dimensions.
func (t *Table) Dims() int { return t.dims }

// Vector is the vector of a text; nil if the table knows none of its words.
func (t *Table) Vector(words []vocab.Word) memory.Vector {
	sum := make([]float32, t.dims)
	for _, w := range words {
		t.Add(sum, w)
	}
	return memory.NewVector(sum)
}

// Add adds the vector of a word, if it has one.
func (t *Table) Add(sum []float32, w vocab.Word) {
	i, found := t.find(w)
	if !found {
		return
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(t.scales[i*scaleSize:]))
	row := t.rows[i*t.dims : (i+1)*t.dims]
	sum = sum[:len(row)]
	for k, x := range row {
		sum[k] += scale * float32(int8(x))
	}
}

func (t *Table) find(w vocab.Word) (int, bool) {
	return sort.Find(t.Words(), func(i int) int { return cmp.Compare(w, vocab.Word(binary.LittleEndian.Uint32(t.words[i*wordSize:]))) })
}
