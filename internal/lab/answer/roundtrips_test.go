package answer_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// mostTurns is what a prompt may cost with a server far away: one to log in, one for all that is known to be needed, one for the reasons of
// the files that ranking chose, one for what a young project knows of those files, and one for the code that the memories it shows speak of.
const mostTurns = 5

func TestAPromptTakesFewRoundTrips(t *testing.T) {
	for _, commits := range []int{10, 60} {
		t.Run(fmt.Sprint(commits, " commits"), func(t *testing.T) { takesFewRoundTrips(t, commits, "", mostTurns) })
	}
	t.Run("behind PgBouncer", func(t *testing.T) {
		pooled := os.Getenv("HEBB_TEST_PGBOUNCER")
		if pooled == "" {
			t.Skip("=== NOT RUN: round trips behind PgBouncer, for want of one. Run: make test ===")
		}
		takesFewRoundTrips(t, 60, pooled, mostTurns) // a pooler waits for the end of the transaction, and this project is not young
	})
}

func takesFewRoundTrips(t *testing.T, commits int, server string, most int) {
	l := far(t, commits)
	e := l.Prompt("run", mailPrompt+". Fix the redirect of the login, too. It ends with\n"+braintest.Fault)
	text, asked := answeredFromAfar(t, l, server, e)
	for _, want := range []string{"web/redirect.go fixed", "changed in “shipping", mailRule} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing about %q in\n%s", want, text)
		}
	}
	if asked > most {
		t.Errorf("a prompt takes %d round trips, want %d at most", asked, most)
	}
}

func TestOtherMomentsTakeFewRoundTrips(t *testing.T) {
	l := far(t, 60)
	for kind, most := range map[memory.EventKind]int{
		memory.SessionStarted: 11, memory.SubagentBegan: 6, memory.ToolPlanned: 3, memory.ToolFailed: 2,
	} {
		e := l.Prompt("run", braintest.Fault+"\n\tweb/redirect.go:7 +0x1d")
		e.Kind = kind
		switch kind {
		case memory.SubagentBegan:
			e.Subagent = "helper"
		case memory.ToolPlanned, memory.ToolFailed:
			e.Origin, e.Tool, e.Input, e.Touches = memory.OriginTool, "Bash", "go test ./web", braintest.Changed("web/login.go")
		}
		text, asked := answeredFromAfar(t, l, "", e)
		if text == "" || asked > most {
			t.Errorf("%s takes %d round trips, want %d at most, for\n%s", kind, asked, most, text)
		}
	}
}

// A store in which a person has said much, in sessions that ended without an answer, costs a start and an edit no more round trips.
func TestManyPromptsCostNoRoundTrips(t *testing.T) {
	l := far(t, 60)
	for i := range 300 {
		run := fmt.Sprint("earlier", i)
		at := float64(-9000 + 20*i)
		l.Observe(l.Say(run, at, memory.Prompted, fmt.Sprintf("It is unclear why parser number %d drops empty lines.", i)),
			l.Touch(run, at+1, memory.Edit, fmt.Sprintf("web/session%d.go", i%5)))
		if i%3 == 0 {
			l.Observe(l.Say(run, at+2, memory.TurnEnded, "I have looked at the login and its redirect."))
		}
		l.Observe(l.Say(run, at+3, memory.SessionEnded, ""))
	}
	start := l.Prompt("run", "")
	start.Kind, start.Origin = memory.SessionStarted, memory.OriginTool
	edit := l.Prompt("run", "")
	edit.Kind, edit.Origin, edit.Tool, edit.Touches = memory.ToolPlanned, memory.OriginTool, "Edit", braintest.Changed("web/login.go")
	for _, c := range []struct {
		of   memory.Event
		says string
		most int
	}{{start, mailRule, 11}, {edit, "must never redirect twice", 3}} {
		if text, asked := answeredFromAfar(t, l, "", c.of); !strings.Contains(text, c.says) || asked > c.most {
			t.Errorf("%s takes %d round trips, want %d at most, and %q in\n%s", c.of.Kind, asked, c.most, c.says, text)
		}
	}
}

// far is a lab on a server, with a session that has begun in a project that knows something of everything.
func far(t *testing.T, commits int) *braintest.Lab {
	t.Helper()
	l := braintest.NewServerLab(t, "turns")
	l.Config.Tuning.Hook.Holdout, l.Config.Tuning.Hook.Precision = 0, 1e-9
	var past []memory.Event
	for i := range commits {
		past = append(past, l.Commit(float64(-100-i), "login: fix the redirect", braintest.Changed("web/login.go", fmt.Sprintf("web/session%d.go", i%5))...))
	}
	l.Observe(append(past, l.Commit(-200, "shipping: let the request handler send emails when an order is shipped", braintest.Changed("web/shipping.go")...))...)
	l.Fixed("web/redirect.go")
	remembers(l, statements.RememberInput{Kind: memory.Rule, Text: mailRule},
		statements.RememberInput{Kind: memory.Rule, Text: "web/login.go must never redirect twice"})
	for _, text := range []string{"look at the login", "then at the redirect"} {
		l.Observe(l.Say("run", l.Clock.Sub(braintest.Start).Minutes(), memory.Prompted, text), l.Touch("run", 0, memory.Edit, "web/login_test.go"))
	}
	return l
}

// answeredFromAfar is the answer to an event as a hook gets it, which must be the one that a process on the server's side gets, and the round
// trips that it took.
func answeredFromAfar(t *testing.T, l *braintest.Lab, server string, e memory.Event) (text string, asked int) {
	t.Helper()
	near, err := steward.Run(t.Context(), l.Brain, answer.Moment, e)
	if err != nil {
		t.Fatal(err)
	}
	c := l.Config
	gate := braintest.NewGate(t, cmp.Or(server, c.Store))
	c.Store = gate.URL
	b := must.Get(brain.OpenReadOnly(t.Context(), c, func() time.Time { return l.Clock }))(t)
	out, err := steward.Run(t.Context(), b, answer.Moment, e)
	asked = gate.Turns()
	must.Do(t, errors.Join(err, b.Close()))
	if out.Text != near.Text {
		t.Errorf("a hook is answered with\n%swant\n%s", out.Text, near.Text)
	}
	t.Logf("%s: %d round trips", e.Kind, asked)
	return out.Text, asked
}
