// Package state renders the state document (MEMORY.md) from what is kept, behind guards, reads it back, and keeps earlier states.
package state

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// DreamInput says which project to dream of.
type DreamInput struct {
	brain.Scope
	Force bool `json:"force,omitempty" flag:"force,f" about:"dream although it is not due"`
	Dry   bool `json:"dry,omitempty" flag:"dry-run" about:"print the new state and keep nothing"`
	// Rules dream although a language model is configured.
	Rules bool `json:"rules,omitempty"`
}

// Dream renders the state of a project from what is kept of it. Notes stop waiting: they are memories like all others.
var Dream = brain.Operation[DreamInput, DreamResult]{
	Name:  "dream",
	Files: brain.ReadFiles | brain.WriteAllFiles, // what people wrote comes first; part of the state follows the person into other projects
	Run: func(ctx context.Context, b *brain.Brain, in DreamInput) (DreamResult, error) {
		return newDreamer(b).dream(ctx, in)
	},
}

const (
	DreamLease   = "dream"
	DreamPatient = 10 * time.Minute
)

// dreamer is what a dream needs of a memory.
type dreamer struct {
	store  *store.Store
	config config.Config
	now    func() time.Time
	search func(context.Context, *store.Tx, texts.SearchInput) (texts.SearchResult, error) // as agents do
	alone  func(ctx context.Context, work func() error) (busy bool, err error)
	record func(ctx context.Context, work func(*record.Recorder) error) error // in one durable transaction
}

func newDreamer(b *brain.Brain) dreamer {
	return dreamer{
		store: b.Store, config: b.Config, now: b.Now,
		search: func(ctx context.Context, tx *store.Tx, in texts.SearchInput) (texts.SearchResult, error) {
			return texts.Search(ctx, b, tx, in)
		},
		alone: func(ctx context.Context, work func() error) (bool, error) {
			return b.Alone(ctx, DreamLease, DreamPatient, work)
		},
		record: func(ctx context.Context, work func(*record.Recorder) error) error {
			return record.Recording(ctx, b, b.Store.UpdateDurable, work)
		},
	}
}

// projectOf is the project that an input names, which must be known.
func (d dreamer) projectOf(ctx context.Context, in brain.Scope) (memory.ProjectID, error) {
	return brain.View(ctx, d.store, func(tx *store.Tx) (memory.ProjectID, error) {
		id, err := brain.Resolve(ctx, tx, d.config, in)
		if err == nil && id == 0 {
			err = fmt.Errorf("dream of one project at a time: %w", memory.ErrInvalid)
		}
		if err == nil {
			_, err = tx.Project(ctx, id)
		}
		return id, err
	})
}

func (d dreamer) dream(ctx context.Context, in DreamInput) (out DreamResult, err error) {
	id, err := d.projectOf(ctx, in.Scope)
	if err != nil {
		return out, err
	}
	due, err := brain.View(ctx, d.store, func(tx *store.Tx) (Decision, error) { return DreamDue(ctx, d.config, tx, id) })
	if err != nil || !due.Run && !in.Force {
		out.Why = due.Why
		return out, err
	}
	why := due.Why
	if in.Force && !due.Run {
		why = "asked for"
	}
	if !in.Rules && !in.Dry {
		with, may, err := d.writer(ctx, id)
		if err != nil {
			return out, err
		}
		if may {
			out, err = d.byModel(ctx, id, with)
			if due.Run && out.By == stateByModel {
				out.Why = why
			}
			return out, err
		}
	}
	return d.rendered(ctx, id, StateByRules, why, in.Dry)
}

// rendered renders the state while nobody else does.
func (d dreamer) rendered(ctx context.Context, id memory.ProjectID, by, why string, dry bool) (out DreamResult, err error) {
	busy, err := d.alone(ctx, func() error {
		out, err = d.render(ctx, id, by, dry)
		return err
	})
	if out.Why = why; busy {
		out.Why = "another process dreams"
	}
	return out, err
}

func (d dreamer) render(ctx context.Context, id memory.ProjectID, by string, dry bool) (out DreamResult, err error) {
	about := aboutProject(ctx, d.store, d.config, id)
	if !dry {
		if err := d.takeIn(ctx, id, about); err != nil {
			return out, err
		}
	}
	var m Material
	var r Rendering
	var notes []store.Note
	err = d.store.View(ctx, func(tx *store.Tx) error {
		if m, err = d.material(ctx, tx, id, about); err != nil {
			return err
		}
		notes, err = tx.WaitingNotes(ctx, 0, id)
		r = Render(m, Whole, tx.Now)
		out = outcome(m, r, len(notes))
		out.By = by
		return err
	})
	if err != nil || dry {
		return out, err
	}
	if refused := m.judge(r); refused != nil {
		return out, errors.Join(refused, d.refuse(ctx, id, by, out.State, refused))
	}
	return out, d.record(ctx, func(rec *record.Recorder) error {
		now, _, err := State(ctx, rec.Tx, id)
		if err != nil {
			return err
		}
		if now != m.Old { // somebody wrote into it meanwhile: their words come first, and the next dream knows them
			return fmt.Errorf("the state of %s changed meanwhile: dream once more: %w", id, memory.ErrConflict)
		}
		return keep(ctx, rec.Tx, id, r, notes, out)
	})
}

