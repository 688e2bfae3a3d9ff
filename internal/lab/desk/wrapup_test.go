package desk_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func TestAnAgentsNextStepsStandBesideThePersons(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("one", 0, "till.go")...)
	l.Wrap(desk.WrapUpInput{Next: "Test the till."})
	out := l.Wrap(desk.WrapUpInput{Next: "Rotate the signing keys.\n- Test the till.", Learned: "The clock of the till runs late.", Origin: memory.OriginAgent})
	if s := out.Session; s.Next != "Test the till." || s.SummaryBy != memory.OriginUser {
		t.Errorf("the person's words are %q, summary by %s", s.Next, s.SummaryBy)
	}
	if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "kept as a note") {
		t.Errorf("the agent receives %q", out.Warnings)
	}
	found, err := steward.Run(t.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: "rotate signing keys"})
	if err != nil || len(found.Found) == 0 || found.Found[0].Text != "Next: Rotate the signing keys." || found.Found[0].Origin != memory.OriginAgent {
		t.Errorf("found %+v, %v", found.Found, err)
	}
	if out.Lesson == "" {
		t.Error("what the agent learned is not kept")
	}
}

func TestWhatAnAgentSaysHappenedIsKeptBesideThePersonsWords(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(2, l.Asked("run", "fix the till of the shop", 1))
	first := l.Wrap(desk.WrapUpInput{Next: "Test the till."}).Session // and rules say what happened
	out := l.Wrap(desk.WrapUpInput{Happened: "The drawer spring of the till was replaced.", Origin: memory.OriginAgent})
	if out.Session.Happened != first.Happened || len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "kept as a note") {
		t.Errorf("happened %q, warned %q: want what stood there, and to hear of the note", out.Session.Happened, out.Warnings)
	}
	found, err := steward.Run(t.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: "drawer spring"})
	if err != nil || len(found.Found) == 0 || found.Found[0].Text != "The drawer spring of the till was replaced." || found.Found[0].Origin != memory.OriginAgent {
		t.Errorf("%+v, %v: want the agent's word", found.Found, err)
	}
}

func TestStepsOfAnEarlierWordStayUntilTheyAreDone(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("one", 0, "till.go")...)
	l.Wrap(desk.WrapUpInput{Next: "- Rotate the signing keys.\n- Write the migration guide.", Origin: memory.OriginAgent})
	out := l.Wrap(desk.WrapUpInput{Next: "Publish the release.", Origin: memory.OriginAgent})
	if want := "Publish the release.\n- Rotate the signing keys.\n- Write the migration guide."; out.Session.Next != want {
		t.Errorf("next is %q, want %q", out.Session.Next, want)
	}
	// Whoever says it again word for word says nothing new.
	if again := l.Wrap(desk.WrapUpInput{Next: out.Session.Next, Origin: memory.OriginAgent}); again.Session.Next != out.Session.Next {
		t.Errorf("next is %q", again.Session.Next)
	}
	if again := l.Wrap(desk.WrapUpInput{Next: "rotate the signing keys\n- tell everybody", Origin: memory.OriginAgent}); strings.Count(strings.ToLower(again.Session.Next), "rotate") != 1 {
		t.Errorf("next is %q", again.Session.Next)
	}
	for _, g := range l.Goals(false).Goals {
		if strings.Contains(g.Goal.Title, "guide") {
			braintest.Must(l, goals.ChangeGoal, goals.GoalChange{Scope: l.Scope(), Goal: string(g.Goal.ID), Status: memory.GoalDone, Progress: -1})
		}
	}
	out = l.Wrap(desk.WrapUpInput{Next: "Rest.", Origin: memory.OriginAgent})
	if !strings.Contains(out.Session.Next, "ublish the release") || strings.Contains(out.Session.Next, "guide") {
		t.Errorf("next is %q: want what is open", out.Session.Next)
	}
}

