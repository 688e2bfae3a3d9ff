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
