package embedding

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// BenchmarkSearch makes texts beyond those of the benchmark of two of them; vectors of 128 dimensions
// are those of two texts side by side.
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
			b.Run(fmt.Sprintf("%dx%d", count, dims), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					index.Search(wide(questions, i), 10)
				}
			})
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
