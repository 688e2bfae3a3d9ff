package transfer_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// travelling are the hashes of all events but commits, by their IDs.
func travelling(l *braintest.Lab) map[memory.EventID]int64 {
	l.T.Helper()
	hashes := map[memory.EventID]int64{}
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) error {
		return tx.WalkEvents(l.T.Context(), func(e memory.StoredEvent) error {
			if e.Kind != memory.Committed {
				hashes[e.ID] = e.Hash()
			}
			return nil
		})
	}))
	return hashes
}

func TestMergingChangesNoEvent(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		into := g.Worked("shop")
		g.Git(".", "clone", "-q", "shop", "clone")
		g.OwnMemory("clone")
		g.Worked("clone")
		own, before := g.ProjectOf("clone"), travelling(g.Lab)
		braintest.Must(g.Lab, transfer.Merge, transfer.MergeInput{Dir: g.Path("clone"), Project: "shop", Apply: true})
		if after := travelling(g.Lab); !maps.Equal(before, after) {
			g.T.Errorf("%d events before, %d after: %v became %v", len(before), len(after), before, after)
		}
		ends := must.Get(brain.View(g.T.Context(), g.Store, func(tx *store.Tx) (list []memory.StoredEvent, err error) {
			return tx.Events(g.T.Context(), store.EventFilter{Kind: memory.Closed})
		}))(g.T)
		if len(ends) < 2 {
			g.T.Errorf("%d ends of sessions prove nothing", len(ends))
		}
		for _, e := range ends {
			s, err := brain.View(g.T.Context(), g.Store, func(tx *store.Tx) (memory.Session, error) { return tx.Session(g.T.Context(), e.Ended()) })
			if err != nil || s.Project != into || e.Project != into || own == into {
				g.T.Errorf("the end %+v is that of %+v, %v", e, s, err)
			}
		}
	})
}

// later are what programs to come may spool: a kind that this one does not know, and a form that it cannot read.
const (
	newKind    = `{"id":"0123456789abcdefghjkmnpqrs","at":"2026-11-15T08:01:30Z","kind":"said","origin":"user","agent":"claude-code","agent_session":"run","place":{"identity":"/shop/.git","root":"/shop"},"memory":{"text":"token ghp_0123456789abcdefghijklmnopqrstuvwxyz"}}`
	newVersion = `{"id":"0123456789abcdefghjkmnpqrt","version":2,"at":"2026-11-15T08:01:30Z","kind":"tool","origin":"tool","agent":"claude-code","agent_session":"run","place":{"identity":"/shop/.git","root":"/shop"},"touches":{"a.go":["edit"]}}`
)

func TestAnEventOfALaterProgramIsKeptHandedOnAndAppliedToNothing(t *testing.T) {
	t.Parallel()
	l, never := braintest.NewLab(t), braintest.NewLab(t)
	for _, one := range []*braintest.Lab{l, never} {
		one.See(1, one.Touch("run", 0, memory.Edit, "a.go"), one.Touch("run", 1, memory.Read, "b.go"))
	}
	for _, text := range []string{newKind, newVersion, newVersion} {
		must.Do(t, l.Spool.Append(must.Get(memory.ReadEvent([]byte(text)))(t)))
	}
	if out := l.See(2, l.Touch("run", 2, memory.Edit, "b.go")); out.Events != 3 || out.Duplicates != 1 || out.Rejected != 0 {
		t.Errorf("drained %+v", out)
	}
	never.Count = l.Count - 1
	never.See(2, never.Touch("run", 2, memory.Edit, "b.go"))
	if what := l.Figures(l.Place).Differ(never.Figures(l.Place)); what != "" {
		t.Errorf("with and without what nobody knows differ in %s", what)
	}
	l.LearnAnew(l.Place)
	never.LearnAnew(l.Place)
	if what := l.Figures(l.Place).Differ(never.Figures(l.Place)); what != "" {
		t.Errorf("rebuilt, they differ in %s", what)
	}
	export, other := l.Exported(), braintest.NewLab(t)
	other.Imports(export, true)
	if here, there := travelling(l), travelling(other); !maps.Equal(here, there) || len(here) != 5 {
		t.Errorf("%v was exported, %v imported", here, there)
	}
	kept := slices.DeleteFunc(other.Events(), func(e memory.StoredEvent) bool { return e.Kind != memory.Unknown })
	if len(kept) != 2 {
		t.Fatalf("kept %+v", kept)
	}
	for _, e := range kept {
		want := newVersion
		if e.Version == 0 {
			want = strings.Replace(newKind, "ghp_0123456789abcdefghijklmnopqrstuvwxyz", scrub.Clean("ghp_0123456789abcdefghijklmnopqrstuvwxyz"), 1)
		}
		if e.Text != want {
			t.Errorf("kept %s\nwant %s", e.Text, want)
		}
	}
}

