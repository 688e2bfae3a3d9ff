package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
)

// mindTools let an agent dream, and keep concerns in view.
func mindTools() []tool {
	return []tool{
		does(tool{
			name:  "dream_begin",
			about: "Get the material for rewriting the state of mind (MEMORY.md): the old state, notes, sessions and the rules. Use it when context says a dream is due, or when the user asks. Answer with dream_commit.",
			fresh: true, tended: true,
		}, (*call).dreamBegin),
		does(tool{
			name:   "dream_commit",
			about:  "Put the state you wrote after dream_begin in place. Guards examine it; one that they refuse is kept for inspection and rules dream instead. Nothing is lost either way.",
			fields: []field{{name: "state", kind: text, must: true, about: "the whole document, in the form that dream_begin asks for"}},
			effect: adds, fresh: true, tended: true,
		}, (*call).dreamCommit),
		does(tool{
			name:  "goals",
			about: "Current concerns by priority, with the reasons: goals, open questions, gaps, steps that were put off. Use it when the user asks what is open, or before you choose what to do.",
			fresh: true,
		}, (*call).goals),
		does(tool{
			name:  "goal_add",
			about: "Keep something that is wanted, asked or put off, so that later sessions see it. One of the same meaning is not kept twice.",
			fields: []field{
				{name: "title", kind: text, must: true, about: "one line"},
				{name: "text", kind: text, about: "what there is to say beyond the title"},
				{name: "kind", kind: text, oneOf: []string{string(memory.GoalAim), string(memory.GoalQuestion), string(memory.GoalGap), string(memory.GoalNext)}},
				{name: "files", kind: testTexts, about: "files it is about"}, everywhereField,
			},
			effect: repeats,
		}, (*call).goalAdd),
		does(tool{
			name:  "goal_progress",
			about: "Say that a goal moved, is done, blocked, dropped, left alone for a while or taken up again. Use it when work on it ends. Only the user drops their goals.",
			fields: []field{
				{name: "goal", kind: text, must: true, about: "its ID or words of its title"},
				{name: "status", kind: text, oneOf: stringsOf(memory.GoalStatuses)}, {name: "percent", kind: number, about: "how much of it is done"},
			},
			effect: repeats,
		}, (*call).goalProgress),
		does(tool{
			name:   "think",
			about:  "Let what happened in earlier sessions come to mind and connect it to current goals. Use it between tasks, or when you are stuck.",
			fields: []field{{name: "depth", kind: text, oneOf: []string{"brief", "full", "deep"}}},
			effect: adds, fresh: true,
		}, (*call).think),
		does(tool{
			name: "next", about: "What to do now, and why: the goals that want attention most, what came to mind between sessions, and what the last session left to do. Use it when the user asks what is next.",
			fields: []field{limitField}, fresh: true,
		}, (*call).next),
	}
}

func (c *call) dreamBegin(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, dreams.DreamBegin, c.scope)
	facts := struct {
		Prompt  string `json:"prompt"`
		LeftOut int    `json:"left_out,omitempty"`
	}{out.Prompt, out.LeftOut}
	return reply{facts, out.Prompt}, c.err
}

type dreamCommitInput struct{ State string }

type dreamFacts struct {
	By       string   `json:"by"`
	Notes    int      `json:"notes"`
	Waiting  int      `json:"waiting,omitempty"`
	Pointers int      `json:"pointers"`
	Faded    []string `json:"faded,omitempty"`
	Refused  []string `json:"refused,omitempty"`
}

func (c *call) dreamCommit(ctx context.Context, in dreamCommitInput) (reply, error) {
	out := run(ctx, c, dreams.DreamCommit, dreams.DreamCommitInput{Scope: c.scope, State: in.State})
	facts := dreamFacts{By: out.By, Notes: out.Notes, Waiting: out.Waiting, Pointers: out.Pointers, Faded: out.Faded, Refused: out.Warnings}
	var l lines
	for _, w := range facts.Refused {
		l.add("%s", w)
	}
	l.add("The state is rewritten by %s: %d notes taken in, %d still wait, %d pointers.", facts.By, facts.Notes, facts.Waiting, facts.Pointers)
	for _, f := range facts.Faded {
		l.more("Faded into a pointer: %s", f)
	}
	return reply{facts, l.String()}, c.err
}

type goalFact struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Origin   string   `json:"origin"`
	Title    string   `json:"title"`
	Status   string   `json:"status"`
	Percent  int      `json:"percent,omitempty"`
	Priority string   `json:"priority,omitempty"`
	Reasons  []string `json:"reasons,omitempty"`
	Known    bool     `json:"known,omitempty"`
}

func goalOf(g memory.Goal) goalFact {
	return goalFact{ID: string(g.ID), Kind: string(g.Kind), Origin: string(g.Origin), Title: g.Title, Status: string(g.Status), Percent: int(100*g.Progress + 0.5)}
}

