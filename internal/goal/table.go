package goal

import (
	"cmp"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// table holds the concepts of episodes and goals as numbers, so that thousands can be compared at once. Words that many
// episodes share tell little: each counts by how rare it is.
type table struct {
	words    []string  // those of goals
	rarity   []float64 // of each of them
	goals    []side
	episodes []side // only the words that a goal has; the others count in whole
}

// side is what an episode or a goal is about.
type side struct {
	entries []entry          // sorted by word, each once
	whole   float64          // sum of all its weights, each by how rare the word is
	session memory.SessionID // that it was lived in, or came from
}

type entry struct {
	word   int32
	weight float64
}

// newTable numbers the words. A file that a goal is linked to is a word as well, the path as it is. A goal of many files is
// thereby less like an episode of one, and that is wanted: on the public session traces counting only shared files made
// twice as many connections, of which fewer were right.
func newTable(episodes []Episode, goals []Ranked) *table {
	t := &table{goals: make([]side, len(goals)), episodes: make([]side, len(episodes))}
	words, paths := make(map[string]int32, len(episodes)), map[string]int32{} // apart, because a path may be a word
	for i, g := range goals {
		t.goals[i].session = g.Goal.From
		for _, c := range g.Goal.Concepts {
			t.goals[i].entries = append(t.goals[i].entries, entry{t.number(words, c.Word), unit(c.Weight)})
		}
		for _, f := range g.Goal.Links.Files {
			t.goals[i].entries = append(t.goals[i].entries, entry{t.number(paths, f), 1})
		}
		t.goals[i].entries = once(t.goals[i].entries)
	}
	wanted := int32(len(t.words))

	// Every word of the episodes has to be counted, but those that no goal has need no name.
	holders := make([]int32, wanted)
	size := 0
	for _, e := range episodes {
		size += len(e.Concepts)
	}
	concepts := make([]int32, 0, size)
	var room []entry // of the episode at hand
	for i, e := range episodes {
		room = room[:0]
		for _, c := range e.Concepts {
			n, known := words[c.Word]
			if !known {
				n = int32(len(holders))
				words[c.Word], holders = n, append(holders, 0)
			}
			holders[n]++
			concepts = append(concepts, n)
			if n < wanted {
				room = append(room, entry{n, unit(c.Weight)})
			}
		}
		for _, f := range e.Files {
			if n, linked := paths[f]; linked {
				holders[n]++
				room = append(room, entry{n, 1})
			}
		}
		t.episodes[i].entries, t.episodes[i].session = slices.Clone(once(room)), e.Session
	}
	rarity := make([]float64, len(holders))
	for w, n := range holders {
		rarity[w] = math.Log(1 + float64(len(episodes))/float64(max(n, 1)))
	}
	t.rarity = rarity[:wanted]
	for i := range t.goals {
		for _, x := range t.goals[i].entries {
			t.goals[i].whole += x.weight * rarity[x.word]
		}
	}
	at := 0
	for i, e := range episodes {
		for _, c := range e.Concepts {
			t.episodes[i].whole += unit(c.Weight) * rarity[concepts[at]]
			at++
		}
		for _, f := range e.Files {
			if n, linked := paths[f]; linked {
				t.episodes[i].whole += rarity[n]
			}
		}
	}
	return t
}

// number is the number of a word of a goal.
func (t *table) number(in map[string]int32, word string) int32 {
	n, known := in[word]
	if !known {
		n = int32(len(t.words))
		in[word], t.words = n, append(t.words, word)
	}
	return n
}

// once sorts entries by word and keeps each word with its largest weight.
func once(entries []entry) []entry {
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(b.weight, a.weight))
	})
	return slices.CompactFunc(entries, func(a, b entry) bool { return a.word == b.word })
}

// likeness is the weighted Jaccard, given what both sides share: their sum less that is what either has.
func likeness(both, a, b float64) float64 {
	if both <= 0 {
		return 0
	}
	return min(both/(a+b-both), 1)
}

// nearest is, for each episode, its likeness to the goal that it is nearest to. Only episodes that share a word with a goal
// are looked at.
func (t *table) nearest() []float64 {
	type holder struct {
		episode int32
		weight  float64
	}
	holders := make([][]holder, len(t.words))
	for i, e := range t.episodes {
		for _, x := range e.entries {
			holders[x.word] = append(holders[x.word], holder{int32(i), x.weight})
		}
	}
	best := make([]float64, len(t.episodes))
	both := make([]float64, len(t.episodes))
	var touched []int32
	for _, g := range t.goals {
		touched = touched[:0]
		for _, x := range g.entries {
			for _, h := range holders[x.word] {
				if both[h.episode] == 0 {
					touched = append(touched, h.episode)
				}
				both[h.episode] += min(x.weight, h.weight) * t.rarity[x.word]
			}
		}
		for _, i := range touched {
			if own := g.session != 0 && t.episodes[i].session == g.session; !own {
				best[i] = max(best[i], likeness(both[i], t.episodes[i].whole, g.whole))
			}
			both[i] = 0
		}
	}
	return best
}

// compare is the likeness of an episode and a goal, and the words of both, those first that tell most.
func (t *table) compare(episode, goal int) (float64, []string) {
	e, g := t.episodes[episode], t.goals[goal]
	type common struct {
		word   string
		weight float64
	}
	var shared []common
	both := 0.0
	for i, j := 0, 0; i < len(e.entries) && j < len(g.entries); {
		switch x, y := e.entries[i], g.entries[j]; {
		case x.word < y.word:
			i++
		case y.word < x.word:
			j++
		default:
			if least := min(x.weight, y.weight) * t.rarity[x.word]; least > 0 {
				both += least
				shared = append(shared, common{t.words[x.word], least})
			}
			i, j = i+1, j+1
		}
	}
	slices.SortFunc(shared, func(x, y common) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.word, y.word))
	})
	var words []string
	for _, s := range shared {
		words = append(words, s.word)
	}
	return likeness(both, e.whole, g.whole), words
}
