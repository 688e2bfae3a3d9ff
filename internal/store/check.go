package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Damage is one thing that is not as it was written.
type Damage struct {
	Where string `json:"where"`
	What  string `json:"what"`
}

// CheckEngine asks the database itself for damage. On a large store it takes seconds.
func (s *Store) CheckEngine(ctx context.Context) ([]Damage, error) {
	findings, err := s.client.Check(ctx)
	if err != nil {
		return nil, fmt.Errorf("check database: %w", s.client.Explain(err))
	}
	var damage []Damage
	for _, f := range findings {
		damage = append(damage, Damage{Where: "database", What: f})
	}
	return damage, nil
}

// CheckRows recomputes every fingerprint: what a row says must match the hash it carries, an ID must match the thing it names, a session must have the
// events it counts. A database's own check misses a flipped byte inside a text; this does not. What events taught is made again from them instead.
func (tx *Tx) CheckRows(ctx context.Context) (rows int64, damage []Damage, err error) {
	report := func(where, what string) { damage = append(damage, Damage{Where: where, What: what}) }
	all, err := tx.Sessions(ctx, SessionFilter{})
	if err != nil {
		return rows, damage, err
	}
	sessions := map[memory.SessionID]memory.Session{}
	for _, s := range all {
		sessions[s.ID] = s
	}
	seen := map[memory.SessionID]figures{}
	err = tx.walkEvents(ctx, func(r Numbered) error {
		rows++
		seen[r.Session] = seen[r.Session].with(r.At)
		if s, known := sessions[r.Session]; known && s.Project != r.Project {
			report("event "+string(r.ID), "its session belongs to another project")
		}
		if r.Hash() != r.hash {
			report("event "+string(r.ID), "content does not match its hash")
		}
		return nil
	})
	if err != nil {
		return rows, damage, err
	}
	for _, s := range all {
		rows++
		f := seen[s.ID]
		if s.Events != f.events {
			report("session "+s.ID.String(), fmt.Sprintf("counts %d events, %d are stored", s.Events, f.events))
		}
		if f.events > 0 && (!s.OpenedAt.Equal(f.first) || !s.LastEventAt.Equal(f.last)) {
			report("session "+s.ID.String(), "beginning and last event are not those of its events")
		}
	}
	projects, err := tx.Projects(ctx)
	if err != nil {
		return rows, damage, err
	}
	for _, p := range projects {
		rows++
		if memory.NewProjectID(p.Identity) != p.ID {
			report("project "+p.ID.String(), "identity does not match its ID")
		}
	}
	texts, err := tx.CheckTexts(ctx, report)
	if err != nil {
		return rows, damage, err
	}
	checked, err := tx.db.CheckChecksums(ctx, slices.Concat(checkedTables, text.Tables), report)
	return rows + texts + checked, damage, err
}

// figures are what the events of a session add up to.
type figures struct {
	events      int64
	first, last time.Time
}

func (f figures) with(at time.Time) figures {
	if f.events == 0 || at.Before(f.first) {
		f.first = at
	}
	if f.events == 0 || at.After(f.last) {
		f.last = at
	}
	f.events++
	return f
}
