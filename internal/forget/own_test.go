package forget_test

import (
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// Who forgets by time or origin forgets what happened, not what hebb did itself: what stays was slept over.
func TestForgettingByTimeOrOriginKeepsWhatHebbDid(t *testing.T) {
	for _, in := range []forget.ForgetInput{{Origin: memory.OriginTool, Apply: true}, {Since: braintest.Start.Add(59 * time.Minute), Apply: true}} {
		l := braintest.NewLab(t)
		other := l.Touch("other", 1, memory.Edit, "bank.go")
		other.Place = memory.Place{Identity: "/bank/.git", Root: "/bank"}
		person := l.Say("other", 2, memory.Prompted, "the plan")
		person.Origin, person.Place = memory.OriginUser, other.Place
		said := l.Say("one", 3, memory.Prompted, "the plan")
		said.Origin = memory.OriginUser
		last := l.Touch("new", 60, memory.Edit, "web/new.go")
		l.See(30, append(l.SomeWork(), other, person, said)...)
		l.See(60, last)
		braintest.Must(l, steward.Sleep, sleep.SleepInput{})
		count := func() int {
			return len(must.Get(brain.View(t.Context(), l.Store, func(tx *store.Tx) ([]memory.StoredEvent, error) {
				return tx.Events(t.Context(), store.EventFilter{Kind: memory.Slept})
			}))(t))
		}
		want := count()
		in.Scope = brain.Scope{All: true}
		braintest.Must(l, steward.Forget, in)
		if got := count(); got != want || want == 0 {
			t.Errorf("after forgetting %+v: %d sleeps over projects, want %d", in, got, want)
		}
	}
}
