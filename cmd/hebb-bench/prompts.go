package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/config"
)

func (a *app) promptsCommand() *cobra.Command {
	var in evaluate.ContextInput
	cmd := &cobra.Command{
		Use: "prompts [FILE...]", Short: "How many prompts are answered with files, and how many of these are right",
		Long: `Replays recorded sessions of coding agents, reported as hooks report them. From the eleventh session of a repository on each prompt is
answered as an agent would be, from what was known when the session began and what it had said and done before the prompt. SHARE
is that of prompts answered with at least one file, PRECISION that of the files that the session opened afterwards.

Each FILE is X.sessions.jsonl.gz or X.commits.jsonl.gz, with the other half beside it; without any those below sessions/ in
HEBB_BENCH, else in ../shared/bench, are taken.`,
		Example: "  hebb-bench prompts sessions/*.sessions.jsonl.gz",
		RunE: func(cmd *cobra.Command, files []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			if in.Every < 1 {
				return errors.New("--every must be 1 or more")
			}
			in.Tuning = c.Tuning
			if in.Files, err = a.recordedSessions(files); err != nil || in.Files == nil {
				return err
			}
			update, finish := a.progress("sessions")
			defer finish()
			in.Progress = update
			rows, err := evaluate.Prompts(cmd.Context(), in)
			finish()
			if err != nil {
				return err
			}
			headers := []string{"REPOSITORY", "PROMPTS", "ASKED>", "ANSWERED>", "LINES>", "RIGHT>", "SHARE>", "PRECISION>"}
			return showRows(a, rows, headers, func(r evaluate.PromptRow) []string {
				return []string{
					r.Repo, r.Prompt, fmt.Sprint(r.Asked), fmt.Sprint(r.Answered), fmt.Sprint(r.Lines), fmt.Sprint(r.Right),
					fmt.Sprintf("%.1f", r.Share), fmt.Sprintf("%.1f", r.Precise),
				}
			})
		},
	}
	cmd.Flags().IntVar(&in.Every, "every", 1, "ask at each n-th session only; all are learned")
	return cmd
}
