package inspect

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// RememberedInput chooses a page of what is remembered; zero fields do not choose.
type RememberedInput struct {
	brain.Scope
	Kinds    []memory.CrystalKind `json:"kinds,omitempty"`
	Origin   memory.Origin        `json:"origin,omitempty"`
	Agent    memory.Agent         `json:"agent,omitempty"`
	Contains string               `json:"contains,omitempty"`
	Since    time.Time            `json:"since,omitzero"`
	AsOf     time.Time            `json:"as_of,omitzero"` // what was believed then
	History  bool                 `json:"history,omitempty"`
	Offset   int                  `json:"offset,omitempty"`
	Limit    int                  `json:"limit,omitempty"`
}

// RememberedPage is a part of what is remembered.
type RememberedPage struct {
	Total int64        `json:"total"` // in all parts together
	Rows  []Remembered `json:"rows"`
}

// Remembered is a memory with its times.
type Remembered struct {
	statements.Memory
	ProjectName string       `json:"project_name,omitempty"` // empty: the person's own
	Agent       memory.Agent `json:"agent,omitempty"`        // in whose session it was said
	// Sure is how sure it is that it was meant to last, 1 for what somebody asked to remember.
	Sure     float64   `json:"sure"`
	Strength float64   `json:"strength"`
	FadesAt  time.Time `json:"fades_at,omitzero"` // if each day from now on is one of work; zero: never, or it is over
	// Pin is the title under which it is pinned.
	Pin     string             `json:"pin,omitempty"`
	Verdict statements.Verdict `json:"verdict,omitempty"`
}

// pageMost is how many rows a page may have.
const pageMost = 500

// RememberedList lists what is remembered, page by page, the latest said first.
var RememberedList = brain.Operation[RememberedInput, RememberedPage]{
	Name: "remembered",
	Run: func(ctx context.Context, b *brain.Brain, in RememberedInput) (out RememberedPage, err error) {
		if in.Limit <= 0 || in.Limit > pageMost {
			return out, fmt.Errorf("remembered: want a limit of 1 to %d: %w", pageMost, memory.ErrInvalid)
		}
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out RememberedPage, err error) {
			f, err := in.filter(ctx, b.Config, tx)
			if err != nil {
				return out, err
			}
			if out.Total, err = tx.CountCrystals(ctx, f); err != nil {
				return out, err
			}
			found, err := part(ctx, tx, f, int64(in.Offset), min(int64(in.Limit), out.Total-int64(in.Offset)), out.Total)
			if err != nil {
				return out, err
			}
			var list []statements.Memory
			for _, c := range found {
				m := statements.Memory{Crystal: c.Crystal}
				if m.State, err = statements.Became(ctx, tx, c.Crystal); err != nil {
					return out, err
				}
				list = append(list, m)
			}
			out.Rows, err = rows(ctx, b.Config.Tuning.Crystal, tx, list)
			return out, err
		})
	},
}

// part reads some of the crystals that a filter chooses, from the end that is nearer.
func part(ctx context.Context, tx *store.Tx, f store.CrystalFilter, from, number, total int64) ([]store.Kept, error) {
	if number <= 0 {
		return nil, nil
	}
	f.Limit, f.Offset, f.Bare = int(number), int(from), true
	if f.OldestFirst = from > total/2; f.OldestFirst {
		f.Offset = int(total - from - number)
	}
	found, err := tx.Crystals(ctx, f)
	if f.OldestFirst {
		slices.Reverse(found)
	}
	return found, err
}

// filter is the choice as the store makes it.
func (in RememberedInput) filter(ctx context.Context, c config.Config, tx *store.Tx) (f store.CrystalFilter, err error) {
	f = store.CrystalFilter{
		Kinds: in.Kinds, Origin: in.Origin, Agent: in.Agent, Contains: in.Contains, SaidSince: in.Since, AsOf: in.AsOf,
		Current: !in.History, Living: !in.History,
	}
	if !in.AsOf.IsZero() {
		f.Current, f.Living = false, false
	}
	id, err := brain.Resolve(ctx, tx, c, in.Scope)
	if id != 0 {
		f.Projects = []memory.ProjectID{id, 0}
	}
	return f, err
}

