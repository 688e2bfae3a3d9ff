package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/said"
)

func (a *app) shownCommand() *cobra.Command {
	var crossValidate, train bool
	var out, lines string
	cmd := &cobra.Command{
		Use: "shown [FOLDER]", Short: "How much of what is shown at real prompts they need",
		Long: `Gives each person of a FOLDER with shown/, said/ and sessions/ a memory of what they said, as they say it, and asks it at their real prompts.
Of the prompts that somebody has judged by reading, SPOKEN are shown something: LINES in all, of which UNREAD were not judged. P1 is the
share of lines that help at least a little, P2 of those without which an agent would go wrong, and R2 the share of all those that are
shown. ALL is the share of all real prompts at which something is shown. FOREIGN and KITCHEN are the share of prompts at which
something is shown where memory holds only what was said in other repositories, or facts of kitchens, gardens and journeys.

With --cv each repository is answered by weights that were learned without it. With --train the weights are learned from the whole
folder and written. Without a FOLDER HEBB_BENCH, else ../shared/bench, is taken.`,
		Example: "  hebb-bench shown --cv\n  hebb-bench shown --cv --lines shown.txt\n  hebb-bench shown --train",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			folder := cmp.Or(os.Getenv(envBench), filepath.Join("..", "shared", "bench"))
			if len(args) == 1 {
				folder = args[0]
			}
			list, err := said.ReadShown(folder)
			if err != nil {
				return fmt.Errorf("prompts in %s: %w; name a FOLDER that holds shown/, said/ and sessions/", folder, err)
			}
			if train && crossValidate {
				return errors.New("--train and --cv: choose one")
			}
			if train {
				m, err := list.Train(cmd.Context(), "")
				if err != nil {
					return err
				}
				file, err := json.Marshal(m)
				if err != nil {
					return err
				}
				return os.WriteFile(out, append(file, '\n'), 0o600)
			}
			report := func(string, string, int) {}
			if lines != "" {
				file, failed := os.Create(lines) //nolint:gosec // the person names it
				if failed != nil {
					return failed
				}
				defer func() { err = errors.Join(err, file.Close()) }()
				report = func(prompt, line string, need int) { fmt.Fprintf(file, "%2d\t%q\t%q\n", need, prompt, line) }
			}
			rows, err := list.Judge(cmd.Context(), crossValidate, report)
			if err != nil {
				return err
			}
			headers := []string{"MODEL", "REPOSITORY", "PROMPTS>", "SPOKEN>", "LINES>", "UNREAD>", "P1>", "P2>", "R2>", "ALL>", "FOREIGN>", "KITCHEN>"}
			return showRows(a, rows, headers, func(r said.ShownRow) []string {
				cells := []string{r.Model, r.Repo, grouped(r.Prompts), grouped(r.Spoken), grouped(r.Lines), grouped(r.Unread)}
				for _, share := range []float64{r.P1, r.P2, r.R2, r.All, r.Foreign, r.Kitchen} {
					cells = append(cells, fmt.Sprintf("%.3f", share))
				}
				return cells
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&crossValidate, "cv", false, "answer in each repository with weights that were learned without it")
	f.BoolVar(&train, "train", false, "learn from the whole folder and write the weights")
	f.StringVar(&out, "out", "internal/answer/relevance.json", "with --train: the file to write")
	f.StringVar(&lines, "lines", "", "a file to write each prompt to at which something is shown, and the line")
	return cmd
}
