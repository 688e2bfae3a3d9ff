package answer

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"sync"
)

// Model is what was learned, as `hebb-bench shown --train` writes it.
type Model struct {
	Weights  Features `json:"weights"` // of each feature in the log-odds that the prompt needs the statement
	Constant float64  `json:"constant"`
	Sure     float64  `json:"sure"` // probability from which a statement is shown
}

//go:embed relevance.json
var embedded []byte

var builtin = sync.OnceValue(func() *Model {
	m := &Model{}
	if err := json.Unmarshal(embedded, m); err != nil {
		panic(err) // a test reads it
	}
	return m
})

// Builtin is the model that comes with the program, or the one that is used in its place.
func Builtin() *Model {
	if instead != nil {
		return instead
	}
	return builtin()
}

var instead *Model

// Use puts a model in the place of the one that comes with the program and returns the one that was there, nil for the program's own:
// to measure models that never saw a repository.
func Use(m *Model) (former *Model) {
	former, instead = instead, m
	return former
}

const (
	most    = 3 // statements that a prompt is shown at most
	closest = 4 // statements whose meaning is compared, the best by their words: each costs some milliseconds
)

// Choice is a statement that a prompt needs.
type Choice struct {
	Index       int     // among the statements
	Probability float64 // that it is needed
}

// Needed returns the statements that a prompt needs, at most three, the likeliest first. The meaning of a statement is looked at only
// where its words are nearly enough. Row is the vector of a word, the longer the more it tells, as embedding.GeneralRow gives it.
func (m *Model) Needed(prompt string, statements []string, row func(word string) []float32) (needed []Choice) {
	fits := Compare(prompt, statements, row)
	likeliest := func(list []Choice) {
		slices.SortStableFunc(list, func(a, b Choice) int { return cmp.Compare(b.Probability, a.Probability) })
	}
	var near []Choice
	for i, f := range fits {
		f.features[meaning] = likeMeaning
		if p := m.Probability(f.features); p >= m.Sure && !f.repeated {
			near = append(near, Choice{i, p})
		}
	}
	likeliest(near)
	for _, c := range near[:min(len(near), closest)] {
		if c.Probability = m.Probability(fits[c.Index].Features()); c.Probability >= m.Sure {
			needed = append(needed, c)
		}
	}
	likeliest(needed)
	return needed[:min(len(needed), most)]
}

// Probability is that of a statement with these features being needed.
func (m *Model) Probability(f Features) float64 {
	odds := m.Constant
	for k, x := range f {
		odds += m.Weights[k] * x
	}
	return 1 / (1 + math.Exp(-odds))
}

// Likeliest returns the statements that a prompt is likeliest to need, up to a number, whether or not that is likely enough to show them:
// for people who want to see why something was not shown.
func (m *Model) Likeliest(prompt string, statements []string, row func(word string) []float32, number int) []Choice {
	fits := Compare(prompt, statements, row)
	list := make([]Choice, len(fits))
	for i, f := range fits {
		f.features[meaning] = likeMeaning
		list[i] = Choice{i, m.Probability(f.features)}
	}
	byProbability := func(a, b Choice) int { return cmp.Compare(b.Probability, a.Probability) }
	slices.SortStableFunc(list, byProbability)
	list = list[:min(len(list), number)]
	for i := range list {
		list[i].Probability = m.Probability(fits[list[i].Index].Features())
	}
	slices.SortStableFunc(list, byProbability)
	return list
}
