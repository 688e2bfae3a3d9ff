package statements

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// MemoriesInput chooses what is remembered; zero fields do not choose. A project brings the person's own with it.
type MemoriesInput struct {
	brain.Scope `flag:"all"`
	Kinds       []memory.CrystalKind `json:"kinds,omitempty"`
	Origin      memory.Origin        `json:"origin,omitempty" flag:"origin" about:"only from"`
	Heard       bool                 `json:"heard,omitempty" flag:"heard" about:"only what was said in prompts"`
	Stated      bool                 `json:"stated,omitempty" flag:"stated" about:"only what somebody asked to remember"`
	Session     string               `json:"session,omitempty" flag:"session,s" about:"only what was said in this session"`
	Since       time.Time            `json:"since,omitzero" flag:"since" about:"only what was said after this"`
	Before      time.Time            `json:"before,omitzero" flag:"older" about:"only what was said before this"`
	History     bool                 `json:"history,omitempty" flag:"history" about:"also what was superseded, merged or rejected, or has expired"`
	Waiting     bool                 `json:"waiting,omitempty" flag:"waiting" about:"only what waits for your yes: sentences that may not be yours or not meant to last, lines that nothing bears out, and changes that agents propose"`
	Said        bool                 `json:"said,omitempty"` // no lines of knowledge, which sessions taught
	Limit       int                  `json:"limit,omitempty" flag:"limit,n"`
}

// Memory is something remembered and what became of it.
type Memory struct {
	memory.Crystal
	// State is empty for what holds: else superseded, rejected, archived, expired or proposed; of a line of knowledge also retired or gave way.
	State string `json:"state,omitempty"`
	// Proposed is the change that an agent proposes: replace (this is the new text), reject, forget or confirm.
	Proposed string `json:"proposed,omitempty"`
	// InPlaceOf are the statements that a proposed text is to replace.
	InPlaceOf []memory.Crystal `json:"in_place_of,omitempty"`
}

// Memories lists what is remembered, the newest first.
var Memories = brain.Operation[MemoriesInput, []Memory]{
	Name: "memories",
	Run: func(ctx context.Context, b *brain.Brain, in MemoriesInput) ([]Memory, error) {
		for _, kind := range in.Kinds {
			if !slices.Contains(memory.CrystalKinds, kind) {
				return nil, fmt.Errorf("kind %q: want one of %s: %w", kind, texts.KindNames(memory.CrystalKinds), memory.ErrInvalid)
			}
		}
		if in.Heard && in.Stated {
			return nil, fmt.Errorf("nothing is both heard and stated: leave one of them out: %w", memory.ErrInvalid)
		}
		return brain.View(ctx, b.Store, func(tx *store.Tx) (list []Memory, err error) {
			chosen, err := record.Filter(ctx, b.Config, tx, in.Scope, in.Session)
			if err != nil {
				return nil, err
			}
			f := store.CrystalFilter{
				Kinds: in.Kinds, Origin: in.Origin, Heard: in.Heard, Stated: in.Stated, Own: in.Origin == "", Said: in.Said || in.Heard, Session: chosen.Session, SaidSince: in.Since, SaidBefore: in.Before,
				Current: !in.History, Living: !in.History, Limit: in.Limit,
			}
			if in.Waiting {
				f.Lifecycle, f.Current, f.Living = memory.Waiting, true, false
			}
			if chosen.Project != 0 {
				f.Projects = []memory.ProjectID{chosen.Project, 0}
			}
			found, err := tx.Crystals(ctx, f)
			if err != nil {
				return nil, err
			}
			found = slices.DeleteFunc(found, func(c store.Kept) bool { return !in.Waiting && c.Lifecycle == memory.Waiting && c.ValidTo.IsZero() })
			list = make([]Memory, len(found))
			for i, c := range found {
				list[i].Crystal = c.Crystal
				if list[i].State, err = Became(ctx, tx, c.Crystal); err != nil {
					return nil, err
				}
			}
			if !in.Waiting {
				return list, nil
			}
			proposals, err := proposedIn(ctx, tx, f.Projects)
			proposals = slices.DeleteFunc(proposals, func(m Memory) bool { return m.Lifecycle == memory.Waiting }) // listed already
			return append(list, proposals...), err
		})
	},
}

// proposedIn lists what agents propose in some projects, with what a new text is to replace.
func proposedIn(ctx context.Context, tx *store.Tx, projects []memory.ProjectID) (list []Memory, err error) {
	list, err = proposed(ctx, tx, projects)
	for i := range list {
		m := &list[i]
		if m.Proposed != ProposeReplace {
			continue
		}
		for _, id := range m.Parents {
			old, err := tx.Crystal(ctx, id)
			if err == nil {
				m.InPlaceOf = append(m.InPlaceOf, old.Crystal)
			}
			if brain.IgnoreNotFound(err) != nil {
				return nil, err
			}
		}
	}
	return list, err
}

// EditInput gives a memory a new text.
type EditInput struct {
	ID     string        `json:"id" arg:"1"`
	Text   string        `json:"text" arg:"2..-"`
	Origin memory.Origin `json:"origin,omitempty"` // who does so; empty: the user
	// Quote is what an agent hands over as the person's word for it.
	Quote string `json:"quote,omitempty"`
}

