package vector

import (
	"math/rand/v2"
	"testing"
)

func TestDotOfAllLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 70 {
		a, b, want := make([]byte, n), make([]byte, n+n%3), int32(0)
		for i := range a {
			a[i], b[i] = byte(rng.Uint32()), byte(rng.Uint32())
			if n%5 == 0 {
				a[i], b[i] = 0x80, 0x80 // the least of all, whose product is the largest
			}
			want += int32(int8(a[i])) * int32(int8(b[i]))
		}
		if got := Dot(a, b); got != want {
			t.Errorf("%d bytes: %d, want %d", n, got, want)
		}
	}
}

func TestProductsOfAllLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 16; n <= 1536; n += 16 {
		rows, w, want := make([]int16, Rows*n), make([]int8, n), [Rows]int32{}
		for i := range w {
			w[i] = int8(rng.Uint32())
			for r := range Rows {
				rows[r*n+i] = int16(rng.IntN(1<<14) - 1<<13)
				if n%80 == 0 {
					w[i], rows[r*n+i] = -128, -1<<13 // whose products are the largest
				}
				want[r] += int32(w[i]) * int32(rows[r*n+i])
			}
		}
		var got [Rows]int32
		if Products(&got, rows, w); got != want {
			t.Errorf("%d numbers: %d, want %d", n, got, want)
		}
	}
}
