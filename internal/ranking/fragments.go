package ranking

import (
	"context"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// fragmentKnown is the share of a question that a function must hold for recall to point at its lines.
const fragmentKnown = 0.5

// point says where in the answered files to look: at the functions and types that hold the words of the question. That
// the code itself and the past name the same file makes an answer surer.
func (a *Query) point(ctx context.Context, id memory.ProjectID, answers []Recalled, text string) error {
	words := vocab.TextWords(text)
	if len(words) == 0 || len(answers) == 0 {
		return nil
	}
	frequency, err := a.tx.Frequency(ctx, memory.GroupCode, words)
	if err != nil {
		return err
	}
	common := vocab.Collection{Texts: frequency.Documents, In: frequency.In}
	terms, question := common.SelectTerms(words, a.lead), common.Ask(words)
	docs, err := a.tx.Match(ctx, store.Expression{All: terms.All, Any: terms.Any},
		store.DocumentFilter{Projects: []memory.ProjectID{id}, Group: memory.GroupCode, Limit: a.lead})
	if err != nil || len(docs) == 0 {
		return err
	}
	type best struct {
		store.Document
		score float64
	}
	of := map[string]best{}
	usual := vocab.Usual{Length: float64(frequency.Words) / float64(max(frequency.Documents, 1))}
	for _, d := range docs {
		count := question.Count(strings.Join(d.Words, " "), "")
		if score := question.Words(count, usual); score > of[d.Path].score && question.Known(count) >= fragmentKnown {
			of[d.Path] = best{d, score}
		}
	}
	var ids []int64
	for _, r := range answers {
		if d, found := of[r.Path]; found && r.Project == id {
			ids = append(ids, d.ID)
		}
	}
	lines, err := a.tx.LinesOf(ctx, ids)
	if err != nil {
		return err
	}
	for i := range answers {
		r := &answers[i]
		d, found := of[r.Path]
		if at, known := lines[d.ID]; found && known && r.Project == id {
			r.Fragment = &Fragment{Symbol: d.Title, First: at.First, Last: at.Last}
			r.Confidence = recall.Consensus(r.Confidence, 0)
		}
	}
	return nil
}
