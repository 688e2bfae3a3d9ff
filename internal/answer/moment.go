package answer

import (
	"context"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Moment answers an event as the hook saw it with what the work needs now: a prompt, the start of a session or of a subagent, a tool
// call that is planned or has failed. It writes nothing. Silence is the normal answer.
var Moment = brain.Operation[memory.Event, Shown]{
	Name: "moment",
	Run: func(ctx context.Context, b *brain.Brain, e memory.Event) (Shown, error) {
		switch e.Kind {
		case memory.SessionStarted:
			return sessionStart(ctx, b, e)
		case memory.Prompted:
			if agent.StartsAtPrompt(e.Agent) {
				return startAndPrompt(ctx, newSheet(b, e))
			}
			return prompt(ctx, newSheet(b, e))
		case memory.SubagentBegan:
			return subagent(ctx, newSheet(b, e))
		case memory.ToolPlanned:
			return ahead(ctx, newSheet(b, e))
		case memory.ToolFailed:
			return failure(ctx, newSheet(b, e))
		}
		return Shown{}, nil
	},
}
