package crystal

import (
	"fmt"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// ranked are results in their order, the first with a score of 1, each next a little less.
func ranked(ids ...string) (results []Result) {
	for i, id := range ids {
		results = append(results, Result{Candidate: Candidate{ID: id, Scores: Scores{Words: 1}}, Score: 1 - float64(i)/100})
	}
	return results
}

func TestWishesStandAmongTheFirst(t *testing.T) {
	search := NewSearch(tuning.Default().Search) // one wish and two preferences in five places
	always, preferred := Wish{Standing: memory.Always, Cos: .5, Answers: true}, Wish{Standing: memory.Preferred, Cos: .5, Answers: true}
	nearer := always
	nearer.Cos = .9
	for _, c := range []struct {
		name   string
		wishes map[string]Wish
		want   string
	}{
		{"none", nil, "a b c d e f g h"},
		{"one behind", map[string]Wish{"h": always}, "a b c d h e f g"},
		{"the nearer one", map[string]Wish{"g": always, "h": nearer}, "a b c d h e f g"},
		{"first already", map[string]Wish{"b": always}, "a b c d e f g h"},
		{"all kinds", map[string]Wish{"f": preferred, "g": always, "h": preferred}, "a b f g h c d e"},
		{"no more than wanted", map[string]Wish{"e": preferred, "f": preferred, "g": preferred, "h": preferred}, "a b c e f d g h"},
	} {
		results := search.Lift(ranked("a", "b", "c", "d", "e", "f", "g", "h"), c.wishes)
		if got := order(results); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for _, r := range results {
			if r.Standing != memory.Passing && c.wishes[r.ID].Standing != r.Standing {
				t.Errorf("%s: %s stands: %v", c.name, r.ID, r.Standing)
			}
		}
	}
	few := append(ranked("a", "b"), Result{Candidate: Candidate{ID: "chosen"}}, Result{Candidate: Candidate{ID: "other"}})
	wishes := map[string]Wish{"chosen": {Standing: memory.Always, Cos: .9}, "other": {Standing: memory.Always, Cos: .5}}
	if got := order(search.Lift(few, wishes)); got != "a b chosen" {
		t.Errorf("%s: a wish that answers nothing and is not lifted stays", got)
	}
	if got := search.Lift(nil, wishes); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestWhichWishesFit(t *testing.T) {
	search := NewSearch(tuning.Default().Search)
	request, present, past := Aim{Request: true}, Aim{}, Aim{Past: true}
	for _, c := range []struct {
		aim  Aim
		wish Wish
		want bool
	}{
		{request, Wish{Standing: memory.Always, Cos: .31}, true},
		{request, Wish{Standing: memory.Preferred, Words: true}, true},
		{request, Wish{Standing: memory.Preferred, Cos: .29}, false},
		{request, Wish{Cos: 1}, false},
		{present, Wish{Standing: memory.Always, Cos: .61}, true},
		{present, Wish{Standing: memory.Always, Cos: .59, Words: true}, false},
		{present, Wish{Standing: memory.Preferred, Cos: .9, Words: true}, false},
		{past, Wish{Standing: memory.Always, Cos: 1, Words: true}, false},
	} {
		if got := search.Fits(c.aim, c.wish); got != c.want {
			t.Errorf("%+v, %+v: %v", c.aim, c.wish, got)
		}
	}
}

func TestSessionsTakeTurns(t *testing.T) {
	search := NewSearch(tuning.Default().Search)
	of := map[string]memory.SessionID{"a": 1, "b": 1, "c": 1, "d": 2, "e": 3} // f is of none
	results := search.Spread(ranked("a", "b", "c", "d", "e", "f"), func(r Result) memory.SessionID { return of[r.ID] })
	if got := order(results); got != "a d e f b c" {
		t.Error(got)
	}
	if got := order(search.Spread(ranked("a", "f", "g"), func(r Result) memory.SessionID { return 0 })); got != "a f g" {
		t.Errorf("%s: what is of no session counts for less", got)
	}
	if fmt.Sprint(search.Spread(nil, nil)) != "[]" {
		t.Error("of nothing comes something")
	}
}
