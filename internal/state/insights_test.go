package state

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Only what is gone takes an insight with it. A store that cannot answer is an error, and no reason to drop what was found.
func TestAnInsightIsDroppedOnlyWhenWhatItRestsOnIsGone(t *testing.T) {
	settings := tuning.Default()
	now := time.Date(2026, time.November, 15, 8, 0, 0, 0, time.UTC)
	s := must.Get(sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "hebb.db"), Tuning: settings.Store, Now: func() time.Time { return now }}))(t)
	t.Cleanup(func() { must.Do(t, s.Close()) })
	place := memory.Place{Identity: "/shop/.git", Root: "/shop"}
	cites := []memory.CrystalID{memory.CrystalID(memory.DerivedEventID("one")), memory.CrystalID(memory.DerivedEventID("two"))}
	must.Do(t, s.Update(t.Context(), func(tx *store.Tx) error {
		must.Do(t, tx.SeeProject(t.Context(), memory.Project{ID: place.Project(), Identity: place.Identity, Root: place.Root, Name: "shop", FirstAt: now, LastAt: now}))
		for i, text := range []string{"The gateway refreshes its tokens at midnight UTC", "The till has a clock of its own"} {
			c := memory.Crystal{ID: cites[i], Project: place.Project(), Kind: memory.Fact, Text: text, Lifecycle: memory.Generated, Origin: memory.OriginUser, SaidAt: now, LastAt: now}
			_ = must.Get(tx.AddCrystal(t.Context(), c, []string{"clock"}))(t)
		}
		return nil
	}))
	found := []Insight{{Way: "extrapolation", Text: "Midnight is when the till and the gateway disagree", Cites: cites}}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := keepInsights(cancelled, s, settings.Crystal, place.Project(), found); !errors.Is(err, context.Canceled) {
		t.Errorf("a store that does not answer: %v", err)
	}
	must.Do(t, s.View(t.Context(), func(tx *store.Tx) error {
		if cited, err := crystalsOf(cancelled, tx, cites); len(cited) > 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("asked in vain: %v, %v", cited, err)
		}
		return nil
	}))
	missing := []Insight{{Way: "extrapolation", Text: "Nothing stands behind this", Cites: []memory.CrystalID{cites[0], "01m7gf76zy2hw13gcsypvfweda"}}}
	if kept, err := keepInsights(t.Context(), s, settings.Crystal, place.Project(), append(missing, found...)); err != nil || len(kept) != 1 || kept[0] != found[0].Text {
		t.Errorf("kept %q, %v", kept, err)
	}
}
