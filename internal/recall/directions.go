package recall

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Directions say what files mean: for each a vector whose product with the direction of a question is the mean of the
// cosines with all that describes the file. They are made elsewhere, from a table of word vectors.
type Directions struct {
	dims     int
	episodes int       // known when they were made
	scales   []float32 // by file
	rows     []byte    // dims signed bytes by file
}

// NewDirections returns directions of so many dimensions, of no file yet.
func NewDirections(dims int) *Directions { return &Directions{dims: dims} }

// Dims is how many numbers a direction has.
func (d *Directions) Dims() int { return d.dims }

// Files says of how many files there is a direction, the first ones.
func (d *Directions) Files() int { return len(d.scales) }

// Episodes says how much past they were made from.
func (d *Directions) Episodes() int { return d.episodes }

// Stale returns the files of an image whose directions are missing or from before their latest work, and takes them as
// made again.
func (d *Directions) Stale(m *Image) (files []FileNo) {
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

// Set gives a file its direction.
func (d *Directions) Set(f FileNo, v []float32) {
	largest := float32(0)
	for _, x := range v {
		largest = max(largest, max(x, -x))
	}
	scale := largest / math.MaxInt8
	d.scales[f] = scale
	for k, x := range v {
		if scale > 0 {
			d.rows[int(f)*d.dims+k] = byte(int8(math.Round(float64(x / scale))))
		} else {
			d.rows[int(f)*d.dims+k] = 0
		}
	}
}

func (d *Directions) row(f FileNo) []byte { return d.rows[int(f)*d.dims : (int(f)+1)*d.dims] }

// Encode packs directions.
func (d *Directions) Encode() []byte {
	b := make([]byte, 0, directionsHead+len(d.scales)*wordBytes+len(d.rows))
	for _, n := range []int{d.dims, d.episodes, d.Files()} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for _, s := range d.scales {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s))
	}
	return append(b, d.rows...)
}

const directionsHead = 3 * wordBytes

// DecodeDirections unpacks directions.
func DecodeDirections(b []byte) (*Directions, error) {
	if len(b) < directionsHead {
		return nil, fmt.Errorf("directions of files: %w", memory.ErrDamaged)
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(b[i*wordBytes:])) }
	dims, episodes, files := number(0), number(1), number(2)
	if dims == 0 || len(b) != directionsHead+files*(wordBytes+dims) {
		return nil, fmt.Errorf("directions of %d files: %w", files, memory.ErrDamaged)
	}
	d := &Directions{dims: dims, episodes: episodes, scales: make([]float32, files), rows: bytes.Clone(b[directionsHead+files*wordBytes:])}
	for i := range d.scales {
		d.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[directionsHead+i*wordBytes:]))
	}
	return d, nil
}

// askMeanings compares what files mean with the question and with the open files.
func (m *measure) askMeanings(q Question) {
	d := m.meant
	if d == nil || !FormOf(len(m.words) > 0, len(q.Open) > 0, q.InSession).means() {
		return
	}
	if len(q.Direction) == d.dims && len(m.words) > 0 {
		where := make([]byte, d.dims)
		for k, x := range q.Direction {
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

// point adds to a term how far each file points where a vector does.
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
