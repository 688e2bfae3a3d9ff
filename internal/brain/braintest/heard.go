package braintest

import (
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// Hears keeps a statement of the person as it is kept when it was understood from a prompt.
func (l *Lab) Hears(kind memory.CrystalKind, text string, at time.Time, sure float64, atHand ...string) memory.Crystal {
	l.T.Helper()
	c := memory.Crystal{
		Project: l.Place.Project(), Kind: kind, Text: text, Origin: memory.OriginUser, Source: "prompt " + at.Format(time.RFC3339Nano) + text[:min(len(text), 8)], Heard: sure,
		Session: 1, Lifecycle: memory.Generated, SaidAt: at,
	}
	if sure < 0.5 {
		c.Lifecycle = memory.Waiting
	}
	for _, path := range atHand {
		c.Anchors = append(c.Anchors, memory.Anchor{Path: path, AtHand: true})
	}
	must.Do(l.T, l.Store.Update(l.T.Context(), func(tx *store.Tx) error {
		kept, err := statements.Crystallise(l.T.Context(), l.Config.Tuning.Crystal, tx, c)
		c = kept.Crystal
		return err
	}))
	return c
}

// NoLongerHolds ends statements, as a later one that replaces them does.
func (l *Lab) NoLongerHolds(ended ...memory.Crystal) {
	l.T.Helper()
	must.Do(l.T, l.Store.Update(l.T.Context(), func(tx *store.Tx) error {
		for _, c := range ended {
			if err := statements.EndCrystal(l.T.Context(), tx, c, statements.TraceSuperseded, ""); err != nil {
				return err
			}
		}
		return nil
	}))
}
