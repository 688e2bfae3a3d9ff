package sleep

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// LearnWords trains the words and habits of a project if its past has grown since, or they went with it.
func LearnWords(ctx context.Context, b *brain.Brain, id memory.ProjectID) error {
	s := &Sleeper{Brain: b, in: SleepInput{Progress: func(string, float64) {}}, Now: b.Now()}
	return s.trainWords(ctx, id, func(float64) {})
}

// learnWords trains the words and habits of all projects, and renews the lease meanwhile.
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
	projects, err := brain.View(ctx, s.Store, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return err
	}
	return brain.EachAlone(ctx, projects, func(p memory.Project) error { return s.trainWords(ctx, p.ID, progress) })
}

func (s *Sleeper) trainWords(ctx context.Context, id memory.ProjectID, progress func(float64)) error {
	_, err := ranking.Train(ctx, s.Brain, id, progress)
	if err == nil {
		err = ranking.LearnHabits(ctx, s.Brain, id, progress)
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err == nil {
		err = s.keepVectors(ctx, id)
	}
	if err == nil {
		err = ranking.KeepPast(ctx, s.Store, record.Pasts(s.Brain), id)
	}
	if err != nil {
		return fmt.Errorf("project %s: %w", id, err)
	}
	return nil
}

// keepVectors saves the vectors of files once many have changed: a hook has no time to make them.
func (s *Sleeper) keepVectors(ctx context.Context, id memory.ProjectID) error {
	var generation string
	var data []byte
	err := record.Pasts(s.Brain).View(ctx, s.Store, id, func(_ *store.Tx, p *record.Past) error {
		if m := p.Meaning; m.Known() && p.Image.Episodes()-m.Saved >= s.Numbers.Refresh {
			m.Table.SetVectors(p.Image, m.Files, record.DescribingTexts)
			generation, data = p.Generation, m.Files.Encode()
		}
		return nil
	})
	if err != nil || data == nil {
		return err
	}
	_, err = ranking.KeepBlocks(ctx, s.Store, id, generation, map[int][]byte{record.FileVectorsBlock: data})
	return err
}
