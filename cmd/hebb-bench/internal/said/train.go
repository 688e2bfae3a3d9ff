package said

import (
	"context"
	"embed"
	"io/fs"
	"math"
	"slices"
	"sync"

	"github.com/hebb-memory/hebb/internal/encoder"
	"github.com/hebb-memory/hebb/internal/statements"
)

// How the listening model learns. The values were chosen by cross-validation over people.
const (
	statementPenalty = 1.0  // on the squares of weights
	kindPenalty      = 0.3  // likewise for the weights of kinds
	marginalTarget   = 0.5  // of a sentence that matters marginally: between 0 and 1
	madeUpWeight     = 0.15 // of a sentence of a made-up prompt; it counts in full for the kinds
	lookedAt         = 0.2  // share of the sentences that are worth their vectors
)

//go:embed made-up
var madeUpFiles embed.FS

var madeUp = sync.OnceValue(func() Prompts {
	folder, err := fs.Sub(madeUpFiles, "made-up")
	if err != nil {
		panic(err) // it is embedded
	}
	prompts, err := Read(folder, wide)
	if err != nil {
		panic(err)
	}
	return prompts
})

// example is a sentence to learn from.
type example struct {
	prompt   *prompt
	features []statements.Feature
	vector   []float32 // empty where there is none
	target   float64
	weight   float64
	kind     int // among those of the speaker, -1 for none
}

// Train learns a model from labelled prompts. Its probabilities and its thresholds come from
// cross-validation.
func (sp Speaker) Train(ctx context.Context, prompts Prompts) (*statements.Model, error) {
	examples := sp.examples(prompts)
	judged, err := sp.outOfFold(ctx, prompts, examples)
	if err != nil {
		return nil, err
	}
	m, err := sp.train(ctx, examples)
	if err != nil {
		return nil, err
	}
	english := filter(prompts, (*prompt).english)
	m.Threshold = atPrecision(judged, english, sp.precision).Threshold
	if sp.sure > 0 {
		m.Sure = atPrecision(judged, english, sp.sure).Threshold
	}
	return m.Calibrated(calibrate(judged)), nil
}

var vectors = map[string][]float32{} // of sentences, each computed once

func vectorOf(sentence string) []float32 {
	v, known := vectors[sentence]
	if known {
		return v
	}
	if meaning, ok := encoder.Encode(sentence); ok {
		v = append(meaning[:], 1)
	}
	vectors[sentence] = v
	return v
}

// examples are the sentences of labelled texts; of a person, of made-up prompts too. The latter
// were written by a language model that had not read the labelled ones. They are for other people's
// prompts: average precision on those was 0.31 with them and 0.29 without.
func (sp Speaker) examples(prompts Prompts) (list []example) {
	if sp.besides != nil {
		prompts = slices.Concat(prompts, sp.besides())
	}
	words := statements.Builtin()
	for _, p := range prompts {
		t := statements.Parse(p.typed)
		for i, s := range t.Sentences {
			if words.Skips(s) {
				continue
			}
			e := example{prompt: p, weight: 1, kind: -1}
			if p.person == "made-up" {
				e.weight = madeUpWeight
			}
			worth, kind := p.worth(statements.Statement{Start: s.Start, End: s.End})
			if worth > 0 {
				e.target, e.kind = 1, slices.Index(sp.kinds, kind)
			}
			if worth == 1 {
				e.target = marginalTarget
			}
			t.Features(i, words.Frequent, func(f statements.Feature) { e.features = append(e.features, f) })
			if sp.meaning {
				e.vector = vectorOf(p.Text[s.Start:s.End])
			}
			list = append(list, e)
		}
	}
	return list
}

