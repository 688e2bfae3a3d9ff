package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
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
		for _, l := range list {
			a.shown(l)
		}
		if len(list) == 0 {
			a.line("No line has been shown here yet.")
		}
		return a, c.err
	}
	kept, err := steward.Run(ctx, c.brain, statements.WhyCrystal, statements.ProvenanceInput{ID: in.ID})
	if err == nil {
		a.origin(kept)
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
	a.shown(line.Line)
	a.some("  Prompt: %s", line.Prompt)
	a.list("  Beside: %s", line.Beside)
	return a, c.err
}

// shown adds a line that an agent was shown.
func (a *reply) shown(l ranking.Line) {
	outcome, sure := cmp.Or(string(l.Outcome), "pending"), fmt.Sprintf(" (%d %%)", percent(l.Confidence))
	if !l.Judged() {
		outcome, sure = "shown", ""
	}
	if l.Held {
		outcome += ", withheld"
	}
	a.line("- %s · %s · %s%s: %s; %s", l.ID, when(l.ShownAt), scrub.Line(l.Name()), sure, cmp.Or(l.Reason, "at "+string(l.Moment)), outcome)
}

// origin adds where something remembered comes from.
func (a *reply) origin(p statements.Provenance) {
	a.line("%s %s: %s", p.Kind, p.ID, cited(p.Origin, p.Text))
	a.line("Said %s by %s", when(p.SaidAt), brain.From(p.Crystal))
	a.some("Project: %s", p.ProjectName)
	a.some("Source: %s", p.Source)
	a.some("About: %s", cited(p.Origin, p.Subject))
	a.some("Held until %s", when(p.ValidTo))
	if p.Unsure {
		a.line("Doubt: %s", changedCode)
	}
	a.list("Tied to: %s", stringsOf(p.Anchors))
	for _, other := range p.Parents {
		a.line("Took the place of %s", string(other.ID)+" "+cited(other.Origin, scrub.Line(other.Text)))
	}
	for _, other := range p.Children {
		a.line("Became %s", string(other.ID)+" "+cited(other.Origin, scrub.Line(other.Text)))
	}
}

// memoriesTool lists what is remembered and lets an agent correct it in the name of the user.
func memoriesTool() tool {
	return does(tool{
		name: "memories",
		about: "List what is remembered, the newest first, or act on one: show, edit, confirm, reject, forget. Use it when the user asks what you remember or " +
			"says that it is wrong. What the user said you change only with quote, their sentence that asks for it; without it you propose.",
		fields: []field{
			{name: "action", kind: text, oneOf: []string{"list", "show", "edit", "confirm", "reject", "forget"}, about: "without it: list"},
			{name: "id", kind: text, about: "of the memory to act on"},
			{name: "text", kind: text, about: "for edit: the new text, in the user's words where possible"},
			{name: "quote", kind: text, about: "the whole sentence of the user that asks for the change, from its beginning to its end"},
			{name: "kinds", kind: list, about: "list only these: " + strings.Join(stringsOf(memory.CrystalKinds), ", ")},
			{name: "origin", kind: text, oneOf: stringsOf(memory.Origins), about: "list only what comes from there"},
			{name: "heard", kind: flag, about: "list only what the user said in prompts"},
			{name: "stated", kind: flag, about: "list only what somebody asked to remember"},
			{name: "session", kind: text, about: "list only what was said in this session"},
			{name: "since", kind: text, about: "list only what was said after this: 2026-11-15, a full time, 12h or 2d"},
			{name: "older", kind: text, about: "list only what was said before this"},
			{name: "history", kind: flag, about: "also what was superseded or rejected, or has expired"},
			{name: "waiting", kind: flag, about: "only changes that agents propose and the user has not decided on"},
			limitField,
		},
		effect: removes, fresh: true, listed: true,
	}, (*call).memories)
}

