package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/recall"
)

func (a *app) replayCommand() *cobra.Command {
	var options evaluate.Options
	var without, rankers []string
	cmd := &cobra.Command{
		Use: "replay HISTORY...", Short: "How well hebb foresees the files of past commits",
		Long: `Goes through histories from the beginning. Before each commit is learned, hebb and the baselines are asked which files it
will touch: T1 from its subject, T2 from subject and one file, T3 from one file alone, T4 from subject and three files.
R@5 and R@10 are the share of the files among the first answers, MAP and MRR how far up they stand; all in percent.

A HISTORY is a file of JSON Lines (plain or gzip; docs/benchmarks.md has the fields) or the folder of a git repository. hebb
runs as it runs for you, in a temporary folder: events into a store, questions to recall.`,
		Example: "  hebb-bench replay .\n  hebb-bench replay --every 10 --json histories/*.jsonl.gz",
		Args:    atLeastOne("a history: a file of JSON Lines, or the folder of a git repository"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := present(files); err != nil {
				return err
			}
			product, err := a.product(without)
			if err != nil {
				return err
			}
			update, finish := a.progress("commits")
			defer finish()
			options.Progress = update
			results, err := evaluate.Replay(cmd.Context(), evaluate.ReplayInput{
				Files: files, Learners: []evaluate.NewLearner{product.New, evaluate.NewHistoryBaselines}, Options: options,
			})
			finish()
			if err != nil {
				return err
			}
			rows := results.ReplayRows()
			if len(rows) == 0 {
				return fmt.Errorf("%s: no commit to ask about: the first %d only teach; take a longer history",
					strings.Join(files, ", "), evaluate.HistoryWarmUp)
			}
			rows = slices.DeleteFunc(rows, func(r evaluate.ReplayRow) bool { return len(rankers) > 0 && !slices.Contains(rankers, r.Ranker) })
			return showRows(a, rows, []string{"TASK", "REPOSITORY", "RANKER", "N>", "R@5>", "R@10>", "MAP>", "MRR>", "BY SPREAD>"},
				func(r evaluate.ReplayRow) []string {
					cells := []string{r.Task, r.Repo, r.Ranker, fmt.Sprint(r.N)}
					for _, v := range []float64{r.R5, r.R10, r.MAP, r.MRR} {
						cells = append(cells, fmt.Sprintf("%.1f", v))
					}
					spread := ""
					if r.Spread > 0 {
						spread = fmt.Sprintf("%.1f %%", r.Spread)
					}
					return append(cells, spread)
				})
		},
	}
	cmd.Flags().IntVar(&options.Every, "every", 1, "ask about each n-th commit only; all are learned")
	cmd.Flags().StringSliceVar(&options.Tasks, "task", nil, "ask these only: T1, T2, T3, T4")
	cmd.Flags().StringSliceVar(&rankers, "ranker", nil, "show these only")
	cmd.Flags().StringSliceVar(&without, "without", nil, "leave kinds of evidence out of hebb's ranking (names as in recall --explain)")
	return cmd
}

