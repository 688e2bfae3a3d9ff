package recall

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/encoder"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// FileVectors hold a vector for each file. Its product with the vector of a question is the mean of the cosines with all
// texts that describe the file. Package embedding makes them from a table of word vectors.
type FileVectors struct {
	dims     int
	episodes int    // known when they were made
	files    int    // the first ones, which have a vector
	scales   []byte // by file, as they were saved
	rows     []byte // dims signed bytes by file, likewise
	newer    seats  // files whose vectors were set since
	newScale []float32
	newRows  []byte
}

// NewFileVectors returns an empty set of this many dimensions.
func NewFileVectors(dims int) *FileVectors { return &FileVectors{dims: dims} }

// Dims is the number of dimensions.
func (d *FileVectors) Dims() int { return d.dims }

// Episodes is how many episodes they were made from.
func (d *FileVectors) Episodes() int { return d.episodes }

// Stale returns the files of an image whose vectors are missing or older than their latest work, and marks them as
// current: the caller sets them.
func (d *FileVectors) Stale(m *Image) (files []FileNo) {
	for n := d.files; n < m.Files(); n++ {
		files = append(files, FileNo(n))
	}
	for n := d.episodes; n < m.Episodes(); n++ {
		for _, f := range m.filesOf(uint32(n)) {
			if int(f) < d.files {
				files = append(files, f)
			}
		}
	}
	d.episodes, d.files = m.Episodes(), max(d.files, m.Files())
	if len(files) > 0 {
		d.newer.of = extended(d.newer.of, d.files)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// Set sets the vector of a file.
func (d *FileVectors) Set(f FileNo, v []float32) {
	scale, row := Quantized(v)
	seat, first := d.newer.take(uint32(f))
	if first {
		d.newScale, d.newRows = append(d.newScale, scale), append(d.newRows, row...)
		return
	}
	d.newScale[seat] = scale
	copy(d.newRows[seat*d.dims:], row)
}

// vector is that of a file: what its signed bytes are multiplied with, and these.
func (d *FileVectors) vector(f FileNo) (scale float32, row []byte) {
	i := int(f)
	if i < len(d.newer.of) {
		if seat := d.newer.seat(uint32(f)); seat >= 0 {
			return d.newScale[seat], d.newRows[seat*d.dims : (seat+1)*d.dims]
		}
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(d.scales[i*wordBytes:])), d.rows[i*d.dims : (i+1)*d.dims]
}

// Quantized is a vector as signed bytes, and what they are multiplied with.
func Quantized(v []float32) (scale float32, row []byte) {
	largest := float32(0)
	for _, x := range v {
		largest = max(largest, max(x, -x))
	}
	scale, row = largest/math.MaxInt8, make([]byte, len(v))
	if scale > 0 {
		for k, x := range v {
			row[k] = byte(int8(math.Round(float64(x / scale))))
		}
	}
	return scale, row
}

// Encode packs the vectors.
func (d *FileVectors) Encode() []byte {
	b := make([]byte, 0, fileVectorsHead+d.files*(wordBytes+d.dims))
	for _, n := range []int{d.dims, d.episodes, d.files} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for f := range FileNo(d.files) {
		scale, _ := d.vector(f)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
	}
	for f := range FileNo(d.files) {
		_, row := d.vector(f)
		b = append(b, row...)
	}
	return b
}

const fileVectorsHead = 3 * wordBytes

// DecodeFileVectors reads packed vectors, which go on using the bytes.
func DecodeFileVectors(b []byte) (*FileVectors, error) {
	if len(b) < fileVectorsHead {
		return nil, fmt.Errorf("vectors of files: %w", memory.ErrDamaged)
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(b[i*wordBytes:])) }
	dims, episodes, files := number(0), number(1), number(2)
	if dims == 0 || len(b) != fileVectorsHead+files*(wordBytes+dims) {
		return nil, fmt.Errorf("vectors of %d files: %w", files, memory.ErrDamaged)
	}
	b = b[fileVectorsHead:]
	return &FileVectors{dims: dims, episodes: episodes, files: files, scales: b[:files*wordBytes], rows: b[files*wordBytes:]}, nil
}

// pull is a vector that files are compared with.
type pull struct {
	where  []byte
	factor float64
}

// askMeanings says which vectors the files are compared with: that of the question, and those of the open files.
func (m *measure) askMeanings(q Question) {
	m.toward[Meaning], m.toward[OpenMeaning] = nil, nil
	d := m.meant
	if d == nil || !FormOf(len(m.words) > 0, len(q.Open) > 0, q.InSession).reaches() {
		return
	}
	if len(q.Vector) == d.dims && len(m.words) > 0 {
		where := make([]byte, d.dims)
		for k, x := range q.Vector {
			where[k] = byte(x)
		}
		m.point(Meaning, where, 1)
	}
	for i, f := range q.Open {
		if int(f) < d.files {
			_, row := d.vector(f)
			m.point(OpenMeaning, row, openFactor(i))
		}
	}
}

func (m *measure) point(t Term, where []byte, factor float64) {
	if length := math.Sqrt(float64(encoder.Dot(where, where))); length > 0 {
		m.toward[t] = append(m.toward[t], pull{where, factor / length})
	}
}

// pulled is how like a file is to the vectors of a term.
func (m *measure) pulled(t Term, f FileNo) (sum float64) {
	if int(f) >= m.meant.files {
		return 0
	}
	scale, row := m.meant.vector(f)
	for _, p := range m.toward[t] {
		sum += max(0, p.factor*float64(scale)*float64(encoder.Dot(p.where, row)))
	}
	return sum
}

// figure is what a term measured of a file.
func (m *measure) figure(t Term, f FileNo) float64 {
	if len(m.toward[t]) > 0 {
		return m.pulled(t, f)
	}
	return m.terms[t].of(f)
}

// Described returns the words that describe a file: of its path, of the names it defines, and of the latest work on it.
func (m *Image) Described(f FileNo, most int) (path, names []vocab.Word, work [][]vocab.Word) {
	of, file := m.Of(f), m.file(f)
	for _, n := range of[max(0, len(of)-most):] {
		work = append(work, m.wordsSaid(n))
	}
	return file.Words, file.Names, work
}
