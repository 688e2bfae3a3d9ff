package sleep

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

const sampleRows = 1000 // rows from which the means of a larger graph are taken

// balance keeps a project as a whole from growing strong, and one part of it from drowning the rest. Scaling everything is one
// number.
func (s *Sleeper) balance(ctx context.Context, projects []store.Graph) error {
	return s.each(ctx, "keeping the balance", projects, s.balanceProject)
}

func (s *Sleeper) balanceProject(ctx context.Context, g store.Graph) error {
	usual, err := s.scale(ctx, g.Project)
	if err = errors.Join(err, s.expireTags(ctx, g.Project)); err != nil {
		return err
	}
	day, h := plasticity.Days(s.Now), &s.Report.Homeostasis
	find := func(tx *store.Tx, rules plasticity.Rules) ([]store.Strength, error) {
		return tx.UnsteadyFiles(ctx, g, store.Unsteady{
			Busy: math.Ceil(s.Numbers.Plasticity.BusyTimes * usual), Rare: math.Floor(plasticity.RareShare * usual),
			Myelin: rules.Myelin.Threshold(s.Numbers.Plasticity.RareMyelin, day), Today: int64(math.Floor(day)),
		})
	}
	steady := func(r plasticity.Rules, h plasticity.Habit) (plasticity.Habit, bool, bool) {
		return r.Steady(h, usual, s.Now)
	}
	return s.changeHabits(ctx, g.Project, "keeping the balance", find, steady, &h.NeuronsDampened, &h.NeuronsBoosted)
}

// expireTags takes the tags off links that were not met again in time.
func (s *Sleeper) expireTags(ctx context.Context, project memory.ProjectID) error {
	before, expired := s.Now.Add(-plasticity.CaptureWindow), &s.Report.Homeostasis.TagsExpired
	var n int64
	var err error
	if s.in.Dry {
		n, err = brain.View(ctx, s.Store, func(tx *store.Tx) (int64, error) { return tx.CountTags(ctx, project, before) })
	} else {
		n, err = s.repeat(ctx, func(tx *store.Tx, most int) (int64, error) { return tx.ExpireTags(ctx, project, before, most) })
	}
	*expired += n
	return err
}

// scale takes the means of a project and, where one is above its target, turns the project's register. It returns the usual
// number of accesses of its files.
func (s *Sleeper) scale(ctx context.Context, project memory.ProjectID) (usual float64, err error) {
	var h HomeostasisReport
	var links, files int // of the sample
	err = s.read(ctx, project, func(tx *store.Tx, rules plasticity.Rules) error {
		from, day := s.anywhere(), plasticity.Days(s.Now)
		weights, err := tx.SampleWeights(ctx, project, from, sampleRows)
		if err != nil {
			return err
		}
		myelin, accesses, err := tx.SampleFiles(ctx, project, from, sampleRows)
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
	if links >= s.Numbers.BalanceLeast {
		h.WeightScaleFactor = plasticity.Scale(h.MeanWeight, s.Numbers.WeightTarget)
	}
	if files >= s.Numbers.BalanceLeast {
		h.MyelinScaleFactor = plasticity.Scale(h.MeanMyelin, s.Numbers.MyelinTarget)
	}
	h.WeightScaled, h.MyelinScaled = h.WeightScaleFactor < 1, h.MyelinScaleFactor < 1
	s.Report.Homeostasis.most(h)
	if !h.WeightScaled && !h.MyelinScaled {
		return usual, nil
	}
	return usual, s.write(ctx, project, func(tx *store.Tx, _ plasticity.Rules) error {
		b, err := tx.Balance(ctx, project)
		if err != nil {
			return err
		}
		b = b.Balanced(h.WeightScaleFactor, h.MyelinScaleFactor)
		return tx.SetRegister(ctx, project, b.Weight, b.Myelin)
	})
}

// most takes over the means and factors of a project that was scaled more than those before, or has a higher mean.
func (h *HomeostasisReport) most(of HomeostasisReport) {
	further := func(factor, mean, otherFactor, otherMean float64) bool {
		return factor < otherFactor || factor == otherFactor && mean > otherMean
	}
	if h.WeightScaleFactor == 0 || further(of.WeightScaleFactor, of.MeanWeight, h.WeightScaleFactor, h.MeanWeight) {
		h.WeightScaled, h.WeightScaleFactor, h.MeanWeight = of.WeightScaled, of.WeightScaleFactor, of.MeanWeight
	}
	if h.MyelinScaleFactor == 0 || further(of.MyelinScaleFactor, of.MeanMyelin, h.MyelinScaleFactor, h.MeanMyelin) {
		h.MyelinScaled, h.MyelinScaleFactor, h.MeanMyelin = of.MyelinScaled, of.MyelinScaleFactor, of.MeanMyelin
	}
}

// anywhere is a place to take a sample from: another at each sleep, the same for the same moment.
func (s *Sleeper) anywhere() memory.NeuronID {
	const spread = 0x9E3779B97F4A7C15                               // the golden ratio: neighbours in time land far apart
	return memory.NeuronID(uint64(s.Now.UnixMilli()) * spread >> 1) // IDs are not negative
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
func (s *Sleeper) changeHabits(
	ctx context.Context, project memory.ProjectID, doing string, find func(*store.Tx, plasticity.Rules) ([]store.Strength, error), rule habitRule, one, other *int64,
) error {
	var ids []memory.NeuronID
	err := s.read(ctx, project, func(tx *store.Tx, rules plasticity.Rules) error {
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
	return chunked(ctx, s, project, doing, ids, change, one, other)
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
