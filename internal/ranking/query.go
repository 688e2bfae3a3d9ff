package ranking

import (
	"context"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// Query asks about the files of projects, within one transaction.
type Query struct {
	tx       *store.Tx
	pasts    *record.PastCache
	numbers  brain.Variation
	contents func(memory.ProjectID) string // the file with the words of a project's files
	lead     int                           // texts that the words of a question lead to
	fixGate  float64                       // how sure it must be that a file fixes an error
}

// NewQuery begins one in a transaction of an open memory.
func NewQuery(b *brain.Brain, tx *store.Tx) *Query {
	t := b.Config.Tuning
	return &Query{
		tx: tx, pasts: record.Pasts(b), numbers: b.Numbers.Variation, contents: b.Config.Contents, lead: t.Search.LeadTexts, fixGate: t.Recall.FixGate,
	}
}

// rules are the formulas of growing and fading, as a project is scaled.
func (a *Query) rules(ctx context.Context, id memory.ProjectID) (plasticity.Rules, error) {
	balance, err := a.tx.Balance(ctx, id)
	return plasticity.NewRules(a.numbers.Plasticity, balance), err
}

// Ahead asks what a question will ask about a project, as far as that does not depend on answers; see store.Tx.Ahead. Blocks of the past are
// asked for from the state of the file on: if it proves unusable, they are read again.
func (a *Query) Ahead(ctx context.Context, id memory.ProjectID, text string) {
	tx := a.tx
	var mapped int64
	for _, version := range recall.PastVersions(a.pasts.Dir(), id) {
		mapped = max(mapped, version)
	}
	_, _ = tx.Project(ctx, id)
	_, _ = record.GenerationMark(id).Get(ctx, tx)
	_, _ = tx.PastVersion(ctx, id)
	_ = tx.EachBlock(ctx, id, mapped, nil)
	_, _ = standings(ctx, tx, id)
	_, _ = a.rules(ctx, id)
	if met, _, ok := Met(id, brain.Question(text)); ok {
		_, _ = tx.FixesSeen(ctx, met)
		_, _ = tx.Companions(ctx, met, wiredLinks)
		_, _ = tx.ErrorTexts(ctx, met)
	}
}

// Scoped are the projects of a scope: one, or all.
func Scoped(ctx context.Context, b *brain.Brain, tx *store.Tx, s brain.Scope) ([]memory.ProjectID, error) {
	id, err := b.Resolve(ctx, tx, s)
	if err != nil || id != 0 {
		return []memory.ProjectID{id}, err
	}
	projects, err := tx.Projects(ctx)
	ids := make([]memory.ProjectID, len(projects))
	for i, p := range projects {
		ids[i] = p.ID
	}
	return ids, err
}
