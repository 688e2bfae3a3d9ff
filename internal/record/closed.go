package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
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

// settle says what became of the suggestions a session was shown.
func (a *association) settle(ctx context.Context, s memory.Session) error {
	pending, err := a.Tx.Suggestions(ctx, store.SuggestionFilter{Session: s.ID, Pending: true})
	if err != nil || len(pending) == 0 {
		return err
	}
	touches, err := a.Tx.SessionTouches(ctx, s.ID, 0, 0)
	if err != nil {
		return err
	}
	judged := map[memory.NeuronID]bool{} // a file shown twice in a session counts once
	for _, line := range slices.Backward(pending) {
		outcome := outcomeOf(line, touches)
		if err := a.Tx.SettleSuggestion(ctx, line.ID, outcome, s.LastEventAt); err != nil {
			return err
		}
		if line.Neuron == 0 || line.Held || judged[line.Neuron] {
			continue
		}
		judged[line.Neuron] = true
		if err := a.feedBack(ctx, line.Neuron, outcome); err != nil {
			return err
		}
	}
	return nil
}

// Became says what became of a line, and when, if the session that was shown it is over; nothing while it runs.
func Became(ctx context.Context, tx *store.Tx, line memory.Suggestion) (outcome memory.Outcome, at time.Time, err error) {
	s, err := tx.Session(ctx, line.Session)
	if err != nil || s.Open() {
		return memory.Pending, at, brain.IgnoreNotFound(err)
	}
	touches, err := tx.SessionTouches(ctx, s.ID, 0, 0)
	return outcomeOf(line, touches), s.LastEventAt, err
}

// outcomeOf judges a suggestion by what the session opened after it was shown. A search that lists a file, or an error,
// opens none.
func outcomeOf(s memory.Suggestion, touches []store.FileTouch) memory.Outcome {
	outcome := memory.Unjudged
	if s.Neuron == 0 {
		return outcome // it named no file
	}
	for _, t := range touches {
		switch {
		case t.At.Before(s.ShownAt), t.Kind != memory.Read && t.Kind != memory.Edit:
		case t.Neuron == s.Neuron && t.Kind == memory.Edit:
			return memory.Used
		case t.Neuron == s.Neuron:
			outcome = memory.Opened
		case outcome == memory.Unjudged:
			outcome = memory.Ignored
		}
	}
	return outcome
}

// feedBack lets a neuron that was ignored lose standing, more with each time in a row. Each use has given some of it back: see grow.
func (a *association) feedBack(ctx context.Context, id memory.NeuronID, outcome memory.Outcome) error {
	if outcome != memory.Ignored {
		return nil
	}
	n, err := a.Neuron(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil // shown from the past, never met by a session
	}
	if err != nil {
		return err
	}
	n.Ignored++
	n.Standing = a.rules.Ignored(n.Standing, int(n.Ignored))
	return nil
}

// suggested keeps the receipts of what was shown.
func (a *association) suggested(ctx context.Context, seq int64, e memory.StoredEvent) error {
	var lines []memory.Suggestion
	if err := json.Unmarshal([]byte(e.Text), &lines); err != nil {
		return fmt.Errorf("event %s: receipts: %w: %w", e.ID, memory.ErrInvalid, err)
	}
	for i, s := range lines {
		s.ID = fmt.Sprintf("%s-%d", e.ID, i+1)
		s.Project, s.Session, s.ShownAt, s.Position = e.Project, e.Session, e.At, i+1
		if s.Path != "" && s.Crystal == "" { // what became of a memory is not seen at its file
			s.Neuron = memory.NewNeuronID(e.Project, memory.FileNeuron, s.Path)
		}
		if err := a.Tx.InsertSuggestion(ctx, seq, s); err != nil {
			return err
		}
	}
	return nil
}
