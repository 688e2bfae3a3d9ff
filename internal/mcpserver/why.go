package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

type whyInput struct {
	ID    string
	Limit int
}

func (c *call) why(ctx context.Context, in whyInput) (reply, error) {
	var a reply
	if blank(in.ID) {
		list := run(ctx, c, ranking.Shown, ranking.ShownInput{Scope: c.scope, Limit: limited(in.Limit)})
		shown := each(list, func(s memory.Suggestion) object { return a.shown(s, "", nil) })
		if a.facts.set("lines?", shown); len(shown) == 0 {
			a.note("No line has been shown here yet.")
		}
		return a, c.err
	}
	kept, err := steward.Run(ctx, c.brain, statements.WhyCrystal, statements.ProvenanceInput{ID: in.ID})
	if err == nil {
		a.facts.set("remembered", a.origin(kept))
		return a, c.err
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
	a.facts.set("lines", []object{a.shown(line.Suggestion, line.Prompt, line.Beside)})
	return a, c.err
}

// shown adds a line that an agent was shown, and returns its facts.
func (a *reply) shown(s memory.Suggestion, prompt string, beside []string) object {
	outcome := cmp.Or(string(s.Outcome), "pending")
	if s.Held {
		outcome += ", withheld"
	}
	a.line("- %s · %s · %s (%d %%): %s; %s", s.ID, when(s.ShownAt), s.Path, percent(s.Confidence), s.Reason, outcome)
	a.some("  Prompt: %s", prompt)
	a.some("  Beside: %s", strings.Join(beside, ", "))
	return objectOf("id", s.ID, "at", when(s.ShownAt), "path", s.Path, "sure_percent", percent(s.Confidence), "why", s.Reason,
		"outcome", outcome, "prompt?", prompt, "beside?", beside)
}

// origin adds where something remembered comes from, and returns its facts.
func (a *reply) origin(p statements.Provenance) object {
	doubt := ""
	if p.Unsure {
		doubt = changedCode
	}
	a.line("%s %s: %s", p.Kind, p.ID, p.Text)
	a.line("Said %s by %s", when(p.SaidAt), p.Origin)
	part := reply{facts: objectOf("id", p.ID, "kind", p.Kind, "text", p.Text, "said", when(p.SaidAt), "origin", p.Origin)}
	part.fact("project", p.ProjectName, "Project: %s")
	part.fact("source", p.Source, "Source: %s")
	part.fact("subject", p.Subject, "About: %s")
	part.fact("held_until", when(p.ValidTo), "Held until %s")
	part.fact("doubt", doubt, "Doubt: %s")
	part.list("tied_to", stringsOf(p.Anchors), "Tied to: %s")
	part.relatives("took_the_place_of", p.Parents, "Took the place of %s")
	part.relatives("became", p.Children, "Became %s")
	a.text = append(a.text, part.text...)
	return part.facts
}

// relatives adds earlier or later forms of a text.
func (a *reply) relatives(name string, others []memory.Crystal, format string) {
	var list []string
	for _, other := range others {
		list = append(list, string(other.ID)+" "+scrub.Line(other.Text))
		a.line(format, list[len(list)-1])
	}
	a.facts.set(name+"?", list)
}
