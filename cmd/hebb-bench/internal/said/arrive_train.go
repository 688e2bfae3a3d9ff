package said

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/relevance"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// How relevance is learned. The values were chosen by cross-validation on the public pairs.
const (
	orderPenalty   = 3.0  // on the squares of the weights of the order of statements, over all prompts
	needPenalty    = 3.0  // likewise for whether a prompt needs anything
	needCuePenalty = 1.0  // likewise for its words
	needCueSeen    = 4    // prompts that a word needs to get a weight
	needCueIn      = 2    // repositories, made-up ones as one, that it needs: the names of one project say nothing about others
	madeUpOrder    = 0.5  // weight of a made-up pair for the order
	madeUpNeutral  = 0.3  // weight of a made-up prompt that is no task. Made-up pairs say nothing of when to speak: their prompts are typed otherwise
	unmetWeight    = 1.0  // weight of a prompt without what it needs: without it, the look of a prompt alone would decide
	hardest        = 24   // statements that a prompt learns the order from: the likeliest by their words
	falseAlarms    = 0.06 // share of neutral prompts at which something is shown, in repositories that the model does not know
	descents       = 120  // steps
)

// Arrivals are prompts with the statements among which they choose.
type Arrivals []*arrival

// arrival is a prompt, the statements of its repository, and which of them it needs.
type arrival struct {
	sort       string
	group      string // repository; prompts of one group are judged by the same model
	fold       int    // likewise, in cross-validation by pair
	text       string
	said       string // what it needs
	prompt     *relevance.Text
	statements []relevance.Statement
	own        int // the first so many of them are of the repository, the rest strangers
	right      int // of statements; -1 for none
	pairs      []relevance.Pair
}

// The sorts of prompts.
const (
	laterPrompt     = "later"            // of a pair
	unmetPrompt     = "unmet"            // the same where what it needs was never said
	neutralPrompt   = "neutral"          // a real prompt that needs nothing
	madeUpLater     = "made-up later"    // only to learn from
	madeUpNeedsNone = "made-up, no task" // only to learn from
)

// laterPair is a line of pairs.jsonl or later.jsonl: something said, and a prompt weeks later that needs it.
type laterPair struct {
	ID      string `json:"id"`
	Repo    string `json:"repo"`
	Kind    string `json:"kind"`
	Said    string `json:"said"`
	Later   string `json:"later"`
	Revised string `json:"revised"`
}

func decodeLater(line []byte) (p laterPair, err error) {
	err = json.Unmarshal(line, &p)
	if p.Kind == "later" {
		p.Kind = "goal" // as memory names it
	}
	return p, err
}

// neutral is a prompt on which memory should say nothing.
type neutral struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

func decodeNeutral(line []byte) (n neutral, err error) {
	err = json.Unmarshal(line, &n)
	return n, err
}

// bareRelevance is an untrained model: the topics, and statements of projects that do not exist.
var bareRelevance = sync.OnceValue(func() *relevance.Model {
	m := &relevance.Model{Topics: map[string][]int32{}}
	for i, line := range strings.Split(strings.TrimSpace(string(madeUpFile("topics.txt"))), "\n") {
		for _, w := range vocab.TextWords(line) {
			if k := int32(i); !slices.Contains(m.Topics[w], k) { //nolint:gosec // there are some hundred topics
				m.Topics[w] = append(m.Topics[w], k)
			}
		}
	}
	pairs := madeUpPairs()
	for i := range relevance.Crowd {
		m.Strangers = append(m.Strangers, pairs[(i*len(pairs))/relevance.Crowd].Said)
	}
	return m
})

