package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/recall"
)

func (a *app) promptsCommand() *cobra.Command {
	var in evaluate.ContextInput
	var weights string
	cmd := &cobra.Command{
		Use: "prompts [FILE...]", Short: "How many prompts are answered with files, and how many of these are right",
		Long: `Replays recorded sessions of coding agents, reported as hooks report them. From the eleventh session of a repository on each prompt is
answered as an agent would be, from what was known when the session began and what it had said and done before the prompt. SHARE
is that of prompts answered with at least one file, PRECISION that of the files that the session opened afterwards. The rows "stated" have
the lines of all prompts by the confidence that they state.

The weights of the program were learned from some of these repositories. To ask about one that they have not seen, learn them from the
others with hebb-bench fit, with and without --wordless, and name the folder with both files.

Each FILE is X.sessions.jsonl.gz or X.commits.jsonl.gz, with the other half beside it; without any those below sessions/ in
HEBB_BENCH, else in ../shared/bench, are taken.`,
		Example: `  hebb-bench prompts sessions/*.sessions.jsonl.gz
  hebb-bench prompts --weights without-shop sessions/shop.sessions.jsonl.gz`,
		RunE: func(cmd *cobra.Command, files []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			if weights != "" {
				if in.Vary, err = weightsOf(weights); err != nil {
					return err
				}
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
				asked, answered, share := fmt.Sprint(r.Asked), fmt.Sprint(r.Answered), fmt.Sprintf("%.1f", r.Share)
				if r.Asked == 0 { // lines of all prompts by their stated confidence
					asked, answered, share = "", "", ""
				}
				return []string{r.Repo, r.Prompt, asked, answered, fmt.Sprint(r.Lines), fmt.Sprint(r.Right), share, fmt.Sprintf("%.1f", r.Precise)}
			})
		},
	}
	cmd.Flags().StringVar(&weights, "weights", "", "a folder with learned.tsv and learned_meaning.tsv as fit writes them, instead of those of the program")
	return cmd
}

// weightsOf lets a memory rank with weights that hebb-bench fit has written into a folder.
func weightsOf(dir string) (func(*brain.Variation), error) {
	var learned []*recall.Learned // without a table of words, and with one
	for _, name := range []string{"learned.tsv", "learned_meaning.tsv"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		l, err := recall.ParseLearned(string(text))
		if err != nil {
			return nil, err
		}
		learned = append(learned, l)
	}
	return func(v *brain.Variation) {
		v.Recall.Learned = func(meaning bool) *recall.Learned {
			if meaning {
				return learned[1]
			}
			return learned[0]
		}
	}, nil
}