// Edit gives a memory a new text. The earlier one stays as history.
var Edit = brain.NeverBusy(brain.Operation[EditInput, RememberResult]{
	Name: "edit",
	Run: func(ctx context.Context, b *brain.Brain, in EditInput) (RememberResult, error) {
		if err := brain.Fits("edit", in.Origin, in.Text); err != nil {
			return RememberResult{}, err
		}
		return brain.Update(ctx, b, func(tx *store.Tx) (RememberResult, error) { return edit(ctx, b.Config.Tuning.Crystal, tx, in) })
	},
}, func(in EditInput) string { return in.Text })

func edit(ctx context.Context, settings tuning.Crystal, tx *store.Tx, in EditInput) (out RememberResult, err error) {
	found, err := FindCrystal(ctx, tx, in.ID)
	if err != nil {
		return out, err
	}
	old, text := found.Crystal, strings.TrimSpace(scrub.Clean(in.Text))
	switch {
	case strings.TrimSpace(strings.ReplaceAll(text, private, "")) == "":
		return out, fmt.Errorf("edit %s: the new text is empty: give it some words, or reject it (hebb memories reject %s): %w", old.ID, old.ID, memory.ErrInvalid)
	case text == strings.TrimSpace(old.Text):
		return out, fmt.Errorf("edit %s: it says exactly that already: %w", old.ID, memory.ErrConflict)
	case !old.ValidTo.IsZero():
		return out, fmt.Errorf("edit %s: it is history; edit what took its place (hebb memories show %s names it), or remember the new text: %w",
			old.ID, old.ID, memory.ErrConflict)
	}
	if old.Lifecycle == memory.Frozen {
		return out, pinned("edit", old)
	}
	w, err := warrantFor(ctx, tx, old, ProposeReplace, in.Origin, cmp.Or(in.Quote, text))
	if err != nil {
		return out, err
	}
	c := memory.Crystal{
		Project: old.Project, Kind: old.Kind, Text: text, Origin: cmp.Or(in.Origin, memory.OriginUser), Source: "edit", Lifecycle: memory.Generated, SaidAt: tx.Now,
		Importance: old.Importance, Valence: old.Valence, Parents: []memory.CrystalID{old.ID}, Anchors: slices.Clone(old.Anchors),
	}
	if old.Line != nil && brain.ByUser(in.Origin) { // now it is the person's own line
		c.Heard, c.Line = 1, &memory.Line{When: old.Line.When, Seen: old.Line.Seen, SeenAt: tx.Now, KeptAt: tx.Now, Said: old.Line.Said}
	}
	if w.lacking != "" {
		if err = Room(ctx, tx, c.Project, c.Origin); err != nil {
			return out, err
		}
		out, err = proposeText(ctx, tx, c, []memory.Crystal{old})
		out.Proposed = w.lacking
		return out, err
	}
	if c, err = proven(ctx, tx, c, cmp.Or(in.Quote, text)); err != nil {
		return out, err
	}
	if err = Room(ctx, tx, c.Project, c.Origin); err != nil {
		return out, err
	}
	if c.Origin != memory.OriginUser {
		if wrong, is, err := rejection(ctx, tx, c); err != nil || is {
			return RememberResult{Crystal: wrong, Rejected: is}, err
		}
	}
	unnamed := old
	if unnamed.Subject = ""; texts.Subject(unnamed) != old.Subject {
		c.Subject = old.Subject // somebody named it
	}
	named, err := anchors(ctx, tx, c.Project, c.Text, nil)
	if err != nil {
		return out, err
	}
	code, err := codeOf(ctx, tx, c.Project)
	if err != nil {
		return out, err
	}
	c.Anchors = joined(c.Anchors, named)
	code.tie(c.Anchors)
	old.ValidTo, old.Unsure = tx.Now, false
	if err := tx.SaveCrystal(ctx, old); err != nil {
		return out, err
	}
	if out, err = Crystallise(ctx, settings, tx, c); err != nil {
		return out, err
	}
	if !slices.Contains(out.Parents, old.ID) { // it was known
		out.Parents = append(out.Parents, old.ID)
		err = tx.SaveCrystal(ctx, out.Crystal)
	}
	out.Superseded = append(out.Superseded, old.ID)
	return out, errors.Join(err, tx.Leave(ctx, store.Trace{Crystal: old.ID, What: TraceSuperseded, Detail: string(out.ID)}))
}

// proposed lists the memories of some projects, or of all, for which an agent proposes something, the latest first.
func proposed(ctx context.Context, tx *store.Tx, projects []memory.ProjectID) (list []Memory, err error) {
	found, err := tx.Crystals(ctx, store.CrystalFilter{Projects: projects, Proposed: true})
	for _, c := range found {
		traces, failed := tx.Traces(ctx, c.ID)
		if failed != nil {
			return nil, failed
		}
		if change := proposal(traces); change != "" {
			list = append(list, Memory{Crystal: c.Crystal, Proposed: change})
		}
	}
	return list, err
}
