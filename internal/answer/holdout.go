package answer

import (
	"context"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// HeldOut draws the share of prompts that are shown nothing, so that what follows can be compared. The draw is by the ID of the prompt's event
// alone: prompts that are answered and those that are not differ by chance only.
func HeldOut(id memory.EventID, share float64) bool {
	const grain = 1 << 20
	return float64(memory.ContentHash("holdout", string(id))%grain)/grain < share
}

// heldOut says whether a prompt is held out. In the first sessions of a project none is: a newcomer wants to see what hebb does.
func (s *sheet) heldOut(ctx context.Context, t tuning.Hook) (bool, error) {
	if !HeldOut(s.to.ID, t.Holdout) {
		return false, nil
	}
	opened := s.tx.Now
	session, err := s.tx.Session(ctx, s.session)
	if err == nil {
		opened = session.OpenedAt
	} else if !brain.IsNotFound(err) {
		return false, err
	}
	earlier, err := s.tx.SessionsBefore(ctx, s.project, opened, t.HoldoutAfter)
	return earlier >= t.HoldoutAfter, err
}

// ReceiptID is the ID of the event that records what was shown at another.
func ReceiptID(to memory.EventID) memory.EventID {
	return memory.DerivedEventID(string(to), string(memory.Suggested))
}
