package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// StatesKept are the earlier states of a project that can be brought back, and as many that were refused.
const StatesKept = 10

// Who made a state.
const (
	StateByRules = "rules"
	StateByUser  = "user"
	stateByAgent = "agent"
	stateByModel = "llm"
)

// State reads what MEMORY.md of a project says.
func State(ctx context.Context, tx *store.Tx, id memory.ProjectID) (s Document, known bool, err error) {
	text, err := tx.State(ctx, id)
	if err != nil {
		return s, false, brain.IgnoreNotFound(err)
	}
	if s, err = ParseState(text.Text); err != nil {
		err = fmt.Errorf("state of %s: %w: %w", id, memory.ErrDamaged, err)
	}
	return s, true, err
}

// SaveState keeps a state of a project.
func SaveState(ctx context.Context, tx *store.Tx, id memory.ProjectID, s Document, by string) (int64, error) {
	return tx.AddState(ctx, store.StateText{Project: id, At: tx.Now, By: by, Text: RenderState(s)}, StatesKept)
}

// WrittenState is the state as hebb last wrote it, before a person changed the file.
func WrittenState(ctx context.Context, tx *store.Tx, id memory.ProjectID) (s Document, err error) {
	states, err := tx.States(ctx, id)
	if err != nil {
		return s, err
	}
	for _, one := range states {
		if one.Refused == "" && one.By != StateByUser {
			return ParseState(one.Text)
		}
	}
	return s, nil
}

// toldFact says which memories the lines of a project's state tell.
func toldFact(id memory.ProjectID) store.Fact[[]Told] {
	return store.NewFact[[]Told]("dream/told").Of(id)
}

// Aside are memories that the last rewriting by a model left out. They are told again once they are used.
type Aside struct {
	At       int64              `json:"at"`
	Crystals []memory.CrystalID `json:"crystals"`
}

func asideFact(id memory.ProjectID) store.Fact[Aside] {
	return store.NewFact[Aside]("dream/aside").Of(id)
}

// Clearable is a fact that can be forgotten.
type Clearable interface {
	Clear(ctx context.Context, tx *store.Tx) error
}

// TextFacts are those of a project that go with its texts.
func TextFacts(id memory.ProjectID) []Clearable {
	return append(earlierFacts(id), toldFact(id), asideFact(id), DreamsFact(id), SeedFact(id))
}

// earlierFacts are of versions that rewrote the state by rules. The first rendering clears them.
func earlierFacts(id memory.ProjectID) (list []Clearable) {
	for _, name := range []string{"dream/pointers", "dream/stated", "dream/phases"} {
		list = append(list, store.NewFact[json.RawMessage](name).Of(id))
	}
	return list
}

// MemoryView is the state of a project as a file.
func MemoryView(settings tuning.Crystal, folder string, id memory.ProjectID) desk.FileView {
	return desk.FileView{
		Name: path.Join(folder, "MEMORY.md"),
		Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			s, known, err := State(ctx, tx, id)
			if err != nil || !known {
				return "", err
			}
			told, err := toldFact(id).Get(ctx, tx)
			return RenderState(marked(s, told)), err
		},
		Read: func(ctx context.Context, tx *store.Tx, text string) ([]sheet.Entry, error) {
			told, err := toldFact(id).Get(ctx, tx)
			if err != nil {
				return nil, err
			}
			s, err := parseMarked(text)
			return entriesOf(s, told), err
		},
		Take: func(ctx context.Context, r *record.Recorder, c sheet.Change, text string) error {
			s, err := ParseState(text)
			if err != nil {
				return err
			}
			now, _, err := State(ctx, r.Tx, id)
			if err = errors.Join(err, edited(ctx, settings, r.Tx, id, c)); err != nil {
				return err
			}
			if s.Dreamt = now.Dreamt; s != now { // what a dream has written since the person opened the file comes with the next
				_, err = SaveState(ctx, r.Tx, id, s, StateByUser)
			}
			return err
		},
	}
}

// Unstated is a state without the lines that tell what a start tells by itself: statements of the person, and lines of knowledge.
func Unstated(ctx context.Context, tx *store.Tx, id memory.ProjectID, s Document) (Document, error) {
	told, err := toldFact(id).Get(ctx, tx)
	for section, text := range s.Sections {
		items := SplitItems(text)
		left := slices.DeleteFunc(slices.Clone(items), func(item string) bool {
			return slices.ContainsFunc(told, func(t Told) bool { return t.Said && t.Line == lineHash(item) })
		})
		if len(left) < len(items) {
			s.Sections[section] = strings.Trim(strings.Join(left, "\n"), "\n")
		}
		if Section(section).Personal() {
			s.Sections[section] = JoinHere(SplitHere(s.Sections[section])) // no title without lines
		}
	}
	return s, err
}

// compressionSource is where earlier versions kept texts that they made of several that say much the same. They are not told.
const compressionSource = brain.ThoughtSource + "compression"

// ForgetThoughts deletes what dreams of earlier versions made of crystals that are forgotten on purpose.
func ForgetThoughts(ctx context.Context, tx *store.Tx, gone memory.CrystalID) error {
	made, err := tx.Crystals(ctx, store.CrystalFilter{Kinds: []memory.CrystalKind{memory.Insight}})
	for _, c := range made {
		if brain.IsThought(c.Crystal) && slices.Contains(c.Parents, gone) {
			err = errors.Join(err, tx.Drop(ctx, c.ID))
		}
	}
	return err
}
