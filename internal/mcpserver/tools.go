package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// effect says what a tool does to the memory, for clients that ask before they let it run.
type effect int

const (
	reads   effect = iota
	adds           // a second call adds again, or counts again
	repeats        // a second call changes nothing more
	removes        // takes something away; a second call changes nothing more
)

// tool is one tool: what a model reads of it, and what it does.
type tool struct {
	name   string
	about  string // when to use it, in at most 60 words
	fields []field
	effect effect
	fresh  bool // needs the events that hooks have spooled
	edits  bool // and what people wrote into hebb's files
	always bool // one of the small set
	listed bool // one of those that --tools all adds
	run    func(ctx context.Context, c *call, raw json.RawMessage) (reply, error)
}

// does sets the function of a tool. It receives the arguments in the input of an operation: the fields were checked, so an agent
// sets nothing else there, and the function sets scope and origin.
func does[In any](t tool, run func(c *call, ctx context.Context, in In) (reply, error)) tool {
	t.run = func(ctx context.Context, c *call, raw json.RawMessage) (reply, error) {
		var in In
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &in); err != nil {
				return reply{}, err // the fields were checked: a fault of hebb
			}
		}
		return run(c, ctx, in)
	}
	return t
}

// whereFields choose another project. The small set leaves them out: an agent works in one.
var whereFields = []field{
	{name: "project", kind: text, about: "another project, by name or ID"},
	{name: "dir", kind: text, about: "the project around this folder"},
}

// described is a tool as clients receive it.
func (t tool) described() *mcp.Tool {
	no := false
	d := &mcp.Tool{
		Name: t.name, Description: t.about, InputSchema: json.RawMessage(quoted(schema(t.fields))),
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &no},
	}
	switch t.effect {
	case reads:
		d.Annotations.ReadOnlyHint, d.Annotations.IdempotentHint = true, true
	case adds:
		d.Annotations.DestructiveHint = &no
	case repeats:
		d.Annotations.DestructiveHint, d.Annotations.IdempotentHint = &no, true
	case removes:
		yes := true
		d.Annotations.DestructiveHint, d.Annotations.IdempotentHint = &yes, true
	}
	return d
}

// fewAnswers is how many answers a tool gives unless it is asked for another number: as many as the command line.
const fewAnswers = 10

func limited(n int) int {
	if n == 0 {
		return fewAnswers
	}
	return n
}

var limitField = field{name: "limit", kind: number}
