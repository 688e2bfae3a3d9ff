// Package must ends a test when something it needs for its work fails. Only tests import it.
package must

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Full reports whether HEBB_TESTS=full asks for tests at their whole size: every case, seed and round.
func Full() bool { return os.Getenv("HEBB_TESTS") == "full" }

// Size is how many rounds a test does: few, or all with HEBB_TESTS=full.
func Size(few, all int) int {
	if Full() {
		return all
	}
	return few
}

// Do ends the test if there is an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get hands on the value of a call, for the test that it is given: v := must.Get(open())(t).
func Get[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Part chooses which of n cases a run tries: each step-th, beginning with any. HEBB_TESTS=full tries all. A run prints its choice, and
// HEBB_SEED repeats it.
func Part(t testing.TB, n, step int) (chosen []int) {
	t.Helper()
	if Full() {
		step = 1
	}
	seed := rand.Uint64()
	if text := os.Getenv("HEBB_SEED"); text != "" {
		seed = Get(strconv.ParseUint(text, 10, 64))(t)
	}
	for i := int(seed % uint64(step)); i < n; i += step {
		chosen = append(chosen, i)
	}
	t.Logf("%d of %d cases; reproduce with HEBB_SEED=%d", len(chosen), n, seed)
	return chosen
}
