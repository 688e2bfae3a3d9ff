package said

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/listen"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// How the choice of what is replaced is learned. The values were chosen by cross-validation on made-up and public pairs.
const (
	cuePenalty  = 0.5 // on the squares of the weights of cues, over all statements
	pairPenalty = 3.0 // likewise for the features of pairs
	cueSeen     = 3   // statements that a cue needs to get a weight
	cueMass     = 300 // of the revisions and of the other statements, for the public and for the made-up ones
	rowLength   = 24  // how fast the gradient of a choice changes, with features of mean 0 and deviation 1
	leastSpread = 0.02
)

// related is an untrained model, with sets of related words that were written down from general knowledge of software.
var related = sync.OnceValue(func() *listen.Replacing {
	file, err := madeUpFiles.ReadFile("made-up/related.txt")
	if err != nil {
		panic(err) // it is embedded
	}
	m := &listen.Replacing{Related: map[string][]int{}}
	for i, line := range strings.Split(strings.TrimSpace(string(file)), "\n") {
		for _, w := range vocab.TextWords(line) {
			if !slices.Contains(m.Related[w], i) {
				m.Related[w] = append(m.Related[w], i)
			}
		}
	}
	return m
})

// inventedPairs are pairs of projects that do not exist. They were written by a language model that had seen one
// of the 40 public revisions.
var inventedPairs = sync.OnceValue(func() (list Revisions) {
	file, err := madeUpFiles.ReadFile("made-up/pairs.jsonl")
	if err != nil {
		panic(err) // it is embedded
	}
	var pairs []pair
	pools := map[string]*pool{}
	for line := range strings.Lines(string(file)) {
		p, err := decodePair([]byte(line))
		if err != nil {
			panic(fmt.Errorf("made-up/pairs.jsonl:%d: %w", len(pairs)+1, err))
		}
		if pools[p.Repo] == nil {
			pools[p.Repo] = &pool{}
		}
		pools[p.Repo].add(p.Said)
		pools[p.Repo].add(p.Adds)
		pairs = append(pairs, p)
	}
	for i, p := range pairs {
		list = append(list, pools[p.Repo].choice(invented, p.Repo, i, p.Revised, p.Said))
		for _, text := range []string{p.Said, p.Adds} {
			others := pools[p.Repo].without(func(other string) bool { return other == text })
			list = append(list, others.choice(invented, p.Repo, i, text, ""))
		}
	}
	return list
})

// TrainReplacing learns which statements replace others. The threshold is that of models for repositories that they do not know.
func TrainReplacing(ctx context.Context, list Revisions) (*listen.Replacing, error) {
	all, err := revisionsOutOfFold(ctx, list, func(c *choice) string { return c.group })
	if err != nil {
		return nil, err
	}
	m, err := trainReplacing(ctx, list)
	if err != nil {
		return nil, err
	}
	m.Threshold = rounded(carefulThreshold(all))
	return m, nil
}

// trainReplacing learns the cues, and then the choice with cues that were learned from other statements.
func trainReplacing(ctx context.Context, list Revisions) (*listen.Replacing, error) {
	list = slices.Concat(list, inventedPairs())
	for fold := range foldCount {
		var teach Revisions
		for _, c := range list {
			if c.fold != fold {
				teach = append(teach, c)
			}
		}
		cues, err := learnCues(ctx, teach)
		if err != nil {
			return nil, err
		}
		m := &listen.Replacing{Cues: cues}
		for _, c := range list {
			if c.fold == fold {
				c.cue = m.CueScore(c.newer)
			}
		}
	}
	m, err := learnChoice(ctx, list)
	if err != nil {
		return nil, err
	}
	m.Related = related().Related
	m.Cues, err = learnCues(ctx, list)
	return m, err
}

