package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// fileFact is a file that is likely needed.
type fileFact struct {
	Path string `json:"path"`
	// Lines is where in the file to look.
	Lines string `json:"lines,omitempty"`
	Sure  int    `json:"sure_percent"`
	Why   string `json:"why"`
}

func fileFacts(found []ranking.Recalled) []fileFact {
	facts := make([]fileFact, len(found))
	for i, r := range found {
		facts[i] = fileFact{Path: r.Path, Sure: percent(r.Confidence), Why: r.Reason}
		if f := r.Fragment; f != nil {
			facts[i].Lines = fmt.Sprintf("%d-%d", f.First, f.Last)
		}
	}
	return facts
}

func (l *lines) files(files []fileFact) {
	for _, f := range files {
		where := f.Path
		if f.Lines != "" {
			where += ":" + f.Lines
		}
		l.add("- %s (%d %%): %s", where, f.Sure, f.Why)
	}
}

// recallFacts answer a question for files.
type recallFacts struct {
	Files   []fileFact `json:"files"`
	Fixes   []fileFact `json:"fixed_this_error_before,omitempty"`
	Error   string     `json:"error,omitempty"`
	Unknown []string   `json:"unknown_open_files,omitempty"`
	Note    string     `json:"note,omitempty"`
}

func (f recallFacts) answer() reply {
	var l lines
	l.more("Error: %s", f.Error)
	if len(f.Fixes) > 0 {
		l.add("Fixed this error before:")
		l.files(f.Fixes)
	}
	if len(f.Files) > 0 {
		l.add("Files:")
		l.files(f.Files)
	}
	if len(f.Unknown) > 0 {
		l.add("Not known here, so they led to nothing: %s", strings.Join(f.Unknown, ", "))
	}
	l.more("%s", f.Note)
	return reply{f, l.String()}
}

type recallInput struct {
	Query string
	Open  []string
	Limit int
}

func (c *call) recall(ctx context.Context, in recallInput) (reply, error) {
	if blank(in.Query) && len(in.Open) == 0 {
		return reply{}, fmt.Errorf("argument query is missing: say what the task is, or name open files with open: %w", memory.ErrInvalid)
	}
	out := run(ctx, c, ranking.Recall, ranking.RecallInput{
		Scope: c.scope, Text: in.Query, Open: in.Open, Limit: limited(in.Limit), Least: c.Config.Tuning.Recall.MinConfidence, Precedents: true,
	})
	facts := recallFacts{Files: fileFacts(out.Files), Fixes: fileFacts(out.Fixes), Error: out.Error, Unknown: out.Unknown}
	switch {
	case out.Episodes == 0:
		facts.Note = "No past of this project is known yet: hebb init learns its commits."
	case len(out.Files) == 0 && len(out.Fixes) == 0:
		facts.Note = "Nothing in the past speaks for a file: try other words, or name a file that is open."
	}
	return facts.answer(), c.err
}

func (c *call) fixes(ctx context.Context, in struct{ Error string }) (reply, error) {
	out := run(ctx, c, ranking.Fixes, ranking.FixesInput{Scope: c.scope, Error: in.Error})
	return fixFacts(out).answer(), c.err
}

func fixFacts(out ranking.RecallResult) recallFacts {
	facts := recallFacts{Files: fileFacts(out.Files), Fixes: fileFacts(out.Fixes), Error: out.Error}
	if len(out.Fixes) == 0 {
		facts.Note = "No fix is known yet: once it is fixed, call resolve with the files that fixed it."
	}
	return facts
}

// foundFact is a text that was found.
type foundFact struct {
	ID     string `json:"id,omitempty"`
	Kind   string `json:"kind"`
	Title  string `json:"title,omitempty"`
	Where  string `json:"where,omitempty"`
	At     string `json:"at,omitempty"`
	Origin string `json:"origin"`
	Doubt  string `json:"doubt,omitempty"`
	// Waiting says that it is taken but not stored yet: the store was busy.
	Waiting bool   `json:"waiting,omitempty"`
	Text    string `json:"text"`
}

type searchFacts struct {
	Found   []foundFact `json:"found"`
	Weaker  int         `json:"weaker,omitempty"`
	Filters []string    `json:"filters,omitempty"`
	Notices []string    `json:"notices,omitempty"`
	Note    string      `json:"note,omitempty"`
}

type searchInput struct {
	Query string
	Limit int
}

