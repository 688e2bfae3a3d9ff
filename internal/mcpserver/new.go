package mcpserver

import (
	"cmp"
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// New makes a server. Nothing is opened yet.
func New(o Options) *Server {
	s := &Server{Options: o, listed: offered(o.All), every: everyTool()}
	s.protocol = mcp.NewServer(&mcp.Implementation{Name: "hebb", Title: "hebb, a memory for coding agents", Version: o.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{ // lists never change while the server runs
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
		},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }, // it is one person's memory
	})
	for _, t := range s.listed {
		s.protocol.AddTool(t.described(), s.handler(t))
	}
	s.protocol.AddReceivingMiddleware(s.acceptUnlisted)
	s.addResources()
	s.addPrompts()
	return s
}

// offered are the tools that a client is told of, by name: the small set, or twelve that also take another project. Each costs every
// session of an agent some context.
func offered(all bool) []tool {
	list := slices.DeleteFunc(everyTool(), func(t tool) bool { return !t.always && !(all && t.listed) })
	if !all {
		for i := range list {
			list[i].fields = list[i].fields[:len(list[i].fields)-len(whereFields)]
		}
	}
	return list
}

// everyTool are also those that a client may call without being told of them.
func everyTool() []tool {
	list := append(slices.Concat(askingTools(), writingTools()), memoriesTool())
	for _, u := range accepted() {
		if u.run != nil {
			list = append(list, u.asTool())
		}
	}
	for i := range list {
		list[i].fields = slices.Concat(list[i].fields, whereFields)
	}
	slices.SortFunc(list, func(a, b tool) int { return cmp.Compare(a.name, b.name) })
	return list
}
