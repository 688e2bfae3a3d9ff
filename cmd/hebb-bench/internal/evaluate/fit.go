package evaluate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
)

// FitInput says what to learn the weights of ranking from.
type FitInput struct {
	Input
	// Wordless learns the weights for ranking without a table of words.
	Wordless bool
}

// Fitted are weights with the proof that they carry over.
type Fitted struct {
	recall.Learned
	// Held has each repository asked with weights learned from the others, beside the habits that it
	// learns itself.
	Held []Row
}

// lessonsOf says which questions teach which form.
var lessonsOf = [recall.NumForms][]string{
	recall.ChangeByWords: {"T1"}, recall.ChangeByBoth: {"T2", "T4"}, recall.ChangeByFiles: {"T3"},
	recall.OpenByWords: {"S1", "S1e"}, recall.OpenByBoth: {"S2"}, recall.OpenByFiles: {silent},
}

// fitOrder has each form after those its scores are mixed with.
var fitOrder = []recall.Form{
	recall.ChangeByWords, recall.ChangeByBoth, recall.ChangeByFiles, recall.OpenByWords, recall.OpenByFiles, recall.OpenByBoth,
}

// silent is the next file of a session asked for without words. Only learning asks so.
const silent = "S2-"

// Fit learns the weights of ranking. Spreading starts from the best answers, so it is learned in a
// second pass with the weights of the first. What no file teaches stays as it is.
func Fit(ctx context.Context, in FitInput) (Fitted, error) {
	out := Fitted{}
	if len(in.Histories) == 0 { // sessions say nothing about changes: what is known of these stays
		out.Learned = *recall.Shipped(!in.Wordless)
	}
	var held [recall.NumForms]map[string]recall.Features
	for _, without := range [][]recall.Term{{recall.Spread}, nil} {
		lessons, err := gatherLessons(ctx, in, &out.Learned, without)
		if err != nil {
			return out, err
		}
		for _, form := range fitOrder {
			list := lessons.of(lessonsOf[form])
			if len(list) == 0 {
				continue
			}
			out.Weights[form] = recall.Features{}
			pool := giveAll(list, form, &out.Weights)
			held[form] = heldOut(pool)
			out.Weights[form] = fit(pool)
			out.Calibrations[form] = calibrate(pool, &out.Weights[form])
		}
	}
	results, err := in.play(ctx, in.heldProduct(out.Learned, held))
	out.Held = results.Rows()
	return out, err
}

// heldProduct asks each repository with weights learned from the others.
func (in FitInput) heldProduct(all recall.Learned, held [recall.NumForms]map[string]recall.Features) Product {
	product := Product{
		Tuning: in.Tuning, Held: map[string]*recall.Learned{}, Variants: []Variant{{Name: ranker, Wordless: in.Wordless}},
	}
	for form, of := range held {
		for repo, w := range of {
			if product.Held[repo] == nil {
				copied := all
				product.Held[repo] = &copied
			}
			product.Held[repo].Weights[form] = w
		}
	}
	return product
}

// play puts the product to all histories and sessions.
func (in FitInput) play(ctx context.Context, product Product) (results Results, err error) {
	if len(in.Histories) > 0 {
		if results, err = Replay(ctx, in.Histories, []NewLearner{product.New}, in.Options); err != nil {
			return nil, err
		}
	}
	if len(in.Sessions) == 0 {
		return results, nil
	}
	all := in.Options
	all.Every = 1 // sessions are few
	more, err := Sessions(ctx, in.Sessions, []NewLearner{product.New}, all)
	return append(results, more...), err
}

// lesson is a question with its candidates and which of them were right.
type lesson struct {
	repo, task string
	candidates []recall.Features
	right      []bool
	mix        recall.Mix
	given      []float64 // the part of each score that other weights make
}

type lessons map[string][]lesson

func (l lessons) of(tasks []string) (pool []lesson) {
	for _, t := range tasks {
		pool = append(pool, l[t]...)
	}
	return pool
}

