package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// carried are the facts that an export holds as they are, with what each must be. Other facts that somebody said have lines of their own.
var carried = map[string]func(json.RawMessage) error{
	"dream/aside":    is[state.Aside],
	"dream/seed":     is[state.SeedRecord],
	"dream/told":     is[[]state.Told],
	"failures/ended": is[[]memory.EventID],
	"never":          is[bool],
	"repository":     is[memory.Repository],
	"scribe/changes": is[[]statements.LineChange],
	"scribe/sent":    is[statements.SentLedger],
	"verdict":        is[statements.Judged],
}

func is[T any](value json.RawMessage) error {
	var v T
	return json.Unmarshal(value, &v)
}

var facts = &kind[store.FactLine]{
	name: "fact", mine: true,
	each: list(func(ctx context.Context, e *exporter) (all []store.FactLine, err error) {
		known, err := e.tx.FactLines(ctx)
		for _, f := range known {
			if carried[f.Name] != nil && slices.Contains(e.projects, f.Project) { // those of a project that is forgotten whole stay where they are
				all = append(all, f)
			}
		}
		return all, err
	}),
	project: func(f *store.FactLine) *memory.ProjectID { return &f.Project },
	clean:   func(t *importer, f *store.FactLine) { f.At = t.moment(f.At) },
	check: func(_ *importer, _ context.Context, f store.FactLine) error {
		if carried[f.Name] == nil || len(f.Subject) > record.LongestName {
			return fmt.Errorf("fact %q about %.60q: %w", oneLine(f.Name), f.Subject, memory.ErrInvalid)
		}
		if err := carried[f.Name](f.Value); err != nil {
			return fmt.Errorf("fact %s: %w: %w", f.Name, memory.ErrInvalid, err)
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, f store.FactLine) error { return t.tx.KeepFact(ctx, f) },
	move: func(m *projectMove, f *store.FactLine) bool {
		f.Value = m.renamed(f.Value)
		return true
	},
}
