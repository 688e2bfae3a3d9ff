// Package sleep forgets what is dead, keeps strengths in balance, replays sessions, and brings back what was forgotten by mistake. Forgetting
// on purpose is package forget.
package sleep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// Sleep sleeps once. budget forgets what a store has no room for; it counts where dry is true.
func Sleep(ctx context.Context, b *brain.Brain, in SleepInput, budget func(ctx context.Context, dry bool) (*BudgetReport, error)) (out SleepReport, err error) {
	now := b.Now().UTC().Truncate(time.Millisecond)
	turn, err := b.NewLease(sleepLease, LeaseTime)
	if err != nil {
		return out, err
	}
	defer turn.Leave()
	if in.Why == "" {
		in.Why = SleptAsked
	}
	if in.Progress == nil {
		in.Progress = func(string, float64) {}
	}
	out = SleepReport{At: now, Why: in.Why, Dry: in.Dry, Took: map[SleepPart]float64{}}
	s := &Sleeper{Brain: b, in: in, Tuning: b.Config.Tuning.Sleep, turn: turn, Now: now, Report: &out}
	if err := s.begin(ctx); err != nil || out.Busy {
		return out, err
	}
	defer func() { err = errors.Join(err, s.end(context.WithoutCancel(ctx))) }()
	projects, err := s.look(ctx)
	if err != nil {
		return out, err
	}
	if err := s.log(ctx, projects); err != nil {
		return out, err
	}
	err = brain.EachAlone(ctx, s.parts(), func(p part) error {
		if in.Only != "" && in.Only != p.name {
			return nil
		}
		began := b.Now()
		if err := p.run(ctx, projects); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		out.Took[p.name] = float64(b.Now().Sub(began).Microseconds()) / 1000
		return nil
	})
	if brain.ConcernsAll(ctx, err) {
		return out, err
	}
	if in.Only == "" {
		budgeted, failed := budget(ctx, in.Dry)
		out.Budget = budgeted
		err = errors.Join(err, failed, s.learnWords(ctx))
	}
	in.Progress("done", 1)
	return out, err
}

// Replay sleeps over a project as a sleep did before: now is when that was. What it did with texts is not done again.
func Replay(ctx context.Context, b *brain.Brain, project memory.ProjectID, only SleepPart, id int64) error {
	s := &Sleeper{
		Brain: b, in: SleepInput{Progress: func(string, float64) {}}, Tuning: b.Config.Tuning.Sleep, Now: b.Now(), Report: &SleepReport{ID: id}, again: true,
	}
	graph, err := brain.View(ctx, b.Store, func(tx *store.Tx) (store.Graph, error) { return tx.GraphOf(ctx, project) })
	if err != nil {
		return err
	}
	for _, part := range s.parts() {
		if part.graph && (only == "" || only == part.name) {
			err = errors.Join(err, part.run(ctx, []store.Graph{graph}))
		}
	}
	return err
}

// part is one of the things that a sleep does.
type part struct {
	name  SleepPart
	graph bool // it changes what events taught
	run   func(context.Context, []store.Graph) error
}

func (s *Sleeper) parts() []part {
	return []part{
		{DecayPart, true, s.decay}, {ConsolidatePart, true, s.consolidate}, {BalancePart, true, s.balance}, {CrystalPart, false, s.crystals}, {ThinkPart, false, s.think},
	}
}

// think compares goals with episodes, inside a sleep, once for what is new.
func (s *Sleeper) think(ctx context.Context, _ []store.Graph) error {
	if s.in.Dry {
		return nil
	}
	s.in.Progress("thinking", 1)
	projects, err := brain.View(ctx, s.Store, func(tx *store.Tx) ([]memory.ProjectID, error) { return goals.Lately(ctx, tx) })
	for _, id := range projects {
		err = errors.Join(err, goals.ThinkIfNew(ctx, s.Brain, id, 0, &s.Report.Thinking))
	}
	return err
}
