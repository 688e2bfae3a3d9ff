package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/config"
)

func (a *app) hookCommand() *cobra.Command {
	in := evaluate.HookInput{Self: self(), Clock: time.Now}
	cmd := &cobra.Command{
		Use: "hook", Short: "What one hook call costs the agent (needs go on PATH)",
		Long: `Wall time of the whole process for a PostToolUse payload: an empty Go program, hebb hook, and a process that opens SQLite
and inserts the same event itself; then hebb hook for a prompt that is answered out of a memory of 17,000 neurons and
75,000 synapses, or a multiple of that (--scale 6: 100,000 files and 80,000 commits). Alone and with 20 at once.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in.Runs < 1 || in.Scale < 1 {
				return errors.New("--runs and --scale must be 1 or more")
			}
			var err error
			if in.Program, err = a.program(); err != nil {
				return err
			}
			rows, err := evaluate.Hook(cmd.Context(), in)
			if err != nil {
				return err
			}
			return showProcesses(a, rows)
		},
	}
	cmd.Flags().IntVar(&in.Runs, "runs", 400, "processes per row")
	cmd.Flags().IntVar(&in.Scale, "scale", 1, "times 17,000 files")
	return cmd
}

// benchMCP measures the start of the server.
func (a *app) mcpCommand() *cobra.Command {
	in := evaluate.HookInput{Self: self(), Clock: time.Now}
	cmd := &cobra.Command{
		Use: "mcp", Short: "What the start of hebb mcp costs the agent (needs go on PATH)",
		Long: `Wall time of a hebb mcp that is greeted (initialize), answers and ends, beside an empty Go program. Alone and with 20 at
once. The answer is there before the process ends: an agent waits less.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in.Runs < 1 {
				return errors.New("--runs must be 1 or more")
			}
			var err error
			if in.Program, err = a.program(); err != nil {
				return err
			}
			rows, err := evaluate.MCP(cmd.Context(), in)
			if err != nil {
				return err
			}
			return showProcesses(a, rows)
		},
	}
	cmd.Flags().IntVar(&in.Runs, "runs", 200, "processes per row")
	return cmd
}

// showProcesses prints what processes took.
func showProcesses(a *app, rows []evaluate.HookRow) error {
	return showRows(a, rows, []string{"CASE", "AT ONCE>", "RUNS>", "P50 ms>", "P99 ms>", "× EMPTY>", "CPU ms>", "PEAK MB>"}, func(r evaluate.HookRow) []string {
		return []string{
			r.Case, fmt.Sprint(r.Parallel), fmt.Sprint(r.Runs), fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P99),
			fmt.Sprintf("%.2f", r.Ratio), fmt.Sprintf("%.1f", r.CPU), fmt.Sprintf("%.1f", float64(r.PeakKB)/1024),
		}
	})
}

func (a *app) drainCommand() *cobra.Command {
	in := evaluate.DrainInput{Clock: time.Now}
	cmd := &cobra.Command{
		Use: "drain", Short: "How fast events go through the spool into the store",
		Long: `Appends events to a spool, drains them into an empty store with all that is learned from them, and drains the same events again,
which must only be recognised. The events are sessions of 150: prompts, reads, searches, edits, commands that fail and pass, closing
messages, ends, commits.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			for _, n := range in.Events {
				if n < 1 {
					return errors.New("--events must be 1 or more")
				}
			}
			in.Tuning = c.Tuning
			rows, err := evaluate.Drain(cmd.Context(), in)
			if err != nil {
				return err
			}
			return showRows(a, rows, []string{"CASE", "ENGINE", "EVENTS>", "SECONDS>", "CPU s>", "EVENTS/S>"}, func(r evaluate.DrainRow) []string {
				return []string{r.Case, r.Engine, grouped(int64(r.Events)), fmt.Sprintf("%.2f", r.Seconds), fmt.Sprintf("%.2f", r.CPU), grouped(int64(r.PerSecond))}
			})
		},
	}
	cmd.Flags().IntSliceVar(&in.Events, "events", []int{3000, 10000, 30000, 100000}, "events to move, a measurement for each number")
	cmd.Flags().StringVar(&in.Store, "store", "", "a postgres:// URL to measure instead of SQLite, in a schema of its own")
	return cmd
}

// benchInsert is the other side of bench hook.
func (a *app) insertCommand() *cobra.Command {
	return &cobra.Command{
		Use: "insert", Short: "Insert one event by opening the database (for hook)", Hidden: true,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			return evaluate.InsertDirectly(cmd.Context(), c, time.Now)
		},
	}
}

// benchHalf chooses one half of a benchmark that measures both what something finds and what it costs.
type benchHalf struct{ speed, quality bool }

func (h *benchHalf) flags(cmd *cobra.Command, costs, finds string) {
	cmd.Flags().BoolVar(&h.speed, "speed", false, "measure only "+costs)
	cmd.Flags().BoolVar(&h.quality, "quality", false, "measure only "+finds)
}

func (h benchHalf) check(name string) error {
	if h.speed && h.quality {
		return fmt.Errorf("%s: --speed or --quality, not both; without them both are measured", name)
	}
	return nil
}

// recordedSessions are the recordings that were named, or those of the benchmark data. Without any it says so and returns none.
func (a *app) recordedSessions(files []string) ([]evaluate.SessionFiles, error) {
	if len(files) == 0 {
		dir := os.Getenv(envBench)
		if dir == "" {
			dir = filepath.Join("..", "shared", "bench")
		}
		pattern := filepath.Join(dir, "sessions", "*.sessions.jsonl.gz")
		var err error
		if files, err = filepath.Glob(pattern); err != nil {
			return nil, err
		}
		if len(files) == 0 {
			fmt.Fprintf(a.stderr, "SKIPPED: no recorded sessions: nothing matches %s; name files, or set %s to a folder that holds sessions/\n", pattern, envBench)
			return nil, nil
		}
	}
	if err := present(files); err != nil {
		return nil, err
	}
	pairs, err := evaluate.PairSessionFiles(files)
	if err != nil {
		return nil, err
	}
	return pairs, nil
}
