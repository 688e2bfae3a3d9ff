package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/mcpserver"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// hookCommand is documentation: main handles hook calls without the command line, because agents wait for them.
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
		Long: "Prints a script that completes commands, flags and names.",
		Example: `  source <(hebb completion bash)
  hebb completion zsh > "${fpath[1]}/_hebb"
  hebb completion fish > ~/.config/fish/completions/hebb.fish
  hebb completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
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

// helpCommand is cobra's, but an unknown command is an error.
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
	type input struct {
		Quiet  bool `flag:"quiet,q" about:"print nothing, and do nothing if a drain is already running"`
		Events bool `flag:"events" about:"with --quiet: leave upkeep to a later drain"`
		Read   bool `flag:"read,,hidden" about:"read again what standard input names, as the daemon has seen it change"`
	}
	return takes(a, &cobra.Command{
		Use: "drain", Short: "Import the events of the spool into the store",
		Long: `Hooks start this when a turn or a session ends, and every command that reads does it first. After
five minutes without work, if there is something new, it thinks as well (hebb goals think).`,
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch {
		case in.Read:
			return a.readChanged(cmd.Context())
		case in.Quiet:
			return a.drainQuietly(cmd.Context(), !in.Events)
		}
		return run(cmd.Context(), a, a.with, steward.Drain, steward.DrainInput{Wait: true, Think: true, Sources: a.sources()}, func(p *page, r steward.DrainResult) {
			if r.Busy {
				p.line("Another hebb is importing events; nothing was done.")
				return
			}
			p.line("Imported %s (%s), closed %s, in %s.", count(r.Events, "event", "events"), count(r.Duplicates, "duplicate", "duplicates"),
				count(r.Closed, "idle session", "idle sessions"), r.Elapsed.Round(time.Millisecond))
			p.lineIf(r.Said > 0, "Stored %s that waited for the store.", count(r.Said, "memory or note", "memories and notes"))
			for _, f := range r.Failed {
				p.line("Not done: %s: %s", f.Job, plain(f.Reason))
			}
			if n := r.Thought.Connections; n > 0 {
				p.line("Found %s to goals; `hebb goals next` shows them.", count(n, "connection", "connections"))
			}
		})
	})
}

// drainQuietly is what hooks start in the background, with the upkeep that follows a drain.
func (a *app) drainQuietly(ctx context.Context, upkeep bool) error {
	YieldToOthers()
	end := func() { os.Exit(1) } // whatever it waits for; the store and the spool can be killed at any time
	return a.inBackground(ctx, brain.BackgroundWork, end, func(ctx context.Context, run *brain.Began) error {
		// Before the store is opened: an older copy may not know a store that a newer hebb has written.
		followed := a.followProgram(ctx)
		return errors.Join(followed, a.with(ctx, func(ctx context.Context, b *brain.Brain) error {
			r, err := steward.Run(ctx, b, steward.Drain, steward.DrainInput{Sleep: upkeep, Think: upkeep, Sources: a.sources(), Works: run.Works})
			if err == nil && a.json { // the daemon reads it
				err = a.printJSON(a.Stdout, r)
			}
			return err
		}))
	})
}

// inBackground does work that nobody waits for, within a time that it states. When the time is over the work is asked to stop; if
// it has not stopped a minute later, end ends the process.
func (a *app) inBackground(ctx context.Context, most time.Duration, end func(), work func(context.Context, *brain.Began) error) error {
	dir, err := config.DataDir(a.Getenv)
	if err != nil {
		return err
	}
	run := brain.BeginRun(config.Config{Dir: dir}, a.Now())
	defer run.End()
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	watchdog := time.AfterFunc(most+brain.BackgroundEnds-brain.BackgroundWork, end)
	defer watchdog.Stop()
	return work(ctx, run)
}

func (a *app) recordCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "record [FILE...]", Short: "Record by hand that files were touched",
		Long:    "For scripts, and for agents without hooks. The files need not exist; paths are relative to the working directory.",
		Example: "  hebb record src/login.go src/session.go --kind edit\n  hebb record --text \"redirect loop came from the proxy\" src/login.go",
	}, record.RecordInput{Kind: memory.Edit}, func(cmd *cobra.Command, in record.RecordInput) error {
		if len(in.Paths) == 0 && strings.TrimSpace(in.Text) == "" {
			return usageError{errors.New("record: name a file, or give --text")}
		}
		return run(cmd.Context(), a, a.with, record.RecordTouch, in, func(p *page, e memory.StoredEvent) {
			files := ""
			if n := len(e.Touches); n > 0 {
				files = ", with " + count(n, "file", "files")
			}
			p.line("Recorded as %s%s.", e.ID, files)
		})
	})
}

func (a *app) mcpCommand() *cobra.Command {
	type input struct {
		HTTP   string `flag:"http" about:"serve on this loopback address, HOST:PORT; port 0 takes a free one"`
		Tools  string `flag:"tools" of:"default all" about:"which tools to offer"`
		Folder string `flag:"dir,,folder" about:"the folder of the project (default: the working directory)"`
	}
	return takes(a, &cobra.Command{
		Use: "mcp", Short: "Serve this memory to agents over the Model Context Protocol",
		Long: `Serves the Model Context Protocol on standard input and output, about the project around the
