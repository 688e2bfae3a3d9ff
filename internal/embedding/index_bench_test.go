package embedding

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// BenchmarkSearch also reports how many of the ten nearest a look at the signs finds (recall@10).
// Texts beyond those of the benchmark are made of two of them; vectors of 128 dimensions are those
// of two texts side by side.
func BenchmarkSearch(b *testing.B) {
	texts, questions := realTexts(b, "django-scale", "tokio", "vue-core", "restic", "flask")
	for _, dims := range []int{64, 128} {
		wide := func(all []memory.Vector, i int) memory.Vector {
			v := slices.Clone(all[i%len(all)])
			for len(v) < dims {
				v = append(v, all[(i+1)%len(all)]...)
			}
			return v
		}
		for _, count := range []int{10_000, 50_000, 1_000_000} {
			index := NewIndex(dims)
			for i := range count {
				v := wide(texts, i)
				if i >= len(texts) {
					v = mean(v, wide(texts, i+1+i/len(texts)))
				}
				if err := index.Put(int64(i), v); err != nil {
					b.Fatal(err)
				}
			}
			for _, exact := range []int{math.MaxInt, 0} {
				index.limits.Exact = exact
				name := fmt.Sprintf("%dx%d/%s", count, dims, map[bool]string{true: "exact", false: "signs"}[exact > 0])
				b.Run(name, func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						index.Search(wide(questions, i), 10)
					}
					if exact == 0 {
						b.ReportMetric(shareFound(index, wide, questions), "recall@10")
					}
				})
			}
		}
	}
}

func mean(v, w memory.Vector) memory.Vector {
	sum := make([]float32, len(v))
	for d := range v {
		sum[d] = float32(v[d]) + float32(w[d])
	}
	return memory.NewVector(sum)
}

// shareFound compares what signs find with what there is, for a hundred questions.
func shareFound(index *Index, wide func([]memory.Vector, int) memory.Vector, questions []memory.Vector) float64 {
	found, all := 0, 0
	for i := range 100 {
		query := wide(questions, i*len(questions)/100)
		index.limits.Exact = math.MaxInt
		want := index.Search(query, 10)
		index.limits.Exact = 0
		got := index.Search(query, 10)
		all += len(want)
		for _, h := range want {
			if slices.Contains(got, h) {
				found++
			}
		}
	}
	return float64(found) / float64(all)
}
