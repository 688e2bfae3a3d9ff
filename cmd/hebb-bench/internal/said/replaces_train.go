package said

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// How the choice of what is replaced is learned. The values were chosen by cross-validation on the
// made-up pairs.
const (
	pairPenalty  = 10.0 // on the squares of the weights of the features of pairs, over all choices
	unitPenalty  = 30.0 // likewise for units
	nonePenalty  = 80.0 // likewise for what the new statement means
	cuePenalty   = 3.0  // likewise for its words
	cueProjects  = 6    // that have a word, or two together, from which it counts
	unitCount    = 6
	learnRounds  = 12
	learnBatch   = 128  // choices between two steps
	stepLength   = 0.02 // of the first step; the last one is nearly 0
	leastSpread  = 0.02
	crowdOf      = 4  // other projects whose statements stand beside a project's own in every third choice
	fewOf        = 12 // one of so many statements stands in another third: a person has said little yet
	constantTerm = 0.01
)

// related is an untrained model, with sets of related words that were written down from general
// knowledge of software.
var related = sync.OnceValue(func() *statements.Replacing {
	file, err := madeUpFiles.ReadFile("made-up/related.txt")
	if err != nil {
		panic(err) // it is embedded
	}
	m := &statements.Replacing{Related: map[string][]int{}}
	for i, line := range strings.Split(strings.TrimSpace(string(file)), "\n") {
		for _, w := range vocab.TextWords(line) {
			if !slices.Contains(m.Related[w], i) {
				m.Related[w] = append(m.Related[w], i)
			}
		}
	}
	return m
})

// inventedPairs are choices among the statements of projects that do not exist, and among more of
// them. The pairs were written by language models; one of these had seen one of the 40 public
// revisions, none the rules.
var inventedPairs = sync.OnceValue(func() (list []*choice) {
	pairs, err := readLines(madeUpFiles, "made-up/pairs.jsonl", decode[pair])
	if err != nil {
		panic(err) // it is embedded
	}
	var repositories []string
	pools := map[string]*pool{}
	for _, p := range pairs {
		if pools[p.Repo] == nil {
			pools[p.Repo] = &pool{}
			repositories = append(repositories, p.Repo)
		}
		pools[p.Repo].add(p.Said)
		pools[p.Repo].add(p.Adds)
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
		for _, among := range []*pool{own, crowds[p.Repo], &few} {
			list = append(list, among.choice(p.Repo, p.Revised, p.Said))
			unmet := among.without(func(text string) bool { return text == p.Said || text == p.Adds })
			list = append(list, unmet.choice(p.Repo, p.Said, ""))
			if among == &few { // what it revises was never said
				list = append(list, unmet.choice(p.Repo, p.Revised, ""))
			}
			if p.Told != "" {
				told := among.without(func(text string) bool { return text == p.Said })
				told.add(p.Told)
				list = append(list, told.choice(p.Repo, p.Revised, p.Told), told.choice(p.Repo, p.Said, ""))
			}
			for _, text := range []string{p.Adds, p.Beside, p.Told} {
				if text != "" {
					others := among.without(func(other string) bool { return other == text })
					list = append(list, others.choice(p.Repo, text, ""))
				}
			}
		}
	}
	return list
})

// TrainReplacing learns which statements replace others.
func TrainReplacing(ctx context.Context) (*statements.Replacing, error) {
	sure, err := surely(ctx)
	if err != nil {
		return nil, err
	}
	m, err := learnChoice(ctx, inventedPairs())
	if err != nil {
		return nil, err
	}
	m.Related, m.Sure, m.Likely = related().Related, sure, askedFrom
	return m, nil
}

func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}

func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

