package brain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/crystal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// ProvenanceInput names a crystal by its ID or the beginning of it.
type ProvenanceInput struct {
	ID string `json:"id"`
}

// Provenance is where a crystal comes from and what became of it.
type Provenance struct {
	memory.Crystal
	ProjectName string           `json:"project_name,omitempty"` // empty: the person's own
	Parents     []memory.Crystal `json:"from"`                   // what it took the place of, or grew from
	Children    []memory.Crystal `json:"since"`                  // what took its place, or grew from it
	Traces      []store.Trace    `json:"traces"`
}

// WhyCrystal explains a crystal.
var WhyCrystal = Operation[ProvenanceInput, Provenance]{
	Name: "why-crystal", Summary: "Tell where something remembered comes from, and what became of it",
	Run: func(ctx context.Context, b *Brain, in ProvenanceInput) (Provenance, error) {
		return viewed(ctx, b, func(tx *store.Tx) (out Provenance, err error) {
			c, err := findCrystal(ctx, tx, in.ID)
			if err != nil {
				return out, err
			}
			out = Provenance{Crystal: c.Crystal, Parents: []memory.Crystal{}, Children: []memory.Crystal{}}
			if c.Project != 0 {
				p, err := tx.Project(ctx, c.Project)
				if err != nil && !isNotFound(err) {
					return out, err
				}
				out.ProjectName = p.Name
			}
			if out.Traces, err = tx.Traces(ctx, c.ID); err != nil {
				return out, err
			}
			var children []memory.CrystalID
			for _, t := range out.Traces {
				if t.What == traceSuperseded || t.What == traceMerged {
					children = append(children, memory.CrystalID(t.Detail))
				}
			}
			for _, id := range append(slices.Clone(c.Parents), children...) {
				other, err := tx.Crystal(ctx, id)
				if isNotFound(err) {
					continue // deleted on purpose since
				}
				if err != nil {
					return out, err
				}
				if slices.Contains(c.Parents, id) {
					out.Parents = append(out.Parents, other.Crystal)
				} else {
					out.Children = append(out.Children, other.Crystal)
				}
			}
			return out, nil
		})
	},
}

// findCrystal looks a crystal up by its ID or a beginning that only it has.
func findCrystal(ctx context.Context, tx *store.Tx, id string) (store.Kept, error) {
	if id == "" || strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return store.Kept{}, fmt.Errorf("text %q: want an ID or its beginning (hebb search shows them): %w", id, memory.ErrInvalid)
	}
	found, err := tx.Crystals(ctx, store.CrystalFilter{Prefix: id, Limit: 2})
	switch {
	case err != nil:
		return store.Kept{}, err
	case len(found) == 0:
		return store.Kept{}, fmt.Errorf("no text has the ID %q (hebb search shows them): %w", id, memory.ErrNotFound)
	case len(found) > 1:
		return store.Kept{}, fmt.Errorf("text %q could be %s or %s: give more of it: %w", id, found[0].ID, found[1].ID, memory.ErrConflict)
	}
	return found[0], nil
}

// JudgeInput says of a crystal whether it is still right.
type JudgeInput struct {
	ID string `json:"id"`
	// Right confirms it as the code is now; otherwise it is taken out of sight and stays as history.
	Right bool `json:"right"`
}

// Judge settles whether a crystal is still right: by a person's or an agent's word, never by being read.
var Judge = Operation[JudgeInput, memory.Crystal]{
	Name: "judge", Summary: "Say whether something remembered is still right",
	Run: func(ctx context.Context, b *Brain, in JudgeInput) (memory.Crystal, error) {
		return updated(ctx, b, func(tx *store.Tx) (memory.Crystal, error) {
			c, err := findCrystal(ctx, tx, in.ID)
			if err != nil {
				return c.Crystal, err
			}
			rules := crystal.NewRules(b.config.Tuning.Crystal)
			after, what := rules.Confirm(rules.Use(c.Crystal, false, tx.Now)), traceConfirmed
			if in.Right && !c.ValidTo.IsZero() {
				if err := takenBack(ctx, tx, c.Crystal); err != nil {
					return c.Crystal, err
				}
				after.ValidTo = time.Time{}
			}
			if in.Right {
				root, err := b.rootOf(ctx, tx, c.Project)
				if err != nil {
					return after, err
				}
				for i, a := range after.Anchors {
					if hash, there := codeHash(root, a); there {
						after.Anchors[i].Hash = hash
					}
				}
			} else {
				after, what = c.Crystal, traceWrong
				after.Unsure, after.ValidTo = false, tx.Now
			}
			return after, errors.Join(tx.SaveCrystal(ctx, after), tx.Leave(ctx, store.Trace{Crystal: after.ID, What: what}))
		})
	},
}

// takenBack refuses to bring back what was not called wrong: something else has taken its place.
func takenBack(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	traces, err := tx.Traces(ctx, c.ID)
	if err != nil {
		return err
	}
	for _, t := range slices.Backward(traces) {
		if t.What == traceWrong {
			return nil
		}
		if t.What == traceSuperseded {
			return fmt.Errorf("%s has taken the place of %s: call that wrong first (hebb check %s --wrong): %w", t.Detail, c.ID, t.Detail, memory.ErrConflict)
		}
	}
	return nil
}

