package encoder

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// ways are the ways to compute Products that this processor has.
var ways = map[string]func(sums []int32, rows []int16, weights []int8){"chosen": Products, "plain": plainProducts}

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
	const columns = 3
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 16; n <= 1536; n += 16 {
		rows, weights, want := make([]int16, Rows*n), make([]int8, columns*n), make([]int32, columns*Rows)
		for i := range rows {
			rows[i] = int16(rng.IntN(1<<14) - 1<<13)
		}
		for i := range weights {
			weights[i] = int8(rng.Uint32())
			if n%80 == 0 {
				weights[i], rows[i] = -128, -1<<13 // whose products are the largest
			}
		}
		for i := range want {
			for k := range n {
				want[i] += int32(weights[i/Rows*n+k]) * int32(rows[i%Rows*n+k])
			}
		}
		for name, multiply := range ways {
			got := make([]int32, columns*Rows+1)
			if multiply(got[:columns*Rows], rows, weights); !slices.Equal(got[:columns*Rows], want) || got[columns*Rows] != 0 {
				t.Errorf("%s, %d numbers: %d, want %d", name, n, got, want)
			}
		}
	}
}