// gatherLessons replays everything and keeps the questions.
func gatherLessons(ctx context.Context, in FitInput, w *recall.Learned, without []recall.Term) (lessons, error) {
	var mu sync.Mutex
	kept := lessons{}
	product := Product{Tuning: in.Tuning, Weights: w, OnLesson: func(l lesson) {
		mu.Lock()
		defer mu.Unlock()
		kept[l.task] = append(kept[l.task], l)
	}}
	product.Variants = []Variant{{Name: ranker, Without: without, Wordless: in.Wordless}}
	if _, err := in.play(ctx, product); err != nil {
		return nil, err
	}
	for _, list := range kept { // files were read at once; the weights must not depend on which was faster
		slices.SortStableFunc(list, func(a, b lesson) int { return strings.Compare(a.repo, b.repo) })
	}
	return kept, nil
}

func lessonOf(repo, task string, answers []ranking.Recalled, gold []string) lesson {
	l := lesson{repo: repo, task: task, mix: answers[0].Answer().Mix}
	for _, r := range answers {
		l.candidates = append(l.candidates, r.Answer().Features())
		l.right = append(l.right, slices.Contains(gold, r.Path))
	}
	return l
}

// score of a candidate.
func (l *lesson) score(i int, w *recall.Features) float64 {
	return l.given[i] + l.mix.Own()*product(w, &l.candidates[i])
}

func product(w, x *recall.Features) (sum float64) {
	for t := range w {
		for k := range w[t] {
			sum += w[t][k] * x[t][k]
		}
	}
	return sum
}

// giveAll sets the part of each score that other weights make; those of the form itself are zero
// still.
func giveAll(pool []lesson, form recall.Form, w *recall.Weights) []lesson {
	for i := range pool {
		l := &pool[i]
		l.given = make([]float64, len(l.candidates))
		for j := range l.candidates {
			l.given[j] = w.Score(form, l.mix, &l.candidates[j])
		}
	}
	return pool
}

// heldOut learns weights for each repository from the others.
func heldOut(pool []lesson) map[string]recall.Features {
	without := map[string]recall.Features{}
	for _, l := range pool {
		if _, known := without[l.repo]; !known {
			without[l.repo] = fit(slices.DeleteFunc(slices.Clone(pool), func(o lesson) bool { return o.repo == l.repo }))
		}
	}
	return without
}

// How the weights are learned: by small steps (Adam) over all lessons, several times, towards the
// right files being likelier than all wrong ones together.
const (
	fitEpochs   = 8
	fitBatch    = 32
	fitRate     = .05
	fitShrink   = 1e-3 // weights that nothing asks for go to zero
	fitStart    = .5
	fitMomentum = .9
	fitScale    = .999
)

