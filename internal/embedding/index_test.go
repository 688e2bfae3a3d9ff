package embedding

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func randomVector(random *rand.Rand, dims int) memory.Vector {
	v := make(memory.Vector, dims)
	for d := range v {
		v[d] = int8(random.IntN(255) - 127)
	}
	return v
}

// sorted is what Search should find, by the plainest means.
func sorted(vectors map[int64]memory.Vector, query memory.Vector, k int) []Hit {
	var hits []Hit
	for id, v := range vectors {
		hits = append(hits, Hit{id, query.Cos(v)})
	}
	slices.SortFunc(hits, nearerFirst)
	return hits[:min(k, len(hits))]
}

func same(got, want []Hit) bool {
	return slices.EqualFunc(got, want, func(g, w Hit) bool { return g.ID == w.ID && math.Abs(g.Cos-w.Cos) < 1e-12 })
}

func TestAnIndexFindsWhatIsInIt(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, dims := range []int{3, 64, 100, 128} {
		index, model := NewIndex(dims), map[int64]memory.Vector{}
		for range 1000 {
			id := random.Int64N(300) - 100
			v := randomVector(random, dims)
			must.Do(t, index.Put(id, v))
			model[id] = v
		}
		if index.Len() != len(model) {
			t.Fatalf("%d vectors, want %d", index.Len(), len(model))
		}
		for _, k := range []int{1, 10, 1000} {
			query := randomVector(random, dims)
			if got, want := index.Search(query, k), sorted(model, query, k); !same(got, want) {
				t.Errorf("%d dimensions, %d nearest:\ngot  %v\nwant %v", dims, k, got, want)
			}
		}
	}
}

func TestEqualsAreOrderedByIDHoweverTheyWerePutIn(t *testing.T) {
	for _, order := range [][]int64{{1, 2, 3, 4, 5, 6, 7, 8}, {8, 7, 6, 5, 4, 3, 2, 1}, {4, 8, 2, 6, 1, 7, 3, 5}} {
		index := NewIndex(2)
		for _, id := range order {
			must.Do(t, index.Put(id, memory.Vector{100, int8(id % 2)}))
		}
		var got []int64
		for _, h := range index.Search(memory.Vector{50, 0}, 6) {
			got = append(got, h.ID)
		}
		if want := []int64{2, 4, 6, 8, 1, 3}; !slices.Equal(got, want) {
			t.Errorf("put in as %v: found %v, want %v", order, got, want)
		}
	}
}

func TestAVectorOfAnotherLengthIsNeverCompared(t *testing.T) {
	index := NewIndex(3)
	if err := index.Put(1, memory.Vector{1, 2}); !errors.Is(err, memory.ErrInvalid) || index.Len() != 0 {
		t.Errorf("two dimensions among three: %v", err)
	}
	must.Do(t, index.Put(1, memory.Vector{1, 2, 3}))
	for _, query := range []memory.Vector{nil, {1, 2}, {0, 0, 0}, {1, 2, 3, 4}} {
		if hits := index.Search(query, 5); hits != nil {
			t.Errorf("%v finds %v", query, hits)
		}
	}
	if hits := index.Search(memory.Vector{1, 2, 3}, 0); hits != nil {
		t.Errorf("the nearest none: %v", hits)
	}
	if err := index.Put(2, memory.Vector{0, 0, 0}); err != nil || index.Len() != 1 {
		t.Errorf("a vector of length 0 is kept: %v", err)
	}
}
