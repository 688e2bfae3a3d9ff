package desk_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
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
	out := l.Wrap(desk.WrapUpInput{Happened: "Wrote the migration guide.", Next: "Publish the release.", Origin: memory.OriginAgent})
	if want := "Publish the release.\n- Rotate the signing keys."; out.Session.Next != want {
		t.Errorf("next is %q, want %q", out.Session.Next, want)
	}
	// Whoever says it again word for word says nothing new.
	if out = l.Wrap(desk.WrapUpInput{Next: out.Session.Next, Origin: memory.OriginAgent}); strings.Count(out.Session.Next, "\n") != 1 {
		t.Errorf("next is %q", out.Session.Next)
	}
}

func TestWhatAnEarlierTurnLeftStaysWhenALaterOneEndsTheSession(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	turn := func(minutes float64, text string) memory.Event {
		e := l.Of("one", l.Event(memory.TurnEnded, minutes))
		e.Origin, e.Text = memory.OriginAgent, text
		return e
	}
	l.See(9, l.Asked("one", "fix the login", 1), l.Touched("one", memory.Edit, 2, "auth/login.go"),
		turn(3, "The login works.\n\nStill to do: rotate the signing keys. Still to do: describe the install in the readme."),
		l.Asked("one", "now the readme", 4), turn(5, "The readme describes the install now."), l.Of("one", l.Event(memory.SessionEnded, 6)))
	sessions, err := steward.Run(t.Context(), l.Brain, desk.Shelf, desk.ShelfInput{Scope: l.Scope()})
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%+v, %v", sessions, err)
	}
	if next := sessions[0].Next; !strings.Contains(next, "rotate the signing keys") || strings.Contains(next, "readme") {
		t.Errorf("next is %q", next)
	}
}
