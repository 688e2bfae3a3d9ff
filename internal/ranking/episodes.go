package ranking

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	EpisodicFull = 5 // sessions that opened a file for the same words make certain (test vectors of the design)
)

// EpisodicInput asks what recent sessions with the same words opened.
type EpisodicInput struct {
	brain.Scope
	Text  string `json:"text"`
	Limit int    `json:"limit,omitempty"`
}

// Remembered is a file that recent sessions opened.
type Remembered struct {
	Path       string           `json:"path"`
	Project    memory.ProjectID `json:"project"`
	Sessions   int              `json:"sessions"`
	Last       time.Time        `json:"last"`
	Confidence float64          `json:"confidence"`
}

// RecallEpisodic recalls by episodes: what sessions of the last days opened when they were asked something like this.
var RecallEpisodic = brain.Operation[EpisodicInput, []Remembered]{
	Name: "recall-episodic",
	Run: func(ctx context.Context, b *brain.Brain, in EpisodicInput) ([]Remembered, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) ([]Remembered, error) {
			projects, err := Scoped(ctx, b.Config, tx, in.Scope)
			if err != nil {
				return nil, err
			}
			found := []Remembered{}
			t := b.Config.Tuning.Recall
			for _, id := range projects {
				p, err := record.Pasts(b).Of(ctx, tx, id)
				if err != nil {
					return nil, err
				}
				for _, e := range p.Ranker.Remember(recall.Question{Text: in.Text, At: tx.Now}, t.EpisodicWithin, EpisodicFull, t.EpisodicGate) {
					found = append(found, Remembered{
						Path: p.Image.File(e.File).Path, Project: id, Sessions: e.Sessions, Last: e.Last, Confidence: e.Confidence,
					})
				}
				record.Pasts(b).Put(p)
			}
			slices.SortStableFunc(found, func(a, b Remembered) int { return cmp.Compare(b.Confidence, a.Confidence) })
			if in.Limit > 0 {
				found = found[:min(in.Limit, len(found))]
			}
			return found, nil
		})
	},
}

// CommitsInput asks for past commits like a text.
type CommitsInput struct {
	brain.Scope
	Text  string `json:"text,omitempty"`  // empty: the newest
	Limit int    `json:"limit,omitempty"` // 0: all
}

// PastCommit is a commit with what it changed.
type PastCommit struct {
	Hash    string           `json:"hash"`
	Project memory.ProjectID `json:"project"`
	At      time.Time        `json:"at"`
	Subject string           `json:"subject"`
	Files   []string         `json:"files"`
	Gone    []string         `json:"gone,omitempty"` // of these, deleted or renamed since
	Like    float64          `json:"like,omitempty"` // how like the text, 0 to 1
}

// Commits returns past commits most like a text, or the newest.
var Commits = brain.Operation[CommitsInput, []PastCommit]{
	Name: "commits",
	Run: func(ctx context.Context, b *brain.Brain, in CommitsInput) ([]PastCommit, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) ([]PastCommit, error) {
			if strings.TrimSpace(in.Text) == "" {
				id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
				if err != nil {
					return nil, err
				}
				return NewQuery(b, tx).newestCommits(ctx, id, in.Limit)
			}
			projects, err := Scoped(ctx, b.Config, tx, in.Scope)
			if err != nil {
				return nil, err
			}
			found := []PastCommit{}
			for _, id := range projects {
				p, err := record.Pasts(b).Of(ctx, tx, id)
				if err != nil {
					return nil, err
				}
				most := in.Limit
				if most == 0 {
					most = p.Image.Commits()
				}
				near, like := p.Ranker.Near(in.Text, recall.CommitEpisode, most)
				for i, n := range near {
					e, err := tx.EventBySeq(ctx, p.Image.Episode(n).Ref)
					if err != nil {
						return nil, err
					}
					c := commitOf(e)
					c.Like, c.Gone = like[i], p.Gone(c.Files)
					found = append(found, c)
				}
				record.Pasts(b).Put(p)
			}
			slices.SortStableFunc(found, func(a, b PastCommit) int { return cmp.Compare(b.Like, a.Like) })
			if in.Limit > 0 {
				found = found[:min(len(found), in.Limit)]
			}
			return found, nil
		})
	},
}

func (a *Query) newestCommits(ctx context.Context, id memory.ProjectID, limit int) ([]PastCommit, error) {
	events, err := a.tx.Events(ctx, store.EventFilter{Project: id, Kind: memory.Committed, Limit: limit})
	if err != nil {
		return nil, err
	}
	found, pasts := []PastCommit{}, map[memory.ProjectID]*record.Past{}
	for _, e := range events {
		c := commitOf(e)
		p, read := pasts[c.Project]
		if !read {
			if p, err = a.pasts.Of(ctx, a.tx, c.Project); err != nil {
				return nil, err
			}
			defer a.pasts.Put(p)
			pasts[c.Project] = p
		}
		c.Gone = p.Gone(c.Files)
		found = append(found, c)
	}
	return found, nil
}

func commitOf(e memory.StoredEvent) PastCommit {
	c := PastCommit{Hash: e.Input, Project: e.Project, At: e.At, Subject: e.Text, Files: []string{}}
	for _, t := range e.Touches {
		c.Files = append(c.Files, t.Path)
	}
	return c
}