func fit(pool []lesson) recall.Features {
	var w, mean, square, gradient recall.Features
	seen := seenFeatures(pool)
	for t := range w {
		for k := range w[t] {
			if seen[t][k] > 0 {
				w[t][k] = fitStart
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	step := 0.0
	for epoch := range fitEpochs {
		rate := fitRate * (1 - float64(epoch)/fitEpochs)
		for i, at := range rng.Perm(len(pool)) {
			pool[at].teach(&w, &gradient)
			if (i+1)%fitBatch != 0 && i != len(pool)-1 {
				continue
			}
			step++
			for t := range w {
				for k := range w[t] {
					if seen[t][k] == 0 {
						continue
					}
					g := gradient[t][k]/fitBatch - fitShrink*w[t][k]
					mean[t][k] = fitMomentum*mean[t][k] + (1-fitMomentum)*g
					square[t][k] = fitScale*square[t][k] + (1-fitScale)*g*g
					w[t][k] += rate * mean[t][k] / (1 - math.Pow(fitMomentum, step)) /
						(math.Sqrt(square[t][k]/(1-math.Pow(fitScale, step))) + 1e-8)
				}
			}
			gradient = recall.Features{}
		}
	}
	return w
}

func seenFeatures(pool []lesson) (seen recall.Features) {
	for _, l := range pool {
		for i := range l.candidates {
			for t := range l.candidates[i] {
				for k, v := range l.candidates[i][t] {
					seen[t][k] += v
				}
			}
		}
	}
	return seen
}

// teach adds what a lesson says about the weights to the gradient.
func (l *lesson) teach(w, gradient *recall.Features) {
	z := make([]float64, len(l.candidates))
	for i := range z {
		z[i] = l.score(i, w)
	}
	for i, d := range recall.Blame(z, l.right) {
		if d *= l.mix.Own(); d == 0 {
			continue
		}
		for t := range gradient {
			for k, v := range l.candidates[i][t] {
				gradient[t][k] += d * v
			}
		}
	}
}

// calibratedAnswers is how far down chances are learned.
const calibratedAnswers = 20

// calibrate learns the chance that an answer is right from its score and its share, by Newton's
// method on the logistic likelihood.
func calibrate(pool []lesson, w *recall.Features) recall.Calibration {
	var xs [][3]float64
	var ys []float64
	for i := range pool {
		l := &pool[i]
		z := make([]float64, len(l.candidates))
		for j := range z {
			z[j] = l.score(j, w)
		}
		top, sum := slices.Max(z), 0.0
		for _, v := range z {
			sum += math.Exp(v - top)
		}
		for j := range min(len(z), calibratedAnswers) {
			xs = append(xs, [3]float64{1, z[j], math.Log(max(math.Exp(z[j]-top)/sum, 1e-9))})
			ys = append(ys, map[bool]float64{true: 1}[l.right[j]])
		}
	}
	c := newton(xs, ys)
	return recall.Calibration{Base: c[0], Score: c[1], Share: c[2]}
}

func newton(xs [][3]float64, ys []float64) (c [3]float64) {
	for range 25 {
		var g [3]float64
		var h [3][3]float64
		for i, x := range xs {
			p := 1 / (1 + math.Exp(-(c[0]*x[0] + c[1]*x[1] + c[2]*x[2])))
			for a := range 3 {
				g[a] += (ys[i] - p) * x[a]
				for b := range 3 {
					h[a][b] += p * (1 - p) * x[a] * x[b]
				}
			}
		}
		for a := range 3 {
			h[a][a] += 1e-6 * float64(len(xs)+1)
		}
		d := solve(h, g)
		for a := range 3 {
			c[a] += d[a]
		}
	}
	return c
}

// solve solves h·x = g by elimination; h is symmetric and positive.
func solve(h [3][3]float64, g [3]float64) (x [3]float64) {
	for i := range 3 {
		for j := i + 1; j < 3; j++ {
			f := h[j][i] / h[i][i]
			for k := range 3 {
				h[j][k] -= f * h[i][k]
			}
			g[j] -= f * g[i]
		}
	}
	for i := 2; i >= 0; i-- {
		x[i] = g[i]
		for k := i + 1; k < 3; k++ {
			x[i] -= h[i][k] * x[k]
		}
		x[i] /= h[i][i]
	}
	return x
}

// Text is the file of weights that package recall embeds: a row for each form and term, and one for
// each form's calibration.
func (f Fitted) Text() string {
	b := []byte("# Written by hebb-bench fit.\n")
	for form := range recall.NumForms {
		c := f.Calibrations[form]
		b = fmt.Appendf(b, "%s\tchance\t%.4f\t%.4f\t%.4f\n", form, c.Base, c.Score, c.Share)
		for t, x := range f.Weights[form] {
			if x != [3]float64{} {
				b = fmt.Appendf(b, "%s\t%s\t%.3f\t%.3f\t%.3f\n", form, recall.Term(t), x[0], x[1], x[2])
			}
		}
	}
	return string(b)
}
