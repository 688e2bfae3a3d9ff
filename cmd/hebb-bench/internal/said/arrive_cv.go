package said

import (
	"cmp"
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/relevance"
)

// NeedRow is how well a model that never saw a prompt finds what it needs, at one rate of false alarms.
type NeedRow struct {
	Bench  string  `json:"bench"`
	Model  string  `json:"model"`  // cross-validated by pair, or other repositories
	Alarms float64 `json:"alarms"` // share of neutral prompts at which something is shown
	Right  float64 `json:"right"`  // share of pairs whose statement is among the three that are shown
	Spoke  float64 `json:"spoke"`  // share of pairs at which anything is shown
	Unmet  float64 `json:"unmet"`  // share of pairs at which something is shown although what is needed was never said
	Top1   float64 `json:"top1"`   // share of pairs whose statement comes first, were something always shown
	Top3   float64 `json:"top3"`   // and among the first three
	Own    bool    `json:"own"`    // at the threshold that the model chose itself, without the judged repository
	N      int     `json:"n"`      // pairs
}

// needed is what a model made of a prompt.
type needed struct {
	*arrival
	need      float64
	place     int     // of what it needs, 0 is the first
	threshold float64 // of its model
}

// CrossValidateArrivals trains without a fifth of the prompts and judges that fifth, for each fifth; then likewise with repositories.
func CrossValidateArrivals(ctx context.Context, list Arrivals) (rows []NeedRow, err error) {
	for _, by := range []struct {
		model string
		key   func(*arrival) string
	}{{"cross-validated", byPair}, {"other repositories", byRepository}} {
		var all []needed
		err := eachFold(ctx, list, by.key, func(m *relevance.Model, judge Arrivals) error {
			var teach Arrivals
			for _, a := range list {
				if !slices.Contains(judge, a) {
					teach = append(teach, a)
				}
			}
			threshold, err := carefulNeed(ctx, teach)
			for _, a := range judge {
				choices, need := m.Judge(a.prompt, a.statements[:a.own], a.statements[a.own:])
				place := slices.IndexFunc(choices, func(c relevance.Choice) bool { return c.Index == a.right })
				all = append(all, needed{a, need, place, threshold})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, alarms := range []float64{0.02, 0.05, 0.1, 0.2} {
			var needs []float64
			for _, a := range all {
				if a.sort == neutralPrompt {
					needs = append(needs, a.need)
				}
			}
			slices.SortFunc(needs, func(a, b float64) int { return cmp.Compare(b, a) })
			threshold := needs[int(alarms*float64(len(needs)))]
			rows = append(rows, needRow(by.model, all, func(a needed) bool { return a.need > threshold }))
		}
		own := needRow(by.model, all, func(a needed) bool { return a.need >= a.threshold })
		own.Own = true
		rows = append(rows, own)
	}
	return rows, nil
}

func needRow(model string, all []needed, speaks func(needed) bool) NeedRow {
	var pairs, neutrals, alarms, right, spoke, top1, top3, unmets, invented int
	for _, a := range all {
		s := speaks(a)
		switch a.sort {
		case neutralPrompt:
			neutrals++
			alarms += truth(s)
			continue
		case unmetPrompt:
			unmets++
			invented += truth(s)
			continue
		}
		pairs++
		top1 += truth(a.place == 0)
		top3 += truth(a.place < relevance.Most)
		spoke += truth(s)
		right += truth(s && a.place < relevance.Most)
	}
	return NeedRow{
		Bench: "arrive cv", Model: model, Alarms: portion(alarms, neutrals), Right: portion(right, pairs), Spoke: portion(spoke, pairs),
		Unmet: portion(invented, unmets), Top1: portion(top1, pairs), Top3: portion(top3, pairs), N: pairs,
	}
}
