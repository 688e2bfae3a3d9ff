package statements

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

const (
	quotedWithin  = 24 * time.Hour // how long a prompt can be quoted
	quotedPrompts = 200            // and among how many of the latest it is looked for
)

// Quote is where a quote stands in what the person typed.
type Quote struct {
	// Prompt is the latest one that has it; one that has it as whole sentences comes first.
	Prompt memory.StoredEvent
	// Text is the person's sentence, or several, from the beginning to the end, whatever part of it was quoted.
	Text string
	// Whole says that the quote is all of that. Only then is it the person's word for something.
	Whole bool
}

// Quoted looks for words in the prompts that the person typed in a project lately, or in any project if it is 0. It is how an agent
// proves that it hands over what the person said.
func Quoted(ctx context.Context, tx *store.Tx, project memory.ProjectID, text string) (q Quote, found bool, err error) {
	prompts, err := tx.Prompts(ctx, project, tx.Now.Add(-quotedWithin), quotedPrompts)
	for _, p := range prompts {
		for _, part := range typed.OwnParts(p.Text) {
			at, ok := passageOf(part, scrub.Clean(text))
			if !ok || found && !at.whole {
				continue
			}
			q, found = Quote{p.StoredEvent, at.text, at.whole}, true
			if q.Whole {
				return q, true, err
			}
		}
	}
	return q, found, err
}
