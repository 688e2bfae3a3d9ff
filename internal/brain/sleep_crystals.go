package brain

import (
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/hebb-memory/hebb/internal/crystal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// CrystalReport tells what became of texts.
type CrystalReport struct {
	Merged  int64 `json:"merged"`  // into one that says the same
	Expired int64 `json:"expired"` // softly: found only when asked for
	Grown   int64 `json:"grown"`   // to the next stage of their life
}

// Facts that sleeps leave about texts.
const (
	crystalsCompared = "text/compared" // document up to which crystals have been compared with their neighbours
	crystalsReckoned = "text/reckoned" // day on which importance was reckoned last
)

// crystals lets texts expire that nobody has used for long, and merges those that say the same.
func (s *sleeper) crystals(ctx context.Context, _ []store.Slice) error {
	if err := s.mergeCrystals(ctx); err != nil {
		return err
	}
	return s.reckonCrystals(ctx)
}

// reckonCrystals brings importance up to date, once a day: of what was not used for as long as it takes the least to
// expire. What a person said stays, however long ago: it is theirs to take back.
func (s *sleeper) reckonCrystals(ctx context.Context) error {
	rules := crystal.NewRules(s.config.Tuning.Crystal)
	today := int64(math.Floor(plasticity.Days(s.now)))
	var waiting []store.Kept
	err := s.store.View(ctx, func(tx *store.Tx) error {
		last, err := number(ctx, tx, crystalsReckoned)
		if err != nil || last == today {
			return err
		}
		waiting, err = tx.Crystals(ctx, store.CrystalFilter{UsedBefore: s.now.Add(-s.config.Tuning.Crystal.ConsolidateAge), Current: true})
		return err
	})
	if err != nil {
		return err
	}
	reckon := func(ctx context.Context, tx *store.Tx, _ plasticity.Rules, some []store.Kept) ([]int64, error) {
		counts := make([]int64, 2)
		for _, kept := range some {
			now, err := tx.Crystal(ctx, kept.ID)
			if isNotFound(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			after := rules.Reckon(now.Crystal, now.Kind == memory.Intention, s.now)
			if after.Lifecycle == memory.Expired && now.Origin == memory.OriginUser {
				after.Lifecycle = now.Lifecycle
			}
			if after.Lifecycle == now.Lifecycle && math.Abs(after.Importance-now.Importance) < s.config.Tuning.Crystal.ConfirmGain {
				continue // nothing to be seen of it: no row is written for fading alone
			}
			if err := tx.SaveCrystal(ctx, after); err != nil {
				return nil, err
			}
			switch {
			case after.Lifecycle == memory.Expired && now.Lifecycle != memory.Expired:
				counts[0]++
				if err := tx.Leave(ctx, store.Trace{Crystal: after.ID, What: traceExpired}); err != nil {
					return nil, err
				}
			case after.Lifecycle != now.Lifecycle:
				counts[1]++
			}
		}
		return counts, nil
	}
	r := &s.report.Crystals
	if err := chunked(ctx, s, 0, "reckoning texts", waiting, reckon, &r.Expired, &r.Grown); err != nil {
		return err
	}
	return s.write(ctx, 0, func(tx *store.Tx, _ plasticity.Rules) error {
		return tx.SetMeta(ctx, crystalsReckoned, strconv.FormatInt(today, 10))
	})
}

// mergeCrystals compares what was said since the last sleep with what points the same way.
func (s *sleeper) mergeCrystals(ctx context.Context) error {
	for {
		var latest []store.Kept
		var upto int64
		err := s.store.View(ctx, func(tx *store.Tx) error {
			after, err := number(ctx, tx, crystalsCompared)
			if err != nil {
				return err
			}
			upto = after
			if latest, err = tx.CrystalsAfter(ctx, after, s.tuning.Chunk); err != nil || len(latest) == 0 {
				return err
			}
			return s.readMeanings(ctx, tx, generalSpace)
		})
		if err != nil || len(latest) == 0 {
			return err
		}
		for _, c := range latest {
			upto = max(upto, c.Document)
		}
		if err := chunked(ctx, s, 0, "comparing texts", latest, s.mergeSome, &s.report.Crystals.Merged); err != nil {
			return err
		}
		err = s.write(ctx, 0, func(tx *store.Tx, _ plasticity.Rules) error {
			return tx.SetMeta(ctx, crystalsCompared, strconv.FormatInt(upto, 10))
		})
		if err != nil || s.in.Dry || len(latest) < s.tuning.Chunk {
			return err
		}
	}
}

// neighboursCompared are so many that a duplicate is surely among them.
const neighboursCompared = 8

func (s *sleeper) mergeSome(ctx context.Context, tx *store.Tx, _ plasticity.Rules, some []store.Kept) ([]int64, error) {
	rules := crystal.NewRules(s.config.Tuning.Crystal)
	counts := make([]int64, 1)
	for _, c := range some {
		one, err := tx.Crystal(ctx, c.ID)
		if isNotFound(err) || err == nil && (!one.Lifecycle.Living() || !one.ValidTo.IsZero()) {
			continue
		}
		if err != nil {
			return nil, err
		}
		near, _, err := s.near(ctx, tx, generalSpace, directionOf(recall.TextWords(one.Text)), []memory.ProjectID{one.Project}, neighboursCompared)
		if err != nil {
			return nil, err
		}
		var ids []int64
		cosine := map[int64]float64{}
		for _, h := range <-near {
			if h.ID != one.Document {
				ids = append(ids, h.ID)
				cosine[h.ID] = h.Cos
			}
		}
		if len(ids) == 0 {
			continue
		}
		others, err := tx.Crystals(ctx, store.CrystalFilter{Documents: ids, Current: true})
		if err != nil {
			return nil, err
		}
		for _, other := range others {
			a, b := crystal.NewStatement(one.Crystal, recall.TextWords), crystal.NewStatement(other.Crystal, recall.TextWords)
			if like := rules.Compare(a, b, cosine[other.Document]).Likeness; like != crystal.Duplicate && like != crystal.Same {
				continue
			}
			winner, loser := rules.Merge(one.Crystal, other.Crystal)
			err := errors.Join(tx.SaveCrystal(ctx, winner), tx.SaveCrystal(ctx, loser),
				tx.Leave(ctx, store.Trace{Crystal: loser.ID, What: traceMerged, Detail: string(winner.ID)}))
			if err != nil {
				return nil, err
			}
			counts[0]++
			break // the rest is looked at when its own turn comes
		}
	}
	return counts, nil
}
