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

func (a *app) contextCommand() *cobra.Command {
	var in evaluate.ContextInput
	speed := evaluate.ContextSpeedInput{Clock: time.Now}
	var half benchHalf
	cmd := &cobra.Command{
		Use: "context [FILE...]", Short: "How many files of a session its start had named, and what the start costs",
		Long: `Replays recorded sessions of coding agents, reported as hooks report them. Before each from the third of a repository on: of the
files it is going to open, how many are named in the lines about files at its start? COVERAGE is the share of them, HIT the
share of sessions with at least one. Lists of the most recent files, of the most frequent and of both in turn get the same
120 tokens in plain lines; the whole start of a session and the list of every known file are for comparison.

Then what a start costs on a memory of 17,000 neurons and 75,000 synapses with hot files, shelved sessions, pins and notes:
in a process, and as the SessionStart hook of an agent from start to exit; with git asked for what changed, and without.

Each FILE is X.sessions.jsonl.gz or X.commits.jsonl.gz, with the other half beside it; without any those below sessions/ in
HEBB_BENCH, else in ../shared/bench, are taken.`,
		Example: "  hebb-bench context\n  hebb-bench context --quality sessions/*.sessions.jsonl.gz\n  hebb-bench context --speed --json",
		RunE: func(cmd *cobra.Command, files []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			if speed.Runs < 1 || in.Every < 1 {
				return errors.New("--runs and --every must be 1 or more")
			}
			if err := half.check("context"); err != nil {
				return err
			}
			in.Tuning, speed.Tuning = c.Tuning, c.Tuning
			if !half.speed {
				if err := a.startCoverage(cmd, in, files); err != nil {
					return err
				}
			}
			if half.quality {
				return nil
			}
			if speed.Program, err = a.program(); err != nil {
				return err
			}
			rows, err := evaluate.ContextSpeed(cmd.Context(), speed)
			if err != nil {
				return err
			}
			headers := []string{"CASE", "GIT", "NEURONS>", "SYNAPSES>", "N>", "P50 ms>", "P95 ms>", "TOKENS>"}
			return showRows(a, rows, headers, func(r evaluate.ContextSpeedRow) []string {
				git := "no"
				if r.Git {
					git = "yes"
				}
				return []string{
					r.Case, git, grouped(r.Neurons), grouped(r.Synapses), fmt.Sprint(r.N),
					fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P95), grouped(int64(r.Tokens)),
				}
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&in.Every, "every", 1, "ask before each n-th session only; all are learned")
	f.IntVar(&speed.Runs, "runs", 200, "starts in a process; of the hook a quarter as many")
	half.flags(cmd, "what a start costs", "what a start names")
	return cmd
}

// startCoverage shows how much a start names, or says that there are no recordings to see it by.
func (a *app) startCoverage(cmd *cobra.Command, in evaluate.ContextInput, files []string) error {
	var err error
	if in.Files, err = a.recordedSessions(files); err != nil || in.Files == nil {
		return err
	}
	update, finish := a.progress("sessions")
	defer finish()
	in.Progress = update
	rows, err := evaluate.StartCoverage(cmd.Context(), in)
	finish()
	if err != nil {
		return err
	}
	return showRows(a, rows, []string{"REPOSITORY", "RANKER", "SESSIONS>", "OPENED>", "NAMED>", "COVERAGE>", "HIT>", "TOKENS>"}, func(r evaluate.ContextRow) []string {
		return []string{
			r.Repo, r.Ranker, fmt.Sprint(r.Sessions), grouped(int64(r.Opened)), grouped(int64(r.Named)),
			fmt.Sprintf("%.1f", r.Coverage), fmt.Sprintf("%.1f", r.Hit), grouped(int64(r.Tokens)),
		}
	})
}
