package main

import (
	"errors"
	"fmt"
	"github.com/hebb-memory/hebb/internal/cli"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/config"
)

func (a *app) stormCommand() *cobra.Command {
	in := evaluate.StormInput{Self: self(), Clock: time.Now}
	cmd := &cobra.Command{
		Use: "storm", Short: "What hooks and writers feel of a sleep",
		Long: `Wall time of hook calls and of processes that write into the store, on a memory of 17,000 neurons and 75,000 synapses, alone
and beside a process that sleeps all the time. × ALONE compares the slowest hundredth of both.`,
		Example: "  hebb-bench storm\n  hebb-bench storm --runs 1000 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			if in.Runs < 1 {
				return errors.New("--runs must be 1 or more")
			}
			in.Tuning = c.Tuning
			if in.Program, err = a.program(); err != nil {
				return err
			}
			rows, err := evaluate.Storm(cmd.Context(), in)
			if err != nil {
				return err
			}
			return showRows(a, rows, []string{"CASE", "AT ONCE>", "BESIDE", "RUNS>", "P50 ms>", "P99 ms>", "× ALONE>"}, func(r evaluate.StormRow) []string {
				beside := "nothing"
				if r.Asleep {
					beside = fmt.Sprintf("%d sleeps", r.Sleeps)
				}
				return []string{
					r.Case, fmt.Sprint(r.Parallel), beside, fmt.Sprint(r.Runs), fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P99), fmt.Sprintf("%.2f", r.Ratio),
				}
			})
		},
	}
	cmd.Flags().IntVar(&in.Runs, "runs", 400, "processes per row")
	return cmd
}

func (a *app) sleepCommand() *cobra.Command {
	in := evaluate.SleepInput{Clock: time.Now}
	cmd := &cobra.Command{
		Use: "sleep", Short: "What a sleep takes, and how many rows it writes",
		Long: `Sleeps on graphs of 17,000 neurons and 75,000 synapses and of 100,000 and 1,000,000, with a log of 5,000 accesses to go
through, each time on a fresh copy: over the whole graph, as you ask for, and over a slice of it, as after work.
ROWS counts what forgetting and balancing wrote: what they forgot or bounded, whatever the size of the graph. The row
naive forgets on the first graph as memories usually do: every weight is written anew, then what is too weak is deleted.`,
		Example: "  hebb-bench sleep\n  hebb-bench sleep --full --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			in.Tuning = c.Tuning
			update, finish := a.progress("sleeps")
			in.Progress = update
			rows, err := evaluate.Sleep(cmd.Context(), in)
			finish()
			if err != nil {
				return err
			}
			return showRows(a, rows, []string{"CASE", "NEURONS>", "SYNAPSES>", "DECAY ms>", "HOMEOSTASIS ms>", "CONSOLIDATE ms>", "ROWS>", "PRUNED>"}, func(r evaluate.SleepRow) []string {
				took := func(ms float64) string {
					if ms == 0 {
						return "–" // the naive one only forgets
					}
					return fmt.Sprintf("%.1f", ms)
				}
				return []string{
					r.Case, grouped(r.Neurons), grouped(r.Synapses), took(r.Decay), took(r.Homeostasis), took(r.Consolidate),
					grouped(r.DecayRows), grouped(r.Pruned),
				}
			})
		},
	}
	cmd.Flags().BoolVar(&in.Full, "full", false, "also a million neurons and ten million synapses: some minutes, and several GB of disk")
	return cmd
}

// benchAsleep is the other side of bench storm.
func (a *app) asleepCommand() *cobra.Command {
	return &cobra.Command{
		Use: "asleep", Short: "Sleep until killed (for storm)", Hidden: true,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			cli.YieldToOthers()
			return evaluate.Asleep(cmd.Context(), c, time.Now, func() { fmt.Fprintln(a.stdout, "slept") })
		},
	}
}
