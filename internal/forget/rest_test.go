package forget_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func doctorSays(l *braintest.Lab, name string) (detail string) {
	l.T.Helper()
	for _, f := range inspect.Doctor(l.T.Context(), l.Config, func() time.Time { return l.Clock }, nil, inspect.DoctorInput{Dir: l.T.TempDir()}) {
		if f.Name == name {
			detail += f.Detail
		}
	}
	return detail
}

// A project whose log cannot be learned from is tried once a day, has its line, and keeps sleep from nothing else.
func TestARebuildThatFailsRests(t *testing.T) {
	l, bank := braintest.NewLab(t), memory.Place{Identity: "/bank/.git", Root: "/bank"}
	l.Numbers.BalanceLeast, l.Numbers.MyelinTarget = 2, .01
	project := l.Place.Project()
	var there []memory.Event
	for _, e := range l.SomeWork() {
		if e.Kind != memory.Committed {
			e.ID, e.Place = memory.DerivedEventID("bank", string(e.ID)), bank
			there = append(there, e)
		}
	}
	l.See(60, append(l.SomeWork(), there...)...)
	broken := memory.DerivedEventID("broken")
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		if err := record.MarkAnew(t.Context(), tx, project); err != nil {
			return err
		}
		_, err := tx.InsertEvent(t.Context(), memory.StoredEvent{Project: project, Event: memory.Event{
			ID: broken, At: l.Clock, Kind: memory.Wired, Tool: string(memory.OriginImport), Origin: memory.OriginTool, Agent: memory.AgentHebb, Text: "no hints",
		}}, nil)
		return err
	}))
	mark := func() record.Mark {
		return must.Get(brain.View(t.Context(), l.Store, func(tx *store.Tx) (record.Mark, error) { return record.Anew.Of(project).Get(t.Context(), tx) }))(t)
	}
	if says := doctorSays(l, "rebuild"); !strings.HasPrefix(says, "shop waits to be rebuilt from its log since") {
		t.Errorf("before, the doctor says %q", says)
	}
	if out := l.Drains(61, steward.DrainInput{Think: true}); len(out.Failed) != 1 || out.Failed[0].Job != "rebuilding" {
		t.Fatalf("failed: %+v", out.Failed)
	}
	first := mark()
	if out := l.Drains(100, steward.DrainInput{Think: true}); len(out.Failed) > 0 || mark() != first || first.Problem == "" {
		t.Errorf("at once again: %+v, the mark is %+v", out.Failed, mark())
	}
	if says := doctorSays(l, "rebuild"); !strings.Contains(says, "shop could not be rebuilt at") || !strings.Contains(says, "the old figures serve") {
		t.Errorf("the doctor says %q", says)
	}
	here, elsewhere := l.Figures(l.Place), l.Figures(bank)
	if slept := braintest.Must(l, steward.Sleep, sleep.SleepInput{}); slept.Busy || !slept.Homeostasis.MyelinScaled {
		t.Errorf("slept: %+v", slept)
	}
	if what := here.Differ(l.Figures(l.Place)); what != "" {
		t.Errorf("sleep has changed the project: %s", what)
	}
	if elsewhere.Differ(l.Figures(bank)) == "" {
		t.Error("sleep has not changed the other project")
	}
	if l.Drains(61+25*60, steward.DrainInput{Think: true}); !mark().Failed.After(first.Failed) {
		t.Errorf("a day later it was not tried: %+v", mark())
	}
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.Forget(t.Context(), store.EventFilter{ID: broken})
		return err
	}))
	braintest.Must(l, steward.Rebuild, brain.Scope{Project: project.String()})
	if says := doctorSays(l, "rebuild"); says != "" || mark() != (record.Mark{}) {
		t.Errorf("afterwards the doctor says %q", says)
	}
	slept := l.Figures(l.Place)
	l.LearnAnew(l.Place)
	if what := slept.Differ(l.Figures(l.Place)); what != "" || here.Differ(slept) == "" {
		t.Errorf("the sleep that was passed over was not repeated once: %s", what)
	}
}

// Forgetting hides what is forgotten at once; the figures follow in the background.
func TestForgettingReturnsBeforeTheRebuild(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(60, append(l.SomeWork(), l.Touch("three", 40, memory.Edit, "secret/plan.go"), l.Say("three", 43, memory.SessionEnded, ""))...)
	braintest.Must(l, steward.Forget, forget.ForgetInput{Session: "three", Apply: true})
	for _, n := range l.Learned().Neurons {
		if n.Key == "secret/plan.go" {
			t.Errorf("it is still there: %+v", n)
		}
	}
	if says := doctorSays(l, "rebuild"); !strings.Contains(says, "waits to be rebuilt") {
		t.Errorf("the doctor says %q", says)
	}
	l.See(61)
	if says := doctorSays(l, "rebuild"); says == "" {
		t.Error("a command that reads has rebuilt it")
	}
	if l.Drains(62, steward.DrainInput{Sleep: true}); doctorSays(l, "rebuild") != "" {
		t.Error("the background has not rebuilt it")
	}
}