// train learns from examples. Which words are frequent or common stays as it is: other models were
// learned with them as well.
func (sp Speaker) train(ctx context.Context, examples []example) (*statements.Model, error) {
	h := statements.Header{}
	if sp.meaning {
		h.Frequent, h.Common = statements.Builtin().Frequent, statements.Builtin().Common
	}
	weights, err := sp.learnStatements(ctx, examples, &h)
	if err != nil {
		return nil, err
	}
	kinds, kindBias, err := learnKinds(ctx, examples, len(sp.kinds))
	h.KindBias = kindBias
	return statements.NewModel(h, sp.kinds, weights, kinds), err
}

// learnStatements is logistic regression with a penalty on the squares of the weights. It returns
// the weights of features; the others are in the header.
func (sp Speaker) learnStatements(ctx context.Context, examples []example, h *statements.Header) ([]float64, error) {
	rows := make([]row, len(examples))
	for i, e := range examples {
		rows[i] = rowOf(e, sp.places, false)
	}
	size := sp.places + len(encoder.Vector{}) + 1
	w, err := minimise(ctx, size+1, func(at, gradient []float64) (loss float64) {
		for k := range size {
			gradient[k] = statementPenalty * at[k]
			loss += statementPenalty * at[k] * at[k] / 2
		}
		gradient[size] = 0
		for i, e := range examples {
			z := at[size] + rows[i].times(at)
			r := e.weight * (1/(1+math.Exp(-z)) - e.target)
			rows[i].addTo(gradient, r)
			gradient[size] += r
			loss += e.weight * (math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0) - e.target*z)
		}
		return loss
	})
	if err != nil {
		return nil, err
	}
	h.Bias = w[size]
	if !sp.meaning {
		return w[:sp.places], nil
	}
	for _, x := range w[sp.places:size] {
		h.Vector = append(h.Vector, float32(x))
	}
	clear(w[sp.places:size])
	byWords := make([]float64, len(rows))
	for i, r := range rows {
		byWords[i] = h.Bias + r.times(w)
	}
	slices.Sort(byWords)
	h.Look = byWords[int((1-lookedAt)*float64(len(byWords)))]
	return w[:sp.places], nil
}

// row is the features of an example as places and values.
type row struct {
	places []int32
	values []float64
}

// rowOf is a row of all features and the vector, or of those features that tell kinds apart.
func rowOf(e example, size int, own bool) (r row) {
	for _, f := range e.features {
		if !own || f.Own {
			r.places, r.values = append(r.places, int32(statements.Place(f.Hash, size))), append(r.values, f.Value) //nolint:gosec // a place is below 2^17
		}
	}
	for k, x := range e.vector {
		if !own {
			r.places, r.values = append(r.places, int32(size+k)), append(r.values, float64(x)) //nolint:gosec // likewise
		}
	}
	return r
}

func (r row) times(weights []float64) (sum float64) {
	for i, k := range r.places {
		sum += weights[k] * r.values[i]
	}
	return sum
}

func (r row) addTo(gradient []float64, factor float64) {
	for i, k := range r.places {
		gradient[k] += factor * r.values[i]
	}
}

// minimise finds the lowest point of a convex function with a gradient, by L-BFGS (Nocedal and
// Wright, Numerical Optimization, 7.2).
func minimise(ctx context.Context, size int, lossAt func(at, gradient []float64) float64) ([]float64, error) {
	const most, remembered, small = 100, 8, 1e-6
	w, gradient := make([]float64, size), make([]float64, size)
	loss := lossAt(w, gradient)
	var moves, turns [][]float64 // the latest steps, and how the gradient changed by them
	for range most {
		step := slices.Clone(gradient)
		along := make([]float64, len(moves))
		for i := len(moves) - 1; i >= 0; i-- {
			along[i] = inner(moves[i], step) / inner(moves[i], turns[i])
			addTimes(step, -along[i], turns[i])
		}
		length := 1 / math.Sqrt(inner(gradient, gradient))
		if last := len(moves) - 1; last >= 0 {
			length = inner(moves[last], turns[last]) / inner(turns[last], turns[last])
		}
		addTimes(step, length-1, step)
		for i := range moves {
			addTimes(step, along[i]-inner(turns[i], step)/inner(moves[i], turns[i]), moves[i])
		}
		for size := 1.0; ; size /= 2 {
			next, there := slices.Clone(w), make([]float64, len(w))
			addTimes(next, -size, step)
			lower := lossAt(next, there)
			if lower > loss-1e-4*size*inner(step, gradient) && size > small {
				continue
			}
			if err := ctx.Err(); err != nil || loss-lower < small*loss {
				return w, err
			}
			addTimes(step, -size-1, step)
			turn := slices.Clone(there)
			addTimes(turn, -1, gradient)
			moves, turns = append(moves, step), append(turns, turn)
			w, gradient, loss = next, there, lower
			break
		}
		if len(moves) > remembered {
			moves, turns = moves[1:], turns[1:]
		}
	}
	return w, nil
}

