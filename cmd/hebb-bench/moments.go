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

func (a *app) momentsCommand() *cobra.Command {
	in := evaluate.MomentsInput{Clock: time.Now}
	var half benchHalf
	cmd := &cobra.Command{
		Use: "moments [FILE...]", Short: "Whether the right line arrives before an edit or a command and at the error, and what it costs",
		Long: `Replays recorded sessions of coding agents as hooks report them, with errors, commands and decisions put into the past: errors of 34 shapes that were
fixed, that failed 12 of 12 times, that were met once or never; commands that failed and what worked instead; decisions about files. Then it asks at
the moments, with other ports, paths, line numbers and names of temporary files. SHARE is how often the right line came, or where there is nothing to
say, how often anything came. Notes that agents wrote after these sessions (text/lessons) are the memories of a second replay: before each real
edit, is one shown where a note is about the file, and where none is?

Then what a moment costs on a store with 10,000 memories and 50,000 events: opened for reading in a process, and as the whole hook.

Each FILE is X.sessions.jsonl.gz or X.commits.jsonl.gz, with the other half beside it; without any those below sessions/ in
HEBB_BENCH, else in ../shared/bench, are taken.`,
		Example: "  hebb-bench moments --quality\n  hebb-bench moments --speed --json",
		RunE: func(cmd *cobra.Command, files []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			if in.Runs < 1 || in.Memories < 1 || in.Events < 1 {
				return errors.New("--runs, --memories and --events must be 1 or more")
			}
			if err := half.check("moments"); err != nil {
				return err
			}
			in.Tuning = c.Tuning
			if !half.speed {
				if in.Files, err = a.recordedSessions(files); err != nil {
					return err
				}
				dir := os.Getenv(envBench)
				if dir == "" {
					dir = filepath.Join("..", "shared", "bench")
				}
				in.Lessons = filepath.Join(dir, "text", "lessons", "memories.jsonl.gz")
				if _, err := os.Stat(in.Lessons); err != nil {
					fmt.Fprintf(a.stderr, "SKIPPED: notes of agents: %v\n", err)
					in.Lessons = ""
				}
				rows, err := evaluate.Moments(cmd.Context(), in)
				if err != nil {
					return err
				}
				if err := a.showMoments(rows); err != nil || half.quality {
					return err
				}
			}
			if in.Program, err = a.program(); err != nil {
				return err
			}
			rows, err := evaluate.MomentsSpeed(cmd.Context(), in)
			if err != nil {
				return err
			}
			return a.showMoments(rows)
		},
	}
	f := cmd.Flags()
	f.IntVar(&in.Runs, "runs", 100, "moments of each sort that are timed")
	f.IntVar(&in.Memories, "memories", 10000, "memories of the store that is timed")
	f.IntVar(&in.Events, "events", 50000, "events of the store that is timed")
	half.flags(cmd, "what a moment costs", "what is shown")
	return cmd
}

func (a *app) showMoments(rows []evaluate.MomentsRow) error {
	headers := []string{"REPOSITORY", "MOMENT", "CASE", "ASKED>", "SHOWN>", "RIGHT>", "SHARE %>", "P50 ms>", "P95 ms>"}
	return showRows(a, rows, headers, func(r evaluate.MomentsRow) []string {
		return []string{
			r.Repo, r.Moment, r.Set, grouped(int64(r.Asked)), grouped(int64(r.Shown)), grouped(int64(r.Right)), fmt.Sprintf("%.1f", r.Share),
			fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P95),
		}
	})
}
