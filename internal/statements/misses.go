package statements

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// Misses counts the sessions in which the person had to say again, in the same words, what was remembered.
type Misses struct {
	Times int `json:"times"`
	// Shown are those that had been shown it: the agent did not follow it. The others had not: it did not arrive.
	Shown int      `json:"shown"`
	Most  []Missed `json:"most"` // the memories that had to be said again most often
}

// Missed is a memory that had to be said again.
type Missed struct {
	ID    memory.CrystalID `json:"id"`
	Text  string           `json:"text"`
	Times int              `json:"times"`
	Shown int              `json:"shown"`
}

const missedMost = 5 // memories that are listed

// MissedSince counts what people had to say again in some projects since a moment.
func MissedSince(ctx context.Context, tx *store.Tx, projects []memory.ProjectID, since time.Time) (out Misses, err error) {
	out.Most = []Missed{}
	if len(projects) == 0 {
		return out, nil
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: projects, Origin: memory.OriginUser})
	if err != nil {
		return out, err
	}
	found := map[memory.CrystalID]*Missed{}
	var ids []memory.CrystalID
	for _, c := range kept {
		if c.Accesses > 0 { // saying it again is a use
			found[c.ID] = &Missed{ID: c.ID, Text: c.Text}
			ids = append(ids, c.ID)
		}
	}
	misses, err := tx.Misses(ctx, ids)
	for _, m := range misses {
		if m.At.Before(since) {
			continue
		}
		out.Times++
		found[m.Crystal].Times++
		if m.Shown {
			out.Shown++
			found[m.Crystal].Shown++
		}
	}
	for _, id := range ids {
		if found[id].Times > 0 {
			out.Most = append(out.Most, *found[id])
		}
	}
	slices.SortStableFunc(out.Most, func(a, b Missed) int { return cmp.Compare(b.Times, a.Times) }) // of equals the latest first
	out.Most = out.Most[:min(len(out.Most), missedMost)]
	return out, err
}
