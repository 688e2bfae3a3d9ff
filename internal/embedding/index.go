package embedding

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Index finds the vectors of one embedding model nearest to a query. It may be searched by many at
// a time, but not while it is changed.
type Index struct {
	dims int
	// A vector has the same place in each of these.
	ids     []int64
	rows    []int8
	shorten []float64 // 1 / length
	place   map[int64]int
}

// Hit is a vector that was found, and the cosine of its angle to the query.
type Hit struct {
	ID  int64
	Cos float64
}

// NewIndex makes an index of vectors of this many dimensions.
func NewIndex(dims int) *Index {
	return &Index{dims: dims, place: map[int64]int{}}
}

// Len is the number of vectors.
func (x *Index) Len() int { return len(x.ids) }

// Put adds a vector or replaces the one of the same id. A vector of length 0 is found by no query
// and left out.
func (x *Index) Put(id int64, v memory.Vector) error {
	short := inverseLength(v)
	if short == 0 {
		return nil
	}
	if len(v) != x.dims {
		return fmt.Errorf("index vector %d: has %d dimensions, want %d: %w", id, len(v), x.dims, memory.ErrInvalid)
	}
	at, met := x.place[id]
	if !met {
		at = len(x.ids)
		x.place[id] = at
		x.ids = append(x.ids, id)
		x.shorten = append(x.shorten, 0)
		x.rows = append(x.rows, v...)
	}
	copy(x.row(at), v)
	x.shorten[at] = short
	return nil
}

// Search returns the k vectors nearest to the query, the nearest first and of equals the one with
// the smaller id. The order in which vectors were put in makes no difference.
func (x *Index) Search(query memory.Vector, k int) []Hit {
	short := inverseLength(query)
	if len(query) != x.dims || short == 0 || k <= 0 {
		return nil
	}
	best := nearest{most: min(k, x.Len())}
	for at := range x.ids {
		x.offer(&best, at, query, short)
	}
	return best.hits
}

// offer looks up the id only of a vector that is near enough: in a large index each lookup is a
// wait for memory.
func (x *Index) offer(best *nearest, at int, query memory.Vector, short float64) {
	cos := float64(dot(query, x.row(at))) * short * x.shorten[at]
	if len(best.hits) < best.most || cos >= best.hits[len(best.hits)-1].Cos {
		best.offer(Hit{ID: x.ids[at], Cos: cos})
	}
}

// Cos is the cosine of the angle between a query and the vector of an id, if there is one.
func (x *Index) Cos(query memory.Vector, id int64) (cos float64, known bool) {
	at, known := x.place[id]
	if !known || len(query) != x.dims {
		return 0, false
	}
	return float64(dot(query, x.row(at))) * inverseLength(query) * x.shorten[at], true
}

func (x *Index) row(at int) []int8 { return x.rows[at*x.dims : (at+1)*x.dims] }

func inverseLength(v memory.Vector) float64 {
	if sum := dot(v, v); sum > 0 {
		return 1 / math.Sqrt(float64(sum))
	}
	return 0
}

// dot takes sixteen at a time, whose places need no check, into sums that need not wait for each
// other.
func dot(v, w []int8) int32 {
	w = w[:len(v)]
	var a, b, c, d int32
	for len(v) >= 16 && len(w) >= 16 {
		x, y := (*[16]int8)(v), (*[16]int8)(w)
		a += int32(x[0])*int32(y[0]) + int32(x[1])*int32(y[1]) + int32(x[2])*int32(y[2]) + int32(x[3])*int32(y[3])
		b += int32(x[4])*int32(y[4]) + int32(x[5])*int32(y[5]) + int32(x[6])*int32(y[6]) + int32(x[7])*int32(y[7])
		c += int32(x[8])*int32(y[8]) + int32(x[9])*int32(y[9]) + int32(x[10])*int32(y[10]) + int32(x[11])*int32(y[11])
		d += int32(x[12])*int32(y[12]) + int32(x[13])*int32(y[13]) + int32(x[14])*int32(y[14]) + int32(x[15])*int32(y[15])
		v, w = v[16:], w[16:]
	}
	for i := range v {
		a += int32(v[i]) * int32(w[i])
	}
	return a + b + c + d
}

// nearest holds the best hits so far, the nearest first.
type nearest struct {
	hits []Hit
	most int
}

func nearerFirst(a, b Hit) int { return cmp.Or(cmp.Compare(b.Cos, a.Cos), cmp.Compare(a.ID, b.ID)) }

func (n *nearest) offer(h Hit) {
	at, _ := slices.BinarySearchFunc(n.hits, h, nearerFirst)
	if at == n.most {
		return
	}
	if len(n.hits) == n.most {
		n.hits = n.hits[:n.most-1]
	}
	n.hits = slices.Insert(n.hits, at, h)
}
