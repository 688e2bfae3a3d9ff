package said

import (
	"context"
	"embed"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/listen"
)

// How the listening model learns. The values were chosen by cross-validation on the public labels.
const (
	statementPenalty = 1.0  // on the squares of weights, over all sentences
	kindPenalty      = 0.3  // likewise for the weights of kinds
	steps            = 150  // of gradient descent
	clearWeight      = 2.0  // of a sentence that clearly matters
	marginalTarget   = 0.3  // of a sentence that matters marginally: between 0 and 1
	madeUpWeight     = 0.15 // of a sentence of a made-up prompt; it counts in full for the kinds
	madeUpClear      = 0.3  // of one that clearly matters
	frequentOneIn    = 76   // sentences: a word that is in one of so many is frequent
	commonIn         = 5    // sentences that a word of the language is in
	fewestSeen       = 2    // sentences that a feature needs to get a weight
	ratioPower       = 0.5  // of the log-ratio by which a feature is scaled: one that says little starts small
)

//go:embed made-up
var madeUpFiles embed.FS

var madeUp = sync.OnceValue(func() Prompts {
	folder, err := fs.Sub(madeUpFiles, "made-up")
	if err != nil {
		panic(err) // it is embedded
	}
	prompts, err := Read(folder)
	if err != nil {
		panic(err)
	}
	return prompts
})

// example is a sentence to learn from.
type example struct {
	features []listen.Feature
	target   float64
	weight   float64
	kind     int // among those of the speaker, -1 for none
}

// Train learns a model from labelled prompts. Its probabilities and its threshold come from cross-validation.
func (sp Speaker) Train(ctx context.Context, prompts Prompts) (*listen.Model, error) {
	judged, err := sp.outOfFold(ctx, prompts, sessionFolds(prompts, 0))
	if err != nil {
		return nil, err
	}
	row := atPrecision(judged, prompts, sp.precision)
	m, err := sp.train(ctx, prompts)
	if err != nil {
		return nil, err
	}
	slope, offset := calibrate(judged)
	if sp.borrows {
		m.Frequent, m.Common = nil, ""
	}
	return m.Calibrated(slope, offset, row.Threshold), nil
}

// train learns from labelled texts; of a person, from made-up prompts too. The latter were written by a language model that had not read
// the labelled ones. They are for other people's prompts; docs/benchmarks.md says what they bring and cost.
func (sp Speaker) train(ctx context.Context, prompts Prompts) (*listen.Model, error) {
	if sp.besides != nil {
		prompts = slices.Concat(prompts, sp.besides())
	}
	frequent, common := listen.Builtin().Frequent, listen.Builtin().Common
	if !sp.borrows {
		frequent, common = countWords(prompts)
	}
	var examples []example
	for _, p := range prompts {
		t := listen.Parse(p.typed)
		for i, s := range t.Sentences {
			e := example{weight: 1, kind: -1}
			if strings.HasPrefix(p.ID, "made-up:") {
				e.weight = madeUpWeight
			}
			worth, kind := p.worth(listen.Statement{Start: s.Start, End: s.End})
			switch worth {
			case 1:
				e.target = marginalTarget
			case 2:
				e.target = 1
			case 3:
				e.target, e.weight = 1, clearWeight
				if strings.HasPrefix(p.ID, "made-up:") {
					e.weight = madeUpClear
				}
			}
			if worth > 0 {
				e.kind = slices.Index(sp.kinds, kind)
			}
			t.Features(i, frequent, func(f listen.Feature) { e.features = append(e.features, f) })
			examples = append(examples, e)
		}
	}
	weights, bias, err := learnStatements(ctx, examples, sp.places)
	if err != nil {
		return nil, err
	}
	kinds, kindBias, err := learnKinds(ctx, examples, len(sp.kinds))
	if err != nil {
		return nil, err
	}
	return listen.NewModel(listen.Header{Bias: bias, KindBias: kindBias, Frequent: frequent, Common: common}, sp.kinds, weights, kinds), nil
}

// countWords returns the words that the skeleton of a sentence keeps, and those that are common in the language.
func countWords(prompts Prompts) (frequent map[string]bool, common string) {
	count, sentences := map[string]int{}, 0
	for _, p := range prompts {
		for _, s := range listen.Parse(p.typed).Sentences {
			sentences++
			once := map[string]bool{}
			for _, w := range s.Words() {
				if !once[w] {
					once[w] = true
					count[w]++
				}
			}
		}
	}
	frequent = map[string]bool{}
	var list []string
	for w, n := range count {
		if len(w) == 1 || w[0] == '<' {
			continue
		}
		if n*frequentOneIn >= sentences {
			frequent[w] = true
		}
		if n >= commonIn {
			list = append(list, w)
		}
	}
	slices.Sort(list)
	return frequent, strings.Join(list, " ")
}

