package texts

import (
	"context"
	"fmt"
	"os"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/embedding/remote"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// provider opens the model that the configuration names, nil if it names none. Nothing is asked yet.
func provider(b *brain.Brain) (remote.Provider, error) {
	c := b.Config.Embedding
	if c.Provider == "" {
		return nil, nil
	}
	r := remote.Config{Kind: c.Provider, URL: c.URL, Model: c.Model, Dims: c.Dims, KeyEnv: c.KeyEnv}
	if c.QueryPrefix != nil || c.DocumentPrefix != nil {
		r.Prefixes = &remote.Prefixes{}
		if c.QueryPrefix != nil {
			r.Prefixes.Query = *c.QueryPrefix
		}
		if c.DocumentPrefix != nil {
			r.Prefixes.Document = *c.DocumentPrefix
		}
	}
	p, err := remote.Open(r, remote.Env{Getenv: os.Getenv}, b.Config.Tuning.Embedding)
	if err != nil {
		return nil, fmt.Errorf("[embedding] in %s: %w", b.Config.File(), err)
	}
	return p, nil
}

// backfill is up to which document a space is filled.
type backfill struct {
	Space string `json:"space"`
	Upto  int64  `json:"upto"`
}

// Facts about the space of the configured model: up to which document which space is filled, and which is whole.
var (
	backfilled  = store.NewFact[backfill]("text/backfilled")
	filledSpace = store.NewFact[string]("text/space")
)

// backfilledTo is up to where a space is filled. Another space begins anew: its directions are gone.
func backfilledTo(ctx context.Context, tx *store.Tx, space string) (int64, error) {
	last, err := backfilled.Get(ctx, tx)
	if last.Space != space {
		return 0, err
	}
	return last.Upto, err
}

// space is where questions are asked: that of the configured model once all texts have a direction there, else that of
// the table that comes with hebb. A model that does not answer in time is not waited for.
func AskedSpace(ctx context.Context, b *brain.Brain, text string) (space string, query memory.Vector) {
	p, err := provider(b)
	if err != nil || p == nil {
		return GeneralSpace, nil
	}
	whole, err := brain.View(ctx, b, func(tx *store.Tx) (string, error) { return filledSpace.Get(ctx, tx) })
	if err != nil || whole != p.Space() {
		return GeneralSpace, nil
	}
	ctx, cancel := context.WithTimeout(ctx, b.Config.Tuning.Search.AskModel)
	defer cancel()
	vectors, err := p.Embed(ctx, []string{scrub.Clean(text)}, true)
	if err != nil || len(vectors) != 1 || vectors[0] == nil {
		return GeneralSpace, nil
	}
	return p.Space(), vectors[0]
}

// Texts sent to the configured embedding model.
const (
	backfillBatch = 64   // at once: what servers take
	BackfillMost  = 2000 // after one piece of work: a minute or two
)

// Backfill gives texts a direction in the space of the configured model, so many at most. Once all have one, questions are
// asked there, and other spaces of models go.
func Backfill(ctx context.Context, b *brain.Brain, most int) (done int, err error) {
	p, err := provider(b)
	if err != nil || p == nil {
		return 0, err
	}
	for done < most {
		var docs []store.Document
		var after int64
		err := b.Store.View(ctx, func(tx *store.Tx) error {
			if after, err = backfilledTo(ctx, tx, p.Space()); err != nil {
				return err
			}
			docs, err = tx.Meaningless(ctx, p.Space(), after, backfillBatch)
			return err
		})
		if err != nil {
			return done, err
		}
		texts := make([]string, len(docs))
		for i, d := range docs {
			texts[i] = d.Text
		}
		var vectors []memory.Vector
		if len(texts) > 0 {
			if vectors, err = p.Embed(ctx, texts, false); err != nil {
				return done, err
			}
		}
		err = b.Store.Update(ctx, func(tx *store.Tx) error {
			if len(docs) == 0 {
				if err := filledSpace.Set(ctx, tx, p.Space()); err != nil {
					return err
				}
				return tx.KeepSpaces(ctx, GeneralSpace, p.Space())
			}
			meanings := make([]store.Meaning, len(docs))
			for i, d := range docs {
				meanings[i] = store.Meaning{Document: d.ID, Project: d.Project, Vector: vectors[i]}
			}
			if err := tx.SetMeanings(ctx, p.Space(), meanings); err != nil {
				return err
			}
			return backfilled.Set(ctx, tx, backfill{Space: p.Space(), Upto: docs[len(docs)-1].ID})
		})
		if err != nil || len(docs) == 0 {
			return done, err
		}
		done += len(docs)
	}
	return done, nil
}
