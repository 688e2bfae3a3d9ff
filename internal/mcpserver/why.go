package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

type whyFacts struct {
	Lines []shownFact `json:"lines,omitempty"`
	Text  *originFact `json:"remembered,omitempty"`
	Note  string      `json:"note,omitempty"`
}

// shownFact is a line that an agent was shown.
type shownFact struct {
	ID      string   `json:"id"`
	At      string   `json:"at"`
	Path    string   `json:"path"`
	Sure    int      `json:"sure_percent"`
	Why     string   `json:"why"`
	Outcome string   `json:"outcome"`
	Prompt  string   `json:"prompt,omitempty"`
	Beside  []string `json:"beside,omitempty"`
}

// originFact is where something remembered comes from.
type originFact struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Project string   `json:"project,omitempty"`
	Said    string   `json:"said"`
	Origin  string   `json:"origin"`
	Source  string   `json:"source,omitempty"`
	Subject string   `json:"subject,omitempty"`
	Until   string   `json:"held_until,omitempty"`
	Doubt   string   `json:"doubt,omitempty"`
	Tied    []string `json:"tied_to,omitempty"`
	Before  []string `json:"took_the_place_of,omitempty"`
	After   []string `json:"became,omitempty"`
}

type whyInput struct {
	ID    string
	Limit int
}

func (c *call) why(ctx context.Context, in whyInput) (reply, error) {
	var facts whyFacts
	if blank(in.ID) {
		list := run(ctx, c, ranking.Shown, ranking.ShownInput{Scope: c.scope, Limit: limited(in.Limit)})
		for _, s := range list {
			facts.Lines = append(facts.Lines, shown(s))
		}
		if len(list) == 0 {
			facts.Note = "No line has been shown here yet."
		}
		return facts.answer(), c.err
	}
	kept, err := steward.Run(ctx, c.brain, texts.WhyCrystal, texts.ProvenanceInput{ID: in.ID})
	if err == nil {
		facts.Text = originOf(kept)
		return facts.answer(), c.err
	}
	if !errors.Is(err, memory.ErrNotFound) && !errors.Is(err, memory.ErrInvalid) {
		return reply{}, err
	}
	line, err := steward.Run(ctx, c.brain, ranking.Why, ranking.WhyInput{ID: in.ID})
	if errors.Is(err, memory.ErrNotFound) {
		return reply{}, fmt.Errorf("argument id: nothing remembered and no line shown is called %q: memory_search gives IDs, and why without an ID lists "+
			"what was shown: %w", in.ID, memory.ErrNotFound)
	}
	if err != nil {
		return reply{}, err
	}
	one := shown(line.Suggestion)
	one.Prompt, one.Beside = line.Prompt, line.Beside
	facts.Lines = []shownFact{one}
	return facts.answer(), c.err
}

func shown(s memory.Suggestion) shownFact {
	outcome := string(s.Outcome)
	if s.Outcome == memory.Pending {
		outcome = "pending"
	}
	if s.Held {
		outcome += ", withheld"
	}
	return shownFact{ID: s.ID, At: when(s.ShownAt), Path: s.Path, Sure: percent(s.Confidence), Why: s.Reason, Outcome: outcome}
}

func originOf(p texts.Provenance) *originFact {
	f := &originFact{
		ID: string(p.ID), Kind: string(p.Kind), Text: p.Text, Project: p.ProjectName, Said: when(p.SaidAt), Origin: string(p.Origin),
		Source: p.Source, Subject: p.Subject, Until: when(p.ValidTo),
	}
	if p.Unsure {
		f.Doubt = "the code it speaks of has changed since"
	}
	for _, a := range p.Anchors {
		f.Tied = append(f.Tied, a.String())
	}
	for _, other := range p.Parents {
		f.Before = append(f.Before, string(other.ID)+" "+scrub.Line(other.Text))
	}
	for _, other := range p.Children {
		f.After = append(f.After, string(other.ID)+" "+scrub.Line(other.Text))
	}
	return f
}

func (f whyFacts) answer() reply {
	var l lines
	for _, s := range f.Lines {
		l.add("- %s · %s · %s (%d %%): %s; %s", s.ID, s.At, s.Path, s.Sure, s.Why, s.Outcome)
		l.more("  Prompt: %s", s.Prompt)
		if len(s.Beside) > 0 {
			l.add("  Beside: %s", strings.Join(s.Beside, ", "))
		}
	}
	if t := f.Text; t != nil {
		l.add("%s %s: %s", t.Kind, t.ID, t.Text)
		l.add("Said %s by %s", t.Said, t.Origin)
		for _, part := range [][2]string{
			{"Project: %s", t.Project}, {"Source: %s", t.Source}, {"About: %s", t.Subject}, {"Held until %s", t.Until}, {"Doubt: %s", t.Doubt},
			{"Tied to: %s", strings.Join(t.Tied, ", ")},
		} {
			l.more(part[0], part[1])
		}
		for _, other := range t.Before {
			l.add("Took the place of %s", other)
		}
		for _, other := range t.After {
			l.add("Became %s", other)
		}
	}
	l.more("%s", f.Note)
	return reply{f, l.String()}
}
