package relevance

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"sync"

	"github.com/hebb-memory/hebb/internal/listen"
)

// Model is what was learned, as `hebb-bench arrive --train` writes it.
type Model struct {
	Pair      []float64          `json:"pair"`      // weight of each feature of a statement in its log-odds among the statements
	Need      []float64          `json:"need"`      // weight of each feature of a prompt in the log-odds that it needs one; the last is the constant
	Cues      map[string]float64 `json:"cues"`      // likewise for words and neighbouring words of the prompt
	Threshold float64            `json:"threshold"` // probability of a need from which something is shown
	// Topics has the topics of software work that each word belongs to.
	Topics map[string][]int32 `json:"topics"`
	// Strangers are statements of projects that do not exist. They stand beside those of a project that has few, so that a
	// statement has to fit a prompt better than what has nothing to do with it.
	Strangers []string `json:"strangers"`
}

//go:embed model.json
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

// Crowd is the number of statements, with strangers, that a prompt is compared with at least.
const Crowd = 40

// Most is the number of statements that a prompt needs at most.
const Most = 3

// Choice is a statement that a prompt may need.
type Choice struct {
	Index       int     // among the statements
	Probability float64 // that it must be known
}

// Judge returns the statements in the order in which a prompt may need them, each with the probability that it must be known, and the
// probability that any must be. The probabilities are those of a person who tells memory as many things that matter for a prompt as
// there are prompts that need nothing: half of the examples from which they were learned.
func (m *Model) Judge(prompt *Text, statements, strangers []Statement) (list []Choice, need float64) {
	if len(statements) == 0 {
		return nil, 0
	}
	all := slices.Concat(statements, strangers[:min(len(strangers), max(0, Crowd-len(statements)))])
	scores := m.ScoresOf(Pairs(prompt, all))
	need = 1 / (1 + math.Exp(-m.needOdds(prompt, NeedOf(prompt, all, scores))))
	best, sum := slices.Max(scores), 0.0
	for _, z := range scores {
		sum += math.Exp(z - best)
	}
	for i := range statements {
		list = append(list, Choice{Index: i, Probability: need * math.Exp(scores[i]-best) / sum})
	}
	slices.SortStableFunc(list, func(a, b Choice) int { return cmp.Compare(b.Probability, a.Probability) })
	return list, need
}

// Chosen by hand. Without besideBest there are 1.4 lines instead of 0.9 at a later prompt of the public pairs, for 2 in 100 statements that
// arrive more (hebb-bench arrive --cv).
const (
	besideBest = 0.2 // of the probability of the best statement that another one needs to be shown beside it
	mostWords  = 0.7 // of what a statement says that a prompt repeats if it speaks of it directly
	fewWords   = 2   // words that it repeats at least
)

// Needed returns the statements that a prompt needs, at most three, the likeliest first. Nearly always there are none. A statement whose words the
// prompt repeats is needed however the prompt sounds.
func (m *Model) Needed(prompt *Text, statements, strangers []Statement) []Choice {
	list, need := m.Judge(prompt, statements, strangers)
	least := math.Inf(1)
	if need >= m.Threshold && len(list) > 0 {
		least = besideBest * list[0].Probability
	}
	list = slices.DeleteFunc(list, func(c Choice) bool { return c.Probability < least && !repeats(prompt, statements[c.Index].Text) })
	return list[:min(len(list), Most)]
}

// repeats reports whether a prompt has most of what a statement says in its words.
func repeats(prompt, statement *Text) bool {
	equal, all, n := 0.0, 0.0, 0
	for _, t := range statement.Terms {
		all += t.Weight
		if slices.ContainsFunc(prompt.Terms, func(p listen.Term) bool { return p.Word == t.Word }) {
			equal, n = equal+t.Weight, n+1
		}
	}
	return n >= fewWords && equal >= mostWords*all
}

// ScoresOf are the log-odds of statements among each other.
func (m *Model) ScoresOf(pairs []Pair) []float64 {
	scores := make([]float64, len(pairs))
	for i := range pairs {
		for k, f := range pairs[i] {
			scores[i] += m.Pair[k] * f
		}
	}
	return scores
}

func (m *Model) needOdds(prompt *Text, features [NeedFeatures]float64) float64 {
	odds := m.Need[NeedFeatures]
	for k, f := range features {
		odds += m.Need[k] * f
	}
	sum, known := 0.0, 0
	for _, cue := range prompt.Cues() {
		if w, ok := m.Cues[cue]; ok {
			sum, known = sum+w, known+1
		}
	}
	return odds + sum/math.Sqrt(float64(max(1, known)))
}
