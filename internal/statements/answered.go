package statements

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// Contradicted leaves a trace on a memory that a session was shown, and in which the person then said what may take its place.
func Contradicted(ctx context.Context, tx *store.Tx, said memory.Crystal, older memory.CrystalID) error {
	if said.Session == 0 || said.Origin != memory.OriginUser {
		return nil
	}
	shown, err := tx.Suggestions(ctx, store.SuggestionFilter{Session: said.Session})
	if !slices.ContainsFunc(shown, func(l memory.Suggestion) bool { return l.Crystal == older && !l.Held && l.ShownAt.Before(said.SaidAt) }) {
		return err
	}
	return tx.Leave(ctx, store.Trace{Crystal: older, What: store.Contradicted, Detail: said.Source})
}