working directory or --dir. docs/mcp.md describes the tools. Clients are told of eight; --tools
all adds four. Those of the reference memory server are accepted without being listed.

--http serves several clients on a loopback address instead. A client sends the token of the file
mcp-token in the data folder: Authorization: Bearer TOKEN.`,
		Example: `  hebb mcp --tools all --dir ~/src/shop
  hebb mcp --http 127.0.0.1:8977
  claude mcp add hebb -- hebb mcp`,
	}, input{Tools: "default"}, func(cmd *cobra.Command, in input) error {
		if off := a.Getenv(memory.OffEnv); a.Getenv(memory.ScribeEnv) != "" || off != "" && off != "0" {
			return nil // hebb itself runs this agent, to read and to answer; or the person wants a session without hebb
		}
		dir, err := a.folder(in.Folder)
		if err != nil {
			return err
		}
		c, err := config.Load(a.Getenv)
		if err != nil {
			return err
		}
		s := mcpserver.New(mcpserver.Options{
			Config: c.Serving(), Now: a.Now, Dir: dir, All: in.Tools == "all", Version: version(), AgentSession: a.Getenv("CLAUDE_CODE_SESSION_ID"),
		})
		// Clients and systems end a server with SIGTERM; the session of the connection ends with it.
		ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
		defer stop()
		if in.HTTP == "" {
			err = s.Serve(ctx, a.Stdin, a.Stdout)
		} else {
			err = s.ServeHTTP(ctx, in.HTTP, a.listening)
		}
		if ctx.Err() != nil && cmd.Context().Err() == nil && errors.Is(err, context.Canceled) {
			err = nil
		}
		return errors.Join(err, s.Close())
	})
}

// listening prints the address of the server.
func (a *app) listening(at mcpserver.Address) {
	_ = a.show(at, func(p *page) { // a failure to print does not stop the server
		p.line("Listening on %s", at.URL)
		p.note("Clients need the token in " + shownName(a.home(at.TokenFile)))
	})
}

// folder is a folder that a flag names, relative to the working directory.
func (a *app) folder(name string) (string, error) {
	if name == "" {
		return a.Dir, nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.Dir, name)
	}
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return "", fmt.Errorf("mcp: --dir %s: there is no such folder: %w", name, memory.ErrNotFound)
	}
	return name, nil
}

func (a *app) benchCommand() *cobra.Command {
	var commits int
	cmd := &cobra.Command{
		Use: "bench [FOLDER]", Short: "Measure how well hebb would have done on your own repository",
		Long: `Replays the git history of this repository, or of the one around FOLDER, in a temporary memory.
