package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/evaluate"
)

func (a *app) benchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "bench", Short: "Measure hebb beside what it is compared to",
		Long: `Each benchmark prints a table, or with --json one JSON object per line; docs/benchmarks.md explains the fields. They run in
temporary folders and never touch your memory.`,
		Example: "  hebb bench hook\n  hebb bench drain --json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.benchHook(), a.benchMCP(), a.benchDrain(), a.benchRecall(), a.benchSleep(), a.benchDream(), a.benchLife(), a.benchStorm(), a.benchAsleep(), a.benchReplay(), a.benchSessions(), a.benchContext(), a.benchGoals(), a.benchAblate(), a.benchFit(), a.benchConversations(), a.benchInsert())
	return cmd
}

func (a *app) benchHook() *cobra.Command {
	in := evaluate.HookInput{Program: a.Program, Clock: a.Now}
	cmd := &cobra.Command{
		Use: "hook", Short: "What one hook call costs the agent (needs go on PATH)",
		Long: `Wall time of the whole process for a PostToolUse payload: an empty Go program, hebb hook, and a process that opens SQLite
and inserts the same event itself; then hebb hook for a prompt that is answered out of a memory of 17,000 neurons and
75,000 synapses. Alone and with 20 at once.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in.Runs < 1 {
				return usageError{errors.New("bench hook: --runs must be 1 or more")}
			}
			rows, err := evaluate.Hook(cmd.Context(), in)
			if err != nil {
				return err
			}
			return showProcesses(a, rows)
		},
	}
	cmd.Flags().IntVar(&in.Runs, "runs", 400, "processes per row")
	return cmd
}

// benchMCP measures the start of the server.
func (a *app) benchMCP() *cobra.Command {
	in := evaluate.HookInput{Program: a.Program, Clock: a.Now}
	cmd := &cobra.Command{
		Use: "mcp", Short: "What the start of hebb mcp costs the agent (needs go on PATH)",
		Long: `Wall time of a hebb mcp that is greeted (initialize), answers and ends, beside an empty Go program. Alone and with 20 at
once. The answer is there before the process ends: an agent waits less.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in.Runs < 1 {
				return usageError{errors.New("bench mcp: --runs must be 1 or more")}
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
	return showRows(a, rows, []string{"CASE", "AT ONCE>", "RUNS>", "P50 ms>", "P99 ms>", "× EMPTY>", "PEAK MB>"}, func(r evaluate.HookRow) []string {
		return []string{
			r.Case, fmt.Sprint(r.Parallel), fmt.Sprint(r.Runs), fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P99),
			fmt.Sprintf("%.2f", r.Ratio), fmt.Sprintf("%.1f", float64(r.PeakKB)/1024),
		}
	})
}

func (a *app) benchDrain() *cobra.Command {
	in := evaluate.DrainInput{Clock: a.Now}
	cmd := &cobra.Command{
		Use: "drain", Short: "How fast events go through the spool into the store",
		Long: `Appends plain events to a spool, drains them into an empty store, and drains the same events again, which must only be
recognised.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(a.Getenv)
			if err != nil {
				return err
			}
			if in.Events < 1 {
				return usageError{errors.New("bench drain: --events must be 1 or more")}
			}
			in.Tuning = c.Tuning
			rows, err := evaluate.Drain(cmd.Context(), in)
			if err != nil {
				return err
			}
			return showRows(a, rows, []string{"CASE", "ENGINE", "EVENTS>", "SECONDS>", "EVENTS/S>"}, func(r evaluate.DrainRow) []string {
				return []string{r.Case, r.Engine, grouped(int64(r.Events)), fmt.Sprintf("%.2f", r.Seconds), grouped(int64(r.PerSecond))}
			})
		},
	}
	cmd.Flags().IntVar(&in.Events, "events", 30000, "events to move")
	cmd.Flags().StringVar(&in.Store, "store", "", "a postgres:// URL to measure instead of SQLite, in a schema of its own")
	return cmd
}

// benchInsert is the other side of bench hook.
func (a *app) benchInsert() *cobra.Command {
	return &cobra.Command{
		Use: "insert", Short: "Insert one event by opening the database (for bench hook)", Hidden: true,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(a.Getenv)
			if err != nil {
				return err
			}
			return evaluate.InsertDirectly(cmd.Context(), c, a.Now)
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
		return usageError{fmt.Errorf("bench %s: --speed or --quality, not both; without them both are measured", name)}
	}
	return nil
}

// recordedSessions are the recordings that were named, or those of the benchmark data. Without any it says so and returns none.
func (a *app) recordedSessions(cmd *cobra.Command, files []string) ([]evaluate.SessionFiles, error) {
	if len(files) == 0 {
		dir := a.Getenv(envBench)
		if dir == "" {
			dir = filepath.Join("..", "shared", "bench")
		}
		pattern := filepath.Join(dir, "sessions", "*.sessions.jsonl.gz")
		var err error
		if files, err = filepath.Glob(pattern); err != nil {
			return nil, err
		}
		if len(files) == 0 {
			fmt.Fprintf(a.Stderr, "SKIPPED: no recorded sessions: nothing matches %s; name files, or set %s to a folder that holds sessions/\n", pattern, envBench)
			return nil, nil
		}
	}
	if err := present(cmd, files); err != nil {
		return nil, err
	}
	pairs, err := evaluate.PairSessionFiles(files)
	if err != nil {
		return nil, usageError{err}
	}
	return pairs, nil
}

// showRows prints a benchmark: a table, or one JSON object per line.
func showRows[R any](a *app, rows []R, headers []string, cells func(R) []string) error {
	if a.json {
		e := json.NewEncoder(a.Stdout)
		for _, r := range rows {
			if err := e.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	return a.show(rows, func(p *page) {
		table := make([][]string, len(rows))
		for i, r := range rows {
			table[i] = cells(r)
		}
		p.table(headers, table)
	})
}
