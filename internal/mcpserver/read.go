package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/knowledge"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/views"
)

// pageNames are the pages that people write.
var pageNames = []string{"soul", "questions", "context", "projects"}

type pageFact struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	At    string `json:"changed,omitempty"`
	Stale string `json:"stale,omitempty"`
}

func (c *call) readIdentity(ctx context.Context, in struct{ Name string }) (reply, error) {
	facts := struct {
		Pages []pageFact `json:"pages"`
		Note  string     `json:"note,omitempty"`
	}{Pages: []pageFact{}}
	var l lines
	for _, name := range pageNames {
		if in.Name != "" && in.Name != name {
			continue
		}
		page := run(ctx, c, views.ReadPage, views.ReadInput{Scope: c.scope, Name: name})
		if page.Template {
			continue
		}
		one := pageFact{Name: name, Text: fileText(page.Text), At: when(page.At), Stale: page.Stale}
		facts.Pages = append(facts.Pages, one)
		l.add("%s (%s):\n%s", one.Name, strings.TrimSpace(strings.Join([]string{"changed " + one.At, one.Stale}, " ")), one.Text)
	}
	if len(facts.Pages) == 0 {
		facts.Note = "Nobody has written such a page yet: hebb read NAME --edit opens one."
		l.add("%s", facts.Note)
	}
	return reply{facts, l.String()}, c.err
}

// fileText is a text out of a file that people edit, without what must not leave it.
func fileText(raw string) string { return strings.TrimRight(scrub.Clean(raw), "\n") }

type procedureFact struct {
	Name  string `json:"name,omitempty"`
	Title string `json:"title,omitempty"`
	Text  string `json:"text,omitempty"`
}

func (c *call) procedure(ctx context.Context, in struct{ Topic string }) (reply, error) {
	facts := struct {
		Procedures []procedureFact `json:"procedures"`
		Also       []string        `json:"also,omitempty"`
		Note       string          `json:"note,omitempty"`
	}{Procedures: []procedureFact{}}
	var l lines
	if blank(in.Topic) {
		all := run(ctx, c, knowledge.Procedures, struct{}{})
		for _, p := range all.Procedures {
			facts.Procedures = append(facts.Procedures, procedureFact{Name: p.Name, Title: p.Title})
			l.add("- %s: %s", p.Name, p.Title)
		}
		if len(all.Procedures) == 0 {
			facts.Note = "No procedures are written yet: they are Markdown files in " + all.Folder
			l.add("%s", facts.Note)
		}
		c.passedOver(all.Problems)
		return reply{facts, l.String()}, c.err
	}
	out := run(ctx, c, answer.HowTo, knowledge.ProcedureInput{Scope: c.scope, Topic: in.Topic})
	c.passedOver(out.Problems)
	one := procedureFact{Name: out.Name, Title: out.Title, Text: fileText(out.Text)}
	facts.Procedures, facts.Also = append(facts.Procedures, one), out.Also
	if heading := strings.Join(slices.DeleteFunc([]string{one.Name, one.Title}, blank), ": "); heading != "" {
		l.add("%s", heading)
	}
	l.add("%s", one.Text)
	if len(out.Also) > 0 {
		l.add("Also: %s", strings.Join(out.Also, ", "))
	}
	return reply{facts, l.String()}, c.err
}

func (c *call) passedOver(problems []string) {
	for _, p := range problems {
		c.warnings = append(c.warnings, "procedure passed over: "+p)
	}
}
