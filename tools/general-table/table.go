package main

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hebb-memory/hebb/internal/recall"
)

const (
	vocabulary = 40000
	dims       = 64
	// dropped are the directions in which words differ most: they say how frequent a word is and where it stands in a
	// sentence, not what it means.
	dropped = 3
	// zipf is the sum of 1/rank over the source: with it a rank becomes a frequency.
	zipf = 12.7
	// smooth is the frequency at which a word counts half (SIF): "people" says less than "daemon".
	smooth = 1e-3
)

// stem is what recall compares: all words of the source that it takes for one.
type stem struct {
	text      string
	frequency float64
	row       []float64
}

// merge folds the words into the most frequent stems, in the order in which they are first met. A stem means what its
// words mean on average, frequent ones counting more.
func merge(source []word, most int) []stem {
	place := map[string]int{}
	var stems []stem
	for rank, w := range source {
		terms := recall.Words(w.text)
		if len(terms) != 1 {
			continue // a stop word, a number, or several words
		}
		frequency := 1 / (zipf * float64(rank+1))
		at, met := place[terms[0]]
		if !met {
			if len(stems) == most {
				continue
			}
			at = len(stems)
			place[terms[0]] = at
			stems = append(stems, stem{text: terms[0], row: make([]float64, len(w.row))})
		}
		stems[at].frequency += frequency
		add(stems[at].row, w.row, frequency)
	}
	for _, s := range stems {
		scale(s.row, 1/s.frequency)
	}
	return stems
}

// reduce takes from every row what is common to all, keeps the dimensions that tell most, and weighs each row by how rare
// its word is: a text is then the plain sum of its words.
func reduce(stems []stem, dims int) {
	mean := make([]float64, len(stems[0].row))
	for _, s := range stems {
		add(mean, s.row, 1/float64(len(stems)))
	}
	for _, s := range stems {
		add(s.row, mean, -1)
	}
	kept := mix(axes(stems)[dropped : dropped+dims])
	for i, s := range stems {
		row := make([]float64, dims)
		for d, axis := range kept {
			row[d] = dot(s.row, axis)
		}
		scale(row, smooth/(smooth+s.frequency))
		stems[i].row = row
	}
}

// mix turns the axes at random (but always alike), so that each tells as much as the others: a sign or four bits of each
// then say most. Angles stay as they are.
func mix(kept [][]float64) [][]float64 {
	random := rand.New(rand.NewPCG(1, 1))
	turned := make([][]float64, len(kept))
	for i := range turned {
		turned[i] = make([]float64, len(kept[0]))
		for _, axis := range kept {
			add(turned[i], axis, 2*random.Float64()-1)
		}
		for _, before := range turned[:i] {
			add(turned[i], before, -dot(turned[i], before))
		}
		scale(turned[i], 1/math.Sqrt(dot(turned[i], turned[i])))
	}
	return turned
}

// axes returns the principal directions of the rows, the widest first (Jacobi's method on their products).
func axes(stems []stem) [][]float64 {
	n := len(stems[0].row)
	a, turn := make([][]float64, n), make([][]float64, n)
	for i := range a {
		a[i], turn[i] = make([]float64, n), make([]float64, n)
		turn[i][i] = 1
	}
	for _, s := range stems {
		for i, x := range s.row {
			add(a[i], s.row, x)
		}
	}
	for range 20 {
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, turn, p, q)
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[j][j], a[i][i]) })
	out := make([][]float64, n)
	for i, column := range order {
		out[i] = make([]float64, n)
		for k := range n {
			out[i][k] = turn[k][column]
		}
	}
	return out
}

// rotate makes a[p][q] zero.
func rotate(a, turn [][]float64, p, q int) {
	if math.Abs(a[p][q]) < 1e-12 {
		return
	}
	half := (a[q][q] - a[p][p]) / (2 * a[p][q])
	tan := math.Copysign(1/(math.Abs(half)+math.Sqrt(float64(half*half)+1)), half)
	cos := 1 / math.Sqrt(float64(tan*tan)+1)
	sin := tan * cos
	spin := func(x, y *float64) { *x, *y = float64(cos**x)-float64(sin**y), float64(sin**x)+float64(cos**y) }
	for i := range a {
		spin(&a[i][p], &a[i][q])
		spin(&turn[i][p], &turn[i][q])
	}
	for i := range a {
		spin(&a[p][i], &a[q][i])
	}
}

// encode writes the table as package embedding reads it: the number of words and of dimensions, where each word
// begins and the last ends, the words in order, a scale for each row, and the rows, two components to a byte.
func encode(stems []stem) []byte {
	stems = slices.SortedFunc(slices.Values(stems), func(a, b stem) int { return cmp.Compare(a.text, b.text) })
	blob := binary.LittleEndian.AppendUint32(nil, uint32(len(stems)))
	blob = binary.LittleEndian.AppendUint32(blob, uint32(len(stems[0].row)))
	begin := uint32(0)
	for _, s := range stems {
		blob = binary.LittleEndian.AppendUint32(blob, begin)
		begin += uint32(len(s.text))
	}
	blob = binary.LittleEndian.AppendUint32(blob, begin)
	for _, s := range stems {
		blob = append(blob, s.text...)
	}
	for _, s := range stems {
		blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(float32(step(s.row))))
	}
	for _, s := range stems {
		unit := step(s.row)
		for d := 0; d < len(s.row); d += 2 {
			blob = append(blob, nibble(s.row[d], unit)|nibble(s.row[d+1], unit)<<4)
		}
	}
	return blob
}

// step is the distance between two of the fifteen values that a component of the row can have.
func step(row []float64) float64 {
	largest := 0.0
	for _, x := range row {
		largest = max(largest, math.Abs(x))
	}
	return largest / 7
}

func nibble(x, unit float64) byte {
	if unit == 0 {
		return 0
	}
	return byte(int8(math.Round(x/unit))) & 15
}

// The conversions below forbid the compiler to fuse multiplication and addition, which would round differently from
// machine to machine.

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

func add(to, row []float64, times float64) {
	for i := range to {
		to[i] += float64(row[i] * times)
	}
}

func scale(row []float64, times float64) {
	for i := range row {
		row[i] *= times
	}
}
