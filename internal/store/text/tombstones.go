package text

import (
	"context"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Buried are the tombstones: the subject of each is what was forgotten.
const Buried = `fact WHERE name = 'tombstone' AND project_id = 0`

// Traces are tombstones of what hooks and transcripts name differently: they are made of agent, run and time.
const (
	traced    = `"trace"`
	traceTime = 10 * time.Second
)

// TraceRun marks a whole run of an agent as forgotten on purpose, up to now.
func (tx *Tx) TraceRun(ctx context.Context, agent memory.Agent, run string) error {
	return tx.db.Put(ctx, CheckedFact, "tombstone", 0, string(runTrace(agent, run)), traced, db.Millis(tx.Now))
}

// Trace marks an event of a run as forgotten on purpose, whatever ID it may come with next.
func (tx *Tx) Trace(ctx context.Context, e memory.Event) error {
	_, err := tx.db.Insert(ctx, CheckedFact, "tombstone", 0, string(eventTrace(e, e.At)), traced, db.Millis(tx.Now))
	return err
}

func runTrace(agent memory.Agent, run string) memory.EventID {
	return memory.DerivedEventID("forgotten", string(agent), run)
}

func eventTrace(e memory.Event, at time.Time) memory.EventID {
	return memory.DerivedEventID("forgotten", string(e.Agent), e.AgentSession, string(e.Kind), strconv.FormatInt(at.Truncate(traceTime).Unix(), 10))
}

// ForgottenRun reports whether the run of an event was forgotten after it.
func (tx *Tx) ForgottenRun(ctx context.Context, e memory.Event) (bool, error) {
	return tx.db.Any(ctx, Buried+` AND subject = ? AND at >= ?`, string(runTrace(e.Agent, e.AgentSession)), db.Millis(e.At))
}

// ForgottenThen reports whether an event of this kind was forgotten in this run at about that time, under whatever ID.
func (tx *Tx) ForgottenThen(ctx context.Context, e memory.Event) (bool, error) {
	return tx.db.Any(ctx, Buried+` AND subject IN (?, ?)`,
		string(eventTrace(e, e.At.Add(-traceTime/2))), string(eventTrace(e, e.At.Add(traceTime/2))))
}

// Tombstone marks an event as forgotten on purpose.
func (tx *Tx) Tombstone(ctx context.Context, id memory.EventID) error {
	_, err := tx.db.Insert(ctx, CheckedFact, "tombstone", 0, string(id), "true", db.Millis(tx.Now))
	return err
}

// Tombstones returns the events forgotten on purpose.
func (tx *Tx) Tombstones(ctx context.Context) ([]memory.EventID, error) {
	return db.All[memory.EventID](ctx, tx.db, `SELECT subject FROM `+Buried+NoTrace+` ORDER BY subject`, nil, db.Column)
}

// NoTrace chooses the tombstones that name what was forgotten by its ID.
const NoTrace = ` AND value <> '` + traced + `'`

// Traced returns the tombstones by agent, run and time.
func (tx *Tx) Traced(ctx context.Context) ([]Traced, error) {
	return db.All(ctx, tx.db, `SELECT subject, at FROM `+Buried+` AND value = '`+traced+`' ORDER BY subject`, nil,
		func(t *Traced) []any { return []any{&t.ID, db.Time(&t.At)} })
}

// Traced is a tombstone by agent, run and time.
type Traced struct {
	ID memory.EventID `json:"id"`
	At time.Time      `json:"at"` // when it was forgotten
}

// TakeTraced stores one that comes from elsewhere. The later one holds.
func (tx *Tx) TakeTraced(ctx context.Context, t Traced) error {
	later, err := tx.db.Any(ctx, Buried+` AND subject = ? AND at >= ?`, string(t.ID), db.Millis(t.At))
	if err != nil || later {
		return err
	}
	return tx.db.Put(ctx, CheckedFact, "tombstone", 0, string(t.ID), traced, db.Millis(t.At))
}

// Forgotten reports whether something has a tombstone.
func (tx *Tx) Forgotten(ctx context.Context, id memory.EventID) (bool, error) {
	return tx.db.Any(ctx, Buried+` AND subject = ?`, string(id))
}

// Unbury takes the tombstone away of what was added, if anything was.
func (tx *Tx) Unbury(ctx context.Context, added int64, id memory.EventID) error {
	if added == 0 {
		return nil
	}
	return tx.db.Run(ctx, `DELETE FROM `+Buried+` AND subject = ?`, string(id))
}
