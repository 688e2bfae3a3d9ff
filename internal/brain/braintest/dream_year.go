package braintest

import (
	"slices"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// PointersLead wants each pointer's words to find its memories by the search that agents use.
func (l *Lab) PointersLead(where string) {
	l.T.Helper()
	pointers, err := brain.View(l.T.Context(), l.Store, func(tx *store.Tx) ([]state.Pointer, error) {
		return state.Pointers(l.T.Context(), tx, l.Place.Project())
	})
	if err != nil {
		l.T.Fatal(err)
	}
	for _, p := range pointers {
		out, err := steward.Run(l.T.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: p.Words, Limit: state.DreamFinds})
		if err != nil {
			l.T.Fatal(err)
		}
		for _, id := range p.Crystals {
			if !slices.ContainsFunc(out.Found, func(f texts.Found) bool { return f.Crystal != nil && f.Crystal.ID == id }) {
				l.T.Errorf("%s: %q does not find %s", where, p.Words, id)
			}
		}
	}
}
