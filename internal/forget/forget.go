// Package forget forgets on purpose: events, texts, everything derived from them. The projects concerned are then rebuilt from their logs.
package forget

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/views"
)

// ForgetInput chooses what to forget: events by ID, or all that the other fields describe together. A project named
// by Scope.Project alone is forgotten whole.
type ForgetInput struct {
	brain.Scope `flag:"all"`
	IDs         []memory.EventID `json:"ids,omitempty"`
	Session     string           `json:"session,omitempty" flag:"session,s" about:"all of this session"`
	Origin      memory.Origin    `json:"origin,omitempty" flag:"origin" about:"all of this origin"`
	Since       time.Time        `json:"since,omitzero" flag:"since" about:"all after this"`
	// Apply carries it out; without it the counts are what would go.
	Apply bool `json:"apply,omitempty" flag:"yes,y"`
	// By is who asks; empty: the user. Anybody else forgets nothing that the user said.
	By memory.Origin `json:"by,omitempty"`
	// Quote is what an agent hands over as the person's word for it. It counts for texts, not for events. Without it, forgetting
	// what the person said is a proposal.
	Quote string `json:"quote,omitempty"`
}

// ForgetResult counts what was forgotten, or would be.
type ForgetResult struct {
	store.Forgotten
	// Texts that were remembered, with all that makes them findable.
	Texts int64 `json:"texts"`
	// Newest are a few of them, to recognise what was chosen.
	Newest  []memory.StoredEvent `json:"newest"`
	Applied bool                 `json:"applied"`
	// Backups are the copies that still hold some of it.
	Backups []string `json:"backups,omitempty"`
	// Proposed are texts that stay: an agent only proposes to forget them. Lacking says why.
	Proposed []memory.CrystalID `json:"proposed,omitempty"`
	Lacking  string             `json:"lacking,omitempty"`
	// Warning says what could not be finished.
	Warning string `json:"warning,omitempty"`
}

// forgetSample is how many of the chosen events are shown.
const forgetSample = 10

// Unpack makes rows of packed tool calls where something is to be chosen: of one project, if the choice names it.
func Unpack(ctx context.Context, st *store.Store, f store.EventFilter) error {
	if f.Session != 0 {
		s, err := brain.View(ctx, st, func(tx *store.Tx) (memory.Session, error) { return tx.Session(ctx, f.Session) })
		if err != nil {
			return err
		}
		f.Project = s.Project
	}
	return sleep.Unpack(ctx, st, f.Project)
}

// Choose finds what is to be forgotten, and counts it by reading. f chooses the events, unless they are named.
func Choose(ctx context.Context, tx *store.Tx, in ForgetInput, f store.EventFilter) (out ForgetResult, chosen Forgetting, err error) {
	out.Newest = []memory.StoredEvent{}
	for _, id := range in.IDs {
		known, err := tx.Crystal(ctx, memory.CrystalID(id))
		switch {
		case err == nil:
			lacking, err := statements.MayForget(ctx, tx, known.Crystal, in.By, in.Quote)
			if err != nil {
				return out, chosen, err
			}
			if lacking != "" && in.Apply {
				out.Proposed, out.Lacking = append(out.Proposed, known.ID), lacking
				continue
			}
			chosen.Crystals = goals.Union(chosen.Crystals, memory.CrystalID(id))
		case brain.IsNotFound(err):
			f.IDs = goals.Union(f.IDs, id)
		default:
			return out, chosen, err
		}
	}
	out.Texts = int64(len(chosen.Crystals))
	if len(in.IDs) > 0 && len(f.IDs) == 0 {
		return out, chosen, nil
	}
	if len(in.IDs) == 0 {
		f.Origin, f.Since = in.Origin, in.Since
	}
	if in.Project != "" && in.Session == "" && in.Origin == "" && in.Since.IsZero() {
		if chosen.Texts, err = brain.Named(ctx, tx, in.Project); err == nil {
			out.Texts, err = tx.CountTexts(ctx, chosen.Texts)
		}
		if err == nil && in.Apply && !brain.ByUser(in.By) {
			err = brain.PersonsOwn("forget", "project "+scrub.Line(in.Project))
		}
		if err != nil {
			return out, chosen, err
		}
	}
	if err := mayForget(ctx, tx, f, in); err != nil {
		return out, chosen, err
	}
	err = chooseEvents(ctx, tx, f, &out, &chosen)
	if brain.IsNotFound(err) && out.Texts > 0 && len(in.IDs) == 0 {
		err = nil // the project has nothing but texts
	}
	return out, chosen, err
}

