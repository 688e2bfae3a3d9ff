// Package state rewrites the state document (MEMORY.md) from what was noted and happened, behind guards, and keeps earlier states.
package state

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Who made a state.
const (
	StateByRules = "rules"
)

// DreamInput says which project to dream of.
type DreamInput struct {
	brain.Scope
	// Force dreams although it is not due.
	Force bool `json:"force,omitempty"`
	// Dry shows what would come of it, and keeps nothing.
	Dry bool `json:"dry,omitempty"`
	// Rules dream although a language model is configured.
	Rules bool `json:"rules,omitempty"`
}

// Dream rewrites the state of a project from what was noted and happened since. Nothing is lost by it: a note is in the state
// or pointed to before it stops waiting, and a line leaves only when words that find it stand in its place.
var Dream = brain.Operation[DreamInput, DreamResult]{
	Name:  "dream",
	Files: brain.ReadFiles | brain.WriteAllFiles, // what people wrote comes first; part of the state follows the person into other projects
	Run: func(ctx context.Context, b *brain.Brain, in DreamInput) (DreamResult, error) {
		return newDreamer(b).dream(ctx, in)
	},
}

func (d dreamer) dream(ctx context.Context, in DreamInput) (out DreamResult, err error) {
	id, err := brain.View(ctx, d.store, func(tx *store.Tx) (memory.ProjectID, error) {
		id, err := brain.Resolve(ctx, tx, d.config, in.Scope)
		if err == nil && id == 0 {
			err = fmt.Errorf("dream of one project at a time: %w", memory.ErrInvalid)
		}
		if err == nil {
			_, err = tx.Project(ctx, id)
		}
		return id, err
	})
	if err != nil {
		return out, err
	}
	if !in.Rules && !in.Dry {
		with, may, err := d.writer(ctx, id)
		if err != nil {
			return out, err
		}
		if may {
			return d.byModel(ctx, id, in, with)
		}
	}
	busy, err := d.alone(ctx, func() error {
		out, err = d.byRules(ctx, id, in)
		return err
	})
	if busy {
		out.Why = "another process dreams"
	}
	return out, err
}

// byRules dreams while nobody else does.
func (d dreamer) byRules(ctx context.Context, id memory.ProjectID, in DreamInput) (out DreamResult, err error) {
	due, err := brain.View(ctx, d.store, func(tx *store.Tx) (Decision, error) { return DreamDue(ctx, d.config, tx, id) })
	if err != nil || !due.Run && !in.Force {
		out.Why = due.Why
		return out, err
	}
	var made PhaseReport
	if !in.Dry {
		if made, err = phases(ctx, d.store, d.config.Tuning.Crystal, id); err != nil {
			return out, err
		}
	}
	var m Material
	var p Proposal
	about := aboutProject(ctx, d.store, d.config, id)
	err = d.store.View(ctx, func(tx *store.Tx) error {
		if m, err = d.material(ctx, tx, id, about); err != nil {
			return err
		}
		p = Rewrite(m)
		out = outcome(m, p, made)
		return judgeSmall(m.Base(), p.New, m.Sources()) // rules say all that is known, which may be little
	})
	if out.Why = due.Why; in.Force && !due.Run {
		out.Why = "asked for"
	}
	if err != nil || !out.Run || out.Shallow || in.Dry {
		return out, err
	}
	return out, d.keep(ctx, id, p, m.Old, out)
}

// judgeSmall is Judge for a state that may say next to nothing.
func judgeSmall(old, next Document, sources []Source) error {
	return slices.DeleteFunc(Judge(old, next, sources), func(f Finding) bool { return f.Guard == GuardEmpty }).Err()
}

// outcome is what a proposal makes of a state.
func outcome(m Material, p Proposal, made PhaseReport) DreamResult {
	out := DreamResult{
		Run: true, By: StateByRules, State: RenderState(p.New), Notes: len(p.Represented), Waiting: len(p.Waiting), Faded: p.Faded,
		Revived: p.Revived, Pointers: len(p.Pointers), Products: p.Products(m.Old),
		Phases: made,
	}
	out.Products.Links = made.Linked
	out.Shallow = out.Products.Shallow() && (m.Old.Above == "" || !m.Old.Dreamt.IsZero()) // the first dream lets an adopted text be, and later ones know that
	return out
}

// keep puts a new state in place, with the notes it took in, in one transaction.
func (d dreamer) keep(ctx context.Context, id memory.ProjectID, p Proposal, old Document, out DreamResult) error {
	return d.record(ctx, func(r *record.Recorder) error {
		now, _, err := State(ctx, r.Tx, id)
		if err != nil {
			return err
		}
		if now != old { // somebody wrote into it while this was dreamt: their words come first, and the next dream knows them
			return fmt.Errorf("the state of %s changed meanwhile: dream once more: %w", id, memory.ErrConflict)
		}
		written, err := WrittenState(ctx, r.Tx, id)
		if err != nil {
			return err
		}
		for _, c := range p.Wanting { // a line that nobody keeps elsewhere can fade only once it is kept
			if slices.Contains(SplitItems(written.Sections[c.Section]), c.Text) {
				continue // hebb wrote it itself, from what is kept
			}
			if _, err := keepLine(ctx, d.config.Tuning.Crystal, r.Tx, id, c); err != nil {
				return err
			}
		}
		if err := keepAdopted(ctx, d.config.Tuning.Crystal, r.Tx, id, p.Adopted); err != nil {
			return err
		}
		saved, err := SaveState(ctx, r.Tx, id, p.New, out.By)
		if err != nil {
			return err
		}
		for note := range p.Represented {
			if err := r.Tx.TakeNote(ctx, note, saved); err != nil && !brain.IsNotFound(err) { // deleted meanwhile, or dreamt elsewhere
				return err
			}
		}
		for scope, lines := range map[memory.ProjectID]Stated{id: p.Stated, 0: p.StatedEverywhere} {
			known, err := StatedFact(scope).Get(ctx, r.Tx)
			if err = errors.Join(err, StatedFact(scope).Set(ctx, r.Tx, known.With(lines))); err != nil {
				return err
			}
		}
		return errors.Join(PointersFact(id).Set(ctx, r.Tx, p.Pointers), saveSnapshot(ctx, r.Tx), logDream(ctx, r.Tx, id, out))
	})
}

// LineSource is the source of a line that a dream took out of the state.
const LineSource = "MEMORY.md"

// keepLine keeps a line of the state as a crystal.
func keepLine(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, c Cut) (statements.RememberResult, error) {
	switch c.Section {
	case SectionNiche, SectionGaps, SectionPointers:
		return statements.RememberResult{}, nil // where things stand, not what was said
	}
	if c.Section.Personal() {
		id = 0
	}
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(scrub.Clean(c.Text)), "- "))
	if text == "" {
		return statements.RememberResult{}, nil
	}
	return statements.Crystallise(ctx, settings, tx, memory.Crystal{
		Project: id, Kind: memory.Fact, Text: text, Origin: memory.OriginAgent, Source: LineSource, Lifecycle: memory.Consolidated, SaidAt: tx.Now,
	})
}
