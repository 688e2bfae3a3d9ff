package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// settle says what became of the suggestions a session was shown.
func (a *association) settle(ctx context.Context, s memory.Session) error {
	kept := a.Anew.keepsSession(s.ID)
	pending, err := a.Tx.Suggestions(ctx, store.SuggestionFilter{Session: s.ID, Pending: !kept})
	if err != nil || len(pending) == 0 {
		return err
	}
	touches, err := a.Tx.SessionTouches(ctx, s.ID, 0, 0)
	if err != nil {
		return err
	}
	judged := map[memory.NeuronID]bool{} // a file shown twice in a session counts once
	for _, line := range slices.Backward(pending) {
		outcome := line.Outcome
		if !kept {
			outcome = outcomeOf(line, touches)
			if err := a.Tx.SettleSuggestion(ctx, line.ID, outcome, s.LastEventAt); err != nil {
				return err
			}
		}
		if line.Neuron == 0 || a.Anew.KeepsNeuron(line.Neuron) || line.Held || judged[line.Neuron] {
			continue
		}
		judged[line.Neuron] = true
		if err := a.feedBack(ctx, line.Neuron, outcome); err != nil {
			return err
		}
	}
	return nil
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
	if a.Anew.keepsSession(e.Session) {
		return nil
	}
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
