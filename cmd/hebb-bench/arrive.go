package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/said"
)

func (a *app) arriveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "arrive [FOLDER]", Short: "How much of what was said arrives when a later prompt needs it",
		Long: `Gives each repository of a FOLDER a memory, once with everything that its pairs.jsonl says (FROM stated), once with what hebb itself
understood of prompts.jsonl (FROM heard). Then, weeks later, a new session for each pair: is its statement shown at the START, with
the PROMPT, or at EITHER? LINES is how many memories a prompt shows, SILENT the share of neutral.jsonl without any, and CURRENT
the share of revised statements that are not shown once what replaces them was said.

Without a FOLDER said/ in HEBB_BENCH, else in ../shared/bench, is taken.`,
		Example: "  hebb-bench arrive\n  hebb-bench arrive --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := filepath.Join(cmp.Or(os.Getenv(envBench), filepath.Join("..", "shared", "bench")), "said")
			if len(args) == 1 {
				folder = args[0]
			}
			data, err := said.ReadArrival(os.DirFS(folder))
			if err != nil {
				return fmt.Errorf("pairs in %s: %w; name a FOLDER that holds pairs.jsonl, neutral.jsonl, prompts.jsonl and labels.jsonl", folder, err)
			}
			var rows []said.Arrived
			for _, heard := range []bool{false, true} {
				some, err := data.Judge(cmd.Context(), heard)
				if err != nil {
					return err
				}
				rows = append(rows, some...)
			}
			headers := []string{"FROM", "REPOSITORY", "HELD>", "PAIRS>", "START>", "PROMPT>", "EITHER>", "LINES>", "TOKENS>", "SILENT>", "CURRENT>"}
			return showRows(a, rows, headers, func(r said.Arrived) []string {
				return []string{
					r.From, r.Repo, grouped(r.Held), grouped(r.N), fmt.Sprintf("%.3f", r.Start), fmt.Sprintf("%.3f", r.Prompt), fmt.Sprintf("%.3f", r.Either),
					fmt.Sprintf("%.2f", r.Lines), fmt.Sprintf("%.0f", r.Tokens), fmt.Sprintf("%.3f", r.NeutralSilent), fmt.Sprintf("%.3f", r.RevisedCurrent),
				}
			})
		},
	}
}
