package statements

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/typed"
)

// heeded are the memories that were shown for something that was done since a moment: with a prompt, before a call or at an error. The lists at a
// start are for all that may come, so praise says nothing of a line in them.
func heeded(shown []memory.Suggestion, since time.Time) (ids []memory.CrystalID) {
	for _, l := range shown {
		switch l.Moment {
		case memory.AtStart, memory.AtCompact, memory.AtSubagent:
			continue
		}
		if l.Crystal != "" && !l.Held && !l.ShownAt.Before(since) && !slices.Contains(ids, l.Crystal) {
			ids = append(ids, l.Crystal)
		}
	}
	return ids
}

// praise counts memories as used that the session was shown in the turn which the person now praises.
func praise(ctx context.Context, settings tuning.Crystal, tx *store.Tx, e memory.StoredEvent) error {
	praises := func(s Felt) bool { return s.Event == MoodReward }
	if e.Kind != memory.Prompted || e.Origin != memory.OriginUser || e.Subagent != "" || !slices.ContainsFunc(Recognise(typed.OwnWords(e.Text)), praises) {
		return nil
	}
	prompts, err1 := tx.Events(ctx, store.EventFilter{Session: e.Session, Kind: memory.Prompted, Limit: 2, Bare: true})
	shown, err2 := tx.Suggestions(ctx, store.SuggestionFilter{Session: e.Session})
	if err := errors.Join(err1, err2); err != nil || len(prompts) < 2 {
		return err
	}
	for _, id := range heeded(shown, prompts[1].At) {
		c, err := tx.Crystal(ctx, id)
		if brain.IsNotFound(err) || err == nil && !c.ValidTo.IsZero() {
			continue
		}
		if err != nil {
			return err
		}
		after := texts.NewRules(settings).Use(c.Crystal, c.Kind == memory.Intention, e.At)
		if err := errors.Join(tx.SaveCrystal(ctx, after), tx.Leave(ctx, store.Trace{Crystal: id, What: store.Praised, Detail: SourceOf(e)})); err != nil {
			return err
		}
	}
	return nil
}

// contradicted leaves a trace on a memory that a session was shown, and in which the person then said what may take its place.
func contradicted(ctx context.Context, tx *store.Tx, said memory.Crystal, older memory.CrystalID) error {
	if said.Session == 0 || said.Origin != memory.OriginUser {
		return nil
	}
	shown, err := tx.Suggestions(ctx, store.SuggestionFilter{Session: said.Session})
	if !slices.ContainsFunc(shown, func(l memory.Suggestion) bool { return l.Crystal == older && !l.Held && l.ShownAt.Before(said.SaidAt) }) {
		return err
	}
	return tx.Leave(ctx, store.Trace{Crystal: older, What: store.Contradicted, Detail: said.Source})
}