type memoriesInput struct {
	Action, ID, Text, Quote, Origin, Session, Since, Older string
	Kinds                                                  []memory.CrystalKind
	Heard, Stated, History, Waiting                        bool
	Limit                                                  int
}

func (c *call) memories(ctx context.Context, in memoriesInput) (reply, error) {
	switch lists := in.Action == "" || in.Action == "list"; {
	case lists && in.ID != "":
		return reply{}, fmt.Errorf("argument id needs an action: show, edit, confirm, reject or forget: %w", memory.ErrInvalid)
	case lists:
		return c.listMemories(ctx, in)
	case blank(in.ID):
		return reply{}, fmt.Errorf("argument id is missing: action list gives the IDs: %w", memory.ErrInvalid)
	}
	return c.actOnMemory(ctx, in)
}

func (c *call) listMemories(ctx context.Context, in memoriesInput) (a reply, err error) {
	ask := statements.MemoriesInput{
		Scope: c.scope, Kinds: in.Kinds, Origin: memory.Origin(in.Origin), Heard: in.Heard, Stated: in.Stated, Session: in.Session, History: in.History,
		Waiting: in.Waiting, Limit: limited(in.Limit),
		Said: in.Waiting || in.History, // lines that wait or were dropped are shown to nobody but the person
	}
	if ask.Since, err = moment("since", in.Since, c.Now()); err != nil {
		return a, err
	}
	if ask.Before, err = moment("older", in.Older, c.Now()); err != nil {
		return a, err
	}
	list := run(ctx, c, statements.Memories, ask)
	for _, m := range list {
		a.memory(m)
	}
	if len(list) == 0 {
		a.line("Nothing like that is remembered here.")
	}
	return a, c.err
}

// memory adds something remembered.
func (a *reply) memory(m statements.Memory) {
	how := "from " + brain.From(m.Crystal)
	if m.Heard > 0 && m.Line == nil {
		how += ", in a prompt"
	}
	if m.State != "" {
		how += ", " + m.State
	}
	if m.Proposed != "" {
		how += ", proposed to " + m.Proposed
	}
	a.line("- %s · %s · %s · %s: %s", m.ID, when(m.SaidAt), m.Kind, how, cited(m.Origin, scrub.Line(m.Text)))
}

func (c *call) actOnMemory(ctx context.Context, in memoriesInput) (a reply, err error) {
	by := memory.OriginAgent
	switch in.Action {
	case "edit":
		if blank(in.Text) {
			return a, fmt.Errorf("argument text is missing: say what it should be: %w", memory.ErrInvalid)
		}
		return c.kept("Remembered", run(ctx, c, statements.Edit, statements.EditInput{ID: in.ID, Text: in.Text, Origin: by, Quote: in.Quote}))
	case "confirm", "reject":
		right := in.Action == "confirm"
		judged := run(ctx, c, statements.Judge, statements.JudgeInput{ID: in.ID, Right: right, Origin: by, Quote: in.Quote})
		if judged.Proposed != "" {
			a.proposed(judged.Crystal, judged.Proposed)
			return a, c.err
		}
		word := "Rejected; it stays as history"
		if right {
			word = "Confirmed"
		}
		a.line("%s: %s %s: %s", word, judged.Kind, judged.ID, cited(judged.Origin, judged.Text))
		return a, c.err
	}
	known := run(ctx, c, statements.WhyCrystal, statements.ProvenanceInput{ID: in.ID})
	if c.err != nil {
		return a, c.err
	}
	if in.Action == "show" {
		a.origin(known)
		return a, nil
	}
	out := run(ctx, c, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(known.ID)}, Apply: true, By: by, Quote: in.Quote})
	if out.Warning != "" {
		c.warnings = append(c.warnings, out.Warning)
	}
	if len(out.Proposed) > 0 {
		a.proposed(known.Crystal, out.Lacking)
		return a, c.err
	}
	a.line("Forgotten for good: %s: %s", known.ID, cited(known.Origin, known.Text))
	return a, c.err
}