Before each commit is learned, hebb predicts which files it will change, and so do simple methods.
Figures are the share of changed files among the first ten answers, for up to 200 commits after a
warm-up.`,
		Example: "  hebb bench ../shop --commits 5000",
		RunE: func(cmd *cobra.Command, args []string) error {
			if commits < 1 {
				return usageError{errors.New("bench: --commits must be 1 or more")}
			}
			c, err := config.Load(a.Getenv)
			if err != nil {
				return err
			}
			in := replay.Input{Root: a.Dir, Commits: commits, Tuning: c.Tuning}
			if len(args) > 0 {
				if in.Root = args[0]; !filepath.IsAbs(in.Root) {
					in.Root = filepath.Join(a.Dir, in.Root)
				}
			}
			update, finish := a.progress("commits")
			defer finish()
			in.Progress = update
			report, err := replay.Repository(cmd.Context(), in)
			finish()
			if err != nil {
				return fmt.Errorf("bench: %w", err)
			}
			return a.show(report, func(p *page) { benchPage(p, report) })
		},
	}
	cmd.Flags().IntVar(&commits, "commits", 1500, "replay this many of the latest commits")
	return cmd
}

func benchPage(p *page, report replay.Report) {
	tableOf(p, "GIVEN, COMMITS>, HEBB>, BEST SIMPLE>, METHOD", report.Rows, func(r replay.Row) []any {
		return []any{r.Given, r.Questions, percent(r.Hebb / 100), percent(r.Simple / 100), r.Method}
	})
	p.gap()
	first := report.Rows[0]
	p.line("Given %s of a commit it had not seen, hebb named %.0f of 100 changed files among its first ten; the best simple method, %s, named %.0f.",
		first.Given, first.Hebb, first.Method, first.Simple)
}

// docsCommand writes the generated references. A test compares them with docs/.
func (a *app) docsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "docs FOLDER", Short: "Write the generated references (make docs)", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			for name, text := range references((&app{}).root(nil)) {
				if err := os.WriteFile(filepath.Join(args[0], name), []byte(text), fs.FileMode(0o644)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

const generated = "<!-- Written by `make docs`; do not edit. -->\n\n"

// references are the generated pages by file name.
func references(root *cobra.Command) map[string]string {
	return map[string]string{
		"cli.md": cliReference(root), "tuning.md": tuningReference(tuning.Default().Table()),
		"mcp.md": "# Model Context Protocol\n\n" + generated + mcpserver.Reference(),
	}
}

func cliReference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Command reference\n\n" + generated)
	b.WriteString("Every command takes `--json` for programs and `--no-color`; those about a project also `--project NAME`, and\n" +
		"`--all` where it makes sense. Lists take `--limit N`, 0 for all. What changes much wants `--yes`. `--everywhere` is for\n" +
		"what is about you and not about one project. " + strings.ReplaceAll(exitCodes, "\n", " ") + "\n")
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.Name() == "help" {
			return
		}
		fmt.Fprintf(&b, "\n## %s\n%s: `%s`\n", cmd.CommandPath(), cmd.Short, strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		if cmd.Long != "" {
			fmt.Fprintf(&b, "\n%s\n", cmd.Long)
		}
		own := pflag.NewFlagSet("", pflag.ContinueOnError)
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if sharedUsages[f.Name] != f.Usage {
				own.AddFlag(f)
			}
		})
		code := strings.TrimRight(own.FlagUsagesWrapped(helpWidth), "\n")
		if cmd.Example != "" && strings.TrimSpace(cmd.Example) != cmd.CommandPath() {
			code = strings.TrimPrefix(code+"\n"+undent(cmd.Example), "\n")
		}
		if code != "" {
			fmt.Fprintf(&b, "```sh\n%s\n```\n", code)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
	return b.String()
}

func undent(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

func tuningReference(table []tuning.Setting) string {
	var b strings.Builder
	b.WriteString("# Tuning\n\n" + generated)
	b.WriteString("The settings of hebb. `hebb config show` shows their values on your machine.\n" +
		"To change one, put it into `config.toml` in the data folder, in the unit of the table or as a duration:\n\n" +
		"```toml\n[tuning.session]\nidle_after = 20   # or \"20m\"\n```\n\n" +
		"An unknown name or a value out of range is an error that names the setting.\n\n")
	b.WriteString("| name | default | range | meaning |\n|---|---|---|---|\n")
	for _, e := range table {
		fmt.Fprintf(&b, "| `%s` | %s %s | %s–%s | %s |\n", e.Name, tuning.Figure(e.Default), e.Unit, tuning.Figure(e.Min), tuning.Figure(e.Max), e.Meaning)
	}
	return b.String()
}
