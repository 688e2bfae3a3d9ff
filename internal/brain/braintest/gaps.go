package braintest

import (
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (l *Lab) Asks(query string) texts.SearchResult {
	l.T.Helper()
	l.Clock = l.Clock.Add(time.Minute)
	return Must(l, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: query, Limit: 10, Asker: memory.OriginAgent})
}

func (l *Lab) GapsOf(kind state.GapKind) (found []state.Gap) {
	l.T.Helper()
	gaps := Must(l, state.Gaps, l.Scope())
	for _, g := range gaps {
		if g.Kind == kind {
			found = append(found, g)
		}
	}
	return found
}
