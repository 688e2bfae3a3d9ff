package forget_test

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// A session whose beginning came from a transcript, long after it, and that then went on ends when it ended.
func TestASessionThatGoesOnAfterItWasReadLateEndsWhenItEnded(t *testing.T) {
	l := braintest.NewLab(t)
	day := float64(braintest.DayMinutes)
	l.See(4*day, l.Touch("now", 4*day, memory.Edit, "web/login.go"), l.Say("now", 4*day, memory.SessionEnded, ""))
	l.See(4*day+1, l.Say("old", 1, memory.Prompted, "the login redirect"), l.Touch("old", 2, memory.Edit, "web/auth.go"))
	l.See(4*day+9, l.Touch("old", 4*day+5, memory.Edit, "web/session.go"), l.Touch("old", 4*day+6, memory.Edit, "web/late.go"),
		l.Say("old", 4*day+7, memory.SessionEnded, ""))
	learned := func() int64 {
		return must.Get(brain.View(t.Context(), l.Store, func(tx *store.Tx) (int64, error) {
			return tx.LearnedOrd(t.Context(), memory.NewSessionID("claude-code", "old", l.Place.Project()))
		}))(t)
	}
	want := learned()
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error { return record.MarkAnew(t.Context(), tx, l.Place.Project()) }))
	must.Do(t, forget.LearnAnew(t.Context(), l.Brain))
	if got := learned(); got != want || want == 0 {
		t.Errorf("learned up to %d, want %d", got, want)
	}
}
