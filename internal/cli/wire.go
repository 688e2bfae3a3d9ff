package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
)

// hookCommand only documents: main handles hook calls before the command line exists, because agents wait for them.
func (a *app) hookCommand() *cobra.Command {
	return &cobra.Command{
		Use: "hook AGENT", Short: "Take one event from an agent on standard input",
		Long: `Agents call this. It reads one payload, takes secrets out, appends one line to the spool and exits 0, whatever happens,
within its deadline. Known agents: ` + list(agent.Known()) + `, or auto to tell by the payload.`,
		Example: "  hebb hook claude-code < payload.json",
		Args:    arguments(1, 1, "the agent's name"),
		RunE: func(_ *cobra.Command, args []string) error {
			return usageError{fmt.Errorf("hook: flags come after the agent's name, and there are none (%q)", args)}
		},
	}
}

func (a *app) drainCommand() *cobra.Command {
	var quiet bool
	cmd := &cobra.Command{
		Use: "drain", Short: "Move what hooks left in the spool into the store",
		Long: `Hooks start this when a turn or a session ends, and every command that reads does it first, so there is rarely a need
to call it.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				r, err := brain.Drain.Run(ctx, b, brain.DrainInput{Wait: !quiet})
				if err != nil || quiet {
					return err
				}
				return a.show(r, func(p *page) {
					p.line("%s taken in, %s known already, %s closed, in %s.", count(r.Events, "event", "events"),
						grouped(int64(r.Duplicates)), count(r.Closed, "quiet session", "quiet sessions"), r.Elapsed.Round(time.Millisecond))
				})
			})
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "say nothing, and leave the work to a drain that is already running")
	return cmd
}

func (a *app) recordCommand() *cobra.Command {
	in := brain.RecordInput{}
	var kind, session string
	cmd := &cobra.Command{
		Use: "record [FILE...]", Short: "Record by hand that files were touched",
		Long:    "For scripts, and for agents without hooks. The files need not exist; paths count from the working directory.",
		Example: "  hebb record src/login.go src/session.go --kind edit\n  hebb record --text \"redirect loop came from the proxy\" src/login.go",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			in.Dir, in.Paths, in.Kind = a.Dir, args, memory.TouchKind(kind)
			if in.Session, err = parseSession(session); err != nil {
				return err
			}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				e, err := brain.RecordTouch.Run(ctx, b, in)
				if err != nil {
					return err
				}
				return a.show(e, func(p *page) { p.line("Recorded %s as %s.", count(len(e.Touches), "file", "files"), e.ID) })
			})
		},
	}
	cmd.Flags().StringVarP(&kind, "kind", "k", string(memory.Edit), "edit, read or mention")
	cmd.Flags().StringVar(&in.Text, "text", "", "what there is to say about it")
	cmd.Flags().StringVarP(&session, "session", "s", "", "join this session")
	fixedCompletion(cmd, "kind", []memory.TouchKind{memory.Edit, memory.Read, memory.Mention})
	return cmd
}
