package brain

import (
	"context"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// balance keeps the whole from growing strong or one part from drowning the rest. Scaling everything is one number.
func (s *sleeper) balance(ctx context.Context, slice store.Slice) error {
	s.in.Progress("keeping the balance", 0)
	usual, err := s.scale(ctx)
	if err != nil {
		return err
	}
	day, h := plasticity.Days(s.now), &s.report.Homeostasis
	find := func(tx *store.Tx, rules plasticity.Rules) ([]store.Strength, error) {
		return tx.UnsteadyFiles(ctx, slice, math.Ceil(s.tuning.BusyTimes*usual), math.Floor(s.tuning.RareShare*usual),
			rules.Myelin.Threshold(s.tuning.RareMyelin, day), int64(math.Floor(day)))
	}
	steady := func(r plasticity.Rules, h plasticity.Habit) (plasticity.Habit, bool, bool) {
		return r.Steady(h, usual, s.now)
	}
	if err := s.changeHabits(ctx, "keeping the balance", find, steady, &h.NeuronsDampened, &h.NeuronsBoosted); err != nil {
		return err
	}
	return s.expireTags(ctx)
}

// expireTags takes the tags off links that were not met again in time.
func (s *sleeper) expireTags(ctx context.Context) error {
	for {
		var n int64
		err := s.write(ctx, func(tx *store.Tx, _ plasticity.Rules) (err error) {
			n, err = tx.ExpireTags(ctx, s.now.Add(-s.config.Tuning.Plasticity.CaptureWindow), s.chunk())
			return err
		})
		s.report.Homeostasis.TagsExpired += n
		if err != nil || n < int64(s.chunk()) {
			return err
		}
	}
}

// scale takes the means and, where one is above its target, turns the register. It returns the usual number of accesses.
func (s *sleeper) scale(ctx context.Context) (usual float64, err error) {
	h := &s.report.Homeostasis
	var links, files int // of the sample
	err = s.read(ctx, func(tx *store.Tx, rules plasticity.Rules) error {
		from, day := s.anywhere(), plasticity.Days(s.now)
		weights, err := tx.SampleWeights(ctx, from, s.tuning.Sample)
		if err != nil {
			return err
		}
		myelin, accesses, err := tx.SampleFiles(ctx, from, s.tuning.Sample)
		if err != nil {
			return err
		}
		// What lies above its bound was written by a clock ahead of this one: it says nothing, and must not turn a register.
		weights = slices.DeleteFunc(weights, func(w plasticity.Stored) bool { return rules.Weight.Beyond(w, day) })
		myelin = slices.DeleteFunc(myelin, func(m plasticity.Stored) bool { return rules.Myelin.Beyond(m, day) })
		h.MeanWeight = average(weights, func(w plasticity.Stored) float64 { return rules.Weight.Value(w, day) })
		h.MeanMyelin = average(myelin, func(m plasticity.Stored) float64 { return rules.Myelin.Value(m, day) })
		usual = average(accesses, func(n int64) float64 { return float64(n) })
		links, files = len(weights)/2, len(myelin)
		return nil
	})
	if err != nil {
		return 0, err
	}
	h.WeightScaleFactor, h.MyelinScaleFactor = 1, 1
	if links >= s.tuning.BalanceLeast {
		h.WeightScaleFactor = plasticity.Scale(h.MeanWeight, s.tuning.WeightTarget)
	}
	if files >= s.tuning.BalanceLeast {
		h.MyelinScaleFactor = plasticity.Scale(h.MeanMyelin, s.tuning.MyelinTarget)
	}
	h.WeightScaled, h.MyelinScaled = h.WeightScaleFactor < 1, h.MyelinScaleFactor < 1
	if !h.WeightScaled && !h.MyelinScaled {
		return usual, nil
	}
	return usual, s.write(ctx, func(tx *store.Tx, _ plasticity.Rules) error {
		b, err := tx.Balance(ctx)
		if err != nil {
			return err
		}
		return tx.SetBalance(ctx, b.Balanced(h.WeightScaleFactor, h.MyelinScaleFactor))
	})
}

// anywhere is a place to take a sample from: another at each sleep, the same for the same moment.
func (s *sleeper) anywhere() memory.NeuronID {
	const spread = 0x9E3779B97F4A7C15                               // the golden ratio: neighbours in time land far apart
	return memory.NeuronID(uint64(s.now.UnixMilli()) * spread >> 1) // IDs are not negative
}

func average[T any](list []T, value func(T) float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += value(x)
	}
	return sum / math.Max(1, float64(len(list)))
}

// habitRule changes a habit in one way or the other, or not at all.
type habitRule func(plasticity.Rules, plasticity.Habit) (after plasticity.Habit, one, other bool)

// changeHabits finds files and lets a rule change their habits, and counts by which of its two ways it did.
func (s *sleeper) changeHabits(
	ctx context.Context, doing string, find func(*store.Tx, plasticity.Rules) ([]store.Strength, error), rule habitRule, one, other *int64,
) error {
	var ids []memory.NeuronID
	err := s.read(ctx, func(tx *store.Tx, rules plasticity.Rules) error {
		files, err := find(tx, rules)
		for _, f := range files {
			if after, _, _ := rule(rules, f.Habit()); after != f.Habit() {
				ids = append(ids, f.ID)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	change := func(ctx context.Context, tx *store.Tx, rules plasticity.Rules, ids []memory.NeuronID) ([]int64, error) {
		return eachHabit(ctx, tx, rules, ids, rule)
	}
	return chunked(ctx, s, doing, ids, change, one, other)
}

// eachHabit lets a rule change the habits of files as they are now.
func eachHabit(ctx context.Context, tx *store.Tx, rules plasticity.Rules, ids []memory.NeuronID, rule habitRule) ([]int64, error) {
	known, err := tx.NeuronsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	counts := make([]int64, 2)
	for _, id := range ids {
		n, exists := known[id]
		if !exists || n.Gone {
			continue
		}
		after, one, other := rule(rules, n.Habit())
		if after == n.Habit() {
			continue
		}
		n.SetHabit(after)
		if err := tx.SaveStrength(ctx, n); err != nil {
			return nil, err
		}
		if one {
			counts[0]++
		}
		if other {
			counts[1]++
		}
	}
	return counts, nil
}