func inner(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func addTimes(sum []float64, factor float64, x []float64) {
	for i := range sum {
		sum[i] += factor * x[i]
	}
}

// learnKinds is logistic regression with one class for each kind, on the sentences that have a
// kind.
func learnKinds(ctx context.Context, examples []example, kinds int) (weights [][]float64, bias []float64, err error) {
	var some []example
	var rows []row
	const size = statements.KindPlaces + 1
	count := make([]float64, kinds)
	for _, e := range examples {
		if e.kind >= 0 {
			some, rows = append(some, e), append(rows, rowOf(e, statements.KindPlaces, true))
			count[e.kind]++
		}
	}
	var total float64
	for i := range some {
		some[i].weight = max(some[i].weight, 1) / math.Sqrt(count[some[i].kind]) // otherwise all are decisions, of which there are most
		total += some[i].weight
	}
	penalty := kindPenalty / float64(len(some))
	z := make([]float64, kinds)
	w, err := minimise(ctx, kinds*size, func(at, gradient []float64) (loss float64) {
		for k := range gradient {
			gradient[k] = penalty * at[k]
			loss += penalty * at[k] * at[k] / 2
		}
		for i, e := range some {
			for k := range z {
				z[k] = at[(k+1)*size-1] + rows[i].times(at[k*size:])
			}
			softmax(z)
			loss -= e.weight / total * math.Log(z[e.kind])
			for k := range z {
				r := z[k]
				if k == e.kind {
					r--
				}
				r *= e.weight / total
				rows[i].addTo(gradient[k*size:], r)
				gradient[(k+1)*size-1] += r
			}
		}
		return loss
	})
	if err != nil {
		return nil, nil, err
	}
	for k := range kinds {
		weights = append(weights, w[k*size:(k+1)*size-1])
		bias = append(bias, w[(k+1)*size-1])
	}
	return weights, bias, nil
}

func softmax(z []float64) {
	largest, sum := math.Inf(-1), 0.0
	for _, v := range z {
		largest = max(largest, v)
	}
	for k, v := range z {
		z[k] = math.Exp(v - largest)
		sum += z[k]
	}
	for k := range z {
		z[k] /= sum
	}
}

// calibrate fits the two numbers that turn a model's log-odds into those of being right (Platt),
// from judgements on prompts that the model had not seen.
func calibrate(judged []judgement) (slope, offset float64) {
	slope = 1
	for range 25 { // Newton's method
		var gs, gi, ss, si, ii float64
		for _, j := range judged {
			worth, _ := j.prompt.worth(j.Statement)
			if worth == 1 {
				continue
			}
			z := math.Log(j.Probability / (1 - j.Probability))
			p := 1 / (1 + math.Exp(-slope*z-offset))
			r := p
			if worth > 1 {
				r--
			}
			gs, gi = gs+r*z, gi+r
			ss, si, ii = ss+p*(1-p)*z*z, si+p*(1-p)*z, ii+p*(1-p)
		}
		det := ss*ii - si*si
		slope, offset = slope-(ii*gs-si*gi)/det, offset-(ss*gi-si*gs)/det
	}
	return slope, offset
}