func madeUpFile(name string) []byte {
	file, err := madeUpFiles.ReadFile("made-up/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return file
}

func madeUpLines[T any](name string, decode func([]byte) (T, error)) []T {
	folder, err := fs.Sub(madeUpFiles, "made-up")
	if err != nil {
		panic(err) // it is embedded
	}
	list, err := readLines(folder, name, decode)
	if err != nil {
		panic(err)
	}
	return list
}

var madeUpPairs = sync.OnceValue(func() []laterPair { return madeUpLines("later.jsonl", decodeLater) })

func relevanceText(text string) *relevance.Text {
	return bareRelevance().NewText(text, vocab.TextWords(text), embedding.GeneralRow)
}

// rooms are the statements of repositories.
type rooms struct {
	texts      map[string][]string
	statements map[string][]relevance.Statement
	strangers  []relevance.Statement
}

func newRooms() *rooms {
	r := &rooms{texts: map[string][]string{}, statements: map[string][]relevance.Statement{}}
	for _, text := range bareRelevance().Strangers {
		r.strangers = append(r.strangers, relevance.Statement{Text: relevanceText(text)})
	}
	return r
}

func (r *rooms) add(p laterPair) {
	if !slices.Contains(r.texts[p.Repo], p.Said) {
		r.texts[p.Repo] = append(r.texts[p.Repo], p.Said)
		r.statements[p.Repo] = append(r.statements[p.Repo], relevance.Statement{Text: relevanceText(p.Said), Kind: p.Kind})
	}
}

func (r *rooms) arrival(sort, group, repository string, fold int, text, said string) *arrival {
	a := &arrival{sort: sort, group: group, fold: fold % foldCount, text: text, said: said, prompt: relevanceText(text), right: slices.Index(r.texts[repository], said)}
	own := r.statements[repository]
	a.own = len(own)
	a.statements = slices.Concat(own, r.strangers[:max(0, relevance.Crowd-len(own))])
	a.pairs = relevance.Pairs(a.prompt, a.statements)
	return a
}

// without is the same prompt where what it needs was never said.
func (a *arrival) without() *arrival {
	b := *a
	b.sort, b.said, b.right, b.own = unmetPrompt, "", -1, a.own-1
	b.statements = slices.Delete(slices.Clone(a.statements), a.right, a.right+1)
	b.pairs = relevance.Pairs(b.prompt, b.statements)
	return &b
}

// ReadArrivals reads pairs.jsonl and neutral.jsonl of a folder.
func ReadArrivals(folder fs.FS) (list Arrivals, err error) {
	pairs, err := readLines(folder, "pairs.jsonl", decodeLater)
	if err != nil {
		return nil, err
	}
	neutrals, err := readLines(folder, "neutral.jsonl", decodeNeutral)
	if err != nil {
		return nil, err
	}
	r := newRooms()
	for _, p := range pairs {
		r.add(p)
	}
	for i, p := range pairs {
		a := r.arrival(laterPrompt, p.Repo, p.Repo, i, p.Later, p.Said)
		list = append(list, a, a.without())
	}
	for i, n := range neutrals {
		repository, _, _ := strings.Cut(n.ID, ":")
		list = append(list, r.arrival(neutralPrompt, repository, repository, i, n.Text, ""))
	}
	return list, nil
}

// madeUpArrivals are pairs of projects that do not exist, and prompts that are no tasks. A language model wrote them without having
// read the public pairs.
var madeUpArrivals = sync.OnceValue(func() (list Arrivals) {
	r := newRooms()
	for _, p := range madeUpPairs() {
		r.add(p)
	}
	var projects []string
	for i, p := range madeUpPairs() {
		list = append(list, r.arrival(madeUpLater, "", p.Repo, i, p.Later, p.Said))
		if !slices.Contains(projects, p.Repo) {
			projects = append(projects, p.Repo)
		}
	}
	for i, n := range madeUpLines("neutral.jsonl", decodeNeutral) {
		list = append(list, r.arrival(madeUpNeedsNone, "", projects[i%len(projects)], i, n.Text, ""))
	}
	return list
})

// TrainRelevance learns which statements prompts need. Its threshold is that of models for repositories that they do not know.
func TrainRelevance(ctx context.Context, list Arrivals) (*relevance.Model, error) {
	m, err := trainRelevance(ctx, list)
	if err != nil {
		return nil, err
	}
	m.Threshold, err = carefulNeed(ctx, list)
	return m, err
}

// carefulNeed is the threshold at which few neutral prompts get an answer, by models that do not know their repository; by pairs, if
// there is but one repository.
func carefulNeed(ctx context.Context, list Arrivals) (float64, error) {
	key := byRepository
	if slices.IndexFunc(list, func(a *arrival) bool { return a.group != list[0].group }) < 0 {
		key = byPair
	}
	var needs []float64
	err := eachFold(ctx, list, key, func(m *relevance.Model, judge Arrivals) error {
		for _, a := range judge {
			if a.sort == neutralPrompt {
				needs = append(needs, a.need(m))
			}
		}
		return nil
	})
	slices.Sort(needs)
	slices.Reverse(needs)
	return rounded(needs[int(falseAlarms*float64(len(needs)))]) + 0.001, err
}

func (a *arrival) need(m *relevance.Model) float64 {
	_, need := m.Judge(a.prompt, a.statements[:a.own], a.statements[a.own:])
	return need
}

func byRepository(a *arrival) string { return a.group }
func byPair(a *arrival) string       { return fmt.Sprint(a.fold) }

// eachFold trains without each fold and hands the model on, with what it never saw.
func eachFold(ctx context.Context, list Arrivals, key func(*arrival) string, judge func(*relevance.Model, Arrivals) error) error {
	done := map[string]bool{}
	for _, a := range list {
		if done[key(a)] {
			continue
		}
		done[key(a)] = true
		var teach, rest Arrivals
		for _, b := range list {
			if key(b) == key(a) {
				rest = append(rest, b)
			} else {
				teach = append(teach, b)
			}
		}
		m, err := trainRelevance(ctx, teach)
		if err != nil {
			return err
		}
		if err := judge(m, rest); err != nil {
			return err
		}
	}
	return nil
}

func trainRelevance(ctx context.Context, list Arrivals) (*relevance.Model, error) {
	list = slices.Concat(list, madeUpArrivals())
	bare := bareRelevance()
	m := &relevance.Model{Topics: bare.Topics, Strangers: bare.Strangers}
	var err error
	if m.Pair, err = learnOrder(ctx, list); err != nil {
		return nil, err
	}
	return m, learnNeed(ctx, m, list)
}

// scale brings features to mean 0 and deviation 1.
type scale struct{ mean, spread []float64 }

func scaleOf(size int, rows func(yield func(row []float64))) scale {
	s := scale{make([]float64, size), make([]float64, size)}
	n := 0.0
	rows(func(row []float64) {
		n++
		for k, f := range row {
			s.mean[k] += f
			s.spread[k] += f * f
		}
	})
	for k := range size {
		s.mean[k] /= n
		s.spread[k] = max(leastSpread, math.Sqrt(max(0, s.spread[k]/n-s.mean[k]*s.mean[k])))
	}
	return s
}

func (s scale) of(row []float64) []float64 {
	out := make([]float64, len(row))
	for k, f := range row {
		out[k] = (f - s.mean[k]) / s.spread[k]
	}
	return out
}

// learnOrder learns the log-odds of statements, so that the right ones become likely among the others.
func learnOrder(ctx context.Context, list Arrivals) ([]float64, error) {
	s := scaleOf(relevance.PairFeatures, func(yield func([]float64)) {
		for _, a := range list {
			for i := range a.pairs {
				yield(a.pairs[i][:])
			}
		}
	})
	type choice struct {
		rows   [][]float64 // the first is the right one
		weight float64
	}
	var choices []choice
	total := 0.0
	for _, a := range list {
		if a.right < 0 {
			continue
		}
		c := choice{weight: 1, rows: [][]float64{s.of(a.pairs[a.right][:])}}
		if a.sort == madeUpLater {
			c.weight = madeUpOrder
		}
		for _, i := range relevance.Closest(a.pairs, hardest) {
			if i != a.right {
				c.rows = append(c.rows, s.of(a.pairs[i][:]))
			}
		}
		total += c.weight
		choices = append(choices, c)
	}
	w, err := settle(ctx, relevance.PairFeatures, func(at, gradient []float64) {
		for k := range gradient {
			gradient[k] = orderPenalty / total * at[k]
		}
		for _, c := range choices {
			z := make([]float64, len(c.rows))
			for i, row := range c.rows {
				for k, f := range row {
					z[i] += at[k] * f
				}
			}
			softmax(z)
			z[0]--
			for i, row := range c.rows {
				for k, f := range row {
					gradient[k] += z[i] * c.weight / total * f
				}
			}
		}
	})
	for k := range w {
		w[k] = rounded(w[k] / s.spread[k])
	}
	return w, err
}

// learnNeed is logistic regression: does a prompt need any statement?
func learnNeed(ctx context.Context, m *relevance.Model, list Arrivals) error {
	type example struct {
		features       []float64
		cues           []int
		target, weight float64
	}
	count, where := map[string]int{}, map[string][]string{}
	var some Arrivals
	for _, a := range list {
		if a.sort != madeUpLater {
			some = append(some, a)
		}
		for _, cue := range a.prompt.Cues() {
			if a.sort != madeUpLater {
				count[cue]++
			}
			if !slices.Contains(where[cue], a.group) {
				where[cue] = append(where[cue], a.group)
			}
		}
	}
	var cues []string
	for cue, n := range count {
		if n >= needCueSeen && len(where[cue]) >= needCueIn {
			cues = append(cues, cue)
		}
	}
	slices.Sort(cues)
	features := make([][]float64, len(some))
	for i, a := range some {
		f := relevance.NeedOf(a.prompt, a.statements, m.ScoresOf(a.pairs))
		features[i] = f[:]
	}
	s := scaleOf(relevance.NeedFeatures, func(yield func([]float64)) {
		for _, f := range features {
			yield(f)
		}
	})
	var examples []example
	total := 0.0
	for i, a := range some {
		e := example{features: s.of(features[i]), weight: 1, target: float64(truth(a.right >= 0))}
		switch a.sort {
		case madeUpNeedsNone:
			e.weight = madeUpNeutral
		case unmetPrompt:
			e.weight = unmetWeight
		}
		for _, cue := range a.prompt.Cues() {
			if at, ok := slices.BinarySearch(cues, cue); ok {
				e.cues = append(e.cues, relevance.NeedFeatures+1+at)
			}
		}
		total += e.weight
		examples = append(examples, e)
	}
	const constant = relevance.NeedFeatures
	w, err := settle(ctx, constant+1+len(cues), func(at, gradient []float64) {
		for k := range gradient {
			penalty := needPenalty
			if k > constant {
				penalty = needCuePenalty
			}
			gradient[k] = penalty / total * at[k]
		}
		gradient[constant] = 0
		for _, e := range examples {
			z, each := at[constant], 1/math.Sqrt(float64(max(1, len(e.cues))))
			for k, f := range e.features {
				z += at[k] * f
			}
			for _, k := range e.cues {
				z += at[k] * each
			}
			r := (1/(1+math.Exp(-z)) - e.target) * e.weight / total
			for k, f := range e.features {
				gradient[k] += r * f
			}
			for _, k := range e.cues {
				gradient[k] += r * each
			}
			gradient[constant] += r
		}
	})
	if err != nil {
		return err
	}
	m.Need, m.Cues = make([]float64, constant+1), map[string]float64{}
	m.Need[constant] = w[constant]
	for k := range constant {
		m.Need[k] = rounded(w[k] / s.spread[k])
		m.Need[constant] -= w[k] * s.mean[k] / s.spread[k]
	}
	m.Need[constant] = rounded(m.Need[constant])
	for i, cue := range cues {
		m.Cues[cue] = rounded(w[constant+1+i])
	}
	return nil
}

// settle is gradient descent with a step of its own for each weight (Adam).
func settle(ctx context.Context, size int, gradientAt func(at, gradient []float64)) ([]float64, error) {
	const rate, slow, slower = 0.06, 0.9, 0.99
	w, gradient, mean, square := make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
	for step := 1; step <= descents; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		gradientAt(w, gradient)
		length := rate * (1 - slow*float64(step)/descents)
		for k, g := range gradient {
			mean[k] = slow*mean[k] + (1-slow)*g
			square[k] = slower*square[k] + (1-slower)*g*g
			w[k] -= length * mean[k] / (1 - math.Pow(slow, float64(step))) / (math.Sqrt(square[k]/(1-math.Pow(slower, float64(step)))) + 1e-6)
		}
	}
	return w, nil
}
