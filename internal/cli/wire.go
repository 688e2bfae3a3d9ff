package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
)

// hookCommand only documents: main handles hook calls before the command line exists, because agents wait for them.
func (a *app) hookCommand() *cobra.Command {
	return &cobra.Command{
		Use: "hook AGENT", Short: "Take one event from an agent on standard input",
		DisableFlagParsing: true, // nothing an agent writes here may end in anything but 0
		Long: `Agents call this. It reads one payload, takes secrets out, appends one line to the spool and always exits 0.
Known agents: ` + list(agent.Known()) + `, or auto to tell by the payload.`,
		Example: "  hebb hook claude-code < payload.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
				return cmd.Help()
			}
			a.warn("hook takes no flags before it: nothing was recorded")
			return nil
		},
	}
}

// completionCommand prints what a shell needs to complete commands, flags, projects, kinds and origins.
func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print completions for your shell: bash, zsh, fish, powershell",
		Long: "Prints a script that completes commands, flags, projects, kinds and origins. Load it where your shell keeps such scripts.",
		Example: `  source <(hebb completion bash)
  hebb completion zsh > "${fpath[1]}/_hebb"
  hebb completion fish > ~/.config/fish/completions/hebb.fish
  hebb completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      arguments(1, 1, "one of bash, zsh, fish, powershell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.Stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.Stdout)
			case "fish":
				return root.GenFishCompletion(a.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.Stdout)
			}
			return usageError{fmt.Errorf("completion: %q: want one of bash, zsh, fish, powershell", args[0])}
		},
	}
}

// helpCommand is cobra's, except that an unknown command is an error here.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command",
		Example: "  hebb help init",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noArguments(cmd.Root(), args)
			}
			return about.Help()
		},
	}
}

func (a *app) drainCommand() *cobra.Command {
	var quiet bool
	cmd := &cobra.Command{
		Use: "drain", Short: "Move what hooks left in the spool into the store",
		Long: `Hooks start this when a turn or a session ends, and every command that reads does it first, so there is rarely a need
to call it. Where nobody has worked for five minutes and there is something new, it thinks as well (hebb think).`,
		Example: "  hebb drain\n  hebb drain --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if quiet {
				YieldToOthers()
			}
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				r, err := steward.Run(ctx, b, steward.Drain, steward.DrainInput{Wait: !quiet, Sleep: quiet, Think: true})
				if err != nil || quiet {
					return err
				}
				return a.show(r, func(p *page) {
					if r.Busy {
						p.line("Another hebb is taking in what hooks left; nothing was done.")
						return
					}
					p.line("%s taken in, %s known already, %s closed, in %s.", count(r.Events, "event", "events"),
						grouped(int64(r.Duplicates)), count(r.Closed, "quiet session", "quiet sessions"), r.Elapsed.Round(time.Millisecond))
					if r.Said > 0 {
						p.line("%s that waited for the store: stored.", count(r.Said, "memory or note", "memories and notes"))
					}
					if n := r.Thought.Connections; n > 0 {
						p.line("%s to goals came to mind; %s tells them.", count(n, "connection", "connections"), p.style.cyan("hebb next"))
					}
				})
			})
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "say nothing, and leave the work to a drain that is already running")
	return cmd
}

func (a *app) recordCommand() *cobra.Command {
	in := record.RecordInput{}
	var kind string
	cmd := &cobra.Command{
		Use: "record [FILE...]", Short: "Record by hand that files were touched",
		Long:    "For scripts, and for agents without hooks. The files need not exist; paths count from the working directory.",
		Example: "  hebb record src/login.go src/session.go --kind edit\n  hebb record --text \"redirect loop came from the proxy\" src/login.go",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && strings.TrimSpace(in.Text) == "" {
				return usageError{errors.New("record: name a file, or say something with --text")}
			}
			in.Dir, in.Paths, in.Kind, in.Origin = a.Dir, args, memory.TouchKind(kind), a.speaker()
			return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				e, err := steward.Run(ctx, b, record.RecordTouch, in)
				if err != nil {
					return err
				}
				return a.show(e, func(p *page) { p.line("Recorded as %s%s.", e.ID, touchNote(len(e.Touches))) })
			})
		},
	}
	cmd.Flags().StringVarP(&kind, "kind", "k", string(memory.Edit), "edit, read or mention")
	cmd.Flags().StringVar(&in.Text, "text", "", "what there is to say about it")
	cmd.Flags().StringVarP(&in.Session, "session", "s", "", "join this session")
	fixedCompletion(cmd, "kind", []memory.TouchKind{memory.Edit, memory.Read, memory.Mention})
	return cmd
}

func touchNote(files int) string {
	if files == 0 {
		return ""
	}
	return ", with " + count(files, "file", "files")
}
