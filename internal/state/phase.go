package state

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Phases are what a dream does with crystals besides rewriting the state. Without a language model: it goes through lively
// sessions again, makes one text of what was said many times, links what nobody ever found, and notices what is not known. None of
// them drops anything, and each looks at the same material once.

// Thought is a crystal with its vector and words, made ready to be compared.
type Thought struct {
	memory.Crystal
	Document int64
	Vector   memory.Vector
	Words    []string // as they are compared
}

// Episode is a closed session, as far as it is replayed.
type Episode struct {
	Key      string // names it
	From, To time.Time
	Files    []string // that it changed
	Lively   bool     // something moved somebody, or something was made
}

// Replay as designed: 1 to 7 ripples, each 0.6 of the one before. Three add 0.196, seven 0.243.
const (
	rippleGain   = 0.1 // importance that the first ripple adds
	rippleFade   = 0.6 // of it that each further one adds
	rippleMean   = 3.0 // ripples of an episode
	rippleMost   = 7
	rippleSpread = 0.5 // of a ripple that reaches texts about the same files
)

// Ripples is how often an episode is gone through: 1 to RippleMost, about RippleMean of them, always the same for one episode.
func Ripples(key string) int {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // a hash takes everything
	random := rand.New(rand.NewPCG(h.Sum64(), 1))
	// Poisson, by counting how many steps a product of random numbers takes to fall below e^-mean.
	n, product := 0, random.Float64()
	for floor := math.Exp(-rippleMean); product > floor && n < rippleMost; n++ {
		product *= random.Float64()
	}
	return max(1, min(n, rippleMost))
}

// RippleBoost is what a number of ripples adds to importance: 0.1 for one, 0.196 for three, 0.243 for seven.
func RippleBoost(ripples int) float64 {
	boost, gain := 0.0, rippleGain
	for range ripples {
		boost += gain
		gain *= rippleFade
	}
	return boost
}

// Replay says how much more important crystals become by going through lively episodes again: what was said in one, and half
// as much what speaks of a file that it changed. Each gets the most that one episode gives it, and none becomes more than 1.
func Replay(episodes []Episode, thoughts []Thought) map[memory.CrystalID]float64 {
	refreshed := map[memory.CrystalID]float64{}
	for _, e := range episodes {
		if !e.Lively {
			continue
		}
		boost := RippleBoost(Ripples(e.Key))
		for _, c := range thoughts {
			gain := 0.0
			switch {
			case !c.SaidAt.Before(e.From) && !c.SaidAt.After(e.To):
				gain = boost
			case slices.ContainsFunc(c.Anchors, func(a memory.Anchor) bool { return slices.Contains(e.Files, a.Path) }):
				gain = boost * rippleSpread
			}
			if gain = min(gain, 1-c.Importance); gain > refreshed[c.ID] {
				refreshed[c.ID] = gain
			}
		}
	}
	return refreshed
}

// Compressed is one text for several that say much the same, which it names as its parents.
type Compressed struct {
	Text    string
	Parents []Thought
}

const (
	compressCosine = 0.82 // of two texts that say much the same: near-merge hints as designed
	compressShare  = 0.4  // of the words of the shorter one that the other has too
	compressLeast  = 3    // texts in a group: two are read as fast as one
	compressMost   = 5    // groups of one dream: nobody reads more
	compressLength = 400  // characters: a short paragraph
)

// Compress finds groups of crystals that say much the same in other words and makes one text of each group: the sentences that
// say something the ones before do not. Numbers, names and negations must agree; like says whether they do. Only groups with one
// of the new crystals are looked at, and of those none whose texts were compressed before.
func Compress(thoughts []Thought, isNew func(Thought) bool, like func(a, b Thought) bool) (made []Compressed) {
	taken := map[memory.CrystalID]bool{}
	for _, c := range thoughts {
		if compressed(c.Crystal) {
			for _, p := range c.Parents {
				taken[p] = true
			}
		}
	}
	for _, seed := range thoughts {
		if len(made) >= compressMost {
			break
		}
		if taken[seed.ID] || !isNew(seed) || compressed(seed.Crystal) || seed.Kind == memory.Insight {
			continue
		}
		group := []Thought{seed}
		for _, other := range thoughts {
			if other.ID != seed.ID && !taken[other.ID] && other.Kind == seed.Kind && other.Project == seed.Project && !compressed(other.Crystal) &&
				seed.Vector.Cos(other.Vector) >= compressCosine && inCommon(seed.Words, other.Words) >= compressShare && like(seed, other) {
				group = append(group, other)
			}
		}
		text := gist(group, compressLength)
		if len(group) < compressLeast || text == "" {
			continue
		}
		slices.SortFunc(group, func(a, b Thought) int { return cmp.Or(a.SaidAt.Compare(b.SaidAt), cmp.Compare(a.ID, b.ID)) })
		for _, c := range group {
			taken[c.ID] = true
		}
		made = append(made, Compressed{Text: text, Parents: group})
	}
	return made
}