// CheckInput chooses a project.
type CheckInput struct {
	Scope
	Limit int `json:"limit,omitempty"`
}

// Doubtful is a crystal that speaks of code which has changed since.
type Doubtful struct {
	memory.Crystal
	Changed []memory.Anchor `json:"changed"`
	Since   time.Time       `json:"since,omitzero"` // when it was noticed
}

// CheckCrystals looks which crystals speak of code that has changed since, and lists them.
var CheckCrystals = Operation[CheckInput, []Doubtful]{
	Name: "check", Summary: "List what is remembered of code that has changed since",
	Run: func(ctx context.Context, b *Brain, in CheckInput) ([]Doubtful, error) {
		ids, err := viewed(ctx, b, func(tx *store.Tx) ([]memory.ProjectID, error) { return b.scoped(ctx, tx, in.Scope) })
		if err != nil {
			return nil, err
		}
		list := []Doubtful{}
		for _, id := range ids {
			found, err := b.doubt(ctx, id)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
		if in.Limit > 0 {
			list = list[:min(len(list), in.Limit)]
		}
		return list, nil
	},
}

// doubt compares what crystals of a project speak of with the code as it is, and marks those whose place has changed. One
// whose place was never seen takes it as it is now.
func (b *Brain) doubt(ctx context.Context, id memory.ProjectID) (list []Doubtful, err error) {
	return updated(ctx, b, func(tx *store.Tx) ([]Doubtful, error) {
		list := []Doubtful{}
		root, err := b.rootOf(ctx, tx, id)
		if err != nil || !isFolder(root) { // its files are not on this machine: that says nothing
			return list, err
		}
		paths, err := tx.AnchoredPaths(ctx, id)
		if err != nil {
			return nil, err
		}
		seen := map[memory.CrystalID]bool{}
		for _, path := range paths {
			crystals, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id}, Path: path, Current: true})
			if err != nil {
				return nil, err
			}
			for _, c := range crystals {
				if seen[c.ID] || !c.Lifecycle.Living() {
					continue
				}
				seen[c.ID] = true
				changed, err := b.compare(ctx, tx, root, c.Crystal)
				if err != nil {
					return nil, err
				}
				if changed != nil {
					list = append(list, *changed)
				}
			}
		}
		return list, nil
	})
}

// compare looks at the places one crystal speaks of.
func (b *Brain) compare(ctx context.Context, tx *store.Tx, root string, c memory.Crystal) (*Doubtful, error) {
	d := Doubtful{Crystal: c, Changed: []memory.Anchor{}}
	met := false
	for i, a := range c.Anchors {
		hash, there := codeHash(root, a)
		switch {
		case a.Hash == 0 && there:
			d.Anchors[i].Hash, met = hash, true
		case a.Hash != 0 && hash != a.Hash:
			d.Changed = append(d.Changed, a)
		}
	}
	if len(d.Changed) == 0 {
		if c.Unsure { // the code is again what it was when this was said
			d.Unsure = false
			return nil, errors.Join(tx.SaveCrystal(ctx, d.Crystal), tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceConfirmed, Detail: "the code is back"}))
		}
		if met {
			return nil, tx.SaveCrystal(ctx, d.Crystal)
		}
		return nil, nil
	}
	if !c.Unsure {
		d.Unsure = true
		detail := d.Changed[0].Path
		if err := errors.Join(tx.SaveCrystal(ctx, d.Crystal), tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceDoubted, Detail: detail})); err != nil {
			return nil, err
		}
	}
	return &d, nil
}

// rootOf is where a project's files lie, empty where there is none.
func (b *Brain) rootOf(ctx context.Context, tx *store.Tx, id memory.ProjectID) (string, error) {
	if id == 0 {
		return "", nil
	}
	p, err := tx.Project(ctx, id)
	if isNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return memory.UnescapePath(p.Root)
}

// UseInput names crystals that were given to somebody who asked.
type UseInput struct {
	IDs []memory.CrystalID `json:"ids"`
}

// UseCrystals counts that crystals were used: they live longer, and one that had expired comes back. Being read confirms
// nothing.
var UseCrystals = Operation[UseInput, int]{
	Name: "use", Summary: "Count that something remembered was used",
	Run: func(ctx context.Context, b *Brain, in UseInput) (used int, err error) {
		rules := crystal.NewRules(b.config.Tuning.Crystal)
		err = b.store.Update(ctx, func(tx *store.Tx) error {
			used = 0
			for _, id := range in.IDs {
				c, err := tx.Crystal(ctx, id)
				if isNotFound(err) {
					continue
				}
				if err != nil {
					return err
				}
				after := rules.Use(c.Crystal, c.Kind == memory.Intention, tx.Now)
				if err := tx.SaveCrystal(ctx, after); err != nil {
					return err
				}
				if after.Lifecycle != c.Lifecycle {
					if err := tx.Leave(ctx, store.Trace{Crystal: id, What: traceUsed, Detail: string(after.Lifecycle)}); err != nil {
						return err
					}
				}
				used++
			}
			return nil
		})
		return used, err
	},
}