// The person's next prompt may have taken back what the agent meant to do.
func TestWhatIsNextStandsInTheLastWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ last, want string }{{"It has its own table now.", ""}, {"It has its own table. Still to do: rotate the keys.", "(agent): “Still to do: rotate the keys.”"}} {
		l := braintest.NewLab(t)
		turn := func(minutes float64, text string) memory.Event {
			e := l.Of("one", l.Event(memory.TurnEnded, minutes))
			e.Origin, e.Text = memory.OriginAgent, text
			return e
		}
		l.See(9, l.Asked("one", "add idempotency keys", 1), l.Touched("one", memory.Edit, 2, "pay/refund.go"),
			turn(3, "The key is checked.\n\nNext steps:\n- add a column to the orders table"),
			l.Asked("one", "yes do that, but not in the orders table, use its own table", 4), turn(5, c.last), l.Of("one", l.Event(memory.SessionEnded, 6)))
		if next := shelved(t, l).Next; next != c.want {
			t.Errorf("next is %q, want %q", next, c.want)
		}
	}
	l := braintest.NewLab(t)
	e := l.Of("one", l.Event(memory.TurnEnded, 2))
	e.Origin, e.Text = memory.OriginAgent, "The key is checked.\n\nNext steps:\n- add a column to the orders table"
	l.See(9, l.Asked("one", "add idempotency keys", 1), e, l.Asked("one", "not in the orders table", 4), l.Of("one", l.Event(memory.SessionEnded, 6)))
	if next := shelved(t, l).Next; next != "" {
		t.Errorf("next is %q", next)
	}
}

func shelved(t *testing.T, l *braintest.Lab) memory.Session {
	t.Helper()
	sessions, err := steward.Run(t.Context(), l.Brain, desk.Shelf, desk.ShelfInput{Scope: l.Scope()})
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%+v, %v", sessions, err)
	}
	return sessions[0]
}

func TestAnErrorIsFixedIfItPassedAndDidNotComeBack(t *testing.T) {
	t.Parallel()
	const failed, narrow, wide = "--- FAIL: TestRefundTwice (0.00s)\n    refund_test.go:33: charged twice", "go test -run TestRefundTwice ./internal/pay", "go test ./internal/pay"
	type call struct{ line, problem string }
	for name, c := range map[string]struct {
		calls []call
		open  bool
	}{
		"a wider command passes":     {[]call{{narrow, failed}, {"edit", ""}, {wide, ""}}, false},
		"two commands met it":        {[]call{{"make test", failed}, {narrow, failed}, {"edit", ""}, {narrow, ""}}, false},
		"a narrower command passes":  {[]call{{wide, failed}, {"edit", ""}, {"go test -run TestOther ./internal/pay", ""}}, true},
		"it came back":               {[]call{{narrow, failed}, {"edit", ""}, {narrow, ""}, {wide, failed}}, true},
		"it came back and was fixed": {[]call{{narrow, failed}, {"edit", ""}, {narrow, ""}, {wide, failed}, {"edit", ""}, {wide, ""}}, false},
	} {
		l := braintest.NewLab(t)
		events := []memory.Event{l.Asked("one", "refund only once, please", 0)}
		for i, call := range c.calls {
			at := float64(i + 1)
			if call.line == "edit" {
				events = append(events, l.Touched("one", memory.Edit, at, "internal/pay/refund.go"))
				continue
			}
			e := l.Of("one", l.Event(memory.ToolUsed, at))
			if e.Tool, e.Input, e.Text = "Bash", call.line, call.problem; call.problem != "" {
				e.Kind = memory.ToolFailed
			}
			events = append(events, e)
		}
		l.See(20, append(events, l.Of("one", l.Event(memory.SessionEnded, 10)))...)
		s := shelved(t, l)
		if strings.Contains(s.Learned, "TestRefundTwice failed; fixed in internal/pay/refund.go") == c.open || strings.Contains(s.Next, "ailing") { // what is open is asked when it is shown
			t.Errorf("%s: happened %q, learned %q, next %q", name, s.Happened, s.Learned, s.Next)
		}
	}
}

func TestAPromptWithoutATaskIsNotWhatASessionWasAbout(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(9, l.Asked("one", "go on", 1), l.Touched("one", memory.Edit, 2, "pay/refund.go"), l.Of("one", l.Event(memory.SessionEnded, 3)))
	if happened := shelved(t, l).Happened; !strings.Contains(happened, "hanged pay/refund.go") || strings.Contains(happened, "go on") {
		t.Errorf("happened %q", happened)
	}
	l = braintest.NewLab(t)
	l.See(9, l.Asked("one", "go on", 1), l.Of("one", l.Event(memory.SessionEnded, 3)))
	sessions, err := steward.Run(t.Context(), l.Brain, desk.Shelf, desk.ShelfInput{Scope: l.Scope()})
	if err != nil || len(sessions) > 0 && sessions[0].Happened != "" {
		t.Errorf("%+v, %v", sessions, err)
	}
}