func (a *app) sessionsCommand() *cobra.Command {
	var options evaluate.Options
	var without, rankers []string
	cmd := &cobra.Command{
		Use: "sessions FILE...", Short: "How well hebb foresees the files a coding agent opens",
		Long: `Goes through recorded sessions of coding agents in the order of time. Before each one, all earlier commits and all sessions
that had ended are learned: S1 asks from the first prompt for all files the session opens, S1e for those it edits, S2 at each
step for the next file it has not opened yet, from the last prompt and the last four files.

Each FILE is X.sessions.jsonl.gz or X.commits.jsonl.gz; the other half is expected beside it.`,
		Example: "  hebb-bench sessions sessions/*.sessions.jsonl.gz",
		Args:    atLeastOne("a file of sessions"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := present(files); err != nil {
				return err
			}
			pairs, err := evaluate.PairSessionFiles(files)
			if err != nil {
				return err
			}
			product, err := a.product(without)
			if err != nil {
				return err
			}
			update, finish := a.progress("sessions")
			defer finish()
			options.Progress = update
			results, err := evaluate.Sessions(cmd.Context(), evaluate.SessionsInput{
				Files: pairs, Learners: []evaluate.NewLearner{product.New, evaluate.NewSessionBaselines}, Options: options,
			})
			finish()
			if err != nil {
				return err
			}
			rows := slices.DeleteFunc(results.SessionRows(), func(r evaluate.SessionRow) bool {
				return len(rankers) > 0 && !slices.Contains(rankers, r.Ranker)
			})
			return showRows(a, rows, []string{"TASK", "REPOSITORY", "RANKER", "N>", "HIT@1>", "HIT@5>", "HIT@10>", "MRR>", "R@5>", "R@10>"},
				func(r evaluate.SessionRow) []string {
					cells := []string{r.Task, r.Repo, r.Ranker, fmt.Sprint(r.N)}
					for _, v := range []float64{r.Hit1, r.Hit5, r.Hit10, r.MRR, r.R5, r.R10} {
						cells = append(cells, fmt.Sprintf("%.1f", v))
					}
					return cells
				})
		},
	}
	cmd.Flags().IntVar(&options.Every, "every", 1, "ask about each n-th session only; all are learned")
	cmd.Flags().StringSliceVar(&options.Tasks, "task", nil, "ask these only: S1, S1e, S2")
	cmd.Flags().StringSliceVar(&rankers, "ranker", nil, "show these only")
	cmd.Flags().StringSliceVar(&without, "without", nil, "leave kinds of evidence out of hebb's ranking (names as in recall --explain)")
	return cmd
}

// product is hebb under examination, with the tuning of this user.
func (a *app) product(without []string) (evaluate.Product, error) {
	c, err := config.Load(os.Getenv)
	if err != nil {
		return evaluate.Product{}, err
	}
	p := evaluate.Product{Tuning: c.Tuning}
	asIs := evaluate.Variant{Name: "hebb"}
	for _, name := range without {
		t, ok := recall.TermNamed(name)
		if !ok {
			return p, fmt.Errorf("no kind of evidence is called %q (hebb recall --explain names them)", name)
		}
		asIs.Without = append(asIs.Without, t)
	}
	wordless := asIs
	wordless.Name, wordless.Wordless = evaluate.WithoutWords, true
	p.Variants = []evaluate.Variant{asIs, wordless}
	return p, nil
}

func (a *app) ablateCommand() *cobra.Command {
	var options evaluate.Options
	cmd := &cobra.Command{
		Use: "ablate FILE...", Short: "What ranking loses without each mechanism",
		Long: `Switches one mechanism off at a time and compares question by question, with bounds from a paired bootstrap: R@10 on T3 of the
histories, hit@10 on S2 of the sessions. A loss whose bounds lie on both sides of zero is noise.`,
		Example: "  hebb-bench ablate --every 5 histories/*.gz sessions/*.sessions.jsonl.gz",
		Args:    atLeastOne("a history, or a file of sessions"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := present(files); err != nil {
				return err
			}
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			in := evaluate.AblateInput{Tuning: c.Tuning, Options: options}
			if in.Histories, in.Sessions, err = sortFiles(files); err != nil {
				return err
			}
			update, finish := a.progress("commits and sessions")
			defer finish()
			in.Progress = update
			rows, err := evaluate.Ablate(cmd.Context(), in)
			finish()
			if err != nil {
				return err
			}
			return showRows(a, rows, []string{"WITHOUT", "TASK", "N>", "LOSS>", "95 %>"}, func(r evaluate.AblationRow) []string {
				return []string{r.Mechanism, r.Task, fmt.Sprint(r.N), fmt.Sprintf("%+.2f", r.Loss), fmt.Sprintf("%+.2f to %+.2f", r.Low, r.High)}
			})
		},
	}
	cmd.Flags().IntVar(&options.Every, "every", 1, "ask about each n-th commit only")
	return cmd
}

// sortFiles separates histories from sessions by their names.
func sortFiles(files []string) (histories []string, sessions []evaluate.SessionFiles, err error) {
	var halves []string
	for _, f := range files {
		if strings.Contains(f, ".sessions.") {
			halves = append(halves, f)
		} else {
			histories = append(histories, f)
		}
	}
	sessions, err = evaluate.PairSessionFiles(halves)
	if err != nil {
		return nil, nil, err
	}
	return histories, sessions, nil
}

