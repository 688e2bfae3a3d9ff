package evaluate

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/recall"
)

// AblationRow is what ranking loses without a mechanism: R@10 on T3, hit@10 on S2, in points. A
// loss whose bounds lie on both sides of zero is noise.
type AblationRow struct {
	Mechanism string  `json:"mechanism"`
	Task      string  `json:"task"`
	N         int     `json:"n"`
	Loss      float64 `json:"loss" show:"%+.2f"`
	Low       float64 `json:"low" show:"%+.2f"`
	High      float64 `json:"high" show:"%+.2f"`
}

// mechanism is something that can be switched off, by leaving evidence out or by a number that
// undoes it.
type mechanism struct {
	name    string
	without []recall.Term
	set     func(*brain.Variation)
	// wordless leaves the table of words out.
	wordless bool
}

var mechanisms = []mechanism{
	{name: "decay of evidence", set: func(v *brain.Variation) {
		v.Recall.TogetherHalfLife, v.Recall.FolderHalfLife, v.Recall.OpenedHalfLife = 100000, 100000, 10000
	}},
	{name: "size normalisation", set: func(v *brain.Variation) { v.Recall.SizePower = 0 }},
	{name: "spreading", without: []recall.Term{recall.Spread}},
	{name: "path likeness", without: []recall.Term{recall.Place}},
	{name: "commits", without: []recall.Term{
		recall.SubjectWords, recall.NearCommits, recall.Phrase, recall.Scope, recall.FolderWords, recall.Together, recall.Likeness,
		recall.LastTogether, recall.Alongside, recall.Intent, recall.FolderTogether,
	}},
	{name: "episodic (sessions)", without: []recall.Term{
		recall.PromptWords, recall.NearSessions, recall.OpenedTogether, recall.OpenedNext,
	}},
	{name: "heat and recency", without: []recall.Term{
		recall.Recency, recall.Heat, recall.Count, recall.FolderHeat, recall.Moments, recall.OpenedHeat, recall.OpenedRecency,
	}},
	{name: "table of words", wordless: true},
}

// Ablate switches one mechanism off at a time and compares question by question.
func Ablate(ctx context.Context, in Input) ([]AblationRow, error) {
	var rows []AblationRow
	for _, half := range []struct {
		task  string
		value func(Mark) float64
		run   func([]NewLearner) (Results, error)
		skip  bool
	}{
		{"T3", recall10, func(learners []NewLearner) (Results, error) {
			options := in.Options
			options.Tasks = []string{"T3"}
			return Replay(ctx, in.Histories, learners, options)
		}, len(in.Histories) == 0},
		{"S2", hit10, func(learners []NewLearner) (Results, error) {
			options := in.Options
			options.Every, options.Tasks = 1, []string{"S2"}
			return Sessions(ctx, in.Sessions, learners, options)
		}, len(in.Sessions) == 0},
	} {
		if half.skip {
			continue
		}
		results, err := half.run(in.learners())
		if err != nil {
			return nil, err
		}
		for _, m := range mechanisms {
			d, err := Compare(results.Pick(half.task, m.name), results.Pick(half.task, ranker), half.value, 1)
			if err != nil {
				return nil, fmt.Errorf("%s without %s: %w", half.task, m.name, err)
			}
			rows = append(rows, AblationRow{m.name, half.task, d.N, d.Mean, d.Low, d.High})
		}
	}
	return rows, nil
}

// learners are hebb whole and without each mechanism. Those that only leave evidence out share a
// memory.
func (in Input) learners() []NewLearner {
	whole := Product{Tuning: in.Tuning, Variants: []Variant{{Name: ranker}}}
	var all []NewLearner
	for _, m := range mechanisms {
		if m.set == nil {
			whole.Variants = append(whole.Variants, Variant{Name: m.name, Without: m.without, Wordless: m.wordless})
			continue
		}
		all = append(all, Product{Tuning: in.Tuning, Vary: m.set, Variants: []Variant{{Name: m.name}}}.New)
	}
	return append(all, whole.New)
}
