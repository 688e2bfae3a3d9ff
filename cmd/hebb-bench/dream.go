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

func (a *app) dreamCommand() *cobra.Command {
	in := evaluate.DreamInput{Clock: time.Now}
	cmd := &cobra.Command{
		Use: "dream", Short: "What a dream by rules takes on a memory of many crystals",
		Long: `Dreams by rules on a memory of so many crystals, with five new notes and a day between two dreams: the searches that prove
pointers and the files for people are included. Beside it the first dream of a process, and what building the prompt for a language
model takes, with the size of that prompt; the model's own time comes on top of it.`,
		Example: "  hebb-bench dream\n  hebb-bench dream --crystals 1000 --runs 50 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in.Crystals < 1 || in.Runs < 1 {
				return errors.New("--crystals and --runs must be 1 or more")
			}
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			in.Tuning = c.Tuning
			rows, err := evaluate.Dream(cmd.Context(), in)
			if err != nil {
				return err
			}
			return showRows(a, rows, []string{"CASE", "CRYSTALS>", "N>", "DREAM ms>", "SLOWEST ms>", "POINTERS>", "FADED>", "TOKENS>"}, func(r evaluate.DreamRow) []string {
				return []string{
					r.Case, grouped(int64(r.Crystals)), fmt.Sprint(r.N), fmt.Sprintf("%.1f", r.Dream), fmt.Sprintf("%.1f", r.Slowest), fmt.Sprint(r.Pointers),
					fmt.Sprint(r.Faded), grouped(int64(r.Tokens)),
				}
			})
		},
	}
	cmd.Flags().IntVar(&in.Crystals, "crystals", 10000, "memories to begin with")
	cmd.Flags().IntVar(&in.Runs, "runs", 20, "dreams")
	return cmd
}
