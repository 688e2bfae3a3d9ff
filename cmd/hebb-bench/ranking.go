package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/recall"
)

func (a *app) replayCommand() *cobra.Command {
	return a.examination("replay [HISTORY...]", "How well hebb foresees the files of past commits",
		`Goes through histories from the beginning. Before each commit is learned, hebb and simple methods
are asked which files it will touch: T1 from its subject, T2 from subject and one file, T3 from one
file alone, T4 from subject and three files.

A HISTORY is a file of JSON Lines (plain or gzip) or the folder of a git repository.`,
		func(ctx context.Context, files []string, learners []evaluate.NewLearner, o evaluate.Options) (evaluate.Results, error) {
			files, err := histories(files)
			if err != nil {
				return nil, err
			}
			results, err := evaluate.Replay(ctx, files, learners, o)
			if err == nil && len(results) == 0 {
				err = fmt.Errorf("%s: no commit to ask about: the first %d only teach; take a longer history",
					strings.Join(files, ", "), evaluate.HistoryWarmUp)
			}
			return results, err
		})
}

func (a *app) sessionsCommand() *cobra.Command {
	return a.examination("sessions [FILE...]", "How well hebb foresees the files a coding agent opens",
		`Goes through recorded sessions of coding agents in the order of time. Before each one, all earlier
commits and all sessions that had ended are learned: S1 asks from the first prompt for all files
the session opens, S1e for those it edits, S2 at each step for the next file it has not opened yet,
from the last prompt and the last four files.

Each FILE is X.sessions.jsonl.gz or X.commits.jsonl.gz; the other half is expected beside it.`,
		func(ctx context.Context, files []string, learners []evaluate.NewLearner, o evaluate.Options) (evaluate.Results, error) {
			pairs, err := sessions(files)
			if err != nil {
				return nil, err
			}
			return evaluate.Sessions(ctx, pairs, learners, o)
		})
}

// examine asks learners about files.
type examine func(context.Context, []string, []evaluate.NewLearner, evaluate.Options) (evaluate.Results, error)

// examination is a benchmark of hebb's ranking beside simple methods.
func (a *app) examination(use, short, long string, run examine) *cobra.Command {
	var options evaluate.Options
	var without []string
	cmd := command(use, short, long, func(ctx context.Context, files []string) error {
		product, err := a.product(without)
		if err != nil {
			return err
		}
		results, err := run(ctx, files, []evaluate.NewLearner{product.New, evaluate.NewSimple}, options)
		return a.show(results.Rows(), err)
	})
	cmd.Flags().IntVar(&options.Every, "every", 1, "ask at each n-th commit or session only; all are learned")
	cmd.Flags().StringSliceVar(&options.Tasks, "task", nil, "ask these only")
	cmd.Flags().StringSliceVar(&without, "without", nil,
		"leave kinds of evidence out of hebb's ranking (names as in recall --explain)")
	return cmd
}

// product is hebb under examination, with the tuning of this user: as it is, and without its table
// of words.
func (a *app) product(without []string) (evaluate.Product, error) {
	p := evaluate.Product{Tuning: a.tuning}
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

// input is what a benchmark of ranking replays: the files that were named, sessions by their names
// and the others as histories, else all data sets.
func (a *app) input(files []string) (in evaluate.Input, err error) {
	in.Tuning = a.tuning
	recorded := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !strings.Contains(f, ".sessions.") })
	past := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return strings.Contains(f, ".sessions.") })
	if len(past) > 0 || len(files) == 0 {
		if in.Histories, err = histories(past); err != nil {
			return in, err
		}
	}
	if len(recorded) > 0 || len(files) == 0 {
		in.Sessions, err = sessions(recorded)
	}
	return in, err
}

// replaying is a benchmark that replays recorded sessions.
func (a *app) replaying(use, short, long string, run func(context.Context, evaluate.Input) error) *cobra.Command {
	in := evaluate.Input{}
	cmd := command(use, short, long, func(ctx context.Context, files []string) (err error) {
		in.Tuning = a.tuning
		if in.Sessions, err = sessions(files); err != nil {
			return err
		}
		return run(ctx, in)
	})
	cmd.Flags().IntVar(&in.Every, "every", 1, "ask before each n-th session only; all are learned")
	return cmd
}

