package braintest

import (
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/texts"
)

// Conversation is a session that reads a file, decides and edits, and after a pause speaks of something else.
func (l *Lab) Conversation(run string) []memory.Event {
	said := func(kind memory.EventKind, origin memory.Origin, text string, minutes float64) memory.Event {
		e := l.Of(run, l.Event(kind, minutes))
		e.Origin, e.Text = origin, text
		return e
	}
	return []memory.Event{
		said(memory.Prompted, memory.OriginUser, "How should the session cookie survive the redirect after login?", 0),
		l.Touched(run, memory.Read, 1, "web/login.go"),
		said(memory.TurnEnded, memory.OriginAgent, "The redirect drops it; we could sign a cookie or keep it in the store.", 2),
		said(memory.Prompted, memory.OriginUser, "Let's go with the signed cookie.", 3),
		l.Touched(run, memory.Edit, 4, "web/login.go", "web/quokka.go"),
		said(memory.TurnEnded, memory.OriginAgent, "The cookie is signed now and survives.", 5),
		said(memory.Prompted, memory.OriginUser, "Now the invoices: totals are rounded wrongly for yen.", 90),
		l.Touched(run, memory.Edit, 91, "billing/total.go"),
		said(memory.TurnEnded, memory.OriginAgent, "Yen has no minor unit, so totals are no longer divided.", 92),
	}
}

func (l *Lab) SearchSessions(query string) []texts.Found {
	l.T.Helper()
	out := Must(l, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: query, Sessions: true, Limit: 10})
	return out.Found
}
