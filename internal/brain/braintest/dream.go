package braintest

import (
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (l *Lab) Note(text string, everywhere bool) statements.NoteResult {
	l.T.Helper()
	l.Clock = l.Clock.Add(time.Minute)
	return Must(l, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: text, Everywhere: everywhere})
}

func (l *Lab) Dreams(in state.DreamInput) state.DreamResult {
	l.T.Helper()
	in.Scope = l.Scope()
	return Must(l, state.Dream, in)
}

func (l *Lab) Waiting() (texts []string) {
	l.T.Helper()
	notes := must.Get(brain.View(l.T.Context(), l.Store, func(tx *store.Tx) ([]store.Note, error) {
		return tx.WaitingNotes(l.T.Context(), 0, l.Place.Project())
	}))(l.T)
	for _, n := range notes {
		texts = append(texts, n.Text)
	}
	return texts
}

func (l *Lab) Finds(query string) bool {
	l.T.Helper()
	found := Must(l, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: query, Limit: 30, History: true})
	for _, f := range found.Found {
		if f.Crystal != nil && f.Text == query {
			return true
		}
	}
	return false
}

// Feels says how something went, as hebb state mood reward and hebb state mood friction do.
func (l *Lab) Feels(event, about string) {
	l.T.Helper()
	Must(l, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: about, Kind: memory.Lesson, Importance: desk.FeltImportance, Felt: []string{event}})
	Must(l, desk.Feel, desk.FeelInput{Event: event})
}
