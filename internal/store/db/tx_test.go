package db

import "testing"

func TestParametersAreNumbered(t *testing.T) {
	t.Parallel()
	if got, want := number(`a = ? AND b IN (?, ?)`), `a = $1 AND b IN ($2, $3)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
