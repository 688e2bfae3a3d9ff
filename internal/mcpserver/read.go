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

func (c *call) readIdentity(ctx context.Context, in struct{ Name string }) (reply, error) {
	var a reply
	written := false
	for _, name := range pageNames {
		if in.Name != "" && in.Name != name {
			continue
		}
		page := run(ctx, c, views.ReadPage, views.ReadInput{Scope: c.scope, Name: name})
		if page.Template {
			continue
		}
		written = true
		a.line("%s (%s):", name, strings.TrimSpace("changed "+when(page.At)+" "+page.Stale))
		a.block(fileText(page.Text))
	}
	if !written {
		a.line("Nobody has written such a page yet: hebb memories read NAME --edit opens one.")
	}
	return a, c.err
}

// fileText is a text out of a file that people edit, without what must not leave it.
func fileText(raw string) string { return strings.TrimRight(scrub.Clean(raw), "\n") }

func (c *call) procedure(ctx context.Context, in knowledge.ProcedureInput) (reply, error) {
	var a reply
	if blank(in.Topic) {
		all := run(ctx, c, knowledge.Procedures, struct{}{})
		for _, p := range all.Procedures {
			a.line("- %s: %s", p.Name, p.Title)
		}
		if len(all.Procedures) == 0 {
			a.line("No procedures are written yet: they are Markdown files in %s", all.Folder)
		}
		c.passedOver(all.Problems)
		return a, c.err
	}
	in.Scope = c.scope
	out := run(ctx, c, answer.HowTo, in)
	c.passedOver(out.Problems)
	a.some("%s", strings.Join(slices.DeleteFunc([]string{out.Name, out.Title}, blank), ": "))
	a.block(fileText(out.Text))
	a.list("Also: %s", out.Also)
	return a, c.err
}

func (c *call) passedOver(problems []string) {
	for _, p := range problems {
		c.warnings = append(c.warnings, "procedure passed over: "+p)
	}
}
