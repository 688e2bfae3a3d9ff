package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

const markdown = "text/markdown"

// procedureURI is where a how-to is read; its name follows.
const procedureURI = "hebb://procedure/"

// resource is a text that clients can read.
type resource struct {
	uri, name, about string
	read             func(c *call, ctx context.Context) (string, error)
}

// resources lists what can be read, in the order of its addresses.
func resources() []resource {
	list := []resource{
		{"hebb://context", "context", "What a session that begins now should have in mind", func(c *call, ctx context.Context) (string, error) {
			a, err := c.context(ctx, answer.ContextInput{})
			return string(a.text), err
		}},
		{"hebb://live", "live", "The files in mind, in every project", shelf("live")},
	}
	for _, p := range []struct{ name, about string }{
		{"context", "What is going on now: people, deadlines, decisions"},
		{"projects", "The projects, what each is for and how they hang together"},
		{"questions", "What is open, and what is known of it so far"},
		{"soul", "How an agent is to work and speak here"},
	} {
		list = append(list, resource{"hebb://page/" + p.name, "page " + p.name, p.about, shelf(p.name)})
	}
	return append(list,
		resource{"hebb://pins", "pins", "What is kept in mind for good in this project", shelf("pinned")},
		resource{"hebb://procedures", "procedures", "The how-tos that the user wrote, by name", (*call).procedureList},
		resource{"hebb://recent", "recent", "The latest sessions of this project, in words", shelf("recent")},
		resource{"hebb://state", "state", "The state of mind of this project (MEMORY.md), as the last dream wrote it", shelf("memory")},
		resource{"hebb://summary", "summary", "A line for each session of this project", shelf("summary")},
	)
}

// shelf reads a page that people write, or a file that hebb keeps.
func shelf(name string) func(c *call, ctx context.Context) (string, error) {
	return func(c *call, ctx context.Context) (string, error) {
		out, err := steward.Run(ctx, c.brain, views.ReadPage, views.ReadInput{Scope: c.scope, Name: name})
		if err != nil {
			return "", err
		}
		if strings.TrimSpace(out.Text) == "" {
			return "Nothing is here yet: it fills as sessions end.", nil
		}
		return fileText(out.Text), nil
	}
}

// fileText is a text out of a file that people edit, without what must not leave it.
func fileText(raw string) string { return strings.TrimRight(scrub.Clean(raw), "\n") }

func (c *call) procedureList(ctx context.Context) (string, error) {
	out, err := steward.Run(ctx, c.brain, statements.Procedures, struct{}{})
	if err != nil {
		return "", err
	}
	var l reply
	for _, p := range out.Procedures {
		l.line("- [%s](%s): %s", p.Name, procedureURI+url.PathEscape(p.Name), p.Title)
	}
	if len(out.Procedures) == 0 {
		l.line("No procedures are written yet: they are Markdown files in %s", out.Folder)
	}
	return string(l.text), nil
}

func (s *Server) addResources() {
	for _, r := range resources() {
		s.protocol.AddResource(&mcp.Resource{URI: r.uri, Name: r.name, Description: r.about, MIMEType: markdown},
			func(ctx context.Context, q *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return s.readResource(ctx, q.Params.URI, r.read)
			})
	}
	s.protocol.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: procedureURI + "{name}", Name: "procedure", Description: "One how-to, by the name that hebb://procedures gives", MIMEType: markdown,
	}, func(ctx context.Context, q *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		name, err := url.PathUnescape(strings.TrimPrefix(q.Params.URI, procedureURI))
		if err != nil {
			return nil, mcp.ResourceNotFoundError(q.Params.URI)
		}
		return s.readResource(ctx, q.Params.URI, func(c *call, ctx context.Context) (string, error) { return c.procedureNamed(ctx, name) })
	})
}

// procedureNamed reads the how-to of exactly this name: an address names one thing.
func (c *call) procedureNamed(ctx context.Context, name string) (string, error) {
	out, err := steward.Run(ctx, c.brain, answer.HowTo, statements.ProcedureInput{Scope: c.scope, Topic: name})
	if err == nil && out.Name != name {
		err = fmt.Errorf("procedure %q: hebb://procedures lists them: %w", name, memory.ErrNotFound)
	}
	return fileText(out.Text), err
}

func (s *Server) readResource(
	ctx context.Context, uri string, read func(c *call, ctx context.Context) (string, error),
) (*mcp.ReadResourceResult, error) {
	said, err := s.text(ctx, read)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, errors.New(scrub.Line(complaint(uri, err)))
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: markdown, Text: said}}}, nil
}

// text reads something for a resource or a prompt, from the memory as it is now.
func (s *Server) text(ctx context.Context, read func(c *call, ctx context.Context) (string, error)) (said string, err error) {
	err = s.with(ctx, func(b *brain.Brain) error {
		c := &call{Server: s, brain: b, scope: brain.Scope{Dir: s.Dir}}
		c.warnings = s.freshen(ctx, b, true)
		if said, err = read(c, ctx); err != nil {
			return err
		}
		for _, w := range c.warnings {
			said += "\nWarning: " + w
		}
		said = scrub.Display(said)
		return nil
	})
	return said, err
}
