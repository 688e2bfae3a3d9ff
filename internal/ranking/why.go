package ranking

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// WhyInput names a suggestion by its ID or a prefix.
type WhyInput struct {
	ID string `json:"id"`
}

// Line is a line that was shown, with the words of the memory it shows, if any.
type Line struct {
	memory.Suggestion
	Text string `json:"text,omitempty"`
	// From says whose words the text of a memory is.
	From string `json:"from,omitempty"`
}

// Name says what the line is about: a file, a memory, a command that worked, a convention, or a whole text at a moment.
func (l Line) Name() string {
	switch {
	case l.Text != "":
		return l.Text
	case l.Neuron != 0:
		return l.Path
	case l.Crystal != "":
		return "memory " + string(l.Crystal)
	case l.Offer == memory.OfferContext:
		return "text at " + string(l.Moment)
	case l.Offer == memory.OfferConvention:
		return l.Reason
	}
	return string(l.Offer)
}

// Judged says whether it can be seen what became of the line: only files are opened.
func (l Line) Judged() bool { return l.Neuron != 0 }

// Worded adds the words of the memories that lines show. One that is forgotten has none.
func Worded(ctx context.Context, tx *store.Tx, shown ...memory.Suggestion) ([]Line, error) {
	lines := make([]Line, len(shown))
	for i, s := range shown {
		lines[i].Suggestion = s
		if s.Crystal == "" {
			continue
		}
		c, err := tx.Crystal(ctx, s.Crystal)
		if err != nil && !brain.IsNotFound(err) {
			return nil, err
		}
		lines[i].Text = c.Text
		if err == nil {
			lines[i].From = brain.From(c.Crystal)
		}
	}
	return lines, nil
}

// WhyResult explains one line that was shown.
type WhyResult struct {
	Line
	ProjectName string `json:"project_name"`
	// Prompt is what the session was asked when the line was shown.
	Prompt string             `json:"prompt"`
	Agent  memory.Agent       `json:"agent"`
	Intent string             `json:"intent"` // of the session
	Beside []string           `json:"beside"` // what was shown at the same time
	File   *brain.NeuronState `json:"file,omitempty"`
}

// Why explains one line of a suggestion.
var Why = brain.Operation[WhyInput, WhyResult]{
	Name: "why",
	Run: func(ctx context.Context, b *brain.Brain, in WhyInput) (WhyResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (WhyResult, error) { return NewQuery(b, tx).why(ctx, in.ID) })
	},
}

func (a *Query) why(ctx context.Context, id string) (out WhyResult, err error) {
	out.Beside = []string{}
	if out.Suggestion, err = findSuggestion(ctx, a.tx, id); err != nil {
		return out, err
	}
	p, err := a.tx.Project(ctx, out.Project)
	if err != nil {
		return out, err
	}
	out.ProjectName = p.Name
	s, err := a.tx.Session(ctx, out.Session)
	if err != nil && !brain.IsNotFound(err) {
		return out, err
	}
	out.Agent, out.Intent = s.Agent, s.Intent
	if out.Prompt, err = a.tx.PromptBefore(ctx, out.Session, out.ShownAt); err != nil {
		return out, err
	}
	event, _, _ := strings.Cut(out.ID, "-")
	found, err := a.tx.Suggestions(ctx, store.SuggestionFilter{ID: event + "-"})
	if err != nil {
		return out, err
	}
	lines, err := Worded(ctx, a.tx, found...)
	if err != nil {
		return out, err
	}
	for _, l := range lines {
		if l.ID == out.ID {
			out.Line = l
		} else {
			out.Beside = append(out.Beside, l.Name())
		}
	}
	n, err := a.tx.Neuron(ctx, out.Neuron)
	if brain.IsNotFound(err) {
		return out, nil // recalled from commits and never touched by a session
	}
	if err != nil {
		return out, err
	}
	rules, err := a.rules(ctx, n.Project)
	out.File = new(brain.ReaderAt(rules, a.tx.Now).State(n))
	return out, err
}

// findSuggestion looks a line up by its ID or a beginning that only it has.
func findSuggestion(ctx context.Context, tx *store.Tx, id string) (memory.Suggestion, error) {
	var none memory.Suggestion
	if id == "" || strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz-") != "" {
		return none, fmt.Errorf("suggestion %q: want an ID or its beginning (hebb why lists them): %w", id, memory.ErrInvalid)
	}
	found, err := tx.Suggestions(ctx, store.SuggestionFilter{ID: id})
	if err != nil {
		return none, err
	}
	if i := slices.IndexFunc(found, func(s memory.Suggestion) bool { return s.ID == id }); i >= 0 {
		return found[i], nil // the first line's ID is the beginning of the tenth's
	}
	switch len(found) {
	case 0:
		return none, fmt.Errorf("suggestion %q (hebb why lists them): %w", id, memory.ErrNotFound)
	case 1:
		return found[0], nil
	}
	return none, fmt.Errorf("suggestion %q could be %s or %s: give a longer prefix: %w", id, found[0].ID, found[1].ID,
		memory.ErrConflict)
}

// ShownInput chooses lines that were shown.
type ShownInput struct {
	brain.Scope `flag:"all"`
	Session     string `json:"session,omitempty" flag:"session,s" about:"only lines shown to this session"`
	Limit       int    `json:"limit,omitempty" flag:"limit,n"`
}

// Shown lists the lines that agents were shown, newest first.
var Shown = brain.Operation[ShownInput, []Line]{
	Name: "shown",
	Run: func(ctx context.Context, b *brain.Brain, in ShownInput) ([]Line, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) ([]Line, error) {
			f, err := record.Filter(ctx, b.Config, tx, in.Scope, in.Session)
			if err != nil {
				return nil, err
			}
			found, err := tx.Suggestions(ctx, store.SuggestionFilter{
				Project: f.Project, Session: f.Session, Limit: in.Limit,
			})
			if err != nil {
				return nil, err
			}
			return Worded(ctx, tx, found...)
		})
	},
}
