package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/said"
)

func (a *app) searchCommand() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use: "search FOLDER", Short: "How often a search finds a decision that is asked for in other words",
		Long: `Keeps the statements of pairs.jsonl ({repo, kind, said, told, later}), one memory for each repo, once beside NOTHING and once beside
all that hebb init learns of the repository in FOLDER: its commits, documents and code. Then it asks for each statement with TOLD,
which says the same in other words, and with LATER, a prompt weeks later that runs into it. HIT@1 and HIT@3 say in percent how often
the statement is the first result, or one of the first three.

Without --data said/ in HEBB_BENCH, else in ../shared/bench, is taken.`,
		Example: "  hebb-bench search .\n  hebb-bench search ~/src/project --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := cmp.Or(data, filepath.Join(cmp.Or(os.Getenv(envBench), filepath.Join("..", "shared", "bench")), "said"))
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			rows, err := said.Search(cmd.Context(), os.DirFS(folder), dir)
			if err != nil {
				return err
			}
			headers := []string{"BESIDE", "QUESTION", "HIT@1>", "HIT@3>", "QUESTIONS>", "MEMORIES>", "TEXTS>", "SNIPPETS>", "p50 ms>"}
			return showRows(a, rows, headers, func(r said.SearchRow) []string {
				return []string{
					r.Beside, r.Question, fmt.Sprintf("%.1f", r.Hit1), fmt.Sprintf("%.1f", r.Hit3), grouped(int64(r.N)), grouped(int64(r.Memories)),
					grouped(r.Documents), grouped(int64(r.Snippets)), fmt.Sprintf("%.1f", r.P50),
				}
			})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "folder with pairs.jsonl")
	return cmd
}
