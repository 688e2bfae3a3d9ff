package statements

import (
	"context"
	"errors"
	"slices"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

const commandsLooked = 100 // of a session

// Obeyed confirms what the person may have meant to last, if a later session does it: nobody had told it so. In the session in which it was
// said, doing it says nothing about later ones.
func Obeyed(ctx context.Context, tx *store.Tx, s memory.Session, commands []string) error {
	commands = slices.Compact(slices.Sorted(slices.Values(commands)))
	commands = commands[:min(len(commands), commandsLooked)]
	if len(commands) == 0 {
		return nil
	}
	waiting, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{s.Project}, Lifecycle: memory.Waiting, Origin: memory.OriginUser, Heard: true, Current: true, SaidBefore: s.OpenedAt,
	})
	waiting = slices.DeleteFunc(waiting, func(c store.Kept) bool { return c.Session == s.ID || c.Heard >= Builtin().Sure })
	for _, command := range commands {
		if len(waiting) == 0 {
			break
		}
		seen := Look(Call{Command: command, Row: embedding.GeneralRow})
		waiting = slices.DeleteFunc(waiting, func(c store.Kept) bool {
			if !seen.Does(c.Text) || seen.Against(c.Text, c.Marks...) {
				return false
			}
			c.Lifecycle = memory.Activated
			done := store.Trace{Crystal: c.ID, What: traceConfirmed, Detail: obeyedDetail}
			err = errors.Join(err, tx.SaveCrystal(ctx, c.Crystal), tx.Leave(ctx, done))
			return true
		})
	}
	return err
}

const obeyedDetail = "a later session did it"
