package sleep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// kept is a project after a week of work: a rule and a decision that the person said, what an agent kept, links, and what fixed an error.
func kept(t *testing.T) *braintest.Lab {
	l := braintest.NewLab(t)
	for day := range 6 {
		run, at := fmt.Sprint("run ", day), float64(day*braintest.DayMinutes)
		w := l.Work(run, at).Prompt([]string{
			"Never push to main without asking me.", "We decided to use SQLite instead of Postgres because laptops have no server.",
			"fix the reader", "fix the parser", "fix the lexer", "fix the printer",
		}[day])
		if day == 4 {
			w = w.Fail("panic: assignment to entry in nil map").Edit("b.go")
		}
		w.Read("a.go", "b.go", "c.go").Edit("a.go").Edit("b.go").End()
	}
	l.On(5.5)
	braintest.Must(l, statements.Remember, statements.RememberInput{
		Scope: braintest.Shop, Text: "the parser needs node 22 because of the regex engine", Kind: memory.Lesson, Origin: memory.OriginAgent,
	})
	braintest.Must(l, statements.Remember, statements.RememberInput{Scope: braintest.Shop, Text: "run the slow tests before a commit until 2026-12-20"})
	braintest.Must(l, steward.Sleep, sleep.SleepInput{})
	return l
}

// holding is what of it holds now: texts and links, and the weight of the weakest.
func holding(l *braintest.Lab) (what string, weight float64) {
	l.T.Helper()
	var texts []string
	braintest.View(l, func(tx *store.Tx) error {
		found, err := tx.Crystals(l.T.Context(), store.CrystalFilter{Living: true, Current: true, OldestFirst: true})
		for _, c := range found {
			texts = append(texts, c.Text[:12])
		}
		slices.Sort(texts)
		return err
	})
	weight = 1.0
	for _, pair := range [][2]string{{"a.go", "b.go"}, {"a.go", "c.go"}, {"b.go", "c.go"}} {
		weight = min(weight, l.Weight(pair[0], pair[1]))
	}
	return fmt.Sprintf("%q and %d links", texts, l.LinkCount()), weight
}

func TestNothingExpiresWhileNobodyWorks(t *testing.T) {
	l := kept(t)
	l.On(6.5) // the day after the last session is over, and the clock stands
	before, was := holding(l)
	for _, day := range []float64{60, 220, 240, 270, 400, 800} {
		l.On(day)
		r := braintest.Must(l, steward.Sleep, sleep.SleepInput{})
		if after, is := holding(l); after != before || is != was || r.Decay.PrunedSynapses+r.Decay.PrunedNeurons+r.Crystals.Expired > 0 {
			t.Errorf("after %v days without a session: %s of %.3f, want %s of %.3f", day, after, is, before, was)
		}
	}
	l.On(801)
	l.Work("again", 801*braintest.DayMinutes).Prompt("fix the printer again").Read("d.go").End()
	braintest.Must(l, steward.Sleep, sleep.SleepInput{})
	before = strings.Replace(before, ` "run the slow"`, "", 1) // this day of work is after its time
	if after, is := holding(l); after != before || is < .97*was || is > was {
		t.Errorf("at work again: %s of %.3f, want %s of %.3f", after, is, before, was)
	}
}

func TestAClockThatIsWrongTakesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		day  float64
		work bool
	}{
		{"a sleep a year ahead", 365, false}, {"a session a year ahead", 365, true},
		{"a sleep a year back", -365, false}, {"a session a year back", -365, true},
	} {
		l := kept(t)
		l.On(6.5)
		before, was := holding(l)
		l.On(c.day)
		if c.work {
			l.Work("wrong", c.day*braintest.DayMinutes).Prompt("fix the lexer again").Read("d.go").End()
		}
		braintest.Must(l, steward.Sleep, sleep.SleepInput{})
		l.On(6.6)
		l.Work("right", 6.6*braintest.DayMinutes).Prompt("fix the lexer once more").Read("d.go").End()
		l.On(6.9)
		braintest.Must(l, steward.Sleep, sleep.SleepInput{})
		if after, is := holding(l); after != before || is < .97*was || is > was {
			t.Errorf("%s: %s of %.3f, want %s of %.3f", c.name, after, is, before, was)
		}
		if latest := l.Sessions()[0].AgentSession; latest != "right" {
			t.Errorf("%s: the latest session is %q", c.name, latest)
		}
	}
}

// A rule fades with days of work if nobody is told it, and stands if agents are told it and nobody contradicts it.
func TestTextsFadeByDaysOfWorkUnlessTheyAreTold(t *testing.T) {
	for _, told := range []bool{false, true} {
		l := kept(t)
		l.Config.Tuning.Hook.Holdout = 0
		rule := braintest.Must(l, inspect.RememberedList, inspect.RememberedInput{Scope: braintest.Shop, Limit: 10}).Rows
		i := slices.IndexFunc(rule, func(r inspect.Remembered) bool { return strings.HasPrefix(r.Text, "Never push") })
		if i < 0 {
			t.Fatalf("no rule among %+v", rule)
		}
		id := rule[i].ID
		for day := 6.5; day < 400; day += 30 {
			l.On(day)
			l.WorkedOn()
			if told {
				tell(l)
			}
			braintest.Must(l, steward.Sleep, sleep.SleepInput{})
		}
		c := crystal(l, id)
		if c.Lifecycle.Living() != told {
			t.Errorf("told %v: after 390 days of work the rule is %s", told, c.Lifecycle)
		}
		if n := l.LinkCount(); n > 0 {
			t.Errorf("told %v: %d links are left after 390 days of work", told, n)
		}
	}
}

func crystal(l *braintest.Lab, id memory.CrystalID) (c memory.Crystal) {
	l.T.Helper()
	braintest.View(l, func(tx *store.Tx) error {
		kept, err := tx.Crystal(l.T.Context(), id)
		c = kept.Crystal
		return err
	})
	return c
}

// tell starts a session, which is shown the rule.
func tell(l *braintest.Lab) {
	l.T.Helper()
	e := l.Event(memory.SessionStarted, 0)
	e.At, e.AgentSession, e.Input = l.Clock, fmt.Sprint("told ", l.Clock.Unix()), "startup"
	if out := l.AnswerTo(e); !strings.Contains(out.Text, "Never push") {
		l.T.Fatalf("on %s a session is not told the rule: %+v", l.Clock, out)
	}
	l.See(l.Clock.Sub(braintest.Start).Minutes(), l.Ends(e.AgentSession))
}