// chooseEvents counts and shows the events that a filter chooses.
func chooseEvents(ctx context.Context, tx *store.Tx, f store.EventFilter, out *ForgetResult, chosen *Forgetting) (err error) {
	sample := f
	if len(f.IDs) == 0 {
		sample.Limit = forgetSample
	}
	if out.Newest, err = tx.Events(ctx, sample); err != nil {
		return err
	}
	for _, id := range f.IDs {
		if !slices.ContainsFunc(out.Newest, func(e memory.StoredEvent) bool { return e.ID == id }) {
			return fmt.Errorf("forget: event %s: %w", id, memory.ErrNotFound)
		}
	}
	if len(out.Newest) == 0 {
		out.Newest = []memory.StoredEvent{}
		return fmt.Errorf("forget: events like that: %w", memory.ErrNotFound)
	}
	if out.Forgotten, err = tx.CountForgotten(ctx, f, chosen.Texts != 0); err != nil {
		return err
	}
	chosen.Events = []store.EventFilter{f}
	return chosen.addPlaces(ctx, tx, f)
}

// mayForget refuses an agent that would delete what the person said in sessions.
func mayForget(ctx context.Context, tx *store.Tx, f store.EventFilter, in ForgetInput) error {
	if !in.Apply || brain.ByUser(in.By) || f.Origin != "" && f.Origin != memory.OriginUser {
		return nil
	}
	f.Origin, f.Limit = memory.OriginUser, 1
	said, err := tx.Events(ctx, f)
	if err == nil && len(said) > 0 {
		err = brain.PersonsOwn("forget", fmt.Sprintf("part of this (such as %s)", said[0].ID))
	}
	return err
}

// forgetTextInStates removes a deleted text from the states that contain it.
func forgetTextInStates(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	said := wordsForgotten{words: c.Text, piece: strings.HasPrefix(c.Source, state.AdoptedSource)}
	if c.Project != 0 {
		return forgetInState(ctx, tx, c.Project, said)
	}
	projects, err := tx.Projects(ctx)
	for _, p := range projects {
		err = errors.Join(err, forgetInState(ctx, tx, p.ID, said))
	}
	return err
}

// forgetInState removes lines from a project's state that say what is forgotten, and its earlier states, which may say it too.
// commands are those of forgotten tool calls. piece says that the words are part of an adopted file.
func forgetInState(ctx context.Context, tx *store.Tx, id memory.ProjectID, said wordsForgotten) error {
	if strings.TrimSpace(said.words) == "" {
		return nil
	}
	if err := errors.Join(state.ForgetGaps(ctx, tx, id, said.words), views.ForgetBackups(ctx, tx, id, said.words, said.piece)); err != nil {
		return err
	}
	s, known, err := state.State(ctx, tx, id)
	if err != nil || !known {
		return err
	}
	changed := false
	forgotten, ran := goals.Spaced(said.words), goals.Spaced(said.commands)
	written, err := state.WrittenState(ctx, tx, id)
	if err != nil {
		return err
	}
	for section := range state.SectionCount {
		var left []string
		for _, item := range state.SplitItems(s.Sections[section]) {
			says := brain.Quotes(brain.PlainWords(item), forgotten) || state.FromCommands(section, item) && sharesWord(item, ran)
			if says && slices.Contains(state.SplitItems(written.Sections[section]), item) {
				changed = true
				continue
			}
			left = append(left, item)
		}
		s.Sections[section] = strings.Join(left, "\n")
	}
	if above := state.CutSeeds(s.Above, func(line string) bool { return brain.SaidIn(line, forgotten, said.piece) }); above != s.Above {
		s.Above, changed = above, true
	}
	states, err := tx.States(ctx, id)
	if err != nil {
		return err
	}
	if !changed && !slices.ContainsFunc(states, func(s store.StateText) bool { return brain.Quotes(brain.PlainWords(s.Text), forgotten) }) {
		return nil
	}
	saved, err := state.SaveState(ctx, tx, id, s, state.StateByRules)
	if err != nil {
		return err
	}
	return errors.Join(tx.DropStates(ctx, id, saved), tx.DropStates(ctx, 0, 0))
}

// sharesWord reports whether a text has a word of a list of words. Commands are short, and a state shortens them further.
func sharesWord(text, words string) bool {
	return slices.ContainsFunc(brain.PlainWords(text), func(word string) bool { return strings.Contains(words, " "+word+" ") })
}
