package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/config"
)

// envBench names the folder with the data of benchmarks.
const envBench = "HEBB_BENCH"

func (a *app) conversationsCommand() *cobra.Command {
	in := evaluate.ConversationsInput{Clock: time.Now}
	scale := evaluate.TextScaleInput{Clock: time.Now}
	var set string
	var grow, full bool
	cmd := &cobra.Command{
		Use: "conversations", Short: "How well hebb finds what was said, and notes that belong to a task",
		Long: `Records conversations as the sessions of an agent, makes them findable as a drain does, and asks the questions that came with
them: R@5 and R@10 are the share of the wanted turns among the first answers, NDCG, MRR and MAP how far up they stand; all in
percent. Beside hebb, on the same questions: its words alone, its meaning alone, and SQLite's own full text search over turns
and over turns with their neighbours. lessons are notes that agents left in repositories: from the first prompt of a session,
which notes speak of the files it will edit?

The data is not part of hebb: --data, or HEBB_BENCH, is a folder with text/ and sessions/ (docs/benchmarks.md).`,
		Example: "  hebb-bench conversations --set locomo\n  hebb-bench conversations --data ../shared/bench --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			switch {
			case in.Every < 1:
				return errors.New("--every must be 1 or more")
			case set == "all":
			case slices.Contains(evaluate.ConversationSets, set):
				in.Sets = []string{set}
			default:
				return fmt.Errorf("no set %q; there are %s and all", set, strings.Join(evaluate.ConversationSets, ", "))
			}
			if grow || full {
				scale.Tuning, scale.Sizes = c.Tuning, []int{10_000}
				if full {
					scale.Sizes = append(scale.Sizes, 1_000_000)
				}
				return a.textScale(cmd, scale)
			}
			if in.Dir == "" {
				in.Dir = os.Getenv(envBench)
			}
			if in.Dir == "" {
				in.Dir = filepath.Join("..", "shared", "bench")
			}
			if _, err := os.Stat(filepath.Join(in.Dir, "text")); err != nil {
				fmt.Fprintf(a.stderr, "SKIPPED: no conversations to ask about: %v; set --data or %s to a folder that holds text/ and sessions/\n", err, envBench)
				return nil
			}
			in.Tuning = c.Tuning
			update, finish := a.progress("questions")
			defer finish()
			in.Progress = update
			rows, costs, err := evaluate.Conversations(cmd.Context(), in)
			finish()
			if err != nil {
				return err
			}
			err = showRows(a, rows, []string{"SET", "CATEGORY", "RANKER", "N>", "R@5>", "R@10>", "NDCG@10>", "MRR>", "MAP>", "HIT@5>"},
				func(r evaluate.ConversationRow) []string {
					cells := []string{r.Set, r.Category, r.Ranker, fmt.Sprint(r.N)}
					for _, v := range []float64{r.R5, r.R10, r.NDCG, r.MRR, r.MAP, r.Hit5} {
						cells = append(cells, fmt.Sprintf("%.1f", v))
					}
					return cells
				})
			if err != nil {
				return err
			}
			return a.textCosts(costs)
		},
	}
	f := cmd.Flags()
	f.StringVar(&in.Dir, "data", "", "folder with text/ and sessions/ (default $HEBB_BENCH, else ../shared/bench)")
	f.StringVar(&set, "set", "all", "ask these only: "+strings.Join(evaluate.ConversationSets, ", "))
	f.IntVar(&in.Every, "every", 1, "ask each n-th question only")
	f.BoolVar(&grow, "scale", false, "instead of asking for quality, measure speed on 10 000 notes")
	f.BoolVar(&full, "full", false, "with --scale: also on a million notes, which takes some minutes and gigabytes")
	f.IntVar(&scale.Runs, "runs", 200, "with --scale: questions per row")
	f.IntVar(&scale.Alike, "alike", 3000, "with --scale: notes that differ in one word, to be found again")
	return cmd
}

func (a *app) textScale(cmd *cobra.Command, in evaluate.TextScaleInput) error {
	if in.Runs < 1 || in.Alike < 0 {
		return errors.New("--runs must be 1 or more, --alike 0 or more")
	}
	var err error
	if in.Program, err = a.program(); err != nil {
		return err
	}
	update, finish := a.progress("notes")
	defer finish()
	in.Progress = update
	rows, err := evaluate.TextScale(cmd.Context(), in)
	finish()
	if err != nil {
		return err
	}
	headers := []string{"CASE", "TEXTS>", "N>", "PER SECOND>", "P50 ms>", "P95 ms>", "FOUND>", "STORE MB>"}
	return showRows(a, rows, headers, func(r evaluate.TextScaleRow) []string {
		cells := []string{r.Case, grouped(int64(r.Texts)), grouped(int64(r.N)), "", "", "", "", ""}
		if r.Rate > 0 {
			cells[3] = grouped(int64(r.Rate))
		}
		if r.P50 > 0 {
			cells[4], cells[5] = fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P95)
		}
		if r.Found > 0 {
			cells[6] = grouped(int64(r.Found))
		}
		if r.Bytes > 0 {
			cells[7] = fmt.Sprintf("%.1f", float64(r.Bytes)/(1<<20))
		}
		return cells
	})
}

func (a *app) textCosts(costs []evaluate.TextRow) error {
	return showRows(a, costs, []string{"SET", "TEXTS>", "TEXTS/S>", "STORE MB>", "P50 ms>", "P95 ms>"}, func(r evaluate.TextRow) []string {
		return []string{
			r.Set, grouped(int64(r.Texts)), grouped(int64(r.Rate)), fmt.Sprintf("%.1f", float64(r.Bytes)/(1<<20)), fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P95),
		}
	})
}
