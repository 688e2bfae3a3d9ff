package texts

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/config"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

const (
	waitingMost  = 1000 // of the newest records a search looks at
	waitingShare = 0.5  // of the words of a question that a waiting text must have
)

// WaitingTexts finds those of the records in the spool that have most words of a question, the best first.
func WaitingTexts(ctx context.Context, b *brain.Brain, in SearchInput, query Query) ([]Found, error) {
	ids := b.Spool.Waiting()
	words := vocab.TextWords(query.Text)
	if len(ids) == 0 || len(words) == 0 || in.Sessions || query.Sessions || len(query.Paths) > 0 || query.Unsure || query.Pinned {
		return nil, nil
	}
	question := vocab.Collection{}.Ask(words) // each word counts the same
	var list []Found
	err := b.Store.View(ctx, func(tx *store.Tx) error {
		asked := finder{Brain: b, tx: tx, in: in, query: query}
		if err := asked.scope(ctx); err != nil {
			return err
		}
		for _, id := range ids[max(len(ids)-waitingMost, 0):] {
			record, err := b.Spool.ReadSaid(id)
			if err != nil || record.Text == "" {
				continue // carried out meanwhile, or nothing to find; the drain reports what cannot be read
			}
			f, ok := waitingText(ctx, b.Config, tx, record)
			if !ok || !asked.wants(f) || slices.ContainsFunc(query.Phrases, func(p string) bool { return !strings.Contains(strings.ToLower(f.Text), strings.ToLower(p)) }) {
				continue
			}
			if f.Known = question.KnownIn(vocab.TextWords(f.Text)); f.Known < waitingShare {
				continue
			}
			f.Score, f.Excerpt = f.Known, Highlight(f.Text, words, 0, vocab.TextWords)
			list = append(list, f)
		}
		return nil
	})
	slices.SortStableFunc(list, func(x, y Found) int { return cmp.Or(cmp.Compare(y.Score, x.Score), y.At.Compare(x.At)) })
	return list, err
}

// waitingText is a record as search shows it, unless its project is unknown.
func waitingText(ctx context.Context, c config.Config, tx *store.Tx, r spool.Said) (f Found, ok bool) {
	var input struct {
		brain.Scope
		Everywhere bool          `json:"everywhere"`
		Kind       string        `json:"kind"`
		Origin     memory.Origin `json:"origin"`
	}
	if json.Unmarshal(r.Input, &input) != nil {
		return f, false
	}
	f = Found{
		Ref: string(r.ID), Group: memory.GroupMemory, Kind: cmp.Or(input.Kind, string(memory.Fact)), Origin: cmp.Or(input.Origin, memory.OriginUser), At: r.At, Text: r.Text, Waiting: true,
	}
	if input.Everywhere || input.Project == "" && input.Dir == "" {
		return f, true
	}
	var err error
	f.Project, err = brain.Resolve(ctx, tx, c, input.Scope)
	return f, err == nil
}

// wants reports whether the filters of a question let a waiting text through.
func (f *finder) wants(text Found) bool {
	kinds := slices.Clone(f.in.Kinds)
	for _, k := range f.query.Kinds {
		kinds = append(kinds, string(k))
	}
	asOf := cmp.Or(f.in.AsOf, f.query.AsOf)
	switch {
	case len(f.projects) > 0 && !slices.Contains(f.projects, text.Project), len(kinds) > 0 && !slices.Contains(kinds, text.Kind):
		return false
	case !asOf.IsZero() && text.At.After(asOf):
		return false
	}
	return !text.At.Before(f.query.Since) && (f.query.Until.IsZero() || text.At.Before(f.query.Until))
}

// WithWaiting puts waiting texts before those of the store. One that was stored while the question was answered is shown once.
func WithWaiting(out SearchResult, waiting []Found, limit int) SearchResult {
	waiting = slices.DeleteFunc(waiting, func(w Found) bool {
		return slices.ContainsFunc(out.Found, func(f Found) bool { return f.Crystal != nil && string(f.Crystal.ID) == w.Ref })
	})
	if out.Found = slices.Concat(waiting, out.Found); limit > 0 && len(out.Found) > limit {
		out.Found = out.Found[:limit]
	}
	return out
}
