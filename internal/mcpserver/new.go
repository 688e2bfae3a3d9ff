package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// New makes a server. Nothing is opened yet.
func New(o Options) *Server {
	s := &Server{Options: o}
	s.protocol = mcp.NewServer(&mcp.Implementation{Name: "hebb", Title: "hebb, a memory for coding agents", Version: o.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{ // lists never change while the server runs
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
		},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }, // it is one person's memory
	})
	for _, t := range offered(o.All) {
		s.protocol.AddTool(t.described(), s.handler(t))
	}
	s.protocol.AddReceivingMiddleware(s.acceptUnlisted)
	s.addResources()
	s.addPrompts()
	return s
}
