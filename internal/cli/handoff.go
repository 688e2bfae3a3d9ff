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
	var in record.SessionInput
	cmd := &cobra.Command{
		Use: "handoff [AGENT]", Short: "Print the running task as a prompt for another agent",
		Long: `Prints what another agent needs to go on with the latest session here that is not finished: the
task and what you said in your words, the files changed, what passed and what fails, and the next
step. With the name of an agent it also says how to start that with it.`,
		Example: "  codex \"$(hebb handoff)\"",
		Args:    arguments(0, 1, "at most the name of an agent"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				name, err := agent.Parse(args[0])
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
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.fresh, answer.Handoff, in, func(p *page, out answer.HandoffResult) { p.b.WriteString(scrub.Display(out.Text)) })
		},
	}
	cmd.Flags().StringVar(&in.Session, "session", "", "of this session instead of the latest")
	return cmd
}
