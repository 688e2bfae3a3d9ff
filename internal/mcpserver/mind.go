package mcpserver

import (
	"context"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/state"
)

// mindTools let an agent dream, and keep concerns in view.
func mindTools() []tool {
	return []tool{
		does(tool{
			name:  "dream_begin",
			about: "Get the material for rewriting the state of mind (MEMORY.md): the old state, notes, sessions and the rules. Use it when context says a dream is due, or when the user asks. Answer with dream_commit.",
			fresh: true, edits: true,
		}, (*call).dreamBegin),
		does(tool{
			name:   "dream_commit",
			about:  "Put the state you wrote after dream_begin in place. Guards examine it; one that they refuse is kept for inspection and rules dream instead. Nothing is lost either way.",
			fields: []field{{name: "state", kind: text, must: true, about: "the whole document, in the form that dream_begin asks for"}},
			effect: adds, fresh: true, edits: true,
		}, (*call).dreamCommit),
		does(tool{
			name:  "goals",
			about: "Current concerns by priority, with the reasons: goals, open questions, gaps, steps that were put off. Use it when the user asks what is open, or before you choose what to do.",
			fresh: true, listed: true,
		}, (*call).goals),
		does(tool{
			name:  "goal_add",
			about: "Keep something that is wanted, asked or put off, so that later sessions see it. One of the same meaning is not kept twice.",
			fields: []field{
				{name: "title", kind: text, must: true, about: "one line"},
				{name: "text", kind: text, about: "what there is to say beyond the title"},
				{name: "kind", kind: text, oneOf: []string{string(memory.GoalAim), string(memory.GoalQuestion), string(memory.GoalGap), string(memory.GoalNext)}},
				{name: "files", kind: list, about: "files it is about"}, everywhereField,
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
			about:  "Connect what happened in earlier sessions to current goals. Use it between tasks, or when you are stuck.",
			effect: adds, fresh: true,
		}, (*call).think),
		does(tool{
			name: "next", about: "What to do now, and why: the goals that want attention most, what came to mind between sessions, and what the last session left to do. Use it when the user asks what is next.",
			fields: []field{limitField}, fresh: true,
		}, (*call).next),
	}
}

func (c *call) dreamBegin(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, state.DreamBegin, c.scope)
	return reply{text: []byte(out.Prompt)}, c.err
}

func (c *call) dreamCommit(ctx context.Context, in state.DreamCommitInput) (reply, error) {
	in.Scope = c.scope
	out := run(ctx, c, state.DreamCommit, in)
	var a reply
	for _, w := range out.Warnings {
		a.line("%s", w)
	}
	a.line("The state is rewritten by %s: %s, %s, %s.", out.By, prose.Count(out.Notes, "note used", "notes used"),
		prose.Count(out.Waiting, "still waits", "still wait"), prose.Count(out.Pointers, "pointer", "pointers"))
	for _, f := range out.Faded {
		a.some("Faded into a pointer: %s", f)
	}
	return a, c.err
}

// goal adds a goal.
func (a *reply) goal(g memory.Goal) {
	a.line("%s from %s: %s (%s, %d %%) %s", g.Kind, g.Origin.Name(), cited(g.Origin, g.Title), g.Status, percent(g.Progress), g.ID)
}

// ranked adds goals with their priorities.
func (a *reply) ranked(list goals.GoalsResult) {
	for _, g := range list.Goals {
		a.goal(g.Goal)
		a.line("Priority %.2f: %s", g.Priority.Score, strings.Join(g.Priority.Reasons, "; "))
	}
}

func (c *call) goals(ctx context.Context, _ struct{}) (a reply, err error) {
	out := run(ctx, c, goals.Goals, goals.GoalsInput{Scope: c.scope})
	if a.ranked(out); len(out.Goals) == 0 {
		a.line("There is no open goal.")
	}
	return a, c.err
}

func (c *call) goalAdd(ctx context.Context, in goals.GoalInput) (reply, error) {
	in.Scope, in.Origin = c.scope, memory.OriginAgent
	out := run(ctx, c, goals.AddGoal, in)
	var a reply
	if out.Known {
		a.line("Already known:")
	}
	a.goal(out.Goal)
	return a, c.err
}

func (c *call) goalProgress(ctx context.Context, in struct {
	goals.GoalChange
	Percent *int
},
) (reply, error) {
	in.Scope, in.Progress, in.Origin = c.scope, -1, memory.OriginAgent
	if in.Percent != nil {
		in.Progress = float64(*in.Percent) / 100
	}
	g := run(ctx, c, goals.ChangeGoal, in.GoalChange)
	var a reply
	a.goal(g)
	return a, c.err
}

func (c *call) think(ctx context.Context, _ struct{}) (a reply, err error) {
	out := run(ctx, c, goals.Think, goals.ThinkInput{Scope: c.scope})
	for _, x := range out.Connections {
		a.line("Goal: %s", cited(x.Goal.Origin, x.Goal.Title))
		a.some("May be helped by: %s", cited("", x.Episode.Text))
		a.some("Why: %s", x.Why)
	}
	a.line("%d episodes compared with %d goals; %d new connections.", out.Episodes, out.Goals, len(out.Connections))
	return a, c.err
}

func (c *call) next(ctx context.Context, in brain.ListInput) (a reply, err error) {
	in.Scope = c.scope
	out := run(ctx, c, goals.NextUp, in)
	a.ranked(goals.GoalsResult{Goals: out.Next})
	for _, t := range out.Thoughts {
		a.line("May help with %s: %s", cited("", t.Title), cited("", t.Episode))
		a.some("Why: %s", t.Why)
	}
	a.some("The last session left: %s", out.Left)
	for _, r := range out.Resting {
		a.line("%s", r)
	}
	if len(out.Next) == 0 && out.Left == "" {
		a.line("Nothing is open.")
	}
	return a, c.err
}
