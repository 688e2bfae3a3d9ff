package goal

import (
	"cmp"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// table compares episodes with goals by their words and files. Each counts by how rare it is among the episodes. A goal of many
// files is thereby less like an episode of one: on the public session traces counting only shared files made twice as many
// connections, of which fewer were right.
type table struct {
	rarity          map[feature]float64
	episodes, goals []side
	weights         []map[feature]float64 // of the goals
}

// feature is a word or a file that something is about. A path may also be a word.
type feature struct {
	text string
	file bool
}

type weighted struct {
	feature
	weight float64
}

// side is what an episode or a goal is about, each word and file once.
type side struct {
	list    []weighted
	whole   float64          // sum of all weights, each by how rare the feature is
	session memory.SessionID // that it was lived in, or came from
}

func newSide(concepts []memory.Concept, files []string, session memory.SessionID) side {
	s := side{session: session}
	for _, c := range concepts {
		s.list = append(s.list, weighted{feature{c.Word, false}, unit(c.Weight)})
	}
	for _, f := range files {
		s.list = append(s.list, weighted{feature{f, true}, 1})
	}
	return s
}

func newTable(episodes []Episode, goals []Ranked) *table {
	t := &table{rarity: map[feature]float64{}}
	linked := map[string]bool{} // files that no goal is linked to do not count
	for _, g := range goals {
		s := newSide(g.Goal.Concepts, g.Goal.Links.Files, g.Goal.From)
		weights := map[feature]float64{}
		for _, x := range s.list {
			weights[x.feature] = x.weight
		}
		t.goals, t.weights = append(t.goals, s), append(t.weights, weights)
		for _, f := range g.Goal.Links.Files {
			linked[f] = true
		}
	}
	holders := map[feature]int{}
	for _, e := range episodes {
		files := slices.DeleteFunc(slices.Clone(e.Files), func(f string) bool { return !linked[f] })
		t.episodes = append(t.episodes, newSide(e.Concepts, files, e.Session))
		for _, x := range t.episodes[len(t.episodes)-1].list {
			holders[x.feature]++
		}
	}
	for _, sides := range [][]side{t.goals, t.episodes} {
		for i := range sides {
			for _, x := range sides[i].list {
				t.rarity[x.feature] = math.Log(1 + float64(len(episodes))/float64(max(holders[x.feature], 1)))
				sides[i].whole += x.weight * t.rarity[x.feature]
			}
		}
	}
	return t
}

// nearest is, for each episode, its likeness to the nearest goal of another session.
func (t *table) nearest() []float64 {
	best := make([]float64, len(t.episodes))
	for i, e := range t.episodes {
		for j, g := range t.goals {
			if g.session == 0 || g.session != e.session {
				likeness, _ := t.compare(i, j)
				best[i] = max(best[i], likeness)
			}
		}
	}
	return best
}

// compare is the weighted Jaccard of an episode and a goal, and what both are about, that which counts most first.
func (t *table) compare(episode, goal int) (likeness float64, shared []string) {
	e, weights := t.episodes[episode], t.weights[goal]
	both := 0.0
	var common []weighted
	for _, x := range e.list {
		if w := min(x.weight, weights[x.feature]); w > 0 {
			w *= t.rarity[x.feature]
			both += w
			common = append(common, weighted{x.feature, w})
		}
	}
	if both == 0 {
		return 0, nil
	}
	slices.SortFunc(common, func(x, y weighted) int { return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.text, y.text)) })
	for _, x := range common {
		shared = append(shared, x.text)
	}
	return min(both/(e.whole+t.goals[goal].whole-both), 1), shared
}
