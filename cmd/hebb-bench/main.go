// Command hebb-bench measures hebb beside what it is compared to. It runs in temporary folders and
// never touches a memory.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a := &app{stdout: os.Stdout}
	if err := a.root().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "hebb-bench:", err)
		stop()
		os.Exit(1)
	}
}

// app is one run of the program.
type app struct {
	stdout io.Writer
	json   bool
	hebb   string // flag
	tuning tuning.Tuning
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use: "hebb-bench", Short: "Measure hebb beside what it is compared to",
		Long: `Each benchmark prints a table, or with --json one JSON object per line with the same fields;
docs/benchmarks-method.md explains them. Data sets are read from HEBB_BENCH, else from
../shared/bench, unless a command is given others. Benchmarks run in temporary folders and never
touch your memory.`,
		Example:       "  hebb-bench hook\n  hebb-bench replay --every 10 .",
		Args:          cobra.NoArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) (err error) {
			c, err := config.Load(os.Getenv)
			a.tuning = c.Tuning
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if n, failed := cmd.Flags().GetInt(f.Name); failed == nil && n < 1 {
					err = errors.Join(err, fmt.Errorf("--%s must be 1 or more", f.Name))
				}
			})
			return err
		},
	}
	root.SetOut(a.stdout)
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON object per line")
	root.PersistentFlags().StringVar(&a.hebb, "hebb", "", "the hebb to time (default: beside hebb-bench, else on PATH)")
	root.AddCommand(
		a.replayCommand(), a.sessionsCommand(), a.promptsCommand(), a.goalsCommand(),
		a.ablateCommand(), a.fitCommand(),
		a.saidCommand(), a.shownCommand(), a.arriveCommand(), a.searchCommand(), a.conversationsCommand(),
		a.hookCommand(), a.drainCommand(), a.recallCommand(), a.dreamCommand(), a.lifeCommand(),
		a.tasksCommand(), a.needsCommand(), a.sizeCommand(), a.allCommand(),
	)
	return root
}

// command is a benchmark: what it prints with its name, how it is described, and what runs it.
func command(use, short, long string, run func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Long: long, RunE: func(cmd *cobra.Command, args []string) error {
		return run(cmd.Context(), args)
	}}
}

// withoutArguments is a benchmark that needs no data.
func withoutArguments(use, short, long string, run func(ctx context.Context) error) *cobra.Command {
	cmd := command(use, short, long, func(ctx context.Context, _ []string) error { return run(ctx) })
	cmd.Args = cobra.NoArgs
	return cmd
}

// program is the path of the hebb whose processes are timed.
func (a *app) program() (string, error) {
	if a.hebb != "" {
		return filepath.Abs(a.hebb)
	}
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), "hebb")); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("hebb")
	if err != nil {
		return "", fmt.Errorf("which hebb is to be measured? name it with --hebb: %w", err)
	}
	return filepath.Abs(path)
}

// data is the folder of data sets, or one below it.
func data(parts ...string) string {
	dir := cmp.Or(os.Getenv("HEBB_BENCH"), filepath.Join("..", "shared", "bench"))
	return filepath.Join(append([]string{dir}, parts...)...)
}

// named are the files of a command line, else those of the data sets. All exist.
func named(files []string, folder, pattern string) ([]string, error) {
	if len(files) == 0 {
		found, err := filepath.Glob(data(folder, pattern))
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("nothing matches %s: name files, or set HEBB_BENCH to a folder that holds %s/", data(folder, pattern), folder)
		}
		return found, err
	}
	for _, f := range files { // before a long run begins with the others
		if _, err := os.Stat(f); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// histories are those that were named, else those of the data sets but the one that is there for
// its size.
func histories(files []string) ([]string, error) {
	found, err := named(files, "histories", "*.jsonl.gz")
	if len(files) == 0 {
		found = slices.DeleteFunc(found, func(f string) bool { return strings.Contains(f, "-scale.") })
	}
	return found, err
}

// sessions are recordings that were named, each by one of its halves, else those of the data sets.
func sessions(files []string) ([]evaluate.SessionFiles, error) {
	files, err := named(files, "sessions", "*.sessions.jsonl.gz")
	if err != nil {
		return nil, err
	}
	return evaluate.PairSessionFiles(files)
}
