package braintest

import (
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (l *Lab) Asks(query string) texts.SearchResult {
	l.T.Helper()
	l.Clock = l.Clock.Add(time.Minute)
	out, err := steward.Run(l.T.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: query, Limit: 10, Asker: memory.OriginAgent})
	if err != nil {
		l.T.Fatal(err)
	}
	return out
}

func (l *Lab) GapsOf(kind state.GapKind) (found []state.Gap) {
	l.T.Helper()
	gaps, err := steward.Run(l.T.Context(), l.Brain, state.Gaps, l.Scope())
	if err != nil {
		l.T.Fatal(err)
	}
	for _, g := range gaps {
		if g.Kind == kind {
			found = append(found, g)
		}
	}
	return found
}
