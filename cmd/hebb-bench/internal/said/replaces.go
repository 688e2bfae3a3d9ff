package said

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// pair is a line of pairs.jsonl: something said, and what replaces it later. Adds is on the same
// topic and replaces nothing, Beside is the same sort of statement about another thing, Told is the
// same again in other words.
type pair struct {
	Repo    string `json:"repo"`
	Said    string `json:"said"`
	Revised string `json:"revised"`
	Adds    string `json:"adds"`
	Beside  string `json:"beside"`
	Told    string `json:"told"`
}

// choice is a new statement among earlier ones, and which of them it replaces.
type choice struct {
	group string // choices of one group are judged by the same model
	right int    // of the earlier ones; -1 for none
	pairs []statements.Pair
	none  []float64
	cues  []string
}

// pool is statements, each once.
type pool struct {
	texts []string
	said  []*statements.Said
}

var preparedTexts = map[string]*statements.Said{}

func prepare(text string) *statements.Said {
	if preparedTexts[text] == nil { // to find its meaning takes long
		preparedTexts[text] = related().NewSaid(text, vocab.TextWords(text), embedding.GeneralRow)
	}
	return preparedTexts[text]
}

func (p *pool) add(text string) {
	if !slices.Contains(p.texts, text) {
		p.texts, p.said = append(p.texts, text), append(p.said, prepare(text))
	}
}

func (p *pool) without(drop func(text string) bool) (rest pool) {
	for i, text := range p.texts {
		if !drop(text) {
			rest.texts, rest.said = append(rest.texts, text), append(rest.said, p.said[i])
		}
	}
	return rest
}

// choice is a statement among those of the pool, and which of them it replaces; "" for none.
func (p *pool) choice(group, statement, right string) *choice {
	newer := prepare(statement)
	c := &choice{group: group, right: slices.Index(p.texts, right), pairs: statements.Pairs(newer, p.said), cues: newer.Cues()}
	c.none = statements.None(newer, c.pairs, len(p.texts))
	return c
}

// askedFrom is the probability from which a statement may be replaced: the earlier one is shown
// with that doubt until somebody decides. On the statements of TestReversals one of twenty that
// replace nothing reaches it, and nearly half of those that do. Lower ones find more there, but
// revisions are rare in life: a reader of six such doubts of two developers found none right.
const askedFrom = 0.5

// surely is the lowest probability that no statement reaches which replaces nothing, where a tenth
// of the projects is judged by a model that was learned from the others: what is lost by mistake
// costs more than a question.
func surely(ctx context.Context) (sure float64, err error) {
	var groups []string
	for _, c := range inventedPairs() {
		if !slices.Contains(groups, c.group) {
			groups = append(groups, c.group)
		}
	}
	for fold := range foldCount {
		judges := func(c *choice) bool { return slices.Index(groups, c.group)%foldCount == fold }
		m, err := learnChoice(ctx, slices.DeleteFunc(slices.Clone(inventedPairs()), judges))
		if err != nil {
			return 0, err
		}
		for _, c := range inventedPairs() {
			if _, probability := m.ChooseAmong(c.pairs, c.none, c.cues); c.right < 0 && judges(c) {
				sure = max(sure, probability)
			}
		}
	}
	return rounded(sure) + 0.001, nil
}
