package texts

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// GeneralModel is the built-in embedding model: every text has a vector from it.
const GeneralModel = embedding.GeneralModel

// VectorOf is the vector of some words in the built-in model.
func VectorOf(words []string) memory.Vector { return embedding.General(words) }

// provider opens the model that the configuration names, nil if it names none. Nothing is asked yet.
func provider(conf config.Config) (llm.Embedder, error) {
	c := conf.Embedding
	if c.Provider == "" {
		return nil, nil
	}
	r := llm.EmbedderConfig{Kind: c.Provider, URL: c.URL, Model: c.Model, Dims: c.Dims, KeyEnv: c.KeyEnv}
	if c.QueryPrefix != nil || c.DocumentPrefix != nil {
		none := new(string)
		r.Prefixes = &llm.Prefixes{Query: *cmp.Or(c.QueryPrefix, none), Document: *cmp.Or(c.DocumentPrefix, none)}
	}
	p, err := llm.OpenEmbedder(r, llm.Env{Getenv: os.Getenv}, conf.Tuning.Embedding)
	if err != nil {
		return nil, fmt.Errorf("[embedding] in %s: %w", conf.File(), err)
	}
	return p, nil
}

// backfill is up to which document the texts have vectors of an embedding model.
type backfill struct {
	Model string `json:"space"`
	Upto  int64  `json:"upto"`
}

// How far texts have vectors of the configured model, and the model of which all have.
var (
	backfilled  = store.NewFact[backfill]("text/backfilled")
	filledModel = store.NewFact[string]("text/space")
)

// QueryVector returns the embedding model that searches use and the vector of a question: the configured model once all texts have
// its vectors, else the built-in table. If the model does not answer in time, the built-in table is used.
func QueryVector(ctx context.Context, st *store.Store, c config.Config, text string) (model string, query memory.Vector) {
	p, err := provider(c)
	if err != nil || p == nil {
		return GeneralModel, nil
	}
	whole, err := brain.View(ctx, st, func(tx *store.Tx) (string, error) { return filledModel.Get(ctx, tx) })
	if err != nil || whole != p.Model() {
		return GeneralModel, nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.Tuning.Search.AskModel)
	defer cancel()
	vectors, err := p.Embed(ctx, []string{scrub.Clean(text)}, true)
	if err != nil || len(vectors) != 1 || vectors[0] == nil {
		return GeneralModel, nil
	}
	return p.Model(), vectors[0]
}

// Texts sent to the configured embedding model.
const (
	backfillBatch = 64   // at once: what servers take
	BackfillMost  = 2000 // after one piece of work: a minute or two
)

// Backfill gives at most this many texts a vector of the configured model. Once all have one, searches use it, and the vectors of other
// configured models are deleted.
func Backfill(ctx context.Context, st *store.Store, c config.Config, most int) (done int, err error) {
	p, err := provider(c)
	if err != nil || p == nil {
		return 0, err
	}
	for done < most {
		var docs []store.Document
		err := st.View(ctx, func(tx *store.Tx) error {
			last, err := backfilled.Get(ctx, tx)
			if err != nil {
				return err
			}
			if last.Model != p.Model() { // another model: its vectors are gone
				last.Upto = 0
			}
			docs, err = tx.WithoutVector(ctx, p.Model(), last.Upto, backfillBatch)
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
		err = st.Update(ctx, func(tx *store.Tx) error {
			if len(docs) == 0 {
				if err := filledModel.Set(ctx, tx, p.Model()); err != nil {
					return err
				}
				return tx.KeepModels(ctx, GeneralModel, p.Model())
			}
			meanings := make([]store.DocumentVector, len(docs))
			for i, d := range docs {
				meanings[i] = store.DocumentVector{Document: d.ID, Project: d.Project, Vector: vectors[i]}
			}
			if err := tx.SetVectors(ctx, p.Model(), meanings); err != nil {
				return err
			}
			return backfilled.Set(ctx, tx, backfill{Model: p.Model(), Upto: docs[len(docs)-1].ID})
		})
		if err != nil || len(docs) == 0 {
			return done, err
		}
		done += len(docs)
	}
	return done, nil
}
