package recall

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// FileVectors hold a vector for each file. Its product with the vector of a question is the mean of the cosines with all
// texts that describe the file. Package embedding makes them from a table of word vectors.
type FileVectors struct {
	dims     int
	episodes int       // known when they were made
	scales   []float32 // by file
	rows     []byte    // dims signed bytes by file
}

// NewFileVectors returns an empty set of this many dimensions.
func NewFileVectors(dims int) *FileVectors { return &FileVectors{dims: dims} }

// Dims is the number of dimensions.
func (d *FileVectors) Dims() int { return d.dims }

// Files is how many files, the first ones, have a vector.
func (d *FileVectors) Files() int { return len(d.scales) }

// Episodes is how many episodes they were made from.
func (d *FileVectors) Episodes() int { return d.episodes }

// Stale returns the files of an image whose vectors are missing or older than their latest work, and marks them as
// current: the caller sets them.
func (d *FileVectors) Stale(m *Image) (files []FileNo) {
	for n := d.Files(); n < m.Files(); n++ {
		files = append(files, FileNo(n))
	}
	for n := d.episodes; n < m.Episodes(); n++ {
		for _, f := range m.episodes[n].Files {
			if int(f) < d.Files() {
				files = append(files, f)
			}
		}
	}
	d.episodes = m.Episodes()
	d.scales = extended(d.scales, m.Files())
	d.rows = extended(d.rows, m.Files()*d.dims)
	slices.Sort(files)
	return slices.Compact(files)
}

// Set sets the vector of a file.
func (d *FileVectors) Set(f FileNo, v []float32) {
	scale, row := Quantized(v)
	d.scales[f] = scale
	copy(d.row(f), row)
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

func (d *FileVectors) row(f FileNo) []byte { return d.rows[int(f)*d.dims : (int(f)+1)*d.dims] }

// Encode packs the vectors.
func (d *FileVectors) Encode() []byte {
	b := make([]byte, 0, fileVectorsHead+len(d.scales)*wordBytes+len(d.rows))
	for _, n := range []int{d.dims, d.episodes, d.Files()} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for _, s := range d.scales {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s))
	}
	return append(b, d.rows...)
}

const fileVectorsHead = 3 * wordBytes

// DecodeFileVectors unpacks vectors.
func DecodeFileVectors(b []byte) (*FileVectors, error) {
	if len(b) < fileVectorsHead {
		return nil, fmt.Errorf("vectors of files: %w", memory.ErrDamaged)
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(b[i*wordBytes:])) }
	dims, episodes, files := number(0), number(1), number(2)
	if dims == 0 || len(b) != fileVectorsHead+files*(wordBytes+dims) {
		return nil, fmt.Errorf("vectors of %d files: %w", files, memory.ErrDamaged)
	}
	d := &FileVectors{dims: dims, episodes: episodes, scales: make([]float32, files), rows: bytes.Clone(b[fileVectorsHead+files*wordBytes:])}
	for i := range d.scales {
		d.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[fileVectorsHead+i*wordBytes:]))
	}
	return d, nil
}

// askMeanings compares the vectors of files with those of the question and of the open files.
func (m *measure) askMeanings(q Question) {
	d := m.meant
	if d == nil || !FormOf(len(m.words) > 0, len(q.Open) > 0, q.InSession).means() {
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
		if int(f) < d.Files() {
			m.point(OpenMeaning, d.row(f), openFactor(i))
		}
	}
}

// point adds to a term the similarity of each file to a vector.
func (m *measure) point(t Term, where []byte, factor float64) {
	length := math.Sqrt(float64(inner(where, where)))
	if length == 0 {
		return
	}
	factor /= length
	for f := range min(m.meant.Files(), len(m.files)) {
		if !m.gone[f] {
			m.terms[t].add(FileNo(f), factor*float64(m.meant.scales[f])*float64(inner(where, m.meant.row(FileNo(f)))))
		}
	}
}

// inner is the product of two vectors of signed bytes.
func inner(a, b []byte) int32 {
	b = b[:len(a)]
	var even, odd int32
	k := 0
	for ; k+1 < len(a); k += 2 {
		even += int32(int8(a[k])) * int32(int8(b[k]))
		odd += int32(int8(a[k+1])) * int32(int8(b[k+1]))
	}
	if k < len(a) {
		even += int32(int8(a[k])) * int32(int8(b[k]))
	}
	return even + odd
}

// Described returns the words that describe a file: of its path, of the names it defines, and of the latest work on it.
func (m *Image) Described(f FileNo, most int) (path, names []Word, work [][]Word) {
	of := m.byFile[f]
	for _, n := range of[max(0, len(of)-most):] {
		work = append(work, m.episodes[n].Words)
	}
	return m.files[f].Words, m.files[f].Names, work
}
