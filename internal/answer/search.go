package answer

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// SearchTexts finds texts by their words and by their meaning.
var SearchTexts = brain.Operation[texts.SearchInput, texts.SearchResult]{
	Name: "search",
	Run: func(ctx context.Context, b *brain.Brain, in texts.SearchInput) (texts.SearchResult, error) {
		in.Query = brain.Question(in.Query)
		query := texts.ParseQuery(in.Query, b.Now())
		in.Parsed = &query
		waiting, err := texts.WaitingTexts(ctx, b, in, query) // first: what is stored meanwhile is then found in the store
		if err != nil {
			return texts.SearchResult{}, err
		}
		out, err := brain.View(ctx, b.Store, func(tx *store.Tx) (texts.SearchResult, error) { return texts.Search(ctx, b, tx, in) })
		out = texts.WithWaiting(out, waiting, in.Limit)
		if err == nil && in.Asker != "" && !in.Weak { // who looks at the weak answers asks the same once more
			times, _ := state.NoticeAnswer(ctx, b.Store, b.Config, in, out) // what was found was found, whether or not that can be written down
			if times > 1 {                                                  // who asks is about to find out, and can say it
				out.Notices = append(out.Notices, fmt.Sprintf("Asked %d times without an answer: remember it once you know.", times))
			}
		}
		return out, err
	},
}
