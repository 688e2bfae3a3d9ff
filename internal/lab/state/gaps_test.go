package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestASearchWithoutAnAnswerIsAGapUntilItIsAnswered(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	asked, answered := l.Say("talk", 4, memory.Prompted, "why is that so slow?"), l.Say("talk", 5, memory.TurnEnded, "The quarterly ledger was read without an index.")
	asked.Origin, answered.Origin = memory.OriginUser, memory.OriginAgent
	l.See(4, asked, answered)
	for _, text := range []string{
		"The gateway refreshes tokens at midnight UTC", "We decided to keep prices in cents", "The staging server is called oslo",
		"Deploys happen on Tuesdays", "The till speaks French",
	} {
		l.Note(text, false)
	}
	l.Asks("the")                                                  // names nothing
	l.Asks("staging server")                                       // answered: no gap
	l.Asks("quarterly ledger index")                               // an agent answered so: no gap
	l.Asks("kind:decision kubernetes ingress")                     // narrowed: says nothing of what is known
	l.Asks("kubernetes ingress controller password=hunter2secret") // scrubbed
	l.Asks("invoice archive retention")
	if again := l.Asks("retention of the invoice archive"); !slices.Contains(again.Notices, "Asked 2 times without an answer: remember it once you know.") {
		t.Errorf("who asks again is not told: %q", again.Notices)
	}
	gaps := l.GapsOf(state.GapSearch)
	if len(gaps) != 2 || gaps[0].Times != 2 || gaps[0].Origin != memory.OriginAgent || strings.Contains(gaps[1].Text, "hunter2") {
		t.Fatalf("gaps %+v", gaps)
	}
	out := l.Dreams(state.DreamInput{})
	if !strings.Contains(out.State, "No answer yet (agent): “retention of the invoice archive” (asked 2 times)") {
		t.Errorf("the state does not tell the gap:\n%s", out.State)
	}
	l.Clock = l.Clock.Add(time.Hour)
	l.Note("The retention of the invoice archive is ten years", false)
	if gaps := l.GapsOf(state.GapSearch); len(gaps) != 1 {
		t.Errorf("what was said since answers, yet %+v", gaps)
	}
	if out := l.Dreams(state.DreamInput{Force: true}); strings.Contains(out.State, "No answer yet: `retention") {
		t.Errorf("the gap is still shown:\n%s", out.State)
	}
	l.Asks("invoice archive retention")
	l.Note("Kubernetes ingress runs in oslo", false)
	l.Asks("kubernetes ingress controller password=hunter2secret")
	gaps, err := brain.View(t.Context(), l.Store, func(tx *store.Tx) ([]state.Gap, error) {
		return state.Searches(t.Context(), tx, l.Place.Project())
	})
	if text := fmt.Sprint(gaps); err != nil || strings.Contains(text, "invoice") {
		t.Errorf("an answered search is still remembered: %q, %v", text, err)
	}
}

func TestWhatIsForgottenIsNoGap(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	said := l.Note("The acquisition codename is Bluefin", false)
	l.Asks("acquisition codename of the northern warehouse partner")
	if len(l.GapsOf(state.GapSearch)) != 1 {
		t.Fatal("no gap to begin with")
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(said.ID)}, Apply: true}))(t)
	if got := l.GapsOf(state.GapSearch); len(got) != 0 {
		t.Errorf("it lives on as a gap: %+v", got)
	}
}