// The clock of a machine is a year ahead for one session, and one event of another machine is dated a year ahead. Then work goes on.
func TestAClockAheadDoesNotWinForEver(t *testing.T) {
	t.Parallel()
	const year = 365 * braintest.DayMinutes
	l := braintest.NewLab(t)
	l.See(10, l.Touch("before", 1, memory.Edit, "old.go"))
	ahead := l.Touch("other", year, memory.Edit, "other.go")
	l.See(20, ahead)
	l.See(year, l.Touch("wrong", year-2, memory.Edit, "wrong.go"), l.Touch("wrong", year-1, memory.Read, "wrong.go"))
	braintest.Must(l, steward.Sleep, sleep.SleepInput{})
	slept := 0
	for day := range 12 {
		minutes := float64((day + 1) * braintest.DayMinutes)
		run := fmt.Sprint("right ", day)
		out := l.Drains(minutes+60, steward.DrainInput{Sleep: true}, l.Touch(run, minutes, memory.Edit, "new.go"), l.Touch(run, minutes+1, memory.Read, "new.go"), l.Say(run, minutes+2, memory.SessionEnded, ""))
		if out.Slept != nil {
			slept++
		}
		if len(out.Failed) > 0 {
			t.Errorf("day %d: %+v", day, out.Failed)
		}
	}
	if slept < 10 {
		t.Errorf("slept on %d of 12 days", slept)
	}
	for _, e := range l.Events() {
		if e.ID == ahead.ID && (!e.Ahead.Equal(ahead.At) || !e.At.Equal(braintest.Start.Add(20*time.Minute))) {
			t.Errorf("the event ahead counts at %s, and says %s", e.At, e.Ahead)
		}
	}
	must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
		days, err1 := tx.WorkDays(t.Context(), l.Place.Project())
		hot, err2 := tx.HeatOf(t.Context(), []memory.NeuronID{
			memory.NewNeuronID(l.Place.Project(), memory.FileNeuron, "new.go"), memory.NewNeuronID(l.Place.Project(), memory.FileNeuron, "wrong.go"), memory.NewNeuronID(l.Place.Project(), memory.FileNeuron, "other.go"),
		})
		if len(days) < 12 || len(days) > 14 || days[len(days)-1] > memory.Day(l.Clock) {
			t.Errorf("days of work: %v", days)
		}
		var newest memory.NeuronID
		for id, h := range hot {
			if newest == 0 || h.Heat > hot[newest].Heat {
				newest = id
			}
		}
		if newest != memory.NewNeuronID(l.Place.Project(), memory.FileNeuron, "new.go") {
			t.Errorf("the hottest is not new.go: %+v", hot)
		}
		return errors.Join(err1, err2)
	}))
	latest := l.Sessions()[0]
	t.Logf("latest session %s %s; project %+v", latest.AgentSession, latest.LastEventAt, l.ProjectNow())
	if latest.AgentSession != "right 11" {
		t.Errorf("the latest session is %q of %s", latest.AgentSession, latest.LastEventAt)
	}
}
