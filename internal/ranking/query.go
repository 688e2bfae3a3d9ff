package ranking

import (
	"context"
	"path/filepath"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/project"
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

// find looks a file up as it was named: from the top of the project, or from the folder one stands in.
func find(p *record.Past, dir, path string) (recall.FileNo, bool) {
	if n, known := p.Image.Find(path); known {
		return n, true
	}
	if dir == "" {
		return 0, false
	}
	place, err := project.Resolve(dir)
	if err != nil {
		return 0, false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return p.Image.Find(project.Key(place, path))
}