func (a *app) recallCommand() *cobra.Command {
	in := evaluate.RecallInput{Clock: time.Now}
	cmd := &cobra.Command{
		Use: "recall", Short: "How fast hebb learns, records and answers on a large memory",
		Long: `Builds a memory of about 17 000 neurons and 75 000 synapses (times --scale) and measures: commits learned per second, accesses
recorded per second while the session's window is full, and the time of one question, cold (open the store, read the past,
answer) and in a process that has asked before: with words, with an open file, with both.`,
		Example: "  hebb-bench recall\n  hebb-bench recall --scale 10 --runs 50",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			if in.Scale < 1 || in.Runs < 1 {
				return errors.New("--scale and --runs must be 1 or more")
			}
			in.Tuning = c.Tuning
			rows, err := evaluate.Recall(cmd.Context(), in)
			if err != nil {
				return err
			}
			return showRows(a, rows, []string{"CASE", "NEURONS>", "SYNAPSES>", "N>", "P50 ms>", "P95 ms>", "PER SECOND>"}, func(r evaluate.RecallRow) []string {
				cells := []string{r.Case, grouped(r.Neurons), grouped(r.Synapses), grouped(int64(r.N)), "", "", ""}
				if r.Rate > 0 {
					cells[6] = grouped(int64(r.Rate))
				} else {
					cells[4], cells[5] = fmt.Sprintf("%.2f", r.P50), fmt.Sprintf("%.2f", r.P95)
				}
				return cells
			})
		},
	}
	cmd.Flags().IntVar(&in.Scale, "scale", 1, "times 17 000 neurons and 75 000 synapses")
	cmd.Flags().IntVar(&in.Runs, "runs", 200, "questions of each kind")
	return cmd
}

func (a *app) fitCommand() *cobra.Command {
	var options evaluate.Options
	var write string
	var wordless bool
	cmd := &cobra.Command{
		Use: "fit FILE...", Short: "Learn the weights of ranking again from histories and sessions (for developers)",
		Long: `Replays the files and learns how much each kind of evidence counts. The table shows each repository marked with weights
learned from the others only. Without histories the weights for what a change touches stay as they are. --write saves them in the form that package recall embeds.`,
		Example: "  hebb-bench fit --every 4 --write internal/recall/learned_meaning.tsv histories/*.gz sessions/*.sessions.jsonl.gz",
		Hidden:  true,
		Args:    atLeastOne("a history, or a file of sessions"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := present(files); err != nil {
				return err
			}
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			in := evaluate.FitInput{Tuning: c.Tuning, Wordless: wordless, Options: options}
			if in.Histories, in.Sessions, err = sortFiles(files); err != nil {
				return err
			}
			fitted, err := evaluate.Fit(cmd.Context(), in)
			if err != nil {
				return err
			}
			if write != "" {
				if err := os.WriteFile(write, []byte(fitted.Text()), 0o644); err != nil {
					return err
				}
			}
			return showRows(a, fitted.Held, []string{"TASK", "HELD OUT", "N>", "HIT@1>", "R@5>", "R@10>", "MRR>"}, func(r evaluate.FitRow) []string {
				return []string{r.Task, r.Repo, fmt.Sprint(r.N), fmt.Sprintf("%.1f", r.Hit1), fmt.Sprintf("%.1f", r.R5), fmt.Sprintf("%.1f", r.R10), fmt.Sprintf("%.1f", r.MRR)}
			})
		},
	}
	cmd.Flags().IntVar(&options.Every, "every", 4, "learn from each n-th commit only")
	cmd.Flags().StringVar(&write, "write", "", "a file to write the weights to")
	cmd.Flags().BoolVar(&wordless, "wordless", false, "without a table of words (learned.tsv); else with one (learned_meaning.tsv)")
	return cmd
}

// present refuses files that are not there before a long run begins with the others.
func present(files []string) error {
	for _, f := range files {
		if _, err := os.Stat(f); err != nil {
			return err
		}
	}
	return nil
}

// atLeastOne refuses an empty command line by saying what belongs there.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: name %s", cmd.Name(), what)
		}
		return nil
	}
}
