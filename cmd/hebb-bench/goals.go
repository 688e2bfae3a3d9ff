package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/config"
)

func (a *app) goalsCommand() *cobra.Command {
	var in evaluate.GoalsInput
	speed := evaluate.GoalsSpeedInput{Clock: time.Now}
	var half benchHalf
	cmd := &cobra.Command{
		Use: "goals [FILE...]", Short: "Whether what comes to mind between sessions is of use to the next, and what thinking costs",
		Long: `Replays recorded sessions of coding agents. Each session that is over leaves its episodes, and its first prompt as a goal.
Before each session from the eleventh of a repository on, hebb thinks: does the first connection lead to an episode that shares a file
with the session that follows? HIT is the share of moments at which it does, among those with a connection at all (CONNECTED); RECENT
the same for the latest episode, CHANCE for one drawn blindly, at the same moments; × says how many times as often it does. No episode
is compared with the goal of its own session.

Then what it costs to compare 10,000 episodes with 100 goals, and what hebb goals think takes on a store with 10,000 texts.

Each FILE is X.sessions.jsonl.gz or X.commits.jsonl.gz, with the other half beside it; without any those below sessions/ in
HEBB_BENCH, else in ../shared/bench, are taken.`,
		Example: "  hebb-bench goals\n  hebb-bench goals --quality sessions/*.sessions.jsonl.gz\n  hebb-bench goals --speed --json",
		RunE: func(cmd *cobra.Command, files []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			if speed.Runs < 1 || speed.Episodes < 1 || speed.Goals < 1 || in.Every < 1 {
				return errors.New("--runs, --episodes, --goals and --every must be 1 or more")
			}
			if err := half.check("goals"); err != nil {
				return err
			}
			in.Tuning, speed.Tuning = c.Tuning, c.Tuning
			if !half.speed {
				if err := a.thinking(cmd, in, files); err != nil {
					return err
				}
			}
			if half.quality {
				return nil
			}
			rows, err := evaluate.GoalsSpeed(cmd.Context(), speed)
			if err != nil {
				return err
			}
			return showRows(a, rows, []string{"WHAT", "EPISODES>", "GOALS>", "N>", "P50 ms>", "P95 ms>"}, func(r evaluate.GoalsSpeedRow) []string {
				return []string{
					r.What, grouped(int64(r.Episodes)), grouped(int64(r.Goals)), fmt.Sprint(r.N), fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P95),
				}
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&in.Every, "every", 1, "think before each n-th session only; all are learned")
	f.IntVar(&speed.Runs, "runs", 50, "runs of each that are timed")
	f.IntVar(&speed.Episodes, "episodes", 10000, "episodes of the memory that is timed")
	f.IntVar(&speed.Goals, "goals", 100, "goals of the memory that is timed")
	half.flags(cmd, "what thinking costs", "what thinking finds")
	return cmd
}

// thinking shows what thinking finds, or says that there are no recordings to see it by.
func (a *app) thinking(cmd *cobra.Command, in evaluate.GoalsInput, files []string) error {
	var err error
	if in.Files, err = a.recordedSessions(files); err != nil || in.Files == nil {
		return err
	}
	update, finish := a.progress("sessions")
	defer finish()
	in.Progress = update
	rows, err := evaluate.Thinking(cmd.Context(), in)
	finish()
	if err != nil {
		return err
	}
	headers := []string{"REPOSITORY", "MOMENTS>", "CONNECTED>", "HIT>", "RECENT>", "×>", "CHANCE>", "×>"}
	return showRows(a, rows, headers, func(r evaluate.GoalsRow) []string {
		return []string{
			r.Repo, grouped(int64(r.Moments)), grouped(int64(r.Connected)), fmt.Sprintf("%.1f", r.Hit), fmt.Sprintf("%.1f", r.Recent),
			fmt.Sprintf("%.2f", r.LiftRecent), fmt.Sprintf("%.1f", r.Chance), fmt.Sprintf("%.2f", r.LiftChance),
		}
	})
}