func (a *app) ablateCommand() *cobra.Command {
	every := 1
	cmd := command("ablate [FILE...]", "What ranking loses without each mechanism",
		`Switches one mechanism off at a time and compares question by question, with bounds from a paired
bootstrap: R@10 on T3 of the histories, hit@10 on S2 of the sessions. A loss whose bounds lie on
both sides of zero is noise.`,
		func(ctx context.Context, files []string) error {
			in, err := a.input(files)
			if err != nil {
				return err
			}
			in.Every = every
			return a.show(evaluate.Ablate(ctx, in))
		})
	cmd.Flags().IntVar(&every, "every", 1, "ask about each n-th commit only")
	return cmd
}

func (a *app) fitCommand() *cobra.Command {
	var in evaluate.FitInput
	var every int
	var write string
	cmd := command("fit [FILE...]", "Learn the weights of ranking again from histories and sessions (for developers)",
		`Replays the files and learns how much each kind of evidence counts. The table has each repository
asked with weights learned from the others only, beside what it learns itself. Without histories
the weights for what a change touches stay as they are.`,
		func(ctx context.Context, files []string) (err error) {
			if in.Input, err = a.input(files); err != nil {
				return err
			}
			in.Every = every
			fitted, err := evaluate.Fit(ctx, in)
			if err == nil && write != "" {
				err = os.WriteFile(write, []byte(fitted.Text()), 0o644)
			}
			return a.show(fitted.Held, err)
		})
	cmd.Example = "  hebb-bench fit --write internal/recall/learned_meaning.tsv\n" +
		"  hebb-bench fit --wordless --write internal/recall/learned.tsv"
	cmd.Flags().IntVar(&every, "every", 4, "learn from each n-th commit only")
	cmd.Flags().StringVar(&write, "write", "", "a file to write the weights to")
	cmd.Flags().BoolVar(&in.Wordless, "wordless", false, "without a table of words (learned.tsv); else with one (learned_meaning.tsv)")
	return cmd
}

func (a *app) promptsCommand() *cobra.Command {
	var weights string
	cmd := a.replaying("prompts [FILE...]", "How many prompts are answered with files, and how many of these are right",
		`Replays recorded sessions of coding agents, reported as hooks report them. From the eleventh
session of a repository on each prompt is answered as an agent would be, from what was known when
the session began and what it had said and done before the prompt. SHARE is that of prompts
answered with at least one file, PRECISION that of the files that the session opened afterwards.
The rows "stated" have the lines of all prompts by the confidence that they state.

The weights of the program were learned from some of these repositories. To ask about one that they
have not seen, learn them from the others with hebb-bench fit, with and without --wordless, and
name the folder with both files.`,
		func(ctx context.Context, in evaluate.Input) (err error) {
			asked := evaluate.PromptsInput{Input: in}
			if weights != "" {
				if asked.Vary, err = weightsOf(weights); err != nil {
					return err
				}
			}
			return a.show(evaluate.Prompts(ctx, asked))
		})
	cmd.Flags().StringVar(&weights, "weights", "", "a folder with learned.tsv and learned_meaning.tsv as fit writes them")
	return cmd
}

// weightsOf lets a memory rank with weights that hebb-bench fit has written into a folder.
func weightsOf(dir string) (func(*brain.Variation), error) {
	learned := map[bool]*recall.Learned{} // with a table of words?
	for name, meaning := range map[string]bool{"learned.tsv": false, "learned_meaning.tsv": true} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if learned[meaning], err = recall.ParseLearned(string(text)); err != nil {
			return nil, err
		}
	}
	return func(v *brain.Variation) {
		v.Recall.Learned = func(meaning bool) *recall.Learned { return learned[meaning] }
	}, nil
}

func (a *app) goalsCommand() *cobra.Command {
	return a.replaying("goals [FILE...]", "Whether what comes to mind between sessions is of use to the next",
		`Replays recorded sessions of coding agents. Each session that is over leaves its episodes, and its
first prompt as a goal. Before each session from the eleventh of a repository on, hebb thinks: does
the first connection lead to an episode that shares a file with the session that follows? HIT is
the share of moments at which it does, among those with a connection at all (CONNECTED); RECENT the
same for the latest episode, CHANCE for one drawn blindly, at the same moments. No episode is
compared with the goal of its own session.`,
		func(ctx context.Context, in evaluate.Input) error { return a.show(evaluate.Thinking(ctx, in)) })
}