func (c *call) search(ctx context.Context, in searchInput) (reply, error) {
	out := run(ctx, c, answer.SearchTexts, texts.SearchInput{
		Scope: c.scope, Query: in.Query, Limit: limited(in.Limit), Asker: memory.OriginAgent,
	})
	facts := searchFacts{Found: make([]foundFact, len(out.Found)), Weaker: out.Weaker, Filters: out.Filters}
	for _, n := range out.Notices {
		facts.Notices = append(facts.Notices, scrub.Line(n))
	}
	for i, f := range out.Found {
		facts.Found[i] = found(f)
	}
	switch {
	case out.Documents == 0 && len(out.Found) == 0:
		facts.Note = "There is nothing to read yet: working_memory_note keeps something, and sessions add to it."
	case len(out.Found) == 0:
		facts.Note = "Nothing found: try other words or fewer filters."
	case out.Past:
		facts.Note = "Nothing current answers; all of this belongs to the past."
	}
	var l lines
	if len(facts.Filters) > 0 {
		l.add("Filters: %s", strings.Join(facts.Filters, ", "))
	}
	for _, n := range facts.Notices {
		l.add("%s", n)
	}
	l.more("%s", facts.Note)
	for _, f := range facts.Found {
		head := []string{f.Kind}
		for _, part := range []string{f.Title, f.Where, f.At, "from " + f.Origin, f.Doubt, f.ID} {
			if part != "" {
				head = append(head, part)
			}
		}
		if f.Waiting {
			head = append(head, "waits to be stored")
		}
		l.add("- [%s] %s", strings.Join(head, " · "), f.Text)
	}
	if facts.Weaker > 0 {
		l.add("%d more answer weakly and are left out; words of their own find them.", facts.Weaker)
	}
	// What was shown was shown: that it could not be counted is no failure.
	if ids := readFirst(out.Found); len(ids) > 0 {
		_, _ = steward.Run(ctx, c.brain, texts.UseCrystals, texts.UseInput{IDs: ids})
	}
	return reply{facts, l.String()}, c.err
}

// readFirst are the few that were probably read.
func readFirst(found []texts.Found) (ids []memory.CrystalID) {
	const few = 3 // as the command line counts
	for _, f := range found[:min(len(found), few)] {
		if f.Crystal != nil {
			ids = append(ids, f.Crystal.ID)
		}
	}
	return ids
}

func found(f texts.Found) foundFact {
	fact := foundFact{Kind: f.Kind, Where: f.Path, At: when(f.At), Origin: string(f.Origin), Text: f.Excerpt.Text}
	if f.Lines != nil {
		fact.Title, fact.Where = f.Title, fmt.Sprintf("%s:%d-%d", f.Path, f.Lines.First, f.Lines.Last)
	}
	if f.Kind == knowledge.EntityText {
		fact.Title = f.Title
	}
	if f.Waiting {
		fact.ID, fact.Waiting = f.Ref, true
	}
	if c := f.Crystal; c != nil {
		fact.ID = string(c.ID)
		switch {
		case !c.ValidTo.IsZero():
			fact.Doubt = "held until " + when(c.ValidTo)
		case c.Unsure:
			fact.Doubt = "the code it speaks of has changed since"
		}
	}
	return fact
}

type predictFacts struct {
	Session string     `json:"session,omitempty"`
	Intent  string     `json:"intent,omitempty"`
	Files   []fileFact `json:"files"`
	After   string     `json:"after_tool,omitempty"`
	Tools   []toolFact `json:"tools"`
	Note    string     `json:"note,omitempty"`
}

type toolFact struct {
	Tool    string `json:"tool"`
	Percent int    `json:"percent"`
}

type predictInput struct {
	Session, Tool string
	Limit         int
}

func (c *call) predict(ctx context.Context, in predictInput) (reply, error) {
	out := run(ctx, c, ranking.Predict, ranking.PredictInput{
		SessionInput: record.SessionInput{Scope: c.scope, Session: in.Session}, Tool: in.Tool, Limit: limited(in.Limit),
	})
	facts := predictFacts{Files: fileFacts(out.Files), After: out.Tool, Tools: make([]toolFact, len(out.Tools))}
	if out.Session != nil {
		facts.Session, facts.Intent = out.Session.ID.String(), out.Session.Intent
	} else {
		facts.Note = "No session of this project is known yet, so nothing can be foretold."
	}
	var l lines
	l.more("Session %s", facts.Session)
	l.more("About: %s", facts.Intent)
	if len(facts.Files) > 0 {
		l.add("Files likely next:")
		l.files(facts.Files)
	}
	for i, t := range out.Tools {
		facts.Tools[i] = toolFact{Tool: t.Tool, Percent: percent(t.Share)}
		if i == 0 {
			l.add("Tools likely after %s:", facts.After)
		}
		l.add("- %s (%d %%)", facts.Tools[i].Tool, facts.Tools[i].Percent)
	}
	if len(out.Tools) == 0 {
		l.more("Last tool: %s", facts.After)
	}
	l.more("%s", facts.Note)
	return reply{facts, l.String()}, c.err
}
