package texts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func TestAConversationIsFoundWithItsKeywordsDecisionsAndFiles(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(200, l.Conversation("talk")...)
	braintest.Must(l, statements.Remember, statements.RememberInput{
		Scope: l.Scope(), Quote: "Let's go with the signed cookie.", Kind: memory.Decision, Origin: memory.OriginAgent,
	})
	found := l.SearchSessions("signed cookie")
	if len(found) == 0 || found[0].Window == nil {
		t.Fatalf("found %+v, want a turn in its window", found)
	}
	w := *found[0].Window
	if len(w.Decisions) != 1 || w.Decisions[0].Text != "Let's go with the signed cookie." ||
		!slices.Equal(w.Decisions[0].Explored, []string{"web/login.go"}) || !slices.Contains(w.Decisions[0].Edited, "web/quokka.go") {
		t.Errorf("decisions %+v, want what was explored, decided and edited", w.Decisions)
	}
	if !slices.Equal(w.Files, []string{"web/login.go", "web/quokka.go"}) || !slices.Contains(w.Keywords, "cookie") {
		t.Errorf("window %+v, want its files and what it is about", w)
	}
	if !w.To.Before(braintest.Start.Add(90 * 60e9)) {
		t.Errorf("it lasts until %v, want it to end before the pause", w.To)
	}
	byFile := l.SearchSessions("quokka") // nobody said it: only the window knows
	if len(byFile) == 0 || byFile[0].Window == nil || !slices.Contains(byFile[0].Window.Files, "web/quokka.go") {
		t.Errorf("by the name of a file: %+v", byFile)
	}
	windows := 0
	for _, f := range l.SearchSessions("yen totals") {
		if f.Kind == memory.WindowText {
			windows++
		}
	}
	if windows != 0 {
		t.Errorf("%d windows beside their own turns, want none twice", windows)
	}
	all, err := steward.Run(t.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: "cookie quokka invoices", Limit: 50})
	if err != nil || slices.ContainsFunc(all.Found, func(f texts.Found) bool { return f.Kind == memory.WindowText }) {
		t.Errorf("a search in everything: %+v, %v; want turns alone", all.Found, err)
	}
}

func TestWindowsFollowASessionThatGoesOnAndOneThatIsForgotten(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	events := l.Conversation("talk")
	l.See(60, events[:6]...)
	if found := l.SearchSessions("quokka"); len(found) == 0 {
		t.Fatal("the first half is not found")
	}
	l.See(200, events[6:]...)
	if found := l.SearchSessions("billing total"); len(found) == 0 || found[0].Window == nil || !slices.Contains(found[0].Window.Files, "billing/total.go") {
		t.Errorf("the second half: %+v", found)
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{events[4].ID}, Apply: true}))(t)
	for _, f := range l.SearchSessions("quokka") {
		if strings.Contains(f.Text, "quokka") || f.Window != nil && slices.Contains(f.Window.Files, "web/quokka.go") {
			t.Errorf("found %+v, want the forgotten file gone", f)
		}
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Scope: l.Scope(), Session: l.Sessions()[0].ID.String(), Apply: true}))(t)
	rest, err := steward.Run(t.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{All: true}, Query: "cookie", Sessions: true})
	if err != nil || len(rest.Found) != 0 {
		t.Errorf("found %+v, %v, want nothing", rest.Found, err)
	}
}
