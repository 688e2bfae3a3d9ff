package inspect

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

// StatsResult counts what hebb knows.
type StatsResult struct {
	Projects []ProjectStats `json:"projects"`
	Store    store.Facts    `json:"store"`
	// LastSleep is about all projects; nil before the first.
	LastSleep *sleep.SleepReport `json:"last_sleep,omitempty"`
}

// ProjectStats are the counts of one project.
type ProjectStats struct {
	memory.Project
	Files    int64 `json:"files"`
	Errors   int64 `json:"errors"`
	Commits  int64 `json:"commits"`
	Sessions int64 `json:"sessions"`
	Events   int64 `json:"events"`
	// Synapses by source: sessions (agent), commits (repo), the source text (import), you (user).
	Synapses map[memory.Origin]int64 `json:"synapses"`
	// Suggestions by outcome. Those withheld for comparison, and those that name no file, of which no
	// outcome can be seen, are counted apart.
	Suggestions map[string]int64 `json:"suggestions"`
	// Episodes are the finished pieces of work that ranking reads.
	Episodes  Episodes `json:"episodes"`
	PastBytes int64    `json:"past_bytes"` // size of the packed episodes
}

// Episodes are counted by source.
type Episodes struct {
	Commits  int `json:"commits"`
	Sessions int `json:"sessions"` // segments of sessions
}

// Names of suggestions without an outcome.
const (
	pendingSuggestions = "pending"
	heldSuggestions    = "held"
	shownSuggestions   = "no file"
)

// Stats counts what is known, project by project.
var Stats = brain.Operation[brain.Scope, StatsResult]{
	Name: "stats",
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) (StatsResult, error) {
		facts, err := b.Store.Facts(ctx)
		if err != nil {
			return StatsResult{}, fmt.Errorf("stats: %w", err)
		}
		out, err := brain.View(ctx, b.Store, func(tx *store.Tx) (StatsResult, error) { return stats(ctx, b.Config, record.Pasts(b), tx, in) })
		out.Store = facts
		return out, err
	},
}

func stats(ctx context.Context, c config.Config, pasts *record.PastCache, tx *store.Tx, in brain.Scope) (out StatsResult, err error) {
	out.Projects = []ProjectStats{}
	ids, err := ranking.Scoped(ctx, c, tx, in)
	if err != nil {
		return out, err
	}
	for _, id := range ids {
		p, err := tx.Project(ctx, id)
		if brain.IsNotFound(err) {
			continue // a folder nobody has worked in yet
		}
		if err != nil {
			return out, err
		}
		s, err := projectStats(ctx, pasts, tx, p)
		if err != nil {
			return out, err
		}
		out.Projects = append(out.Projects, s)
	}
	out.LastSleep, err = lastSleep(ctx, tx)
	return out, err
}

func projectStats(ctx context.Context, pasts *record.PastCache, tx *store.Tx, p memory.Project) (s ProjectStats, err error) {
	s = ProjectStats{Project: p, Suggestions: map[string]int64{}}
	counts, err := tx.CountProject(ctx, p.ID)
	if err != nil {
		return s, err
	}
	neurons, err := tx.CountNeurons(ctx, p.ID)
	if err != nil {
		return s, err
	}
	s.Sessions, s.Events = counts.Sessions, counts.Events
	s.Files, s.Errors = neurons[memory.FileNeuron], neurons[memory.ErrorNeuron]
	if s.Commits, err = tx.CountEvents(ctx, store.EventFilter{Project: p.ID, Kind: memory.Committed}); err != nil {
		return s, err
	}
	if s.Synapses, err = tx.CountSynapses(ctx, p.ID); err != nil {
		return s, err
	}
	shown, err := tx.CountSuggestions(ctx, p.ID)
	if err != nil {
		return s, err
	}
	for _, c := range shown {
		s.Suggestions[outcomeName(c)] += c.Lines
	}
	if s.PastBytes, err = tx.PastBytes(ctx, p.ID); err != nil {
		return s, err
	}
	past, err := pasts.Of(ctx, tx, p.ID)
	if err != nil {
		return s, err
	}
	defer pasts.Put(past)
	s.Episodes = Episodes{Commits: past.Image.Commits(), Sessions: past.Image.Sessions()}
	return s, nil
}

func outcomeName(c store.SuggestionCount) string {
	switch {
	case c.Held:
		return heldSuggestions
	case c.Fileless:
		return shownSuggestions
	case c.Outcome == memory.Pending:
		return pendingSuggestions
	}
	return string(c.Outcome)
}
