package answer

import (
	"context"
	"encoding/json"

	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// nudge adds a line saying that notes wait for a dream: once from half the pressure on, once more when it is full. It adds none
// where dreams are switched off, where settings forbid unasked lines, and in sessions that are held out.
func (r *reply) nudge(ctx context.Context) error {
	b := r.brain
	if b.Config.Dream.Off || !b.Config.Gates.Load.Always() || r.held || b.Config.Paused(r.project) {
		return nil
	}
	notes, err := r.tx.WaitingNotes(ctx, r.project, 0)
	if err != nil || len(notes) == 0 {
		return err
	}
	s, _, err := dreams.State(ctx, b, r.tx, r.project)
	if err != nil {
		return err
	}
	press, err := dreams.Pressure(ctx, b, r.tx, r.project, s.Dreamt, notes)
	if err != nil || press.Level == workmem.Silent {
		return err
	}
	level := "gentle"
	if press.Level == workmem.Full {
		level = "full"
	}
	if err := r.lookForNudges(ctx); err != nil || r.nudged[level] || r.nudged["full"] {
		return err // full covers half
	}
	r.add(memory.Suggestion{Offer: memory.OfferNudge, Reason: level}, press.Line()+" (`hebb dream`)")
	return nil
}

// lookForNudges reads from the receipts of the session what it was shown.
func (r *reply) lookForNudges(ctx context.Context) error {
	receipts, err := r.tx.Events(ctx, store.EventFilter{Session: r.session, Kind: memory.Suggested})
	if err != nil {
		return err
	}
	for _, e := range receipts {
		var shown []memory.Suggestion
		if json.Unmarshal([]byte(e.Text), &shown) == nil {
			r.sawNudges(shown)
		}
	}
	return nil
}

func (r *reply) sawNudges(shown []memory.Suggestion) {
	for _, s := range shown {
		if s.Offer == memory.OfferNudge {
			r.nudged[s.Reason] = true
		}
	}
}
