package crystal

import (
	"cmp"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Wish is how a standing wish fits a question.
type Wish struct {
	Standing memory.Standing
	Cos      float64 // of the wish itself, without what stands around it
	Words    bool    // it has words of the question
	Answers  bool    // it answers the question by itself
}

// Fits reports whether a wish is worth lifting: for a request all that have to do with it, for other questions about the present only
// an order that speaks of just that.
func (s Search) Fits(aim Aim, w Wish) bool {
	switch {
	case w.Standing == memory.Passing || aim.Past:
		return false
	case aim.Request:
		return w.Words || w.Cos >= s.t.WishLeast
	default:
		return w.Standing == memory.Always && w.Cos >= s.t.WishSure
	}
}

// Lift moves what a person always wants, or prefers, into the first places: the ones that fit best, as many as the numbers say,
// behind the best answers. The rest stays in its order; wishes that answer nothing and are not among those go.
func (s Search) Lift(results []Result, wishes map[string]Wish) []Result {
	most := 0.0
	for _, r := range results {
		most = max(most, r.Score)
	}
	type fitting struct {
		place int
		fit   float64
	}
	kinds := map[memory.Standing][]fitting{}
	for i, r := range results {
		if w := wishes[r.ID]; w.Standing != memory.Passing {
			fit := fitting{i, w.Cos}
			if most > 0 {
				fit.fit += r.Score / most
			}
			kinds[w.Standing] = append(kinds[w.Standing], fit)
		}
	}
	var chosen []int
	for standing, n := range map[memory.Standing]int{memory.Always: s.t.Wishes, memory.Preferred: s.t.Preferences} {
		list := kinds[standing]
		slices.SortStableFunc(list, func(a, b fitting) int { return cmp.Compare(b.fit, a.fit) })
		for _, f := range list[:min(n, len(list))] {
			chosen = append(chosen, f.place)
		}
	}
	slices.Sort(chosen)
	arranged := make([]Result, 0, len(results))
	for i, r := range results {
		if w, wish := wishes[r.ID]; !slices.Contains(chosen, i) && (!wish || w.Answers) {
			arranged = append(arranged, r)
		}
	}
	for n, place := range chosen {
		r := results[place]
		r.Standing = wishes[r.ID].Standing
		arranged = slices.Insert(arranged, min(place, max(0, s.t.WishPlaces-len(chosen))+n, len(arranged)), r)
	}
	return arranged
}

// Spread lets sessions take turns: each further text of one counts for less. Texts of no session keep what they have.
func (s Search) Spread(results []Result, session func(Result) memory.SessionID) []Result {
	type waiting struct {
		Result
		session memory.SessionID
	}
	left, counts := make([]waiting, len(results)), map[memory.SessionID]float64{}
	for i, r := range results {
		left[i] = waiting{r, session(r)}
		counts[left[i].session] = 1
	}
	spread := make([]Result, 0, len(results))
	for len(left) > 0 {
		best, most := 0, math.Inf(-1)
		for i, w := range left {
			if score := w.Score * counts[w.session]; score > most {
				best, most = i, score
			}
		}
		next := left[best]
		if next.session != 0 {
			counts[next.session] /= 1 + s.t.Spread
		}
		spread, left = append(spread, next.Result), slices.Delete(left, best, best+1)
	}
	return spread
}
