package statements

import (
	"context"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// What agents may have kept in a project. A session that is worth much leaves a dozen things; what comes in hundreds is a loop or an attack.
const (
	keptInSession = 50
	keptInDay     = 200 // 24 hours
)

// Room refuses what an agent wants to have kept once agents have had as much kept in a project as they may. The person is not limited. What
// fills the room leaves a line for the next start.
func Room(ctx context.Context, tx *store.Tx, project memory.ProjectID, by memory.Origin) error {
	if by != memory.OriginAgent {
		return nil
	}
	begun, err := tx.Sessions(ctx, store.SessionFilter{Project: project, ByAgents: true, Limit: 1})
	if err != nil {
		return err
	}
	day := tx.Now.Add(-24 * time.Hour)
	limits := []limit{{"a day", day, keptInDay}}
	if len(begun) > 0 && begun[0].OpenedAt.After(day) {
		limits = append(limits, limit{"a session", begun[0].OpenedAt, keptInSession})
	}
	for _, l := range limits {
		n, err := tx.CountCrystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{project}, Origin: by, Stated: true, SaidSince: l.since})
		if err != nil {
			return err
		}
		switch {
		case n >= l.most:
			return fmt.Errorf("nothing more is kept for agents now: they have had %d things kept here in %s, as many as they may; do not try again, tell the user what matters (they can keep it with hebb remember): %w",
				n, l.name, memory.ErrRefused)
		case n == l.most-1:
			line := fmt.Sprintf("agents had %d things kept here in %s, as many as they may; more is refused. Look at them: hebb memories --origin agent", l.most, l.name)
			err = brain.NoticeFact(brain.FloodNotice, project).Set(ctx, tx, brain.Notice{At: tx.Now, Line: line})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type limit struct {
	name  string
	since time.Time
	most  int64
}
