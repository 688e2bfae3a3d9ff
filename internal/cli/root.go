package cli

import (
	"cmp"
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
	args := current(env.Args)
	root := a.root(args)
	root.SetArgs(dashedText(root, args))
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
	if cmd, _, err := root.Find(args); err != nil || cmd.Name() != "error" {
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

// root is the command line, with the flags of the commands that are named in the arguments, or without any of all.
func (a *app) root(args []string) *cobra.Command {
	cobra.EnableCommandSorting = false // they are added in the order in which people need them
	root := &cobra.Command{
		Use:           "hebb",
		Short:         "A memory for coding agents",
		Long:          "hebb is a memory for coding agents: one file on this machine, no network, no LLM, no daemon needed.",
		SilenceErrors: true, SilenceUsage: true,
	}
	showVersion := root.Flags().BoolP("version", "v", false, "version for hebb")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *showVersion {
			_, err := fmt.Fprintln(a.Stdout, "hebb", version())
			return err
		}
		return a.status(cmd.Context(), 5, true)
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
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error { return cmp.Or(checkFlags(cmd), a.forPersons(cmd, args)) }
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "print JSON for programs")
	flags.BoolVar(&a.noColor, "no-color", false, "plain text (also: NO_COLOR=1)")
	root.CompletionOptions.DisableDefaultCmd = true // ours has a group and its own errors
	a.addCommands(root)
	a.bindFlags(args)
	root.SetHelpCommand(a.helpCommand())
	finish(root)
	root.SetUsageFunc(usage)
	return root
}

// addCommands adds the commands by group, in the order in which people need them, and those that only programs call.
func (a *app) addCommands(root *cobra.Command) {
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Every day:", []*cobra.Command{
			a.initCommand(), a.statusCommand(), a.recallCommand(), a.searchCommand(), a.errorCommand(),
			a.whyCommand(), a.contextCommand(), a.handoffCommand(),
		}},
		{"Keep and correct:", []*cobra.Command{a.rememberCommand(), a.memoriesCommand(), a.pinCommand(), a.goalsCommand()}},
		{"Look closer:", []*cobra.Command{a.sessionsCommand(), a.graphCommand(), a.uiCommand(), a.stateCommand()}},
		{"Care:", []*cobra.Command{
			a.agentsCommand(), a.projectsCommand(), a.sleepCommand(), a.forgetCommand(), a.doctorCommand(),
			under(a.backupCommand(), a.restoreCommand()), a.exportCommand(), a.importCommand(), a.configCommand(), a.mcpCommand(),
		}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(a.daemonCommand(), a.versionCommand(), a.upgradeCommand(), a.completionCommand())
	for _, c := range []*cobra.Command{
		a.hookCommand(), a.drainCommand(), a.recordCommand(), a.benchCommand(), a.docsCommand(),
	} {
		c.Hidden = true
		root.AddCommand(c)
	}
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
	if !c.HasParent() {
		b.WriteString("Usage: hebb [COMMAND] [flags]")
	} else {
		b.WriteString("Usage:")
		if c.Runnable() {
			b.WriteString("\n  " + c.UseLine())
		}
		if c.HasAvailableSubCommands() {
			b.WriteString("\n  " + c.CommandPath() + " [command]")
		}
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
	if !c.HasParent() { // on one screen
		_, err := fmt.Fprintln(c.OutOrStderr(), b.String()+"\n\nhebb shows this project; COMMAND --help explains one. Also: daemon, version, upgrade, completion.")
		return err
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	_, err := fmt.Fprintf(c.OutOrStderr(), "%s\n\n%s\n", b.String(), exitCodes)
	return err
}

// finish wraps help that is too wide and sets defaults: the command itself as its example, arguments as the usage has them, and file completion only
// where the usage names a file. Indented paragraphs of help are examples and stay.
func finish(cmd *cobra.Command) {
	paragraphs := strings.Split(cmd.Long, "\n\n")
	for i, text := range paragraphs {
		wide := slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return visibleWidth(line) > helpWidth })
		if wide && !strings.HasPrefix(text, " ") && !strings.Contains(text, "\n ") {
			paragraphs[i] = wrapped(strings.ReplaceAll(text, "\n", " "), helpWidth)
		}
	}
	cmd.Long = strings.Join(paragraphs, "\n\n")
	if cmd.Example == "" && cmd.HasParent() && !strings.Contains(cmd.Use, " ") {
		cmd.Example = "  " + cmd.CommandPath()
	}
	switch {
	case cmd.Args != nil:
	case strings.Contains(cmd.Use, " "):
		cmd.Args = usedArguments
	default:
		cmd.Args = noArguments
	}
	if cmd.ValidArgsFunction == nil && cmd.ValidArgs == nil && !strings.Contains(cmd.Use, "FILE") && !strings.Contains(cmd.Use, "FOLDER") {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		finish(sub)
	}
}
