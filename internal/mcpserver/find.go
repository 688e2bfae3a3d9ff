package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// files adds files that are likely needed, below a heading.
func (a *reply) files(heading string, found []ranking.Recalled) {
	for i, r := range found {
		where := record.ShownName(r.Path)
		if f := r.Fragment; f != nil {
			where += fmt.Sprintf(":%d-%d", f.First, f.Last)
		}
		a.lineIf(i == 0, "%s", heading)
		a.line("- %s (%d %%): %s", where, percent(r.Confidence), r.Reason)
	}
}

// recalled answers a question for files.
func recalled(out ranking.RecallResult) (a reply) {
	a.some("Error: %s", cited(memory.OriginTool, out.Error))
	a.files("Fixed this error before:", out.Fixes)
	heading := "Files:"
	if out.Vague {
		heading = "Files it may need next:"
	}
	var running []string
	for _, path := range out.Running {
		running = append(running, record.ShownName(path))
	}
	a.list("The query names no files. The last session opened, the latest first: %s", running)
	a.files(heading, out.Files)
	a.list("Not known here, so they led to nothing: %s", out.Unknown)
	return a
}

func (c *call) recall(ctx context.Context, in struct {
	ranking.RecallInput
	Query string
},
) (reply, error) {
	if blank(in.Query) && len(in.Open) == 0 {
		return reply{}, fmt.Errorf("argument query is missing: say what the task is, or name open files with open: %w", memory.ErrInvalid)
	}
	in.Scope, in.Text, in.Limit, in.Least, in.Precedents = c.scope, in.Query, limited(in.Limit), c.Config.Tuning.Recall.MinConfidence, true
	in.Asking = c.session
	out := run(ctx, c, ranking.Recall, in.RecallInput)
	a := recalled(out)
	switch {
	case out.Vague && len(out.Running) == 0:
		a.line("The query names no files, and no session here has opened any to go on with: say what the task is, or name open files with open.")
	case out.Vague:
	case out.Episodes == 0:
		a.line("No past of this project is known yet: hebb init learns its commits.")
	case len(out.Files) == 0 && len(out.Fixes) == 0:
		a.line("Nothing in the past speaks for a file: try other words, or name a file that is open.")
	}
	return a, c.err
}

func (c *call) fixes(ctx context.Context, in ranking.FixesInput) (reply, error) {
	in.Scope = c.scope
	return c.fixReply(run(ctx, c, ranking.Fixes, in))
}

func (c *call) fixReply(out ranking.RecallResult) (reply, error) {
	a := recalled(out)
	a.lineIf(len(out.Fixes) == 0, "No fix is known yet: once it is fixed, call resolve with the files that fixed it.")
	return a, c.err
}

func (c *call) search(ctx context.Context, in struct {
	texts.SearchInput
	ID string
},
) (reply, error) {
	switch {
	case !blank(in.ID):
		return c.readText(ctx, in.ID)
	case blank(in.Query):
		return reply{}, fmt.Errorf("argument query is missing: say what to look for, or give the id of a result: %w", memory.ErrInvalid)
	}
	return c.searchTexts(ctx, in.SearchInput)
}

// readText reads a result to its end.
func (c *call) readText(ctx context.Context, id string) (a reply, err error) {
	f := run(ctx, c, texts.ReadText, texts.ReadInput{Scope: c.scope, ID: strings.TrimSpace(id)})
	if c.err != nil {
		return a, c.err
	}
	left := 0
	whole := func(text string) texts.Excerpt {
		left += max(len(text)-readMost, 0)
		return texts.Excerpt{Text: strings.ToValidUTF8(text[:min(len(text), readMost)], "")}
	}
	if f.Excerpt = whole(f.Text); f.Answer != nil {
		f.Answer.Excerpt = whole(f.Answer.Text)
	}
	a.line("%s:", f.Group.Title())
	a.found(f)
	a.lineIf(left > 0, "The text goes on for %d bytes: `hebb memories read %s` prints all of it.", left, f.Ref)
	return a, nil
}

// readMost is how many bytes of a text, and of the answer to it, are read at once.
const readMost = 20_000

func (c *call) searchTexts(ctx context.Context, in texts.SearchInput) (reply, error) {
	in.Scope, in.Limit, in.Asker = c.scope, limited(in.Limit), memory.OriginAgent
	out := run(ctx, c, answer.SearchTexts, in)
	var a reply
	a.list("Filters: %s", out.Filters)
	for _, n := range out.Notices {
		a.line("%s", scrub.Line(n))
	}
	switch {
	case out.Documents == 0 && len(out.Found) == 0:
		a.line("There is nothing to read yet: remember keeps something, and sessions add to it.")
	case len(out.Found) == 0:
		a.line("Nothing found: try other words or fewer filters.")
	case out.Past:
		a.line("Nothing current answers; all of this belongs to the past.")
	}
	group := memory.Group("")
	for _, f := range out.Found {
		if f.Group != group {
			group = f.Group
			a.line("%s:", group.Title())
		}
		a.found(f)
	}
	a.lineIf(out.Weaker > 0, "%s left out; words of their own find them.", prose.Count(out.Weaker, "weaker answer is", "weaker answers are"))
	// What was shown was shown: that it could not be counted is no failure.
	if ids := out.First(); len(ids) > 0 {
		_, _ = steward.Run(ctx, c.brain, statements.UseCrystals, statements.UseInput{IDs: ids})
	}
	return a, c.err
}

// found adds a text that was found.
func (a *reply) found(f texts.Found) {
	where, title, id, doubt := f.Path, "", "", ""
	if f.Lines != nil {
		title, where = f.Title, fmt.Sprintf("%s:%d-%d", f.Path, f.Lines.First, f.Lines.Last)
	}
	if f.Kind == texts.EntityText {
		title = f.Title
	}
	cut := f.Excerpt.Cut || f.Answer != nil && f.Answer.Excerpt.Cut
	if f.Waiting || cut { // not stored yet, because the store was busy; or there is more to read
		id = f.Ref
	}
	if c := f.Crystal; c != nil {
		id = string(c.ID)
		switch {
		case !c.ValidTo.IsZero():
			doubt = "held until " + when(c.ValidTo)
		case c.Unsure:
			doubt = changedCode
		}
	}
	head := []string{f.Kind, cited(f.Origin, title), where, when(f.At), "from " + f.Speaker().Name(), doubt, id}
	if f.Waiting {
		head = append(head, "waits to be stored")
	}
	if cut {
		head = append(head, "excerpt: memory_search with this id reads all")
	}
	a.line("- [%s]", strings.Join(slices.DeleteFunc(head, blank), " · "))
	a.block("  | " + quotedLines(scrub.Quote(f.Excerpt.Text)))
	if f.Answer != nil {
		a.line("  %s answered:", scrub.Line(string(f.Answer.Agent)))
		a.block("  | " + quotedLines(scrub.Quote(f.Answer.Excerpt.Text)))
	}
}

const changedCode = "the code it speaks of has changed since"

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
	a.lineIf(len(out.Goals) == 0, "There is no open goal.")
	return a, c.err
}
