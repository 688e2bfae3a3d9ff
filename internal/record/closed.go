package record

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// SessionClosed turns what a session did since it was last closed into episodes, and settles what it was shown. The first
// close counts it as one in which its files were together.
func (a *association) SessionClosed(ctx context.Context, s memory.Session, first bool) error {
	if err := a.settle(ctx, s); err != nil {
		return err
	}
	if first {
		if err := a.CountTogether(ctx, s); err != nil {
			return err
		}
	}
	learned, err := a.Tx.LearnedOrd(ctx, s.ID)
	if err != nil {
		return err
	}
	opened, last, err := a.opened(ctx, s, learned)
	if err != nil || len(opened) == 0 {
		return err
	}
	p, err := a.Past(ctx, s.Project)
	if err != nil {
		return err
	}
	p.Image.Session(s.LastEventAt, int64(s.ID), opened, stretchFiles, stretchWords)
	return a.Tx.SetLearnedOrd(ctx, s.ID, last)
}

// CountTogether counts the session for the links between what it met. The count is made in the store, so the links in
// hand go there first.
func (a *association) CountTogether(ctx context.Context, s memory.Session) error {
	if err := a.saveLinks(ctx); err != nil {
		return err
	}
	if a.Anew.partial() {
		return a.Tx.CountTogetherWithin(ctx, s.ID, a.Anew.Reach)
	}
	return a.Tx.CountTogether(ctx, s.ID)
}

// opened lists the files a session opened, with what was said before each.
func (a *association) opened(ctx context.Context, s memory.Session, after int64) (opened []recall.Opened, last int64, err error) {
	touches, err := a.Tx.SessionTouches(ctx, s.ID, after, 0)
	if err != nil || len(touches) == 0 {
		return nil, after, err
	}
	prompts, err := a.Tx.Events(ctx, store.EventFilter{Session: s.ID, Kind: memory.Prompted})
	if err != nil {
		return nil, after, err
	}
	slices.Reverse(prompts) // oldest first
	said := 0
	for _, t := range touches {
		last = max(last, t.Ord)
		if t.Kind != memory.Read && t.Kind != memory.Edit {
			continue
		}
		o := recall.Opened{Path: t.Path}
		for ; said < len(prompts) && prompts[said].Ord < t.Ord; said++ {
			if prompts[said].Ord > after {
				o.Prompt += prompts[said].Text + "\n"
			}
		}
		opened = append(opened, o)
	}
	return opened, last, nil
}
