package mcpserver

import (
	"context"
	"strings"

	"github.com/hebb-memory/hebb/internal/answer"
)

// askingTools are those that answer from what is known.
func askingTools() []tool {
	contextTool := does(tool{
		name:   "context",
		about:  "What to have in mind here: pins, hot files with notes, the last session, next steps. Call it first, and when the user refers to earlier work.",
		fields: []field{{name: "mode", kind: text, oneOf: []string{"full", "warm", "continue", "micro"}}},
		fresh:  true, edits: true, always: true,
	}, (*call).context)
	search := does(tool{
		name: "memory_search",
		about: "Find what was said, decided, documented or committed. Use it before you ask the user or decide. " +
			"Filters in the query: kind:decision, since:2026-01, path:src, \"a phrase\".",
		fields: []field{{name: "query", kind: text}, {name: "id", kind: text, about: "of a result: read all of it"}, limitField}, fresh: true, always: true,
	}, (*call).search)
	return []tool{
		contextTool, search,
		search.alias("search", "The same as memory_search: find what was said, decided, documented or committed earlier."),
		does(tool{
			name:  "bootstrap",
			about: "All there is to have in mind at the start of a session, the user's own pages included: context in mode full. Call it once, first of all.",
			fresh: true, edits: true,
		}, (*call).bootstrap),
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
			name:  "predict_next",
			about: "Which file and which tool the running session most likely needs next. Use it when you wonder what belongs to a change you have begun.",
			fields: []field{
				{name: "session", kind: text, about: "another session than the latest: its ID, the beginning of it, or the agent's own name for it"},
				{name: "tool", kind: text, about: "the tool just used", also: "current_tool"}, limitField,
			},
			fresh: true,
		}, (*call).predict),
		does(tool{
			name: "stats", about: "How much is known of this project: files, errors, commits, sessions, links. Use it when the user asks how the memory is doing.",
			fresh: true,
		}, (*call).stats),
		does(tool{
			name: "pins", about: "The pins that hold here: rules and facts kept in mind for good. Use it before you pin something, or when the user asks what is pinned.",
			fresh: true, edits: true,
		}, (*call).pins),
		does(tool{
			name:   "heat",
			about:  "The files in mind, the hottest first, with their notes, and those that come up together. Use it to see where the work is going on.",
			fields: []field{limitField, {name: "cold", kind: flag, about: "also files that have cooled down"}},
			fresh:  true, edits: true,
		}, (*call).heat),
		does(tool{
			name:   "recent",
			about:  "What happened in the latest sessions, what was learned and what comes next. Use it when the user asks what was done lately, or to go on where it was left.",
			fields: []field{limitField}, fresh: true, edits: true,
		}, (*call).recent),
		does(tool{
			name: "why",
			about: "Where something remembered comes from and what became of it, or why a line was shown. Use it when a memory looks wrong or the user " +
				"doubts it. Without an ID it lists the lines shown last.",
			fields: []field{{name: "id", kind: text, about: "as memory_search or the list gives it"}, limitField}, fresh: true, listed: true,
		}, (*call).why),
		does(tool{
			name: "read_identity",
			about: "The pages the user keeps about how to work here, open questions, what is going on and the projects. Read them when a task depends on the " +
				"user's ways or plans.",
			fields: []field{{name: "name", kind: text, oneOf: pageNames, about: "one page; without it all that are written"}},
			fresh:  true,
		}, (*call).readIdentity),
		does(tool{
			name:   "procedure",
			about:  "How something is done here, as the user wrote it down: releases, migrations, reviews. Read it before you do such a thing. Without a topic it lists them.",
			fields: []field{{name: "topic", kind: text}}, fresh: true,
		}, (*call).procedure),
	}
}

func (c *call) bootstrap(ctx context.Context, _ struct{}) (reply, error) {
	return c.context(ctx, answer.ContextInput{Mode: "full"})
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
