package sleep

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// packing is how far the sessions of a project are packed.
type packing struct {
	Upto  int64 `json:"upto"`  // last event of the latest session that was packed, unix milliseconds
	Pause int64 `json:"pause"` // until then nothing is packed, unix milliseconds
}

func packingOf(id memory.ProjectID) store.Fact[packing] {
	return store.NewFact[packing]("sleep/packing").Of(id)
}

const (
	packsAtOnce   = 8         // sessions that an automatic sleep packs of one project: 5 ms each
	unpacksAtOnce = 4         // sessions of one transaction
	packPause     = time.Hour // forgetting reads what it unpacked
)

// pack packs the tool calls of sessions that ended long ago: what they taught is learned. What people and agents said stays as it is.
func (s *Sleeper) pack(ctx context.Context, project memory.ProjectID) error {
	done := packing{}
	sessions, err := brain.View(ctx, s.Store, func(tx *store.Tx) (_ []memory.Session, err error) {
		if done, err = packingOf(project).Get(ctx, tx); err != nil || s.Now.UnixMilli() < done.Pause {
			return nil, err
		}
		before, err := tx.Kept(ctx, project, s.Numbers.LogRows)
		if err != nil || before.IsZero() {
			return nil, err
		}
		if old := s.Now.Add(-s.Tuning.LogAge); old.Before(before) {
			before = old
		}
		most := packsAtOnce
		if !s.in.Gently {
			most = 1 << 30
		}
		return tx.Packable(ctx, project, time.UnixMilli(done.Upto), before, most)
	})
	for _, session := range sessions {
		if err != nil {
			return err
		}
		var n int64
		err = s.write(ctx, project, func(tx *store.Tx, _ plasticity.Rules) (err error) {
			if n, err = tx.Pack(ctx, session.ID); err != nil {
				return err
			}
			done.Upto = session.LastEventAt.UnixMilli()
			return packingOf(project).Set(ctx, tx, done)
		})
		s.Report.Consolidation.CallsPacked += n
	}
	return err
}

// Unpack makes rows again of the packed tool calls of a project, 0 for all projects, so that events can be chosen.
func Unpack(ctx context.Context, st *store.Store, project memory.ProjectID) error {
	packed, err := brain.View(ctx, st, func(tx *store.Tx) ([]memory.ProjectID, error) { return tx.PackedProjects(ctx) })
	for _, id := range packed {
		for more := project == 0 || project == id; more && err == nil; {
			err = st.UpdateSome(ctx, func(tx *store.Tx) (err error) {
				if more, err = tx.Unpack(ctx, id, unpacksAtOnce); err != nil {
					return err
				}
				return packingOf(id).Set(ctx, tx, packing{Pause: tx.Now.Add(packPause).UnixMilli()})
			})
		}
	}
	return err
}
