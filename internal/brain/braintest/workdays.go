package braintest

import (
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// WorkedOn lets every project have had a session without a word on each day up to the lab's clock, since its last one.
func (l *Lab) WorkedOn() {
	l.T.Helper()
	ctx := l.T.Context()
	must.Do(l.T, l.Store.Update(ctx, func(tx *store.Tx) error {
		projects, err := tx.Projects(ctx)
		for _, p := range projects {
			b, failed := tx.Balance(ctx, p.ID)
			err = errors.Join(err, failed)
			today, clock := memory.Day(l.Clock), b.Clock
			if clock.Last == 0 {
				clock.Last = memory.Day(p.LastAt)
			}
			for day := clock.Last + 1; day <= today; day++ {
				at := l.Clock.Add(-ADay * time.Duration(today-day))
				run := fmt.Sprint("a day's ", day)
				s := memory.Session{
					ID: memory.NewSessionID("claude-code", run, p.ID), Project: p.ID, Agent: "claude-code", AgentSession: run,
					OpenedAt: at, LastEventAt: at, ClosedAt: at, CloseReason: memory.ClosedByAgent,
				}
				clock = clock.On(day, today)
				err = errors.Join(err, tx.SaveSession(ctx, s))
			}
			err = errors.Join(err, tx.SetClock(ctx, p.ID, clock))
		}
		return err
	}))
}
