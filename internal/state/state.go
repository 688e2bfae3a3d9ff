package state

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// statesKept are the earlier states of a project that can be brought back, and as many that were refused.
const StatesKept = 10

// State reads what MEMORY.md of a project says: its own sections, and those that follow the person.
func State(ctx context.Context, tx *store.Tx, id memory.ProjectID) (s Document, known bool, err error) {
	for _, scope := range []memory.ProjectID{id, 0} {
		text, err := tx.State(ctx, scope)
		if brain.IsNotFound(err) {
			continue
		}
		if err != nil {
			return s, known, err
		}
		one, err := ParseState(text.Text)
		if err != nil {
			return s, known, fmt.Errorf("state of %s: %w: %w", scope, memory.ErrDamaged, err)
		}
		known = true
		if scope == id {
			s = one
		}
		for section := range SectionCount {
			if scope == 0 && section.Personal() {
				_, here := SplitHere(s.Sections[section])
				s.Sections[section] = JoinHere(one.Sections[section], here)
			}
		}
	}
	return s, known, nil
}

// SaveState keeps a state: the project's, and what of it follows the person.
func SaveState(ctx context.Context, tx *store.Tx, id memory.ProjectID, s Document, by string) (int64, error) {
	personal := Document{Dreamt: s.Dreamt, Mood: s.Mood}
	for section := range SectionCount {
		if section.Personal() {
			personal.Sections[section], _ = SplitHere(s.Sections[section])
		}
	}
	if _, err := tx.AddState(ctx, store.StateText{At: tx.Now, By: by, Text: RenderState(personal)}, StatesKept); err != nil {
		return 0, err
	}
	return tx.AddState(ctx, store.StateText{Project: id, At: tx.Now, By: by, Text: RenderState(s)}, StatesKept)
}

func PointersFact(id memory.ProjectID) store.Fact[[]Pointer] {
	return store.NewFact[[]Pointer]("dream/pointers").Of(id)
}

// StatedFact holds the fingerprints of lines of statements that dreams wrote into a project's state, or into what follows the person.
func StatedFact(id memory.ProjectID) store.Fact[Stated] {
	return store.NewFact[Stated]("dream/stated").Of(id)
}

// stated are the fingerprints of lines of statements that MEMORY.md of a project may hold.
func stated(ctx context.Context, tx *store.Tx, id memory.ProjectID) (Stated, error) {
	everywhere, err1 := StatedFact(0).Get(ctx, tx)
	here, err2 := StatedFact(id).Get(ctx, tx)
	return slices.Concat(everywhere, here), errors.Join(err1, err2)
}

// Pointers are those of the last dream, with when what they lead to was last used.
func Pointers(ctx context.Context, tx *store.Tx, id memory.ProjectID) (list []Pointer, err error) {
	if list, err = PointersFact(id).Get(ctx, tx); err != nil {
		return nil, err
	}
	for i, p := range list {
		crystals, err := crystalsOf(ctx, tx, p.Crystals)
		if err != nil {
			return nil, err
		}
		for _, c := range crystals {
			if c.LastAt.After(p.Made) && c.LastAt.After(list[i].Used) {
				list[i].Used = c.LastAt
			}
		}
	}
	return list, nil
}

// crystalsOf reads crystals, without those that were forgotten.
func crystalsOf(ctx context.Context, tx *store.Tx, ids []memory.CrystalID) (list []memory.Crystal, err error) {
	for _, id := range ids {
		c, err := tx.Crystal(ctx, id)
		switch {
		case err == nil:
			list = append(list, c.Crystal)
		case !brain.IsNotFound(err):
			return nil, err
		}
	}
	return list, nil
}

// saveSnapshot keeps what there was at this dream, for urgency counts from here.
func saveSnapshot(ctx context.Context, tx *store.Tx) error {
	now, err := counts(ctx, tx)
	if err != nil {
		return err
	}
	return dreamt.Set(ctx, tx, snapshot{At: tx.Now.UnixMilli(), Counts: now})
}

// MemoryView is the state of a project as a file.
func MemoryView(folder string, id memory.ProjectID) desk.FileView {
	return desk.FileView{
		Name: path.Join(folder, "MEMORY.md"),
		Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			s, known, err := State(ctx, tx, id)
			if err != nil || !known {
				return "", err
			}
			return RenderState(s), nil
		},
		Import: func(ctx context.Context, r *record.Recorder, base, text string) error {
			s, err := ParseState(scrub.Clean(text))
			if err != nil {
				return err
			}
			before, err := ParseState(base)
			if err != nil {
				before = Document{}
			}
			now, _, err := State(ctx, r.Tx, id)
			if err != nil {
				return err
			}
			for section := range SectionCount { // a dream may have written since the person opened the file
				knew, knewHere := SplitHere(before.Sections[section])
				made, madeHere := SplitHere(s.Sections[section])
				is, isHere := SplitHere(now.Sections[section])
				s.Sections[section] = JoinHere(mergedItems(knew, made, is), mergedItems(knewHere, madeHere, isHere))
			}
			if err := rejectRemoved(ctx, r.Tx, id, before, s); err != nil {
				return err
			}
			s.Dreamt, s.Mood = now.Dreamt, now.Mood
			_, err = SaveState(ctx, r.Tx, id, s, StateByUser)
			return err
		},
	}
}

// rejectRemoved ends the statements whose lines a person took out of MEMORY.md or rewrote: else the next dream would bring them back. A
// section that is gone with its heading says nothing of its lines.
func rejectRemoved(ctx context.Context, tx *store.Tx, id memory.ProjectID, before, after Document) error {
	removed := map[string]bool{}
	lines, err := stated(ctx, tx, id)
	if err != nil {
		return err
	}
	all := strings.Join(after.Sections[:], "\n")
	for section, text := range before.Sections {
		for _, item := range SplitItems(text) {
			words, ok := Undated(item)
			if ok && lines.Has(item) && !after.Absent[section] && !strings.Contains(all, strings.TrimLeft(item, "\n")) {
				removed[words] = true
			}
		}
	}
	if len(removed) == 0 {
		return nil
	}
	list, err := Statements(ctx, tx, id)
	for _, s := range list {
		if removed[s.Words()] {
			err = errors.Join(err, statements.EndCrystal(ctx, tx, s.Crystal, statements.TraceWrong, "taken out of MEMORY.md"))
		}
	}
	return err
}

// mergedItems is a section as a person made it of a text they knew, with what the store has gained since: what they added is
// there, what they took out is gone, and what they never saw stays.
func mergedItems(knew, made, now string) string {
	if knew == now || made == now {
		return made
	}
	if made == knew {
		return now
	}
	was, mine := SplitItems(knew), SplitItems(made)
	items := slices.Clone(mine)
	for _, item := range SplitItems(now) {
		if !slices.Contains(was, item) && !slices.Contains(mine, item) {
			items = append(items, item)
		}
	}
	return strings.Join(items, "\n")
}

// Unstated is a state without the statements that dreams wrote into it. Who shows them asks which hold now.
func Unstated(ctx context.Context, tx *store.Tx, id memory.ProjectID, s Document) (Document, error) {
	known, err := stated(ctx, tx, id)
	return Material{Stated: known}.Unstated(s), err
}

const StateByUser = "user"

const stateByAgent = "agent"

const stateByModel = "llm"