func (f goalFact) line(l *lines) {
	l.add("%s (%s, from %s, %s, %d %%) %s", f.Title, f.Kind, f.Origin, f.Status, f.Percent, f.ID)
	if f.Priority != "" {
		l.more("Priority %s: "+strings.ReplaceAll(strings.Join(f.Reasons, "; "), "%", "%%"), f.Priority)
	}
}

func (c *call) goals(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, goals.Goals, goals.GoalsInput{Scope: c.scope})
	facts := struct {
		Goals []goalFact `json:"goals"`
	}{[]goalFact{}}
	var l lines
	for _, g := range out.Goals {
		f := goalOf(g.Goal)
		f.Priority, f.Reasons = fmt.Sprintf("%.2f", g.Priority.Score), g.Priority.Reasons
		facts.Goals = append(facts.Goals, f)
		f.line(&l)
	}
	if len(facts.Goals) == 0 {
		l.add("There is no open goal.")
	}
	return reply{facts, l.String()}, c.err
}

type goalAddInput struct {
	Title, Text, Kind string
	Files             []string
	Everywhere        bool
}

func (c *call) goalAdd(ctx context.Context, in goalAddInput) (reply, error) {
	out := run(ctx, c, goals.AddGoal, goals.GoalInput{
		Scope: c.scope, Title: in.Title, Text: in.Text, Kind: memory.GoalKind(in.Kind), Files: in.Files, Everywhere: in.Everywhere, Origin: memory.OriginAgent,
	})
	f := goalOf(out.Goal)
	f.Known = out.Known
	var l lines
	if f.Known {
		l.add("Known already:")
	}
	f.line(&l)
	return reply{f, l.String()}, c.err
}

type goalProgressInput struct {
	Goal, Status string
	Percent      *int
}

func (c *call) goalProgress(ctx context.Context, in goalProgressInput) (reply, error) {
	progress := -1.0
	if in.Percent != nil {
		progress = float64(*in.Percent) / 100
	}
	g := run(ctx, c, goals.ChangeGoal, goals.GoalChange{Scope: c.scope, Goal: in.Goal, Status: memory.GoalStatus(in.Status), Progress: progress, Origin: memory.OriginAgent})
	f := goalOf(g)
	var l lines
	f.line(&l)
	return reply{f, l.String()}, c.err
}

type thinkInput struct{ Depth string }

func (c *call) think(ctx context.Context, in thinkInput) (reply, error) {
	out := run(ctx, c, goals.Think, goals.ThinkInput{Scope: c.scope, Depth: in.Depth})
	type connection struct {
		Goal    string `json:"goal"`
		Episode string `json:"episode"`
		Why     string `json:"why"`
		Strong  bool   `json:"strong,omitempty"`
	}
	facts := struct {
		Connections []connection `json:"connections"`
		Ended       string       `json:"ended"`
	}{[]connection{}, out.Ended}
	var l lines
	for _, x := range out.Connections {
		facts.Connections = append(facts.Connections, connection{x.Goal.Title, x.Episode.Text, x.Why, x.Strong})
		l.add("%s", x.Goal.Title)
		l.more("What came to mind: %s", x.Episode.Text)
		l.more("Why: %s", x.Why)
	}
	l.add("%d things came to mind; %s.", len(out.Steps), strings.TrimSuffix(out.Ended, "."))
	return reply{facts, l.String()}, c.err
}

type nextInput struct{ Limit int }

func (c *call) next(ctx context.Context, in nextInput) (reply, error) {
	out := run(ctx, c, goals.NextUp, brain.ListInput{Scope: c.scope, Limit: in.Limit})
	facts := struct {
		Next     []goalFact           `json:"next"`
		Thoughts []goals.Recollection `json:"thoughts,omitempty"`
		Left     string               `json:"left,omitempty"`
		Resting  []string             `json:"resting,omitempty"`
	}{[]goalFact{}, out.Thoughts, out.Left, out.Resting}
	var l lines
	for _, g := range out.Next {
		f := goalOf(g.Goal)
		f.Priority, f.Reasons = fmt.Sprintf("%.2f", g.Priority.Score), g.Priority.Reasons
		facts.Next = append(facts.Next, f)
		f.line(&l)
	}
	for _, t := range out.Thoughts {
		l.add("May help with %s: %s", t.Title, t.Episode)
		l.more("Why: %s", t.Why)
	}
	l.more("The last session left: %s", out.Left)
	for _, r := range out.Resting {
		l.add("%s", r)
	}
	if len(facts.Next) == 0 && out.Left == "" {
		l.add("Nothing is open.")
	}
	return reply{facts, l.String()}, c.err
}
