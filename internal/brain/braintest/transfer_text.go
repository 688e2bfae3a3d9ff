package braintest

import (
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func TextID(n int) memory.CrystalID {
	return memory.CrystalID(memory.DerivedEventID("text", fmt.Sprint(n)))
}

// FillTexts fills a store with crystals, their traces and knowledge.
func (l *Lab) FillTexts() {
	l.T.Helper()
	ctx, p := l.T.Context(), l.Place.Project()
	l.See(0, l.Event(memory.ToolUsed, 0))
	must.Do(l.T, l.Store.Update(ctx, func(tx *store.Tx) error {
		for i, c := range []memory.Crystal{
			{
				ID: TextID(1), Project: p, Kind: memory.Decision, Text: "we use größere Parser, \"not\" regexps", Subject: "the parser", Importance: .7, Valence: -.5,
				Lifecycle: memory.Frozen, Origin: memory.OriginUser, Source: "said", Parents: []memory.CrystalID{TextID(2)},
				Anchors: []memory.Anchor{{Path: "a.go", Symbol: "Parse", Commit: "c0ffee", Hash: -7}, {Path: "b.go"}},
				SaidAt:  Start.Add(-time.Hour), LastAt: Start, Accesses: 3, GapHours: 1.5, Unsure: true,
			},
			{
				ID: TextID(2), Kind: memory.Preference, Text: "Ada likes tabs", Lifecycle: memory.Archived, Origin: memory.OriginAgent,
				SaidAt: Start.Add(-2 * time.Hour), ValidTo: Start.Add(-time.Hour), LastAt: Start.Add(-2 * time.Hour),
			},
		} {
			if _, err := tx.AddCrystal(ctx, c, vocab.Words(c.Text)); err != nil {
				return err
			}
			traces := []store.Trace{{Crystal: c.ID, At: Start.Add(-time.Hour), What: "said", Detail: "by Ada"}, {Crystal: c.ID, What: "used"}}
			if err := tx.Leave(ctx, traces[i:]...); err != nil {
				return err
			}
		}
		for _, project := range []memory.ProjectID{0, p} {
			for _, name := range []string{"Ada", "größe"} {
				_, err := tx.SaveEntity(ctx, memory.Entity{Project: project, Name: name, Type: "person", Origin: memory.OriginAgent, CreatedAt: Start.Add(-time.Hour)})
				_, err2 := tx.Observe(ctx, project, name, memory.Observation{Text: "likes " + name, Origin: memory.OriginUser, Confidence: .5, SaidAt: Start})
				if err := errors.Join(err, err2); err != nil {
					return err
				}
			}
			if _, err := tx.Relate(ctx, memory.Relation{Project: project, From: "Ada", Type: "knows", To: "größe", CreatedAt: Start}); err != nil {
				return err
			}
		}
		_, err := tx.Observe(ctx, p, "Ada", memory.Observation{Text: "left", Origin: memory.OriginAgent, Confidence: 1, SaidAt: Start.Add(-time.Hour), ValidTo: Start})
		return err
	}))
}

func (l *Lab) Matches(words ...string) (refs []string) {
	l.T.Helper()
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) error {
		docs, err := tx.Match(l.T.Context(), store.Expression{All: words}, store.DocumentFilter{})
		for _, d := range docs {
			refs = append(refs, d.Ref)
		}
		return err
	}))
	return refs
}
