package brain

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

func kindsOf(moments []Moment) string {
	var kinds []string
	for _, m := range moments {
		kinds = append(kinds, string(m.Kind))
	}
	return strings.Join(kinds, " ")
}

// A few days of a shop: commits, a session, an error, a sleep of one's own accord, and one that was asked for.
func newShopLife(t *testing.T) *lab {
	l := newLab(t)
	l.observe(l.commit(-3000, "login: begin", changed("login.go")...), l.commit(-2990, "login: end", changed("login.go")...),
		l.commit(2, "session: mend", changed("session.go")...))
	l.work("one", 0).prompt("mend the session").read("login.go", "session.go").edit("session.go").read("login.go").read("chance.go").end()
	resolved := l.event(memory.Resolved, 20)
	resolved.Text, resolved.Touches = nilMap, changed("session.go")
	resolved.Agent, resolved.AgentSession, resolved.Origin = memory.AgentUser, "", memory.OriginUser
	l.clock = start.Add(time.Hour)
	l.observe(resolved)
	l.on(4)
	must(l, Sleep, SleepInput{Why: SleptAfterWork})
	l.on(4.5)
	must(l, Sleep, SleepInput{Why: SleptIdle}) // has nothing to do
	l.on(5)
	must(l, Sleep, SleepInput{Only: BalancePart}) // likewise, but somebody wants to know
	return l
}

func TestTimeline(t *testing.T) {
	l := newShopLife(t)
	all := must(l, Timeline, TimelineInput{Scope: shop})
	if got, want := kindsOf(all), "sleep sleep resolved session commits commits"; got != want {
		t.Fatalf("happened: %s, want %s", got, want)
	}
	if !slices.IsSortedFunc(all, func(x, y Moment) int { return y.At.Compare(x.At) }) {
		t.Error("not newest first")
	}
	asked, after := all[0].Sleep, all[1].Sleep
	if asked.Why != SleptAsked || after.Why != SleptAfterWork || after.Decay.PrunedSynapses == 0 {
		t.Errorf("sleeps %+v and %+v", asked, after)
	}
	if e := all[2]; e.Text != nilMap || !slices.Equal(e.Files, []string{"session.go"}) {
		t.Errorf("resolved %+v", e)
	}
	if s := all[3].Session; s.Files != 3 || s.Commits != 1 || s.Intent != "mend the session" || s.Open() {
		t.Errorf("session %+v", s)
	}
	if c := all[5]; c.Commits != 2 || c.Text != "login: end" {
		t.Errorf("commits of a day %+v", c)
	}
	if got := kindsOf(must(l, Timeline, TimelineInput{Scope: shop, Since: start.Add(15 * time.Minute)})); got != "sleep sleep resolved" {
		t.Errorf("since: %s", got)
	}
	if got := kindsOf(must(l, Timeline, TimelineInput{Scope: shop, Limit: 5})); got != "sleep sleep resolved session commits" {
		t.Errorf("the latest five: %s", got)
	}
	if got := kindsOf(must(l, Timeline, TimelineInput{Scope: Scope{Dir: t.TempDir()}})); got != "sleep sleep" {
		t.Errorf("in another project: %s", got)
	}
}

func TestAnErrorWithoutAFixIsToldUntilOneIsKnown(t *testing.T) {
	l := newLab(t)
	const open = "undefined: checkoutTotal"
	l.work("one", 0).prompt("mend the till").fail("panic: assignment to entry in nil map").fail(open).read("till.go").end()
	l.work("two", 60).prompt("mend the till").fail(open).end()
	l.clock = start.Add(3 * time.Hour)
	told := func(in TimelineInput) (errors []Moment) {
		t.Helper()
		in.Scope = shop
		for _, m := range must(l, Timeline, in) {
			if m.Kind == ErrorMoment {
				errors = append(errors, m)
			}
		}
		return errors
	}
	if got := told(TimelineInput{}); len(got) != 2 || !strings.Contains(got[0].Text, "checkoutTotal") || got[0].Times != 2 || got[1].Times != 1 || !got[0].At.After(got[1].At) {
		t.Errorf("%+v", got)
	}
	if got := told(TimelineInput{Since: start.Add(30 * time.Minute)}); len(got) != 1 {
		t.Errorf("since the second session: %+v", got)
	}
	resolved := l.event(memory.Resolved, 200)
	resolved.Text, resolved.Touches = open, changed("till.go")
	resolved.Agent, resolved.AgentSession, resolved.Origin = memory.AgentUser, "", memory.OriginUser
	l.clock = start.Add(4 * time.Hour)
	l.observe(resolved)
	if got := told(TimelineInput{}); len(got) != 1 || !strings.Contains(got[0].Text, "nil map") {
		t.Errorf("after one was resolved: %+v", got)
	}
}

func TestADayEndsWhereOneLives(t *testing.T) {
	l := newLab(t)
	l.on(2)
	l.observe(l.commit(0, "morning", changed("a.go")...), l.commit(17*60, "night", changed("a.go")...))
	for zone, want := range map[*time.Location][]int64{nil: {1, 1}, time.FixedZone("west", -2*3600): {2}} {
		var got []int64
		for _, m := range must(l, Timeline, TimelineInput{Scope: shop, Zone: zone}) {
			got = append(got, m.Commits)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: days of %v commits, want %v", zone, got, want)
		}
	}
}

func TestCommitsOfADayAreToldByProject(t *testing.T) {
	l := newLab(t)
	there := l.commit(2, "bank", changed("a.go")...)
	there.Place = memory.Place{Identity: "/bank/.git", Root: "/bank"}
	l.observe(l.commit(1, "one", changed("a.go")...), there, l.commit(3, "two", changed("a.go")...), l.commit(-5000, "old", changed("a.go")...))
	var got []string
	for _, m := range must(l, Timeline, TimelineInput{Scope: Scope{All: true}, Limit: 2}) {
		got = append(got, m.Text)
	}
	same(t, "days", got, "two", "bank")
}

func TestASleepThatWasCutShortIsTold(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go")
	if err := l.store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.BeginSleep(t.Context(), SleptIdle)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	all := must(l, Timeline, TimelineInput{Scope: shop})
	if kindsOf(all) != "sleep session" || len(all[0].Sleep.Took) != 0 || all[0].Sleep.Why != SleptIdle {
		t.Errorf("happened: %+v", all)
	}
	if last := must(l, Stats, shop).LastSleep; last == nil || last.ID != all[0].Sleep.ID {
		t.Errorf("the last sleep is %+v", last)
	}
}

func TestForgettingOnPurposeIsTold(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go")
	l.clock = l.clock.Add(time.Hour)
	l.met("two", "b.go")
	l.clock = l.clock.Add(time.Hour)
	must(l, Forget, ForgetInput{Scope: shop, Session: "one", Apply: true})
	all := must(l, Timeline, TimelineInput{Scope: shop})
	if kindsOf(all) != "forgotten session" || all[0].Events != 2 || !all[0].At.Equal(l.clock) {
		t.Errorf("happened: %+v", all)
	}
}