// learnStatements is logistic regression with a penalty on the squares of the weights. Before it, each feature is scaled by how much
// oftener it stands in statements than elsewhere.
func learnStatements(ctx context.Context, examples []example, size int) (weights []float64, bias float64, err error) {
	scale := logRatios(examples, size)
	rows := make([]row, len(examples))
	var total float64
	for i, e := range examples {
		total += e.weight
		rows[i] = rowOf(e, size, scale)
	}
	penalty := statementPenalty / float64(len(examples))
	w, err := descend(ctx, size+1, 0.25*longest(rows)+penalty, func(at, gradient []float64) {
		for k := range gradient {
			gradient[k] = penalty * at[k]
		}
		for i, e := range examples {
			z := at[size] + rows[i].times(at)
			r := e.weight * (1/(1+math.Exp(-z)) - e.target) / total
			rows[i].addTo(gradient, r)
			gradient[size] += r
		}
	})
	if err != nil {
		return nil, 0, err
	}
	weights = make([]float64, size)
	for k := range weights {
		weights[k] = w[k] * scale[k]
	}
	return weights, w[size], nil
}

// row is the features of an example as places and values.
type row struct {
	places []int32
	values []float64
}

func rowOf(e example, size int, scale []float64) (r row) {
	for _, f := range e.features {
		if scale == nil && !f.Own {
			continue
		}
		k := listen.Place(f.Hash, size)
		v := f.Value
		if scale != nil {
			v *= scale[k]
		}
		if v != 0 {
			r.places, r.values = append(r.places, int32(k)), append(r.values, v) //nolint:gosec // a place is below 2^16
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

// longest is the largest squared length of a row with its constant.
func longest(rows []row) (most float64) {
	for _, r := range rows {
		sum := 1.0
		for _, v := range r.values {
			sum += v * v
		}
		most = max(most, sum)
	}
	return most
}

// logRatios is how much oftener each feature stands in statements than elsewhere, as a power of the logarithm; 0 for rare features.
func logRatios(examples []example, size int) []float64 {
	in, out := make([]float64, size), make([]float64, size)
	var statements, others float64
	for _, e := range examples {
		table, count := out, &others
		if e.target == 1 {
			table, count = in, &statements
		}
		*count++
		for _, f := range e.features {
			table[listen.Place(f.Hash, size)]++
		}
	}
	scale := make([]float64, size)
	for k := range scale {
		if in[k]+out[k] >= fewestSeen {
			scale[k] = math.Pow(math.Abs(math.Log((in[k]+1)/(statements+2)/((out[k]+1)/(others+2)))), ratioPower)
		}
	}
	return scale
}

// descend is Nesterov's accelerated gradient descent on a convex function whose gradient changes by at most steepness.
func descend(ctx context.Context, size int, steepness float64, gradientAt func(at, gradient []float64)) ([]float64, error) {
	w, ahead, gradient := make([]float64, size), make([]float64, size), make([]float64, size)
	momentum := 1.0
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		gradientAt(ahead, gradient)
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for k := range w {
			before := w[k]
			w[k] = ahead[k] - gradient[k]/steepness
			ahead[k] = w[k] + (momentum-1)/next*(w[k]-before)
		}
		momentum = next
	}
	return w, nil
}

// learnKinds is logistic regression with one class for each kind, on the sentences that have a kind.
func learnKinds(ctx context.Context, examples []example, kinds int) (weights [][]float64, bias []float64, err error) {
	var some []example
	var rows []row
	const size = listen.KindPlaces + 1
	count := make([]float64, kinds)
	for _, e := range examples {
		if e.kind >= 0 {
			some, rows = append(some, e), append(rows, rowOf(e, listen.KindPlaces, nil))
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
	w, err := descend(ctx, kinds*size, 0.5*longest(rows)+penalty, func(at, gradient []float64) {
		for k := range gradient {
			gradient[k] = penalty * at[k]
		}
		for i, e := range some {
			for k := range z {
				z[k] = at[(k+1)*size-1] + rows[i].times(at[k*size:])
			}
			softmax(z)
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

// calibrate fits the two numbers that turn a model's log-odds into those of being right (Platt), from judgements on prompts that the
// model had not seen.
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
