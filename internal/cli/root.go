package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Main runs the command line and returns the exit code.
func Main(env Env) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a := &app{Env: env}
	root := a.root()
	root.SetArgs(dashedText(root, env.Args))
	called, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	a.command = called.CommandPath()
	code := exitCode(ctx, err)
	a.fail(err, code)
	return code
}

// dashedText keeps an error that begins with dashes, such as --- FAIL: TestX, from being read as a flag: a blank before it makes it text.
func dashedText(root *cobra.Command, args []string) []string {
	if cmd, _, err := root.Find(args); err != nil || cmd.Name() != "error" && cmd.Name() != "resolve" {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if name, _, _ := strings.Cut(arg, "="); strings.HasPrefix(arg, "- ") || strings.HasPrefix(arg, "--") && strings.ContainsAny(name, " \t\n") {
			args[i] = " " + arg
		}
	}
	return args
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "hebb",
		Short: "A memory for coding agents",
		Long: `hebb is a memory for coding agents. It learns from what they touch, forgets what they ignore, and keeps it all on this
machine: one file, no network, no LLM, no daemon.

Without a command it shows the state of the project around you.`,
		Example: `  hebb init            learn this repository's history and find your agents
  hebb                 the state of this project
  hebb recall login    which files a task about the login needs
  hebb events --json   what agents did, for programs`,
		SilenceErrors: true, SilenceUsage: true,
	}
	showVersion := root.Flags().BoolP("version", "v", false, "version for hebb")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *showVersion {
			_, err := fmt.Fprintln(a.Stdout, "hebb", version())
			return err
		}
		return a.status(cmd.Context(), 5)
	}
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetIn(a.Stdin)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		var bad *pflag.InvalidValueError
		if errors.As(err, &bad) && errors.As(err, &usageError{}) { // the words of our own flags are enough
			err = fmt.Errorf("--%s %s: %w", bad.GetFlag().Name, bad.GetValue(), bad.Unwrap())
		}
		return usageError{err}
	})
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return checkFlags(cmd) }
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "print JSON for programs")
	flags.BoolVar(&a.noColor, "no-color", false, "plain text (also: NO_COLOR=1)")
	root.CompletionOptions.DisableDefaultCmd = true // ours has a group and its own errors
	root.AddGroup(&cobra.Group{ID: "use", Title: "Every day:"}, &cobra.Group{ID: "look", Title: "Look closer:"},
		&cobra.Group{ID: "care", Title: "Care:"}, &cobra.Group{ID: "wire", Title: "For agents and scripts:"})
	for group, commands := range map[string][]*cobra.Command{
		"use": {
			a.initCommand(), a.bootstrapCommand(), a.statusCommand(), a.recallCommand(), a.searchCommand(), a.rememberCommand(), a.memoriesCommand(), a.knowledgeCommand(),
			a.procedureCommand(), a.commitsCommand(), a.errorCommand(), a.resolveCommand(), a.predictCommand(), a.adviceCommand(),
			a.contextCommand(), a.recentCommand(), a.wrapUpCommand(), a.pinCommand(), a.pinsCommand(), a.unpinCommand(), a.readCommand(),
			a.noteFileCommand(), a.noteCommand(), a.moodCommand(), a.rewardCommand(), a.frictionCommand(), a.dreamCommand(),
			a.goalsCommand(), a.gapsCommand(), a.nextCommand(), a.thinkCommand(),
		},
		"look": {
			a.eventsCommand(), a.sessionsCommand(), a.projectsCommand(), a.intentCommand(), a.neuronsCommand(), a.synapsesCommand(),
			a.graphCommand(), a.hubsCommand(), a.highwaysCommand(), a.streaksCommand(), a.statsCommand(),
			a.tokensCommand(), a.roiCommand(), a.whyCommand(), a.checkCommand(), a.timelineCommand(), a.forgottenCommand(),
			a.heatCommand(), a.stateCommand(), a.ledgerCommand(),
		},
		"care": {
			a.doctorCommand(), a.backupCommand(), a.restoreCommand(), a.exportCommand(), a.importCommand(), a.forgetCommand(),
			a.sleepCommand(), a.decayCommand(), a.homeostasisCommand(), a.tuningCommand(), a.tagProjectCommand(), a.versionCommand(),
			a.pauseCommand(), a.resumeCommand(),
		},
		"wire": {
			a.installCommand(), a.uninstallCommand(), a.hookCommand(), a.mcpCommand(), a.drainCommand(), a.recordCommand(),
			a.snippetsCommand(), a.completionCommand(), a.benchCommand(),
		},
	} {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	root.AddCommand(a.docsCommand())
	root.SetHelpCommand(a.helpCommand())
	root.SetHelpCommandGroupID("use")
	finish(root)
	root.SetUsageFunc(usage)
	return root
}

// usage prints how a command is called. It is code and not a cobra template: a program that can execute templates keeps every
// exported method of every type, which would make hebb several megabytes larger.
func usage(c *cobra.Command) error {
	var b strings.Builder
	part := func(title, text string) { b.WriteString("\n\n" + title + "\n" + strings.TrimRight(text, " \n")) }
	list := func(title string, belongs func(*cobra.Command) bool) {
		text := ""
		for _, sub := range c.Commands() {
			if belongs(sub) && (sub.IsAvailableCommand() || sub.Name() == "help") {
				text += fmt.Sprintf("  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
		part(title, text)
	}
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if len(c.Aliases) > 0 {
		part("Aliases:", "  "+c.NameAndAliases())
	}
	if c.HasExample() {
		part("Examples:", c.Example)
	}
	for _, group := range c.Groups() {
		list(group.Title, func(sub *cobra.Command) bool { return sub.GroupID == group.ID })
	}
	if c.HasAvailableSubCommands() && len(c.Groups()) == 0 {
		list("Available Commands:", func(*cobra.Command) bool { return true })
	}
	if c.HasAvailableLocalFlags() {
		part("Flags:", c.LocalFlags().FlagUsagesWrapped(helpWidth))
	}
	if c.HasAvailableInheritedFlags() {
		part("Global Flags:", c.InheritedFlags().FlagUsagesWrapped(helpWidth))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	_, err := fmt.Fprintf(c.OutOrStderr(), "%s\n\n%s\n", b.String(), exitCodes)
	return err
}

// finish wraps help that is too wide and sets defaults: no arguments, and file completion only where the usage names a file. Indented
// paragraphs of help are examples and stay.
func finish(cmd *cobra.Command) {
	paragraphs := strings.Split(cmd.Long, "\n\n")
	for i, text := range paragraphs {
		wide := slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return visibleWidth(line) > helpWidth })
		if wide && !strings.HasPrefix(text, " ") && !strings.Contains(text, "\n ") {
			paragraphs[i] = wrapped(strings.ReplaceAll(text, "\n", " "), helpWidth)
		}
	}
	cmd.Long = strings.Join(paragraphs, "\n\n")
	if cmd.Args == nil {
		cmd.Args = noArguments
	}
	if cmd.ValidArgsFunction == nil && cmd.ValidArgs == nil && !strings.Contains(cmd.Use, "FILE") && !strings.Contains(cmd.Use, "FOLDER") {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		finish(sub)
	}
}
