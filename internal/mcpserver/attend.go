package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
)

// visit is one connection of an agent without hooks. Its tool calls belong to a session that begins with the first of them and
// ends with the connection.
type visit struct {
	agent memory.Agent // who called last
	run   string
	own   bool // a session was begun for it
}

// leavePatience is how long the end of a session may wait for other writers when its client has gone.
const leavePatience = 2 * time.Second

func newVisit() *visit { return &visit{run: desk.UnwatchedRun + strings.ToLower(rand.Text())} }

// leave ends the session of a connection, if it has one.
func (s *Server) leave(v *visit) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.visit = nil
	if !v.own || s.brain == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), leavePatience)
	defer cancel()
	_, err := steward.Run(ctx, s.brain, desk.Leave, desk.LeaveInput{Dir: s.Dir, Agent: v.agent, Run: v.run})
	if errors.Is(err, memory.ErrBusy) {
		return nil // it is closed once it has been idle
	}
	return err
}

// working are reading tools whose arguments say what an agent is working on.
var working = []string{"recall", "error", "memory_search"}

// attend finds the session that a call belongs to. Without one the call goes on.
func (c *call) attend(ctx context.Context, t tool, raw json.RawMessage) {
	v := c.visit
	if v == nil || c.Now().Before(c.crowded) || c.scope.Project != "" || t.effect == removes || t.effect == reads && !slices.Contains(working, t.name) {
		return
	}
	if v.own && v.agent != c.client {
		c.client = v.agent // the session has its agent
	}
	v.agent = c.client
	in := desk.AttendInput{Dir: c.scope.Dir, Agent: v.agent, Run: v.run, Tool: "mcp__hebb__" + t.name, Input: subject(raw)}
	if v.agent == agent.ClaudeCode {
		in.Known = c.AgentSession
	}
	out, err := steward.Run(ctx, c.brain, desk.Attend, in)
	if err != nil {
		c.crowded = c.Now().Add(crowdedFor)
		c.warn("this call could not be put into a session", err)
		return
	}
	c.session = out.Session
	v.own = v.own || out.Own
}

// subject is what a call is about, in the words of the agent.
func subject(raw json.RawMessage) string {
	var in struct{ Query, Error, Text, Title, Happened string }
	_ = json.Unmarshal(raw, &in) // arguments were checked; other tools have other names
	for _, said := range []string{in.Query, in.Error, in.Title, in.Text, in.Happened} {
		if said != "" {
			return brief(said)
		}
	}
	return ""
}

// sessionName is the session as operations take it, "" where there is none.
func (c *call) sessionName() string {
	if c.session == 0 {
		return ""
	}
	return c.session.String()
}

// clientOf is the agent that calls, by the name that its client gives: one that hebb knows, else that name.
func clientOf(r *mcp.CallToolRequest) memory.Agent {
	name := ""
	if r.Session != nil {
		if p := r.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
			name = p.ClientInfo.Name
		}
	}
	if said, err := json.Marshal(r.Params.Meta[mcp.MetaKeyClientInfo]); err == nil {
		var who struct{ Name string }
		if json.Unmarshal(said, &who) == nil && who.Name != "" {
			name = who.Name
		}
	}
	return agentOf(name)
}

// longestClient is as long as a name of an agent is worth showing.
const longestClient = 40

// agentOf makes an agent's name of what a client calls itself: codex of codex-mcp-client, zed of Zed.
func agentOf(client string) memory.Agent {
	words := strings.FieldsFunc(strings.ToLower(client), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	joined := strings.Join(words, "-")
	if strings.HasPrefix(joined, "visual-studio-code") {
		return agent.VSCode
	}
	for _, w := range words {
		if known, err := agent.Parse(w); err == nil && known != agent.Auto {
			return known
		}
	}
	if joined == "" {
		return "mcp"
	}
	return memory.Agent(strings.Trim(joined[:min(len(joined), longestClient)], "-"))
}
