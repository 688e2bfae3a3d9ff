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
		Use: "hook AGENT", Short: "Record one event of an agent from standard input",
		DisableFlagParsing: true, // every argument must exit 0
		Long: `Agents call this. It reads one payload, removes secrets, appends one line to the spool and always exits 0.
Known agents: ` + list(agent.Known()) + `, or auto to detect the agent.`,
		Example: "  hebb hook claude-code < payload.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
				return cmd.Help()
			}
			a.warn("hook takes no flags before it: nothing was recorded")
			return nil
		},
	}
}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print completions for your shell: bash, zsh, fish, powershell",
		Long: "Prints a script that completes commands, flags and names. Load it where your shell keeps such scripts.",
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
		Use: "drain", Short: "Import the events of the spool into the store",
		Long: `Hooks start this when a turn or a session ends, and every command that reads does it first, so there is rarely a need to call it.
After five minutes without work, if there is something new, it thinks as well (hebb think).`,
		Example: "  hebb drain\n  hebb drain --json",
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
						p.line("Another hebb is importing events; nothing was done.")
						return
					}
					p.line("Imported %s (%s), closed %s, in %s.", count(r.Events, "event", "events"), count(r.Duplicates, "duplicate", "duplicates"),
						count(r.Closed, "idle session", "idle sessions"), r.Elapsed.Round(time.Millisecond))
					if r.Said > 0 {
						p.line("Stored %s that waited for the store.", count(r.Said, "memory or note", "memories and notes"))
					}
					if n := r.Thought.Connections; n > 0 {
						p.line("Found %s to goals; %s shows them.", count(n, "connection", "connections"), p.style.cyan("hebb next"))
					}
				})
			})
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print nothing, and do nothing if a drain is already running")
	return cmd
}

func (a *app) recordCommand() *cobra.Command {
	in := record.RecordInput{Kind: memory.Edit}
	cmd := &cobra.Command{
		Use: "record [FILE...]", Short: "Record by hand that files were touched",
		Long:    "For scripts, and for agents without hooks. The files need not exist; paths are relative to the working directory.",
		Example: "  hebb record src/login.go src/session.go --kind edit\n  hebb record --text \"redirect loop came from the proxy\" src/login.go",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && strings.TrimSpace(in.Text) == "" {
				return usageError{errors.New("record: name a file, or give --text")}
			}
			in.Dir, in.Paths, in.Origin = a.Dir, args, a.speaker()
			return run(cmd.Context(), a, a.with, record.RecordTouch, in, func(p *page, e memory.StoredEvent) {
				files := ""
				if n := len(e.Touches); n > 0 {
					files = ", with " + count(n, "file", "files")
				}
				p.line("Recorded as %s%s.", e.ID, files)
			})
		},
	}
	choiceFlag(cmd, &in.Kind, "kind", "k", []memory.TouchKind{memory.Edit, memory.Read, memory.Mention}, "the kind of touch")
	cmd.Flags().StringVar(&in.Text, "text", "", "a note about it")
	cmd.Flags().StringVarP(&in.Session, "session", "s", "", "join this session")
	return cmd
}