// CompressionSource is where a compressed crystal says it comes from.
const CompressionSource = "dream: compression"

func compressed(c memory.Crystal) bool { return c.Source == CompressionSource }

// inCommon is the share of the words of the shorter text that the other has too.
func inCommon(a, b []string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	return share(a, b)
}

// gist is what texts say together: the longest of them, and of the others sentences with words it does not have.
func gist(group []Thought, most int) string {
	const said = 0.7 // of the words of a sentence that make it say nothing new
	group = slices.Clone(group)
	slices.SortStableFunc(group, func(a, b Thought) int {
		return cmp.Or(cmp.Compare(len(b.Words), len(a.Words)), b.SaidAt.Compare(a.SaidAt), cmp.Compare(a.ID, b.ID))
	})
	var parts []string
	var used []string // normal words
	for _, c := range group {
		for _, sentence := range prose.Sentences(prose.OneLine(c.Text)) {
			words := strings.Fields(normal(sentence))
			if len(words) == 0 || len(used) > 0 && share(words, used) >= said {
				continue
			}
			if len(strings.Join(parts, " "))+len(sentence) > most {
				continue
			}
			if last := []rune(sentence); unicode.IsLetter(last[len(last)-1]) || unicode.IsDigit(last[len(last)-1]) {
				sentence += "."
			}
			parts, used = append(parts, sentence), append(used, words...)
		}
	}
	return strings.Join(parts, " ")
}

// share is the part of the words that others have too.
func share(words, others []string) float64 {
	known, has := make(map[string]bool, len(others)), 0
	for _, w := range others {
		known[w] = true
	}
	for _, w := range words {
		if known[w] {
			has++
		}
	}
	return float64(has) / float64(max(1, len(words)))
}

// Link ties a crystal that nobody ever found to the one nearest to it.
type Link struct {
	Orphan, Nearest memory.CrystalID
	Cosine          float64
}

// Orphan rescue as designed, but for the cosine: 0.75 links next to nothing with the built-in embedding table.
const (
	orphanAge        = 7 * 24 * time.Hour // of a text that nobody ever used
	orphanImportance = 0.4
	orphanCosine     = 0.5
	orphansMost      = 10 // links of one dream: bounded work
)

// Rescue finds important crystals that stand alone, said long ago and never used, and the nearest to each. One that was linked
// before stands alone no longer.
func Rescue(thoughts []Thought, linked func(memory.CrystalID) bool, now time.Time) (links []Link) {
	orphans := slices.DeleteFunc(slices.Clone(thoughts), func(c Thought) bool {
		alone := c.Accesses == 0 && len(c.Parents) == 0 && len(c.Anchors) == 0
		return !alone || c.Importance < orphanImportance || now.Sub(c.SaidAt) < orphanAge || c.Kind == memory.Insight || linked(c.ID)
	})
	slices.SortStableFunc(orphans, func(a, b Thought) int {
		return cmp.Or(cmp.Compare(b.Importance, a.Importance), a.SaidAt.Compare(b.SaidAt), cmp.Compare(a.ID, b.ID))
	})
	for _, o := range orphans {
		if len(links) >= orphansMost {
			break
		}
		best := Link{Orphan: o.ID}
		for _, c := range thoughts {
			if cos := o.Vector.Cos(c.Vector); c.ID != o.ID && c.Kind != memory.Insight && cos >= orphanCosine && cos > best.Cosine {
				best.Nearest, best.Cosine = c.ID, cos
			}
		}
		if best.Nearest != "" {
			links = append(links, best)
		}
	}
	return links
}
