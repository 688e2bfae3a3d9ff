package brain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

func (l *lab) asks(query string) SearchResult {
	l.t.Helper()
	l.clock = l.clock.Add(time.Minute)
	out, err := Run(l.t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: query, Limit: 10, Asker: memory.OriginAgent})
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func (l *lab) gapsOf(kind dream.GapKind) (found []dream.Gap) {
	l.t.Helper()
	gaps, err := Run(l.t.Context(), l.Brain, Gaps, l.scope())
	if err != nil {
		l.t.Fatal(err)
	}
	for _, g := range gaps {
		if g.Kind == kind {
			found = append(found, g)
		}
	}
	return found
}

func TestASearchWithoutAnAnswerIsAGapUntilItIsAnswered(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	for _, text := range []string{
		"The gateway refreshes tokens at midnight UTC", "We decided to keep prices in cents", "The staging server is called oslo",
		"Deploys happen on Tuesdays", "The till speaks French",
	} {
		l.note(text, false)
	}
	l.asks("staging server")                                       // answered: no gap
	l.asks("kind:decision kubernetes ingress")                     // narrowed: says nothing of what is known
	l.asks("kubernetes ingress controller password=hunter2secret") // scrubbed
	l.asks("invoice archive retention")
	l.asks("retention of the invoice archive")
	gaps := l.gapsOf(dream.GapSearch)
	if len(gaps) != 2 || gaps[0].Times != 2 || gaps[0].Origin != memory.OriginAgent || strings.Contains(gaps[1].Text, "hunter2") {
		t.Fatalf("gaps %+v", gaps)
	}
	out := l.dreams(DreamInput{})
	if !strings.Contains(out.State, "No answer yet (agent): “retention of the invoice archive” (asked 2 times)") {
		t.Errorf("the state does not tell the gap:\n%s", out.State)
	}
	l.clock = l.clock.Add(time.Hour)
	l.note("The retention of the invoice archive is ten years", false)
	if gaps := l.gapsOf(dream.GapSearch); len(gaps) != 1 {
		t.Errorf("what was said since answers, yet %+v", gaps)
	}
	if out := l.dreams(DreamInput{Force: true}); strings.Contains(out.State, "No answer yet: `retention") {
		t.Errorf("the gap is still told:\n%s", out.State)
	}
	l.asks("invoice archive retention")
	l.note("Kubernetes ingress runs in oslo", false)
	l.asks("kubernetes ingress controller password=hunter2secret")
	gaps, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]dream.Gap, error) { return askedInVain(t.Context(), tx, l.place.Project()) })
	if text := fmt.Sprint(gaps); err != nil || strings.Contains(text, "invoice") {
		t.Errorf("an answered search is still remembered: %q, %v", text, err)
	}
}

func TestErrorsQuestionsAndFilesAreGaps(t *testing.T) {
	l := newLab(t)
	failed := func(minute float64) memory.Event {
		e := l.event(memory.ToolFailed, minute)
		e.Tool, e.Input, e.Text = "Bash", "make sync", "Error: connect ECONNREFUSED 10.0.0.7:5432"
		return e
	}
	prompt := l.event(memory.Prompted, 3)
	prompt.Origin, prompt.Text = memory.OriginUser, "Why is it slow? It is not clear why the till rounds twice."
	l.see(4, failed(0), failed(1), prompt)
	for n := range 10 {
		l.see(10+float64(n), l.worked(fmt.Sprint("run", n), 10+float64(n), "till/round.go")...)
	}
	l.note("Who owns the price feed?", false)
	if got := l.gapsOf(dream.GapError); len(got) != 1 || got[0].Times != 2 || !strings.Contains(got[0].Text, "ECONNREFUSED") {
		t.Errorf("errors %+v", got)
	}
	questions := l.gapsOf(dream.GapQuestion)
	if len(questions) != 2 || questions[0].Text != "Who owns the price feed?" || questions[1].Text != "It is not clear why the till rounds twice." {
		t.Errorf("questions %+v", questions)
	}
	if got := l.gapsOf(dream.GapFile); len(got) != 1 || got[0].Text != "till/round.go" {
		t.Errorf("files %+v", got)
	}
	l.note("till/round.go rounds prices half to even", false)
	if got := l.gapsOf(dream.GapFile); len(got) != 0 {
		t.Errorf("something is said of it, yet %+v", got)
	}
}

func TestWhatIsForgottenIsNoGap(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	said := l.note("The acquisition codename is Bluefin", false)
	l.asks("acquisition codename of the northern warehouse partner")
	if len(l.gapsOf(dream.GapSearch)) != 1 {
		t.Fatal("no gap to begin with")
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{IDs: []memory.EventID{memory.EventID(said.ID)}, Apply: true}); err != nil {
		t.Fatal(err)
	}
	if got := l.gapsOf(dream.GapSearch); len(got) != 0 {
		t.Errorf("it lives on as a gap: %+v", got)
	}
}
