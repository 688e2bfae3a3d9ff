package sleep

import (
	"context"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/words"
)

// learnWords goes through all projects while hebb sleeps, and says that it still does: others may take the lease of a
// sleeper that is silent.
func (s *Sleeper) learnWords(ctx context.Context) error {
	if s.in.Dry {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	said := s.Brain.Now()
	progress := func(share float64) {
		s.in.Progress("learning words", share)
		if now := s.Brain.Now(); now.Sub(said) > LeaseTime/3 {
			said = now
			if err := s.write(ctx, 0, func(*store.Tx, plasticity.Rules) error { return nil }); err != nil {
				cancel(err)
			}
		}
	}
	projects, err := brain.View(ctx, s.Brain, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return err
	}
	for _, p := range projects {
		_, err := words.Train(ctx, s.Brain, p.ID, progress)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if err != nil {
			return err
		}
		err = words.LearnHabits(ctx, s.Brain, p.ID, progress)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if err != nil {
			return err
		}
		if err := s.keepDirections(ctx, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// keepDirections saves where files point once much has happened since: a hook would make too many of them itself.
func (s *Sleeper) keepDirections(ctx context.Context, id memory.ProjectID) error {
	var era string
	var data []byte
	err := s.Store.View(ctx, func(tx *store.Tx) error {
		p, err := record.PastOf(ctx, s.Brain, tx, id)
		if err != nil {
			return err
		}
		defer record.Pasts(s.Brain).Put(p)
		if m := p.Meaning; m.Known() && p.Image.Episodes()-m.Saved >= s.Numbers.Refresh {
			m.Table.SetVectors(p.Image, m.Files, record.DescribingTexts)
			era, data = p.Era, m.Files.Encode()
		}
		return nil
	})
	if err != nil || data == nil {
		return err
	}
	_, err = record.KeepBlocks(ctx, s.Brain, id, era, map[int][]byte{record.DirectionsBlock: data})
	return err
}
