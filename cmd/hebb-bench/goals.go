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
Before each session from the eleventh of a repository on, hebb thinks three times at each depth: does the first connection
lead to an episode that shares a file with the session that follows? HIT is the share of replays in which it does, among
those that found a CONNECTION at all; RECENT the same for the latest episode, CHANCE for one drawn blindly, at the same
moments; × says how many times as often it does. No episode is held against the goal of its own session. REPEATS are connections that a memory which
thinks three times before each session, an hour apart, shows again within six hours.

Then what a replay costs among 10,000 episodes and 100 goals, beside comparing each pair of them (naive, once), and what
hebb think takes on a store with 10,000 texts.

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
			return showRows(a, rows, []string{"DEPTH", "EPISODES>", "GOALS>", "N>", "P50 ms>", "P95 ms>"}, func(r evaluate.GoalsSpeedRow) []string {
				return []string{
					r.Depth, grouped(int64(r.Episodes)), grouped(int64(r.Goals)), fmt.Sprint(r.N), fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P95),
				}
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&in.Every, "every", 1, "think before each n-th session only; all are learned")
	f.IntVar(&speed.Runs, "runs", 50, "replays of each depth that are timed")
	f.IntVar(&speed.Episodes, "episodes", 10000, "episodes of the memory that is timed")
	f.IntVar(&speed.Goals, "goals", 100, "goals of the memory that is timed")
	half.flags(cmd, "what a replay costs", "what a replay finds")
	return cmd
}

// thinking shows what replays find, or says that there are no recordings to see it by.
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
	headers := []string{"REPOSITORY", "DEPTH", "REPLAYS>", "CONNECTED>", "HIT>", "RECENT>", "×>", "CHANCE>", "×>", "SHOWN>", "REPEATS>"}
	return showRows(a, rows, headers, func(r evaluate.GoalsRow) []string {
		return []string{
			r.Repo, r.Depth, grouped(int64(r.Replays)), grouped(int64(r.Connected)), fmt.Sprintf("%.1f", r.Hit), fmt.Sprintf("%.1f", r.Recent),
			fmt.Sprintf("%.2f", r.LiftRecent), fmt.Sprintf("%.1f", r.Chance), fmt.Sprintf("%.2f", r.LiftChance), grouped(int64(r.Shown)), grouped(int64(r.Repeats)),
		}
	})
}
