package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// startedWith says how an agent is started with a prompt.
var startedWith = map[memory.Agent]string{
	agent.ClaudeCode: `claude "$(hebb handoff)"`,
	agent.Codex:      `codex "$(hebb handoff)"`,
	agent.Gemini:     `gemini -i "$(hebb handoff)"`,
	agent.Qwen:       `qwen -i "$(hebb handoff)"`,
	agent.Pi:         `pi "$(hebb handoff)"`,
}

func (a *app) handoffCommand() *cobra.Command {
	type input struct {
		Agent   string `arg:"1"`
		Session string `flag:"session" about:"of this session instead of the latest"`
	}
	return takes(a, &cobra.Command{
		Use: "handoff [AGENT]", Short: "Print the running task as a prompt for another agent",
		Long: `Prints what another agent needs to go on with the latest session here that is not finished: the
task and what you said in your words, the files changed, what passed and what fails, and the next
step. With the name of an agent it also says how to start that with it.`,
		Example: "  codex \"$(hebb handoff)\"",
		Args:    arguments(0, 1, "at most the name of an agent"),
	}, input{}, func(cmd *cobra.Command, in input) error {
		if cmd.Flags().NArg() > 0 {
			name, err := agent.Parse(in.Agent)
			if err == nil && name == agent.Auto {
				err = fmt.Errorf("handoff: name an agent, such as codex: %w", memory.ErrInvalid)
			}
			if err != nil {
				return usageError{err}
			}
			if start := startedWith[name]; start != "" {
				a.warn("start it with: " + start)
			} else {
				a.warn("paste this into " + string(name))
			}
		}
		of := record.SessionInput{Scope: a.scope(), Session: in.Session}
		return run(cmd.Context(), a, a.fresh, answer.Handoff, of, func(p *page, out answer.HandoffResult) { p.b.WriteString(scrub.Display(out.Text)) })
	})
}
