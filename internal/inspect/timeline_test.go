package inspect_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func kindsOf(moments []inspect.Moment) string {
	var kinds []string
	for _, m := range moments {
		kinds = append(kinds, string(m.Kind))
	}
	return strings.Join(kinds, " ")
}

// A few days of a shop: commits, a session, an error, a sleep of one's own accord, and one that was
// asked for.
func newShopLife(t *testing.T) *braintest.Lab {
	l := braintest.NewLab(t)
	l.Observe(l.Commit(-3000, "login: begin", braintest.Changed("login.go")...), l.Commit(-2990, "login: end", braintest.Changed("login.go")...),
		l.Commit(2, "session: mend", braintest.Changed("session.go")...))
	l.Work("one", 0).Prompt("fix the session").Read("login.go", "session.go").Edit("session.go").Read("login.go").Read("chance.go").End()
	resolved := l.Event(memory.Resolved, 20)
	resolved.Text, resolved.Touches = nilMap, braintest.Changed("session.go")
	resolved.Agent, resolved.AgentSession, resolved.Origin = memory.AgentUser, "", memory.OriginUser
	l.Clock = braintest.Start.Add(time.Hour)
	l.Observe(resolved)
	l.On(4)
	l.WorkedOn()
	braintest.Must(l, steward.Sleep, sleep.SleepInput{Why: inspect.SleptAfterWork})
	l.On(4.5)
	braintest.Must(l, steward.Sleep, sleep.SleepInput{Why: inspect.SleptIdle}) // has nothing to do
	l.On(5)
	braintest.Must(l, steward.Sleep, sleep.SleepInput{Only: sleep.BalancePart}) // likewise, but somebody wants to know
	return l
}

func TestTimeline(t *testing.T) {
	l := newShopLife(t)
	all := braintest.Must(l, inspect.Timeline, inspect.TimelineInput{Scope: braintest.Shop})
	if got, want := kindsOf(all), "sleep sleep session session session session resolved session commits commits"; got != want {
		t.Fatalf("happened: %s, want %s", got, want)
	}
	if !slices.IsSortedFunc(all, func(x, y inspect.Moment) int { return y.At.Compare(x.At) }) {
		t.Error("not newest first")
	}
	asked, after := all[0].Sleep, all[1].Sleep
	if asked.Why != sleep.SleptAsked || after.Why != inspect.SleptAfterWork || after.Decay.PrunedSynapses == 0 {
		t.Errorf("sleeps %+v and %+v", asked, after)
	}
	if e := all[6]; e.Text != nilMap || !slices.Equal(e.Files, []string{"session.go"}) {
		t.Errorf("resolved %+v", e)
	}
	if s := all[7].Session; s.Files != 3 || s.Commits != 1 || s.Intent != "fix the session" || s.Open() {
		t.Errorf("session %+v", s)
	}
	if c := all[9]; c.Commits != 2 || c.Text != "login: end" {
		t.Errorf("commits of a day %+v", c)
	}
	if got := kindsOf(braintest.Must(l, inspect.Timeline, inspect.TimelineInput{Scope: braintest.Shop, Since: braintest.Start.Add(15 * time.Minute)})); got != "sleep sleep session session session session resolved" {
		t.Errorf("since: %s", got)
	}
	if got := kindsOf(braintest.Must(l, inspect.Timeline, inspect.TimelineInput{Scope: braintest.Shop, Limit: 5})); got != "sleep sleep session session session" {
		t.Errorf("the latest five: %s", got)
	}
	if got := kindsOf(braintest.Must(l, inspect.Timeline, inspect.TimelineInput{Scope: brain.Scope{Dir: t.TempDir()}})); got != "sleep sleep" {
		t.Errorf("in another project: %s", got)
	}
}

