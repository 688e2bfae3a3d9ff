package answer

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// startAndPrompt answers a prompt of an agent that shows its model nothing when a session begins, or goes on after a compaction: what belongs there
// comes before the answer to the next prompt, with one receipt for both.
func startAndPrompt(ctx context.Context, s sheet) (Shown, error) {
	source, err := unshownStart(ctx, s)
	if err != nil {
		return Shown{}, err
	}
	var out Shown
	if source != "" {
		start := s.to
		start.Kind, start.Input = memory.SessionStarted, source
		if out, err = sessionStart(ctx, s.brain, start); err != nil {
			return Shown{}, err
		}
	}
	if out.Receipt == nil {
		return prompt(ctx, s)
	}
	asked, err := prompt(ctx, s, *out.Receipt)
	if err != nil || asked.Receipt == nil {
		return out, err
	}
	parts := slices.DeleteFunc([]string{out.Text, asked.Text}, func(text string) bool { return text == "" })
	out.Text = strings.Join(parts, "\n\n")
	out.Lines = slices.Concat(out.Lines, asked.Lines)
	lines, err := json.Marshal(out.Lines)
	out.Receipt.Text, out.Receipt.Input = string(lines), asked.Receipt.Input
	return out, err
}

// unshownStart says how the session of a prompt began or went on, in the words of SessionStart, if it was not shown what belongs to that since; else
// it is empty.
func unshownStart(ctx context.Context, s sheet) (source string, err error) {
	s.waiting = s.waits()
	return brain.View(ctx, s.brain.Store, func(tx *store.Tx) (string, error) {
		s.tx = tx
		if err := s.lookBack(ctx); err != nil {
			return "", err
		}
		events, err := tx.Events(ctx, store.EventFilter{Session: s.session, Kind: memory.SessionStarted, Limit: 1, Bare: true})
		if err != nil {
			return "", err
		}
		source, begun := "startup", time.Time{}
		for _, o := range events {
			source, begun = o.Input, o.At
		}
		for _, o := range s.waiting {
			if o.Kind == memory.SessionStarted {
				source, begun = o.Input, o.At
			}
		}
		if s.compacted.After(begun) {
			source, begun = "compact", s.compacted
		}
		for _, l := range s.earlier {
			if (l.Moment == memory.AtStart || l.Moment == memory.AtCompact) && !l.ShownAt.Before(begun) {
				return "", nil
			}
		}
		return source, nil
	})
}
