package brain

import (
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// conversation is a session that reads a file, decides and edits, and after a pause speaks of something else.
func (l *lab) conversation(run string) []memory.Event {
	said := func(kind memory.EventKind, origin memory.Origin, text string, minutes float64) memory.Event {
		e := l.of(run, l.event(kind, minutes))
		e.Origin, e.Text = origin, text
		return e
	}
	return []memory.Event{
		said(memory.Prompted, memory.OriginUser, "How should the session cookie survive the redirect after login?", 0),
		l.touched(run, memory.Read, 1, "web/login.go"),
		said(memory.TurnEnded, memory.OriginAgent, "The redirect drops it; we could sign a cookie or keep it in the store.", 2),
		said(memory.Prompted, memory.OriginUser, "Let's go with the signed cookie.", 3),
		l.touched(run, memory.Edit, 4, "web/login.go", "web/quokka.go"),
		said(memory.TurnEnded, memory.OriginAgent, "The cookie is signed now and survives.", 5),
		said(memory.Prompted, memory.OriginUser, "Now the invoices: totals are rounded wrongly for yen.", 90),
		l.touched(run, memory.Edit, 91, "billing/total.go"),
		said(memory.TurnEnded, memory.OriginAgent, "Yen has no minor unit, so totals are no longer divided.", 92),
	}
}

func (l *lab) searchSessions(query string) []Found {
	l.t.Helper()
	out, err := Run(l.t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: query, Sessions: true, Limit: 10})
	if err != nil {
		l.t.Fatal(err)
	}
	return out.Found
}

func TestAConversationIsFoundWithItsKeywordsDecisionsAndFiles(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(200, l.conversation("talk")...)
	found := l.searchSessions("signed cookie")
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
	if !w.To.Before(start.Add(90 * 60e9)) {
		t.Errorf("it lasts until %v, want it to end before the pause", w.To)
	}
	byFile := l.searchSessions("quokka") // nobody said it: only the window knows
	if len(byFile) == 0 || byFile[0].Window == nil || !slices.Contains(byFile[0].Window.Files, "web/quokka.go") {
		t.Errorf("by the name of a file: %+v", byFile)
	}
	windows := 0
	for _, f := range l.searchSessions("yen totals") {
		if f.Kind == WindowText {
			windows++
		}
	}
	if windows != 0 {
		t.Errorf("%d windows beside their own turns, want none twice", windows)
	}
	all, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: "cookie quokka invoices", Limit: 50})
	if err != nil || slices.ContainsFunc(all.Found, func(f Found) bool { return f.Kind == WindowText }) {
		t.Errorf("a search in everything: %+v, %v; want turns alone", all.Found, err)
	}
}

func TestWindowsFollowASessionThatGoesOnAndOneThatIsForgotten(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	events := l.conversation("talk")
	l.see(60, events[:6]...)
	if found := l.searchSessions("quokka"); len(found) == 0 {
		t.Fatal("the first half is not found")
	}
	l.see(200, events[6:]...)
	if found := l.searchSessions("billing total"); len(found) == 0 || found[0].Window == nil || !slices.Contains(found[0].Window.Files, "billing/total.go") {
		t.Errorf("the second half: %+v", found)
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{IDs: []memory.EventID{events[4].ID}, Apply: true}); err != nil {
		t.Fatal(err)
	}
	for _, f := range l.searchSessions("quokka") {
		if strings.Contains(f.Text, "quokka") || f.Window != nil && slices.Contains(f.Window.Files, "web/quokka.go") {
			t.Errorf("found %+v, want the forgotten file gone", f)
		}
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Scope: l.scope(), Session: l.sessions()[0].ID.String(), Apply: true}); err != nil {
		t.Fatal(err)
	}
	rest, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: Scope{All: true}, Query: "cookie", Sessions: true})
	if err != nil || len(rest.Found) != 0 {
		t.Errorf("found %+v, %v, want nothing", rest.Found, err)
	}
}