// rows adds to memories what a person wants to know beside them.
func rows(ctx context.Context, settings tuning.Crystal, tx *store.Tx, list []statements.Memory) ([]Remembered, error) {
	rules := texts.NewRules(settings)
	projects, agents := map[memory.ProjectID]memory.Project{}, map[memory.SessionID]memory.Session{}
	pins, verdicts := map[memory.ProjectID]map[memory.CrystalID]string{}, map[memory.ProjectID]map[string]statements.Judged{}
	days := map[memory.ProjectID]memory.WorkDays{}
	told, err := tx.LastTold(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Remembered, len(list))
	for i, m := range list {
		r := Remembered{Memory: m, Sure: 1}
		if m.Heard > 0 {
			r.Sure = m.Heard
		}
		open := m.Kind == memory.Intention
		worked, err := once(days, m.Project, func() (memory.WorkDays, error) { return tx.WorkDays(ctx, m.Project) })
		if err != nil {
			return nil, err
		}
		now := texts.Now(m.Crystal, told[m.ID], worked, tx.Now)
		r.Strength = rules.Importance(m.Crystal, open, now)
		if at := rules.FadesAt(m.Crystal, open, now); !at.IsZero() { // if each day from now on is one of work
			r.FadesAt = tx.Now.Add(at.Sub(now))
		}
		p, err1 := once(projects, m.Project, func() (memory.Project, error) { return tx.Project(ctx, m.Project) })
		s, err2 := once(agents, m.Session, func() (memory.Session, error) { return tx.Session(ctx, m.Session) })
		pinned, err3 := once(pins, m.Project, func() (map[memory.CrystalID]string, error) { return titles(ctx, tx, m.Project) })
		given, err4 := once(verdicts, m.Project, func() (map[string]statements.Judged, error) { return statements.Verdicts(ctx, tx, m.Project) })
		for _, err := range []error{err1, err2, err3, err4} {
			if brain.IgnoreNotFound(err) != nil {
				return nil, err
			}
		}
		r.ProjectName, r.Agent, r.Pin, r.Verdict = p.Name, s.Agent, pinned[m.ID], given[string(m.ID)].Verdict
		out[i] = r
	}
	return out, nil
}

// titles are those of the pins of a project, by what they pin.
func titles(ctx context.Context, tx *store.Tx, project memory.ProjectID) (map[memory.CrystalID]string, error) {
	pins, err := tx.Pins(ctx, project)
	found := map[memory.CrystalID]string{}
	for _, p := range pins {
		found[p.Crystal] = p.Title
	}
	return found, err
}

// MemoryPage is all there is to know of one memory.
type MemoryPage struct {
	Remembered
	Why statements.Provenance `json:"why"`
	// Shown are the last times that an agent was shown it.
	Shown []memory.Suggestion `json:"shown"`
}

// shownLast is how many of the times that an agent was shown a memory are listed.
const shownLast = 20

// OneMemory explains a memory: where it comes from, what became of it, and when it fades.
var OneMemory = brain.Operation[statements.ProvenanceInput, MemoryPage]{
	Name: "memory",
	Run: func(ctx context.Context, b *brain.Brain, in statements.ProvenanceInput) (out MemoryPage, err error) {
		if out.Why, err = statements.WhyCrystal.Run(ctx, b, in); err != nil {
			return out, err
		}
		return out, b.Store.View(ctx, func(tx *store.Tx) error {
			m := statements.Memory{Crystal: out.Why.Crystal}
			if m.State, err = statements.Became(ctx, tx, m.Crystal); err != nil {
				return err
			}
			found, err := rows(ctx, b.Config.Tuning.Crystal, tx, []statements.Memory{m})
			if err != nil {
				return err
			}
			out.Remembered = found[0]
			out.Shown, err = tx.Suggestions(ctx, store.SuggestionFilter{Crystal: m.ID, Limit: shownLast})
			return err
		})
	},
}

// FacetsResult is what the memories of a scope can be filtered by.
type FacetsResult struct {
	Projects []memory.Project `json:"projects"`
	Agents   []memory.Agent   `json:"agents"`
	First    time.Time        `json:"first,omitzero"` // when the oldest memory was said
}

// Facets lists projects and agents.
var Facets = reading("facets", func(ctx context.Context, b *brain.Brain, tx *store.Tx, _ struct{}) (out FacetsResult, err error) {
	projects, err := tx.Projects(ctx)
	if err != nil {
		return out, err
	}
	out.Projects = append([]memory.Project{}, projects...) // in JSON a list, also without one
	if out.Agents, err = tx.Agents(ctx); err != nil {
		return out, err
	}
	oldest, err := tx.Crystals(ctx, store.CrystalFilter{OldestFirst: true, Limit: 1, Bare: true})
	for _, c := range oldest {
		out.First = c.SaidAt
	}
	return out, err
})