func TestTimelineShowsErrorsUntilAFixIsKnown(t *testing.T) {
	l := braintest.NewLab(t)
	const open = "undefined: checkoutTotal"
	l.Work("one", 0).Prompt("fix the till").Fail("panic: assignment to entry in nil map").Fail(open).Read("till.go").End()
	l.Work("two", 60).Prompt("fix the till").Fail(open).End()
	l.Clock = braintest.Start.Add(3 * time.Hour)
	openErrors := func(in inspect.TimelineInput) (errors []inspect.Moment) {
		t.Helper()
		in.Scope = braintest.Shop
		for _, m := range braintest.Must(l, inspect.Timeline, in) {
			if m.Kind == inspect.ErrorMoment {
				errors = append(errors, m)
			}
		}
		return errors
	}
	if got := openErrors(inspect.TimelineInput{}); len(got) != 2 || !strings.Contains(got[0].Text, "checkoutTotal") || got[0].Times != 2 || got[1].Times != 1 || !got[0].At.After(got[1].At) {
		t.Errorf("%+v", got)
	}
	if got := openErrors(inspect.TimelineInput{Since: braintest.Start.Add(30 * time.Minute)}); len(got) != 1 {
		t.Errorf("since the second session: %+v", got)
	}
	resolved := l.Event(memory.Resolved, 200)
	resolved.Text, resolved.Touches = open, braintest.Changed("till.go")
	resolved.Agent, resolved.AgentSession, resolved.Origin = memory.AgentUser, "", memory.OriginUser
	l.Clock = braintest.Start.Add(4 * time.Hour)
	l.Observe(resolved)
	if got := openErrors(inspect.TimelineInput{}); len(got) != 1 || !strings.Contains(got[0].Text, "nil map") {
		t.Errorf("after one was resolved: %+v", got)
	}
}

func TestTimelineDaysFollowTheZone(t *testing.T) {
	l := braintest.NewLab(t)
	l.On(2)
	l.Observe(l.Commit(0, "morning", braintest.Changed("a.go")...), l.Commit(17*60, "night", braintest.Changed("a.go")...))
	for zone, want := range map[*time.Location][]int64{nil: {1, 1}, time.FixedZone("west", -2*3600): {2}} {
		var got []int64
		for _, m := range braintest.Must(l, inspect.Timeline, inspect.TimelineInput{Scope: braintest.Shop, Zone: zone}) {
			got = append(got, m.Commits)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: days of %v commits, want %v", zone, got, want)
		}
	}
}

func TestTimelineGroupsCommitsByDayAndProject(t *testing.T) {
	l := braintest.NewLab(t)
	there := l.Commit(2, "bank", braintest.Changed("a.go")...)
	there.Place = memory.Place{Identity: "/bank/.git", Root: "/bank"}
	l.Observe(l.Commit(1, "one", braintest.Changed("a.go")...), there, l.Commit(3, "two", braintest.Changed("a.go")...), l.Commit(-5000, "old", braintest.Changed("a.go")...))
	var got []string
	for _, m := range braintest.Must(l, inspect.Timeline, inspect.TimelineInput{Scope: brain.Scope{All: true}, Limit: 2}) {
		got = append(got, m.Text)
	}
	braintest.Same(t, "days", got, "two", "bank")
}

func TestTimelineShowsInterruptedSleeps(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go")
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.BeginSleep(t.Context(), inspect.SleptIdle)
		return err
	}))
	all := braintest.Must(l, inspect.Timeline, inspect.TimelineInput{Scope: braintest.Shop})
	if kindsOf(all) != "sleep session" || len(all[0].Sleep.Took) != 0 || all[0].Sleep.Why != inspect.SleptIdle {
		t.Errorf("happened: %+v", all)
	}
	if last := braintest.Must(l, inspect.Stats, braintest.Shop).LastSleep; last == nil || last.ID != all[0].Sleep.ID {
		t.Errorf("the last sleep is %+v", last)
	}
}

func TestTimelineShowsForgettingOnRequest(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go")
	l.Clock = l.Clock.Add(time.Hour)
	l.Met("two", "b.go")
	l.Clock = l.Clock.Add(time.Hour)
	braintest.Must(l, steward.Forget, forget.ForgetInput{Scope: braintest.Shop, Session: "one", Apply: true})
	all := braintest.Must(l, inspect.Timeline, inspect.TimelineInput{Scope: braintest.Shop})
	if kindsOf(all) != "forgotten session" || all[0].Events != 2 || !all[0].At.Equal(l.Clock) {
		t.Errorf("happened: %+v", all)
	}
}
