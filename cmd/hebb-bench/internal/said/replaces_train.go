package said

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/listen"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// How the choice of what is replaced is learned. The values were chosen by cross-validation on the made-up pairs.
const (
	pairPenalty  = 3.0  // on the squares of the weights of the features of pairs, over all choices
	unitPenalty  = 10.0 // likewise for units
	nonePenalty  = 20.0 // likewise for what the new statement means
	unitCount    = 6
	learnRounds  = 200
	stepLength   = 0.03
	leastSpread  = 0.02
	crowdOf      = 4  // other projects whose statements stand beside a project's own in every third choice
	fewOf        = 12 // one of so many statements stands in another third: a person has said little yet
	constantTerm = 0.01
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

// inventedPairs are choices among the statements of projects that do not exist, and among more of them. The pairs were written by language
// models; one of these had seen one of the 40 public revisions, none the rules.
var inventedPairs = sync.OnceValue(func() (list Revisions) {
	file, err := madeUpFiles.ReadFile("made-up/pairs.jsonl")
	if err != nil {
		panic(err) // it is embedded
	}
	var pairs []pair
	var repositories []string
	pools := map[string]*pool{}
	for line := range strings.Lines(string(file)) {
		p, err := decodePair([]byte(line))
		if err != nil {
			panic(fmt.Errorf("made-up/pairs.jsonl:%d: %w", len(pairs)+1, err))
		}
		if pools[p.Repo] == nil {
			pools[p.Repo] = &pool{}
			repositories = append(repositories, p.Repo)
		}
		pools[p.Repo].add(p.Said)
		pools[p.Repo].add(p.Adds)
		pairs = append(pairs, p)
	}
	crowds := map[string]*pool{}
	for i, repository := range repositories {
		crowd := &pool{}
		for k := range crowdOf + 1 {
			own := pools[repositories[(i+k)%len(repositories)]]
			crowd.texts, crowd.said = append(crowd.texts, own.texts...), append(crowd.said, own.said...)
		}
		crowds[repository] = crowd
	}
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the same pairs make the same choices
	for _, p := range pairs {
		own := pools[p.Repo]
		few := own.without(func(text string) bool { return text != p.Said && text != p.Adds && random.IntN(fewOf) > 0 })
		for i, among := range []*pool{own, crowds[p.Repo], &few} {
			list = append(list, among.choice([]string{amongPairs, amongAll, amongFew}[i], p.Repo, prepare(p.Revised), p.Said))
			unmet := among.without(func(text string) bool { return text == p.Said || text == p.Adds })
			list = append(list, unmet.choice(ordinary, p.Repo, prepare(p.Said), ""))
			if among == &few { // what it revises was never said
				list = append(list, unmet.choice(ordinary, p.Repo, prepare(p.Revised), ""))
			}
			for _, text := range []string{p.Adds, p.Told} {
				if text != "" {
					others := among.without(func(other string) bool { return other == text })
					list = append(list, others.choice(ordinary, p.Repo, prepare(text), ""))
				}
			}
		}
	}
	return list
})

// TrainReplacing learns which statements replace others.
func TrainReplacing(ctx context.Context) (*listen.Replacing, error) {
	all, err := revisionsOutOfFold(ctx, nil)
	if err != nil {
		return nil, err
	}
	m, err := learnChoice(ctx, inventedPairs())
	if err != nil {
		return nil, err
	}
	m.Related = related().Related
	m.Sure, m.Likely = thresholds(all)
	return m, nil
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
	mean, spread := spreadOf(list)
	const features = listen.PairFeatures
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the same pairs make the same model
	w := make([]float64, features+listen.NoneFeatures+unitCount*(features+2))
	pair, none, units := w[:features], w[features:features+listen.NoneFeatures], w[features+listen.NoneFeatures:]
	for i := range units {
		units[i] = random.NormFloat64() / math.Sqrt(features)
	}
	gradient := make([]float64, len(w))
	err := descendUneven(ctx, w, gradient, func() {
		for k := range w {
			gradient[k] = penaltyAt(k) * w[k] / float64(len(list))
		}
		for _, c := range list {
			c.learn(pair, none, units, mean, spread, gradient, 1/float64(len(list)))
		}
	})
	if err != nil {
		return nil, err
	}
	m := &listen.Replacing{None: slices.Clone(none)}
	for k := range features {
		m.Pair = append(m.Pair, pair[k]/spread[k])
		m.None[0] += pair[k] * mean[k] / spread[k]
	}
	for u := range slices.Chunk(units, features+2) {
		unit := slices.Clone(u)
		for k := range features {
			unit[2+k] /= spread[k]
			unit[1] -= unit[2+k] * mean[k]
		}
		m.Units = append(m.Units, unit)
	}
	for _, list := range append([][]float64{m.Pair, m.None}, m.Units...) {
		for k := range list {
			list[k] = rounded(list[k])
		}
	}
	return m, nil
}

// penaltyAt is what the square of a weight costs.
func penaltyAt(k int) float64 {
	const meaningAt = listen.PairFeatures + 3
	switch {
	case k < listen.PairFeatures:
		return pairPenalty
	case k < meaningAt:
		return constantTerm
	case k < listen.PairFeatures+listen.NoneFeatures:
		return nonePenalty
	}
	return unitPenalty
}

// learn adds the gradient of one choice.
func (c *choice) learn(pair, none, units, mean, spread, gradient []float64, weight float64) {
	const features = listen.PairFeatures
	right := len(c.pairs) // none
	if c.right >= 0 {
		right = slices.IndexFunc(c.pairs, func(p listen.Pair) bool { return p.Index == c.right })
	}
	if right < 0 {
		return // it is not among the closest
	}
	z := make([]float64, len(c.pairs)+1)
	scaled, active := make([][features]float64, len(c.pairs)), make([][unitCount]float64, len(c.pairs))
	for i, p := range c.pairs {
		for k, f := range p.Features {
			scaled[i][k] = (f - mean[k]) / spread[k]
			z[i] += pair[k] * scaled[i][k]
		}
		for h := range unitCount {
			u := units[h*(features+2):][:features+2]
			sum := u[1]
			for k, f := range scaled[i] {
				sum += u[2+k] * f
			}
			active[i][h] = math.Tanh(sum)
			z[i] += u[0] * active[i][h]
		}
	}
	for k, f := range c.none {
		z[len(c.pairs)] += none[k] * f
	}
	softmax(z)
	z[right]--
	ofNone, ofUnits := gradient[features:], gradient[features+listen.NoneFeatures:]
	for k, f := range c.none {
		ofNone[k] += weight * z[len(c.pairs)] * f
	}
	for i := range c.pairs {
		by := weight * z[i]
		for k, f := range scaled[i] {
			gradient[k] += by * f
		}
		for h, a := range active[i] {
			u, g := units[h*(features+2):], ofUnits[h*(features+2):]
			g[0] += by * a
			inner := by * u[0] * (1 - a*a)
			g[1] += inner
			for k, f := range scaled[i] {
				g[2+k] += inner * f
			}
		}
	}
}

// spreadOf is the mean and the deviation of each feature of pairs.
func spreadOf(list Revisions) (mean, spread []float64) {
	mean, spread = make([]float64, listen.PairFeatures), make([]float64, listen.PairFeatures)
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
	return mean, spread
}

// descendUneven changes weights by steps whose length does not depend on how steep their direction is (Adam), shorter ones at the end. The
// function is not convex.
func descendUneven(ctx context.Context, w, gradient []float64, compute func()) error {
	const slow, slower = 0.9, 0.99
	first, second := make([]float64, len(w)), make([]float64, len(w))
	for round := range learnRounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		compute()
		step, n := stepLength, float64(round+1)
		if round > learnRounds*2/3 {
			step /= 5
		}
		for k, g := range gradient {
			first[k] = slow*first[k] + (1-slow)*g
			second[k] = slower*second[k] + (1-slower)*g*g
			w[k] -= step * first[k] / (1 - math.Pow(slow, n)) / (math.Sqrt(second[k]/(1-math.Pow(slower, n))) + 1e-8)
		}
	}
	return nil
}