// learnCues is logistic regression on the words of new statements: does it replace another?
func learnCues(ctx context.Context, list Revisions) (map[string]float64, error) {
	count := map[string]int{}
	var total [2][2]float64 // made up or not, a revision or not
	var some Revisions
	for _, c := range list {
		if c.sort == amongPairs {
			continue // it is among all, too
		}
		some = append(some, c)
		total[truth(c.sort == invented)][truth(c.right >= 0)]++
		for _, cue := range c.newer.Cues() {
			count[cue]++
		}
	}
	var names []string
	for cue, n := range count {
		if n >= cueSeen {
			names = append(names, cue)
		}
	}
	slices.Sort(names)
	rows, weights := make([]row, len(some)), make([]float64, len(some))
	var mass float64
	for i, c := range some {
		for _, cue := range c.newer.Cues() {
			if at, ok := slices.BinarySearch(names, cue); ok {
				rows[i].places = append(rows[i].places, int32(at)) //nolint:gosec // there are a few thousand
			}
		}
		rows[i].values = slices.Repeat([]float64{1 / math.Sqrt(float64(max(1, len(rows[i].places))))}, len(rows[i].places))
		weights[i] = cueMass / total[truth(c.sort == invented)][truth(c.right >= 0)]
		mass += weights[i]
	}
	size := len(names)
	w, err := descend(ctx, size+1, 0.25*longest(rows)+cuePenalty/mass, func(at, gradient []float64) {
		for k := range gradient {
			gradient[k] = cuePenalty / mass * at[k]
		}
		for i, c := range some {
			r := weights[i] / mass * (1/(1+math.Exp(-at[size]-rows[i].times(at))) - float64(truth(c.right >= 0)))
			rows[i].addTo(gradient, r)
			gradient[size] += r
		}
	})
	if err != nil {
		return nil, err
	}
	cues := map[string]float64{"": rounded(w[size])}
	for i, name := range names {
		cues[name] = rounded(w[i])
	}
	return cues, nil
}

func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}

func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

// learnChoice learns the log-odds of earlier statements and of none, so that the right ones become likely.
func learnChoice(ctx context.Context, list Revisions) (*listen.Replacing, error) {
	const features = listen.PairFeatures
	var mean, spread [features]float64
	count := 0.0
	for _, c := range list {
		for _, p := range c.pairs {
			count++
			for k, f := range p.Features {
				mean[k] += f
				spread[k] += f * f
			}
		}
	}
	for k := range mean {
		mean[k] /= count
		spread[k] = max(leastSpread, math.Sqrt(max(0, spread[k]/count-mean[k]*mean[k])))
	}
	penalty := pairPenalty / float64(len(list))
	w, err := descend(ctx, features+3, rowLength/2+penalty, func(at, gradient []float64) {
		for k := range gradient {
			gradient[k] = penalty * at[k]
		}
		for _, c := range list {
			none := []float64{1, c.cue, listen.PoolSize(len(c.older)) / 5}
			z := make([]float64, len(c.pairs)+1)
			right := len(c.pairs) // none
			if c.right >= 0 {
				right = slices.IndexFunc(c.pairs, func(p listen.Pair) bool { return p.Index == c.right })
			}
			if right < 0 {
				continue // it is not among the closest
			}
			for i, p := range c.pairs {
				for k, f := range p.Features {
					z[i] += at[k] * (f - mean[k]) / spread[k]
				}
			}
			for k, f := range none {
				z[len(c.pairs)] += at[features+k] * f
			}
			softmax(z)
			z[right]--
			for i, p := range c.pairs {
				for k, f := range p.Features {
					gradient[k] += z[i] * (f - mean[k]) / spread[k] / float64(len(list))
				}
			}
			for k, f := range none {
				gradient[features+k] += z[len(c.pairs)] * f / float64(len(list))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	m := &listen.Replacing{None: w[features], Cue: w[features+1], Pool: w[features+2] / 5}
	for k := range features {
		m.Pair = append(m.Pair, rounded(w[k]/spread[k]))
		m.None += w[k] * mean[k] / spread[k]
	}
	m.None, m.Cue, m.Pool = rounded(m.None), rounded(m.Cue), rounded(m.Pool)
	return m, nil
}
