package answer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// However much agents keep, the person's lines stand at the start, and before those of agents in each section.
func TestAgentsDoNotCrowdThePersonOut(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Remember("never delete the prod database")
	braintest.Must(l.Lab, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: "Rotate the tokens of the billing service"})
	for i := range 20 {
		l.Passes(time.Minute)
		l.Remember(fmt.Sprintf("the printer number %d of the shop needs the toner %d", i, 3*i), braintest.By(memory.OriginAgent))
	}
	for _, title := range []string{"Make the printer faster", "Paint the northern wall blue", "Buy a larger desk", "Read the letters of yesterday"} {
		braintest.Must(l.Lab, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: title, Tractability: 1, Origin: memory.OriginAgent})
	}
	for i := range 30 {
		_, err := steward.Run(t.Context(), l.Brain, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: fmt.Sprintf("Clean room %d of house %d", i, i*i), Origin: memory.OriginAgent})
		if refused := errors.Is(err, memory.ErrRefused); refused != (i >= 16) {
			t.Fatalf("goal %d of an agent: %v", i+5, err)
		}
	}
	text := braintest.Must(l.Lab, answer.StartContext, answer.ContextInput{Scope: l.Scope(), Asked: true}).Text
	for _, want := range []string{"### Goals\n- user, 15 Nov: “Rotate the tokens", "### Noted\n- user, 15 Nov: “never delete the prod database”\n- agent, "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Of the words of agents a start has a third at most, and of one that is very long it looks at the beginning.
func TestAgentsHaveAShareOfAStart(t *testing.T) {
	t.Parallel()
	agents := func(n int) (items []answer.Item) {
		for i := range n {
			items = append(items, answer.Item{Text: fmt.Sprintf("- agent %d %s", i, strings.Repeat("x", 80)), Agents: true})
		}
		return items
	}
	own := func(words string) answer.Item { return answer.Item{Text: "- user: " + words} }
	slots := []answer.Slot{
		{Title: "Goals", Cap: 600, Items: append(agents(40), own("rotate the tokens"))},
		{Title: "Noted", Cap: 800, Items: append(agents(90), own("never delete "+strings.Repeat("it", 100)))},
		{Title: "Pages", Cap: 1000, Items: []answer.Item{own("a page")}},
	}
	for _, total := range []int{600, 1200, 4000, 8000} {
		text := answer.Compose(slots, total, float64(total)/8000)
		theirs, slot := 0, ""
		for line := range strings.Lines(text) {
			switch {
			case strings.HasPrefix(line, "### "):
				slot = line
			case strings.HasPrefix(line, "- agent"):
				theirs += len(line)
				slot += "agent"
			case strings.Contains(slot, "agent") && line != "\n":
				t.Errorf("%d bytes: agents come before %q", total, line)
			}
		}
		if theirs > total/3 || theirs == 0 || strings.Count(text, "- user: ") != 3 {
			t.Errorf("%d bytes, %d of agents:\n%s", total, theirs, text)
		}
	}
}

// What is read of a start's notes does not grow with their length: only its beginning can become a line.
func TestAStartLooksAtTheBeginningOfLongNotes(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Remember("why does the till stop at night in winter? " + strings.Repeat("and so on ", 2000) + " why does the printer stop at noon in summer?")
	text := braintest.Must(l.Lab, answer.StartContext, answer.ContextInput{Scope: brain.Scope{Dir: l.Dir}, Asked: true, Mode: "full"}).Text
	if !strings.Contains(text, "till stop at night") || strings.Contains(text, "printer stop") {
		t.Errorf("a start with a long note:\n%.3000s", text)
	}
}

// What agents keep, in numbers or length, does not hide the person's rule at the moment when a call goes against it.
func TestARuleIsShownAmongManyOfAgents(t *testing.T) {
	l := newSite(t)
	l.remember(memory.Rule, "never force-push to main")
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		for i := range 220 {
			c := memory.Crystal{
				Project: l.Place.Project(), Kind: memory.Rule, Text: fmt.Sprintf("the printer number %d needs the toner %d", i, 3*i), Origin: memory.OriginAgent,
				Importance: 0.8, Lifecycle: memory.Generated, SaidAt: l.Clock.Add(time.Duration(i) * time.Second),
			}
			if _, err := statements.AddCrystal(t.Context(), tx, c); err != nil {
				return err
			}
		}
		return nil
	}))
	shows(t, "a push", l.runs("push", "git push --force origin main"), "never force-push to main")
}
