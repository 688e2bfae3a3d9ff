package answer

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// HowTo returns the how-to whose name or heading matches a topic, else the one that search finds.
var HowTo = brain.Operation[statements.ProcedureInput, statements.ProcedureResult]{
	Name: "procedure",
	Run: func(ctx context.Context, b *brain.Brain, in statements.ProcedureInput) (out statements.ProcedureResult, err error) {
		all, err := statements.Procedures.Run(ctx, b, struct{}{})
		if err != nil {
			return out, err
		}
		out.Problems = all.Problems
		if found := statements.MatchProcedures(all.Procedures, in.Topic); len(found) > 0 {
			out.ProcedureFile, out.Text = found[0], found[0].Text
			for _, f := range found[1:] {
				out.Also = append(out.Also, f.Name)
			}
			return out, nil
		}
		search := texts.SearchInput{Scope: in.Scope, Query: in.Topic, Kinds: []string{string(memory.Procedure)}}
		hits, err := SearchTexts.Run(ctx, b, search)
		if err != nil {
			return out, err
		}
		hits.Found = slices.DeleteFunc(hits.Found, func(f texts.Found) bool { return f.Crystal == nil || !f.Crystal.ValidTo.IsZero() })
		if len(hits.Found) == 0 {
			if out.Text, err = learned(ctx, b.Store, b.Config, in); err != nil || out.Text != "" {
				return out, err
			}
			return out, fmt.Errorf("procedure %q: write one into %s and it is found from then on: %w",
				scrub.Line(in.Topic), filepath.Join(all.Folder, "NAME.md"), memory.ErrNotFound)
		}
		hit := hits.Found[0]
		out.Text, out.At = hit.Text, hit.At
		i := slices.IndexFunc(all.Procedures, func(f statements.ProcedureFile) bool {
			return statements.ProcedureSource(filepath.Base(f.File)) == hit.Crystal.Source
		})
		if i >= 0 {
			out.ProcedureFile, out.Text = all.Procedures[i], all.Procedures[i].Text
			return out, nil
		}
		out.Crystal = hit.Crystal.ID
		return out, nil
	},
}

// learned is a procedure that sessions of the project followed again and again, if it has the words of a topic. It is empty if there is none.
func learned(ctx context.Context, st *store.Store, c config.Config, in statements.ProcedureInput) (string, error) {
	return brain.View(ctx, st, func(tx *store.Tx) (string, error) {
		id, err := brain.Resolve(ctx, tx, c, in.Scope)
		if err != nil {
			return "", err
		}
		p, err := tx.Project(ctx, id)
		if brain.IsNotFound(err) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		procedures, err := state.Habits(ctx, tx, p, statements.CodeOf(c, p, 0), state.HabitSessions)
		wanted := vocab.TextWords(in.Topic)
		for _, h := range procedures {
			words := vocab.TextWords(strings.Join(h.Steps, " "))
			if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(words, w) }) {
				return strings.TrimPrefix(h.String(), "- "), err
			}
		}
		return "", err
	})
}
