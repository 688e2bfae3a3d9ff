package brain

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// statesKept are the earlier states of a project that can be brought back, and as many that were refused.
const statesKept = 10

// state reads what MEMORY.md of a project says: its own sections, and those that follow the person.
func (b *Brain) state(ctx context.Context, tx *store.Tx, id memory.ProjectID) (s workmem.State, known bool, err error) {
	for _, scope := range []memory.ProjectID{id, 0} {
		text, err := tx.State(ctx, scope)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return s, known, err
		}
		one, err := workmem.ParseState(text.Text)
		if err != nil {
			return s, known, fmt.Errorf("state of %s: %w: %w", scope, memory.ErrDamaged, err)
		}
		known = true
		if scope == id {
			s = one
		}
		for section := range workmem.SectionCount {
			if scope == 0 && section.Personal() {
				s.Sections[section] = one.Sections[section]
			}
		}
	}
	return s, known, nil
}

// saveState keeps a state: the project's, and what of it follows the person.
func (b *Brain) saveState(ctx context.Context, tx *store.Tx, id memory.ProjectID, s workmem.State, by string) (int64, error) {
	personal := workmem.State{Dreamt: s.Dreamt, Mood: s.Mood}
	for section := range workmem.SectionCount {
		if section.Personal() {
			personal.Sections[section] = s.Sections[section]
		}
	}
	if _, err := tx.AddState(ctx, store.StateText{At: tx.Now, By: by, Text: workmem.RenderState(personal)}, statesKept); err != nil {
		return 0, err
	}
	return tx.AddState(ctx, store.StateText{Project: id, At: tx.Now, By: by, Text: workmem.RenderState(s)}, statesKept)
}

func pointersFact(id memory.ProjectID) store.Fact[[]dream.Pointer] {
	return store.NewFact[[]dream.Pointer]("dream/pointers").Of(id)
}

func (b *Brain) savePointers(ctx context.Context, tx *store.Tx, id memory.ProjectID, pointers []dream.Pointer) error {
	return pointersFact(id).Set(ctx, tx, pointers)
}

// pointers are those of the last dream, with when what they lead to was last used.
func (b *Brain) pointers(ctx context.Context, tx *store.Tx, id memory.ProjectID) (list []dream.Pointer, err error) {
	if list, err = pointersFact(id).Get(ctx, tx); err != nil {
		return nil, err
	}
	for i, p := range list {
		for _, c := range p.Crystals {
			one, err := tx.Crystal(ctx, c)
			if isNotFound(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if one.LastAt.After(p.Made) && one.LastAt.After(list[i].Used) {
				list[i].Used = one.LastAt
			}
		}
	}
	return list, nil
}

// saveSnapshot keeps what there was at this dream, for urgency counts from here.
func (b *Brain) saveSnapshot(ctx context.Context, tx *store.Tx) error {
	now, err := b.counts(ctx, tx)
	if err != nil {
		return err
	}
	return dreamt.Set(ctx, tx, snapshot{At: tx.Now.UnixMilli(), Counts: now})
}

// memoryView is the state of a project as a file.
func (b *Brain) memoryView(folder string, id memory.ProjectID) fileView {
	return fileView{
		name: path.Join(folder, "MEMORY.md"),
		render: func(ctx context.Context, tx *store.Tx) (string, error) {
			s, known, err := b.state(ctx, tx, id)
			if err != nil || !known {
				return "", err
			}
			return workmem.RenderState(s), nil
		},
		takeIn: func(ctx context.Context, r *recorder, base, text string) error {
			s, err := workmem.ParseState(scrub.Clean(text))
			if err != nil {
				return err
			}
			before, err := workmem.ParseState(base)
			if err != nil {
				before = workmem.State{}
			}
			now, _, err := b.state(ctx, r.tx, id)
			if err != nil {
				return err
			}
			for section := range workmem.SectionCount { // a dream may have written since the person opened the file
				s.Sections[section] = mergedItems(before.Sections[section], s.Sections[section], now.Sections[section])
			}
			s.Dreamt, s.Mood = now.Dreamt, now.Mood
			_, err = b.saveState(ctx, r.tx, id, s, stateByUser)
			return err
		},
	}
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
	was, mine := workmem.SplitItems(knew), workmem.SplitItems(made)
	items := slices.Clone(mine)
	for _, item := range workmem.SplitItems(now) {
		if !slices.Contains(was, item) && !slices.Contains(mine, item) {
			items = append(items, item)
		}
	}
	return strings.Join(items, "\n")
}