// learnChoice learns the log-odds of earlier statements and of none, so that the right ones become
// likely.
func learnChoice(ctx context.Context, list []*choice) (*statements.Replacing, error) {
	mean, spread := spreadOf(list)
	const features = statements.PairFeatures
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the same pairs make the same model
	cues := commonCues(list)
	w := make([]float64, features+statements.NoneFeatures+unitCount*(features+2)+len(cues))
	pair, none, units := w[:features], w[features:features+statements.NoneFeatures], w[features+statements.NoneFeatures:len(w)-len(cues)]
	at := map[string]int{} // the weight of a cue
	for i, cue := range cues {
		at[cue] = len(w) - len(cues) + i
	}
	for i := range units {
		units[i] = random.NormFloat64() / math.Sqrt(features)
	}
	gradient := make([]float64, len(w))
	list = slices.Clone(list)
	err := descendUneven(ctx, w, gradient, learnRounds*(len(list)/learnBatch), func(step int) {
		from := step % (len(list) / learnBatch) * learnBatch
		if from == 0 {
			random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		}
		for k := range w {
			gradient[k] = penaltyAt(k) * w[k] / float64(len(list))
		}
		for _, c := range list[from : from+learnBatch] {
			ofNone := 0.0
			for _, cue := range c.cues {
				if k, ok := at[cue]; ok {
					ofNone += w[k]
				}
			}
			by := c.learn(pair, none, units, mean, spread, gradient, ofNone)
			for _, cue := range c.cues {
				if k, ok := at[cue]; ok {
					gradient[k] += by
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	m := &statements.Replacing{None: slices.Clone(none), Cues: map[string]float64{}}
	for cue, k := range at {
		m.Cues[cue] = rounded(w[k])
	}
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
	const meaningAt = statements.PairFeatures + 3
	switch {
	case k < statements.PairFeatures:
		return pairPenalty
	case k < meaningAt:
		return constantTerm
	case k < meaningAt+statements.NoneFeatures-3:
		return nonePenalty
	case k < statements.PairFeatures+statements.NoneFeatures+unitCount*(statements.PairFeatures+2):
		return unitPenalty
	}
	return cuePenalty
}

// commonCues are the cues that several projects have.
func commonCues(list []*choice) (cues []string) {
	groups := map[string][]string{}
	for _, c := range list {
		for _, cue := range c.cues {
			if !slices.Contains(groups[cue], c.group) {
				groups[cue] = append(groups[cue], c.group)
			}
		}
	}
	for cue, of := range groups {
		if len(of) >= cueProjects {
			cues = append(cues, cue)
		}
	}
	slices.Sort(cues)
	return cues
}

// learn adds the gradient of one choice and returns that of the log-odds of none, to which its cues
// add ofNone.
func (c *choice) learn(pair, none, units, mean, spread, gradient []float64, ofNone float64) (by float64) {
	const weight = 1.0 / learnBatch
	const features = statements.PairFeatures
	right := len(c.pairs) // none
	if c.right >= 0 {
		right = slices.IndexFunc(c.pairs, func(p statements.Pair) bool { return p.Index == c.right })
	}
	if right < 0 {
		return 0 // it is not among the closest
	}
	z := make([]float64, len(c.pairs)+1)
	z[len(c.pairs)] = ofNone
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
	toNone, ofUnits := gradient[features:], gradient[features+statements.NoneFeatures:]
	for k, f := range c.none {
		toNone[k] += weight * z[len(c.pairs)] * f
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
	return weight * z[len(c.pairs)]
}

// spreadOf is the mean and the deviation of each feature of pairs.
func spreadOf(list []*choice) (mean, spread []float64) {
	mean, spread = make([]float64, statements.PairFeatures), make([]float64, statements.PairFeatures)
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

// descendUneven changes weights by steps whose length does not depend on how steep their direction
// is (Adam), shorter and shorter ones. The function is not convex.
func descendUneven(ctx context.Context, w, gradient []float64, steps int, compute func(step int)) error {
	const slow, slower = 0.9, 0.99
	first, second := make([]float64, len(w)), make([]float64, len(w))
	for i := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		compute(i)
		n := float64(i + 1)
		step, ofFirst, ofSecond := stepLength*(1-n/float64(steps+1)), 1-math.Pow(slow, n), 1-math.Pow(slower, n)
		for k, g := range gradient {
			first[k] = slow*first[k] + (1-slow)*g
			second[k] = slower*second[k] + (1-slower)*g*g
			w[k] -= step * first[k] / ofFirst / (math.Sqrt(second[k]/ofSecond) + 1e-8)
		}
	}
	return nil
}
