package answer

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

const (
	memoriesCompared = 200 // latest statements that a prompt is compared with, one by one
	memoriesSearched = 60  // and, where there are more, those that a search for the prompt finds
	agentWord        = 0.8 // what an agent noted counts less than what the person said
)

// neededKinds are what a prompt may need: what holds, not what happened.
var neededKinds = []memory.CrystalKind{
	memory.Rule, memory.Decision, memory.Correction, memory.Preference, memory.Fact, memory.Intention, memory.Lesson,
}

// needed are the memories that the prompt needs and the session was not shown, the likeliest first. Nearly always there are none.
func (r *reply) needed(ctx context.Context) ([]rival, error) {
	all, err := r.statements(ctx, r.to.Text)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	all = statements.Holding(all, r.tx.Now)
	slices.SortStableFunc(all, func(a, b store.Kept) int { return a.SaidAt.Compare(b.SaidAt) })
	var kept, chosen []store.Kept
	var list []string
	for _, c := range all {
		if c.Session != r.session && !r.said(c.ID) {
			kept, list = append(kept, c), append(list, c.Text)
		}
	}
	var offers []rival
	choices := Needed(r.to.Text, list)
	for _, choice := range choices {
		chosen = append(chosen, kept[choice.Index])
	}
	if err := r.tx.LoadAnchors(ctx, chosen); err != nil {
		return nil, err
	}
	for i, choice := range choices {
		c := chosen[i]
		if c.Origin != memory.OriginUser {
			choice.Probability *= agentWord
		}
		offers = append(offers, rival{choice.Probability, func() { r.addMemory(c.Crystal, choice.Probability) }})
	}
	return offers, nil
}

// addMemory adds a line about a memory.
func (r *reply) addMemory(c memory.Crystal, probability float64) {
	if line := quote(r.code, c, r.tx.Now); line != "" && !r.said(c.ID) {
		r.add(memory.Suggestion{Offer: memory.OfferMemory, Crystal: c.ID, Score: rounded(probability), Confidence: rounded(probability)}, line)
	}
}

// statements are what may be needed: what was said of this project and of all, holds, and comes from the person or an agent, also
// from what another agent has noted by itself. Of many, the latest and those that a search for what it is about finds. Lines of rule files
// are not among them: of 30 that prompts of three projects were shown, 6 were of use to a reader who did not know where they came from
// (testdata/rulelines.jsonl).
func (s *sheet) statements(ctx context.Context, about string) (list []store.Kept, err error) {
	latest := store.CrystalFilter{
		Projects: []memory.ProjectID{0, s.project}, Kinds: neededKinds, Current: true, Living: true, Said: true, Limit: memoriesCompared, Bare: true, Brief: true,
	}
	if list, err = s.tx.Crystals(ctx, latest); err != nil {
		return nil, err
	}
	if len(list) == memoriesCompared {
		latest.Origin = memory.OriginUser // however much agents say, the person's is among them
		own, err := s.tx.Crystals(ctx, latest)
		if err != nil {
			return nil, err
		}
		list = append(slices.DeleteFunc(list, func(c store.Kept) bool { return c.Origin == memory.OriginUser }), own...)
		ids, err := texts.ByWords(ctx, s.brain, s.tx, s.project, about, kindNames(neededKinds), memoriesSearched)
		if err != nil {
			return nil, err
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool {
			return slices.ContainsFunc(list, func(c store.Kept) bool { return c.Document == id })
		})
		found, err := s.tx.Crystals(ctx, store.CrystalFilter{Documents: ids, Current: true, Living: true, Said: true, Bare: true, Brief: true})
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	notes, rules, err := statements.InFiles(ctx, s.tx, s.project, s.to.Agent)
	s.rules = rules
	list = append(list, notes...)
	for i := range list {
		list[i].Text = prose.ShortenBytes(list[i].Text, comparedBytes)
	}
	return slices.DeleteFunc(list, func(c store.Kept) bool { return !mayShow(c.Crystal) }), err
}

// comparedBytes are looked at of a text, which is cut into words while an agent waits. What is shown of it is less.
const comparedBytes = 2 << 10

// mayShow leaves out what comes from elsewhere and what no longer holds. How surely something was heard does not
// count: it is quoted in the words of who said it, and the prompt speaks for it.
func mayShow(c memory.Crystal) bool {
	return c.Origin.Tier() <= memory.OriginFile.Tier() && c.ValidTo.IsZero() && c.Lifecycle.Living() &&
		c.Lifecycle != memory.Frozen && !prose.Withheld(c.Origin, c.Text)
}

func kindNames(kinds []memory.CrystalKind) (names []string) {
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return names
}
