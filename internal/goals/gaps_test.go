package goals_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestASearchWithoutAnAnswerIsAGapUntilItIsAnswered(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	for _, text := range []string{
		"The gateway refreshes tokens at midnight UTC", "We decided to keep prices in cents", "The staging server is called oslo",
		"Deploys happen on Tuesdays", "The till speaks French",
	} {
		l.Note(text, false)
	}
	l.Asks("staging server")                                       // answered: no gap
	l.Asks("kind:decision kubernetes ingress")                     // narrowed: says nothing of what is known
	l.Asks("kubernetes ingress controller password=hunter2secret") // scrubbed
	l.Asks("invoice archive retention")
	l.Asks("retention of the invoice archive")
	gaps := l.GapsOf(dream.GapSearch)
	if len(gaps) != 2 || gaps[0].Times != 2 || gaps[0].Origin != memory.OriginAgent || strings.Contains(gaps[1].Text, "hunter2") {
		t.Fatalf("gaps %+v", gaps)
	}
	out := l.Dreams(dreams.DreamInput{})
	if !strings.Contains(out.State, "No answer yet (agent): “retention of the invoice archive” (asked 2 times)") {
		t.Errorf("the state does not tell the gap:\n%s", out.State)
	}
	l.Clock = l.Clock.Add(time.Hour)
	l.Note("The retention of the invoice archive is ten years", false)
	if gaps := l.GapsOf(dream.GapSearch); len(gaps) != 1 {
		t.Errorf("what was said since answers, yet %+v", gaps)
	}
	if out := l.Dreams(dreams.DreamInput{Force: true}); strings.Contains(out.State, "No answer yet: `retention") {
		t.Errorf("the gap is still shown:\n%s", out.State)
	}
	l.Asks("invoice archive retention")
	l.Note("Kubernetes ingress runs in oslo", false)
	l.Asks("kubernetes ingress controller password=hunter2secret")
	gaps, err := brain.View(t.Context(), l.Brain, func(tx *store.Tx) ([]dream.Gap, error) { return goals.GapsFact(l.Place.Project()).Get(t.Context(), tx) })
	if text := fmt.Sprint(gaps); err != nil || strings.Contains(text, "invoice") {
		t.Errorf("an answered search is still remembered: %q, %v", text, err)
	}
}

func TestErrorsQuestionsAndFilesAreGaps(t *testing.T) {
	l := braintest.NewLab(t)
	failed := func(minute float64) memory.Event {
		e := l.Event(memory.ToolFailed, minute)
		e.Tool, e.Input, e.Text = "Bash", "make sync", "Error: connect ECONNREFUSED 10.0.0.7:5432"
		return e
	}
	prompt := l.Event(memory.Prompted, 3)
	prompt.Origin, prompt.Text = memory.OriginUser, "Why is it slow? It is not clear why the till rounds twice."
	l.See(4, failed(0), failed(1), prompt)
	for n := range 10 {
		l.See(10+float64(n), l.Worked(fmt.Sprint("run", n), 10+float64(n), "till/round.go")...)
	}
	l.Note("Who owns the price feed?", false)
	if got := l.GapsOf(dream.GapError); len(got) != 1 || got[0].Times != 2 || !strings.Contains(got[0].Text, "connection refused") {
		t.Errorf("errors %+v", got)
	}
	questions := l.GapsOf(dream.GapQuestion)
	if len(questions) != 2 || questions[0].Text != "Who owns the price feed?" || questions[1].Text != "It is not clear why the till rounds twice." {
		t.Errorf("questions %+v", questions)
	}
	if got := l.GapsOf(dream.GapFile); len(got) != 1 || got[0].Text != "till/round.go" {
		t.Errorf("files %+v", got)
	}
	l.Note("till/round.go rounds prices half to even", false)
	if got := l.GapsOf(dream.GapFile); len(got) != 0 {
		t.Errorf("something is said of it, yet %+v", got)
	}
}

func TestWhatIsForgottenIsNoGap(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	said := l.Note("The acquisition codename is Bluefin", false)
	l.Asks("acquisition codename of the northern warehouse partner")
	if len(l.GapsOf(dream.GapSearch)) != 1 {
		t.Fatal("no gap to begin with")
	}
	if _, err := steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(said.ID)}, Apply: true}); err != nil {
		t.Fatal(err)
	}
	if got := l.GapsOf(dream.GapSearch); len(got) != 0 {
		t.Errorf("it lives on as a gap: %+v", got)
	}
}
