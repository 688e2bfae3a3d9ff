package mcpserver

import (
	"context"
	"strings"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/goals"
)

// askingTools are those that answer from what is known.
func askingTools() []tool {
	return []tool{
		does(tool{
			name:   "context",
			about:  "What to have in mind here: pins, hot files with notes, the last session, next steps. Call it first, and when the user refers to earlier work.",
			fields: []field{{name: "mode", kind: text, oneOf: []string{"full", "warm", "continue", "micro"}}},
			fresh:  true, edits: true, always: true,
		}, (*call).context),
		does(tool{
			name: "memory_search",
			about: "Find what was said, decided, documented or committed. Use it before you ask the user or decide. " +
				"Filters in the query: kind:decision, since:2026-01, path:src, \"a phrase\".",
			fields: []field{{name: "query", kind: text}, {name: "id", kind: text, about: "of a result: read all of it"}, limitField}, fresh: true, always: true,
		}, (*call).search),
		does(tool{
			name:  "recall",
			about: "Which files a task needs, from past commits and sessions. Use it before you search the code.",
			fields: []field{
				{name: "query", kind: text, about: "the task"},
				{name: "open", kind: list, about: "files open now, latest first"}, limitField,
			},
			fresh: true, always: true,
		}, (*call).recall),
		does(tool{
			name:   "error",
			about:  "Which files fixed an error before. Use it when a command fails, first of all.",
			fields: []field{{name: "error", kind: text, must: true, about: "as the tool printed it"}}, fresh: true, always: true,
		}, (*call).fixes),
		does(tool{
			name: "why",
			about: "Where something remembered comes from and what became of it, or why a line was shown. Use it when a memory looks wrong or the user " +
				"doubts it. Without an ID it lists the lines shown last.",
			fields: []field{{name: "id", kind: text, about: "as memory_search or the list gives it"}, limitField}, fresh: true, listed: true,
		}, (*call).why),
		does(tool{
			name:  "goals",
			about: "Current concerns by priority, with the reasons: goals, open questions, gaps, steps that were put off. Use it when the user asks what is open, or before you choose what to do.",
			fresh: true, listed: true,
		}, (*call).goals),
	}
}

func (c *call) context(ctx context.Context, in answer.ContextInput) (reply, error) {
	in.Scope, in.Asked = c.scope, true
	out := run(ctx, c, answer.StartContext, in)
	text := strings.TrimRight(out.Text, "\n")
	if text == "" {
		text = "Nothing is known of this project yet. hebb init learns its history; remember and pin keep what you learn."
	}
	var a reply
	a.block(text)
	if out.Mode != "" {
		a.line("(mode %s, %d tokens)", out.Mode, out.Tokens)
	} else {
		a.line("(%d tokens)", out.Tokens)
	}
	return a, c.err
}

func (c *call) goals(ctx context.Context, _ struct{}) (a reply, err error) {
	out := run(ctx, c, goals.Goals, goals.GoalsInput{Scope: c.scope})
	for _, r := range out.Goals {
		g := r.Goal
		a.line("%s from %s: %s (%s, %d %%) %s", g.Kind, g.Origin.Name(), cited(g.Origin, g.Title), g.Status, percent(g.Progress), g.ID)
		a.line("Priority %.2f: %s", r.Priority.Score, strings.Join(r.Priority.Reasons, "; "))
	}
	if len(out.Goals) == 0 {
		a.line("There is no open goal.")
	}
	return a, c.err
}
