package brain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// Who made a state.
const (
	stateByRules = "rules"
	stateByModel = "llm"
	stateByAgent = "agent"
	stateByUser  = "user"
)

// DreamInput says which project to dream of.
type DreamInput struct {
	Scope
	// Force dreams although it is not due.
	Force bool `json:"force,omitempty"`
	// Dry shows what would come of it, and keeps nothing.
	Dry bool `json:"dry,omitempty"`
	// Rules dream although a language model is configured.
	Rules bool `json:"rules,omitempty"`
}

// DreamResult is what a dream brought about.
type DreamResult struct {
	Run bool   `json:"run"`
	Why string `json:"why"` // it did, or did not
	By  string `json:"by,omitempty"`
	// State is MEMORY.md as it is now.
	State   string `json:"state,omitempty"`
	Notes   int    `json:"notes"`             // taken in
	Waiting int    `json:"waiting,omitempty"` // still
	// Faded are lines that became pointers, Revived those that came back.
	Faded    []string       `json:"faded,omitempty"`
	Revived  []string       `json:"revived,omitempty"`
	Pointers int            `json:"pointers"`
	Products dream.Products `json:"products"`
	// Phases are what was done with crystals.
	Phases   PhaseReport `json:"phases"`
	Shallow  bool        `json:"shallow,omitempty"` // nothing came of it, so nothing was kept
	Warnings []string    `json:"warnings,omitempty"`
}

// Dream rewrites the state of a project from what was noted and happened since. Nothing is lost by it: a note is in the state
// or pointed to before it stops waiting, and a line leaves only when words that find it stand in its place.
var Dream = Operation[DreamInput, DreamResult]{
	Name: "dream", Summary: "Rewrite the state of mind from what was noted and happened",
	Files: ReadFiles | WriteAllFiles, // what people wrote comes first; part of the state follows the person into other projects
	Run:   func(ctx context.Context, b *Brain, in DreamInput) (DreamResult, error) { return b.dream(ctx, in) },
}

const (
	dreamLease   = "dream"
	dreamPatient = 10 * time.Minute
)

func (b *Brain) dream(ctx context.Context, in DreamInput) (out DreamResult, err error) {
	id, err := viewed(ctx, b, func(tx *store.Tx) (memory.ProjectID, error) {
		id, err := b.resolve(ctx, tx, in.Scope)
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
	if b.config.LLM.Provider != "" && !in.Rules && !in.Dry {
		return b.dreamByModel(ctx, id, in)
	}
	busy, err := b.alone(ctx, dreamLease, dreamPatient, func() error {
		out, err = b.dreamByRules(ctx, id, in)
		return err
	})
	if busy {
		out.Why = "another process dreams"
	}
	return out, err
}

// dreamByRules dreams while nobody else does.
func (b *Brain) dreamByRules(ctx context.Context, id memory.ProjectID, in DreamInput) (out DreamResult, err error) {
	due, err := viewed(ctx, b, func(tx *store.Tx) (dream.Decision, error) { return b.dreamDue(ctx, tx, id) })
	if err != nil || !due.Run && !in.Force {
		out.Why = due.Why
		return out, err
	}
	var made PhaseReport
	if !in.Dry {
		if made, err = b.phases(ctx, id); err != nil {
			return out, err
		}
	}
	var m dream.Material
	var p dream.Proposal
	err = b.store.View(ctx, func(tx *store.Tx) error {
		if m, err = b.material(ctx, tx, id); err != nil {
			return err
		}
		p = dream.Rewrite(m)
		out = b.dreamt(m, p, made)
		return workmem.Judge(m.Old, p.New, m.Sources()).Err()
	})
	if out.Why = due.Why; in.Force && !due.Run {
		out.Why = "asked for"
	}
	if err != nil || !out.Run || out.Shallow || in.Dry {
		return out, err
	}
	return out, b.keepProposal(ctx, id, p, m.Old, out)
}

// dreamt tells what a proposal makes of a state.
func (b *Brain) dreamt(m dream.Material, p dream.Proposal, made PhaseReport) DreamResult {
	out := DreamResult{
		Run: true, By: stateByRules, State: workmem.RenderState(p.New), Notes: len(p.Represented), Waiting: len(p.Waiting), Faded: p.Faded,
		Revived: p.Revived, Pointers: len(p.Pointers), Products: p.Products(m.Old),
		Phases: made,
	}
	out.Products.Links = made.Linked
	out.Shallow = out.Products.Shallow()
	return out
}

// keepProposal puts a new state in place, with the notes it took in, in one transaction.
func (b *Brain) keepProposal(ctx context.Context, id memory.ProjectID, p dream.Proposal, old workmem.State, out DreamResult) error {
	return b.recording(ctx, b.store.UpdateDurable, func(r *recorder) error {
		now, _, err := b.state(ctx, r.tx, id)
		if err != nil {
			return err
		}
		if now != old { // somebody wrote into it while this was dreamt: their words come first, and the next dream knows them
			return fmt.Errorf("the state of %s changed meanwhile: dream once more: %w", id, memory.ErrConflict)
		}
		written, err := b.writtenState(ctx, r.tx, id)
		if err != nil {
			return err
		}
		for _, c := range p.Wanting { // a line that nobody keeps elsewhere can fade only once it is kept
			if slices.Contains(workmem.SplitItems(written.Sections[c.Section]), c.Text) {
				continue // hebb wrote it itself, from what is kept
			}
			if _, err := b.keepLine(ctx, r.tx, id, c); err != nil {
				return err
			}
		}
		if err := b.keepAdopted(ctx, r.tx, id, p.Adopted); err != nil {
			return err
		}
		state, err := b.saveState(ctx, r.tx, id, p.New, out.By)
		if err != nil {
			return err
		}
		for note := range p.Represented {
			if err := r.tx.TakeNote(ctx, note, state); err != nil && !isNotFound(err) { // deleted meanwhile, or dreamt elsewhere
				return err
			}
		}
		return errors.Join(b.savePointers(ctx, r.tx, id, p.Pointers), b.saveSnapshot(ctx, r.tx), logDream(ctx, r.tx, id, out))
	})
}

// keepLine keeps a line of the state as a crystal.
func (b *Brain) keepLine(ctx context.Context, tx *store.Tx, id memory.ProjectID, c workmem.Cut) (RememberResult, error) {
	switch c.Section {
	case workmem.SectionNiche, workmem.SectionGaps, workmem.SectionPointers:
		return RememberResult{}, nil // where things stand, not what was said
	}
	if c.Section.Personal() {
		id = 0
	}
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(scrub.Clean(c.Text)), "- "))
	if text == "" {
		return RememberResult{}, nil
	}
	return b.crystallise(ctx, tx, memory.Crystal{
		Project: id, Kind: memory.Fact, Text: text, Origin: memory.OriginAgent, Source: "MEMORY.md", Lifecycle: memory.Consolidated, SaidAt: tx.Now,
	})
}
