package state

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// DreamRecord is a dream that changed something, in numbers: what it said may have been forgotten since.
type DreamRecord struct {
	At    time.Time `json:"at"`
	By    string    `json:"by"`
	Notes int       `json:"notes"` // adopted by the state
	Lines int       `json:"lines"` // new, gone or different
}

func DreamsFact(id memory.ProjectID) store.Fact[[]DreamRecord] {
	return store.NewFact[[]DreamRecord]("dream/log").Of(id)
}

// dreamsKept are the dreams of a project that the timeline shows.
const dreamsKept = 50

// logDream writes down that a dream changed something.
func logDream(ctx context.Context, tx *store.Tx, id memory.ProjectID, out DreamResult) error {
	list, err := DreamsFact(id).Get(ctx, tx)
	if err != nil {
		return err
	}
	one := DreamRecord{At: tx.Now, By: out.By, Notes: out.Notes, Lines: out.Products.Changed}
	list = append(list, one)
	return DreamsFact(id).Set(ctx, tx, list[max(0, len(list)-dreamsKept):])
}

// DreamResult is what a dream brought about.
type DreamResult struct {
	Run bool   `json:"run"`
	Why string `json:"why"` // it did, or did not
	By  string `json:"by,omitempty"`
	// State is MEMORY.md as it is now.
	State    string   `json:"state,omitempty"`
	Notes    int      `json:"notes"` // that wait no longer
	Pointers int      `json:"pointers"`
	Gaps     int      `json:"gaps,omitempty"` // that are told
	Products Products `json:"products"`
	Shallow  bool     `json:"shallow,omitempty"` // nothing came of it, so nothing was kept
	Warnings []string `json:"warnings,omitempty"`
}

// Products are what a dream brought about. One that brought about nothing was too shallow, and counts as none.
type Products struct {
	Promoted int `json:"promoted"` // notes that became memories like all others
	Changed  int `json:"changed"`  // lines that are new, gone or different
	Topics   int `json:"topics"`   // new pointers
}