// keep puts a rendering in place. The notes in it stop waiting: they are memories like all others.
func keep(ctx context.Context, tx *store.Tx, id memory.ProjectID, r Rendering, notes []store.Note, out DreamResult) error {
	err := errors.Join(toldFact(id).Set(ctx, tx, r.Told), tx.DropStates(ctx, 0, 0)) // earlier versions kept what follows the person apart
	for _, fact := range earlierFacts(id) {
		err = errors.Join(err, fact.Clear(ctx, tx))
	}
	if err != nil || out.Shallow {
		return err
	}
	_, err = SaveState(ctx, tx, id, r.Document, out.By)
	if err != nil {
		return err
	}
	for _, n := range notes {
		if err := tx.TakeNote(ctx, n.Crystal); err != nil && !brain.IsNotFound(err) { // deleted meanwhile, or dreamt elsewhere
			return err
		}
	}
	return errors.Join(saveSnapshot(ctx, tx), logDream(ctx, tx, id, out))
}

// refuse keeps a state that the guards refused, for inspection.
func (d dreamer) refuse(ctx context.Context, id memory.ProjectID, by, text string, why error) error {
	return d.store.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.AddState(ctx, store.StateText{Project: id, At: tx.Now, By: by, Text: strings.TrimSpace(text), Refused: scrub.Line(why.Error())}, StatesKept)
		return err
	})
}

// takeIn makes memories of what only the state holds: of the lines that an earlier version of hebb wrote, once, and of adopted texts that one
// dream has left alone.
func (d dreamer) takeIn(ctx context.Context, id memory.ProjectID, about git.About) error {
	var m Material
	seeds := false
	err := d.store.View(ctx, func(tx *store.Tx) error {
		told, err1 := toldFact(id).Get(ctx, tx)
		old, _, err2 := State(ctx, tx, id)
		above, err3 := stays(ctx, tx, id, old)
		err := errors.Join(err1, err2, err3)
		if seeds = above != old.Above; err == nil && (told == nil || seeds) {
			m, err = d.material(ctx, tx, id, about)
			return err
		}
		m.Told = told
		return err
	})
	if err != nil || m.Told != nil && !seeds {
		return err
	}
	return d.record(ctx, func(r *record.Recorder) error {
		if m.Told == nil {
			if err := takeOld(ctx, d.config.Tuning.Crystal, r.Tx, id, m, false); err != nil {
				return err
			}
		}
		if !seeds {
			return nil
		}
		return takeSeed(ctx, d.config.Tuning.Crystal, r.Tx, id, m.Old.Above)
	})
}

// standing is a state without lines whose memory does not hold any more. For comparing the old one with a rendering it is also without those
// that follow from other things or have a pointer now.
func (m Material) standing(s Document, r *Rendering) Document {
	gone := func(item string) bool {
		at := slices.IndexFunc(m.Told, func(t Told) bool { return t.Line == lineHash(item) })
		if at < 0 {
			return r != nil && derived(item)
		}
		holds := slices.ContainsFunc(m.Entries, func(e Entry) bool { return e.ID == m.Told[at].Crystal })
		return !holds || r != nil && (m.Told[at].Pointer || pointed(r.Told, m.Told[at].Crystal, true))
	}
	for section, text := range s.Sections {
		everywhere, here := SplitHere(text)
		s.Sections[section] = JoinHere(joinItems(slices.DeleteFunc(blocks(everywhere), gone)), joinItems(slices.DeleteFunc(blocks(here), gone)))
	}
	return s
}

// judge examines a rendering.
func (m Material) judge(r Rendering) error {
	found := Judge(m.standing(m.Old, &r), r.Document)
	return slices.DeleteFunc(found, func(f Finding) bool { return f.Guard == GuardEmpty }).Err() // what is known may be little
}

// pointed reports whether a memory has a pointer, or a line.
func pointed(told []Told, id memory.CrystalID, pointer bool) bool {
	return slices.ContainsFunc(told, func(t Told) bool { return t.Crystal == id && t.Pointer == pointer })
}

// outcome is what a rendering makes of a state.
func outcome(m Material, r Rendering, notes int) DreamResult {
	out := DreamResult{Run: true, State: RenderState(r.Document), Notes: notes, Products: Products{Promoted: notes}}
	for section := range SectionCount {
		before, after := SplitItems(m.Old.Sections[section]), SplitItems(r.Sections[section])
		out.Products.Changed += different(before, after)
		if section == SectionGaps {
			out.Gaps = len(after)
		}
		added := different(after, before)
		if out.Products.Changed += added; section == SectionPointers {
			out.Pointers, out.Products.Topics = len(after), added
		}
	}
	if r.Above != m.Old.Above {
		out.Products.Changed++
	}
	adopted := len(adoptedTexts(m.Old.Above)) > 0 && m.Old.Dreamt.IsZero() // the first dream lets an adopted text be, and later ones know that
	out.Shallow = out.Products == Products{} && !adopted
	return out
}

// different counts the lines of a list that another has not.
func different(list, other []string) (n int) {
	for _, item := range list {
		if !slices.ContainsFunc(other, func(o string) bool { return strings.TrimSpace(o) == strings.TrimSpace(item) }) {
			n++
		}
	}
	return n
}
