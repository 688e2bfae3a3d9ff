package sleep

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Facts that sleeps leave about texts.
var (
	crystalsCompared = store.NewFact[int64]("text/compared") // document up to which crystals have been compared with their neighbours
	crystalsReckoned = store.NewFact[int64]("text/reckoned") // day on which importance was reckoned last
)

// crystals lets texts expire that nobody has used for long, and merges those that say the same.
func (s *Sleeper) crystals(ctx context.Context, _ []store.Graph) error {
	if err := s.mergeCrystals(ctx); err != nil {
		return err
	}
	return s.reckonCrystals(ctx)
}

// reckonCrystals brings importance up to date, once a day: of what was not used for as long as it takes the least to
// expire. What held until a day ends with the first day of work after it.
func (s *Sleeper) reckonCrystals(ctx context.Context) error {
	rules := texts.NewRules(s.Config.Tuning.Crystal)
	today := int64(math.Floor(plasticity.Days(s.Now)))
	var waiting, over, early []store.Kept
	var told map[memory.CrystalID]time.Time
	err := s.Store.View(ctx, func(tx *store.Tx) error {
		last, err := crystalsReckoned.Get(ctx, tx)
		if err != nil || last == today {
			return err
		}
		if waiting, err = tx.Crystals(ctx, store.CrystalFilter{UsedBefore: s.Now.Add(-texts.ConsolidateAge), Current: true, Said: true}); err != nil {
			return err
		}
		if told, err = tx.LastTold(ctx); err != nil {
			return err
		}
		limited, err := tx.Crystals(ctx, store.CrystalFilter{Origin: memory.OriginUser, Living: true})
		for _, c := range limited {
			days, failed := s.workDays(ctx, tx, c.Project)
			err = errors.Join(err, failed)
			switch end, is := statements.Until(c.Text, c.SaidAt); {
			case !is || c.Lifecycle == memory.Frozen:
			case c.ValidTo.After(s.Now) && s.Now.Before(end):
				early = append(early, c)
			case c.ValidTo.IsZero() && !s.Now.Before(end) && days.Since(end):
				over = append(over, c)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	r := &s.Report.Crystals
	end := func(ctx context.Context, tx *store.Tx, _ plasticity.Rules, some []store.Kept) ([]int64, error) {
		for _, c := range some {
			if err := statements.EndCrystal(ctx, tx, c.Crystal, statements.TraceExpired, "its time is over"); err != nil {
				return nil, err
			}
		}
		return []int64{int64(len(some))}, nil
	}
	if err := chunked(ctx, s, 0, "ending what held until a day", over, end, &r.Expired); err != nil {
		return err
	}
	again := func(ctx context.Context, tx *store.Tx, _ plasticity.Rules, some []store.Kept) ([]int64, error) {
		for _, c := range some {
			c.ValidTo = time.Time{}
			if err := tx.SaveCrystal(ctx, c.Crystal); err != nil {
				return nil, err
			}
		}
		return []int64{int64(len(some))}, nil
	}
	if err := chunked(ctx, s, 0, "taking back what a wrong clock ended", early, again, new(int64)); err != nil {
		return err
	}
	reckon := func(ctx context.Context, tx *store.Tx, _ plasticity.Rules, some []store.Kept) ([]int64, error) {
		counts := make([]int64, 2)
		for _, kept := range some {
			now, err := tx.Crystal(ctx, kept.ID)
			if brain.IsNotFound(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			days, err := s.workDays(ctx, tx, now.Project)
			if err != nil {
				return nil, err
			}
			after := rules.Refresh(now.Crystal, now.Kind == memory.Intention, texts.Now(now.Crystal, told[now.ID], days, s.Now))
			if after.Lifecycle == now.Lifecycle && math.Abs(after.Importance-now.Importance) < texts.ConfirmGain {
				continue // nothing to be seen of it: no row is written for fading alone
			}
			if err := tx.SaveCrystal(ctx, after); err != nil {
				return nil, err
			}
			switch {
			case after.Lifecycle == memory.Expired && now.Lifecycle != memory.Expired:
				counts[0]++
				if err := tx.Leave(ctx, store.Trace{Crystal: after.ID, What: statements.TraceExpired}); err != nil {
					return nil, err
				}
			case after.Lifecycle != now.Lifecycle:
				counts[1]++
			}
		}
		return counts, nil
	}
	if err := chunked(ctx, s, 0, "reckoning texts", waiting, reckon, &r.Expired, &r.Grown); err != nil {
		return err
	}
	return s.write(ctx, 0, func(tx *store.Tx, _ plasticity.Rules) error {
		return crystalsReckoned.Set(ctx, tx, today)
	})
}

// mergeCrystals compares what was said since the last sleep with what points the same way.
func (s *Sleeper) mergeCrystals(ctx context.Context) error {
	for {
		var latest []store.Kept
		var alike []alikeTexts
		var upto int64
		err := s.Store.View(ctx, func(tx *store.Tx) error {
			after, err := crystalsCompared.Get(ctx, tx)
			if err != nil {
				return err
			}
			upto = after
			if latest, err = tx.CrystalsAfter(ctx, after, s.Numbers.Chunk); err != nil || len(latest) == 0 {
				return err
			}
			if err := texts.ReadMeanings(ctx, s.Brain, tx); err != nil {
				return err
			}
			alike, err = s.alike(ctx, tx, latest)
			return err
		})
		if err != nil || len(latest) == 0 {
			return err
		}
		for _, c := range latest {
			upto = max(upto, c.Document)
		}
		if err := chunked(ctx, s, 0, "comparing texts", alike, s.mergeSome, &s.Report.Crystals.Merged); err != nil {
			return err
		}
		err = s.write(ctx, 0, func(tx *store.Tx, _ plasticity.Rules) error {
			return crystalsCompared.Set(ctx, tx, upto)
		})
		if err != nil || s.in.Dry || len(latest) < s.Numbers.Chunk {
			return err
		}
	}
}

// neighboursCompared is enough to include a duplicate.
const neighboursCompared = 8

// alikeTexts is a crystal and its neighbours that say the same, the nearest first, each with its cosine.
type alikeTexts struct {
	one    memory.CrystalID
	others []alikeText
}

type alikeText struct {
	id     memory.CrystalID
	cosine float64
}

// alike finds crystals that say the same as others. It reads only: comparing vectors takes long.
func (s *Sleeper) alike(ctx context.Context, tx *store.Tx, some []store.Kept) (found []alikeTexts, err error) {
	for _, one := range some {
		if !mergeable(one) {
			continue
		}
		near, _, err := texts.Near(ctx, s.Brain, tx, texts.Neighbours{
			Query: texts.VectorOf(vocab.TextWords(one.Text)), Group: memory.GroupMemory,
			Projects: []memory.ProjectID{one.Project}, Most: neighboursCompared,
		})
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
		others, err := tx.Crystals(ctx, store.CrystalFilter{Documents: ids, Current: true, Said: true})
		if err != nil {
			return nil, err
		}
		pair, said := alikeTexts{one: one.ID}, texts.NewStatement(one.Crystal, vocab.TextWords)
		for _, other := range others {
			if len(other.Text) <= texts.ComparedMost && texts.Compare(said, texts.NewStatement(other.Crystal, vocab.TextWords), cosine[other.Document]) == texts.Duplicate {
				pair.others = append(pair.others, alikeText{other.ID, cosine[other.Document]})
			}
		}
		if len(pair.others) > 0 {
			found = append(found, pair)
		}
	}
	return found, nil
}

func mergeable(c store.Kept) bool {
	return c.Lifecycle.Living() && c.ValidTo.IsZero() && len(c.Text) <= texts.ComparedMost
}

func sayTheSame(one, other memory.Crystal, cosine float64) bool {
	a, b := texts.NewStatement(one, vocab.TextWords), texts.NewStatement(other, vocab.TextWords)
	return texts.Compare(a, b, cosine) == texts.Duplicate
}

// mergeSome merges crystals as they are now: they may have changed since they were compared.
func (s *Sleeper) mergeSome(ctx context.Context, tx *store.Tx, _ plasticity.Rules, some []alikeTexts) ([]int64, error) {
	counts := make([]int64, 1)
	for _, pair := range some {
		one, err := tx.Crystal(ctx, pair.one)
		if brain.IsNotFound(err) || err == nil && !mergeable(one) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, like := range pair.others {
			other, err := tx.Crystal(ctx, like.id)
			if brain.IsNotFound(err) || err == nil && (!other.ValidTo.IsZero() || !sayTheSame(one.Crystal, other.Crystal, like.cosine)) {
				continue
			}
			if err != nil {
				return nil, err
			}
			winner, loser := texts.Merge(one.Crystal, other.Crystal)
			err = errors.Join(tx.SaveCrystal(ctx, winner), tx.SaveCrystal(ctx, loser),
				tx.Leave(ctx, store.Trace{Crystal: loser.ID, What: statements.TraceMerged, Detail: string(winner.ID)}))
			if err != nil {
				return nil, err
			}
			counts[0]++
			break // the rest is looked at when its own turn comes
		}
	}
	return counts, nil
}
