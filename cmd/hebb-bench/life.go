package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/diary"
	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
)

func (a *app) lifeCommand() *cobra.Command {
	var in evaluate.LifeInput
	var heavy, most int
	var real bool
	var memory string
	cmd := command("life", "What a year of work leaves in the memory, with sleep and without",
		`Lives a year of work twice on a clock of its own, through the real code: sessions in a project,
features that begin and retire, a noisy month. Which files truly belong together and which met by
chance is known from the seed. At the end of each month both memories are examined: how large the
graph is, how many of the true associations of the last 60 days are wired and recalled, how much of
the noise older than that is gone, and how well the next session is foreseen.

--heavy SESSIONS lives a year of so many sessions with 150 events each instead, each turn drained
in the background as by hooks, and prints what the store weighs and what drains cost in processor
time.

--real lives recorded sessions instead: of each FILE (X.sessions.jsonl.gz) those of the developer
who has most. Each call goes through the hook at its own time into the spool, and drains, sleeps,
thoughts, dreams and files follow as in the background. The work tree is a git repository with the
commits of the recording. Recordings hold no results of commands: a check after which the agent
changes files in the same turn has failed, and the others passed. Printed are, of each mechanism,
lines that were produced, lines shown to agents, and lines that the recording proves false: a fix
without a pass, a file that is gone or that nobody opened, a thought that restates its goal, words
the user never wrote, a memory that was replaced. None may be false.`,
		func(ctx context.Context, files []string) error {
			switch {
			case real:
				return a.realLife(ctx, files, most, memory)
			case len(files) > 0:
				return errors.New("life: files are for --real")
			case heavy > 0:
				return a.show(evaluate.Heavy(ctx, evaluate.HeavyInput{Sessions: heavy, Tuning: a.tuning}))
			}
			in.Tuning = a.tuning
			return a.show(evaluate.Life(ctx, in))
		})
	cmd.Example = "  hebb-bench life\n  hebb-bench life --days 90\n  hebb-bench life --heavy 400\n  hebb-bench life --real"
	cmd.Flags().Uint64Var(&in.Seed, "seed", 1, "what happens in the life is drawn from this number")
	cmd.Flags().IntVar(&in.Days, "days", 365, "how long it is")
	cmd.Flags().IntVar(&heavy, "heavy", 0, "a year of so many sessions with 150 events each instead; 400 is heavy use")
	cmd.Flags().BoolVar(&real, "real", false, "live recorded sessions instead")
	cmd.Flags().StringVar(&memory, "memory", "", "with --real: a folder to write the MEMORY.md of each set to")
	cmd.Flags().IntVar(&most, "most", 0, "with --real: how many sessions of each set (default all)")
	return cmd
}

// realLife lives recorded sessions.
func (a *app) realLife(ctx context.Context, files []string, most int, memory string) error {
	pairs, err := sessions(files)
	if err != nil {
		return err
	}
	lives, err := diary.Replay(ctx, diary.Input{Files: pairs, Most: most, Tuning: a.tuning})
	if err != nil {
		return err
	}
	var totals []diary.Total
	var wrong []diary.False
	for _, life := range lives {
		if memory != "" {
			file := filepath.Join(memory, life.Total.Repo+".md")
			if err := os.WriteFile(file, []byte(life.Memory), 0o600); err != nil {
				return err
			}
		}
		totals, wrong = append(totals, life.Total), append(wrong, life.False...)
	}
	if err := a.show(totals, nil); err != nil || a.json {
		return errors.Join(err, a.show(wrong, nil))
	}
	for _, f := range wrong {
		fmt.Fprintf(a.stdout, "  FALSE  %s, session %d, %s, %s: %s\n         %s\n", f.Repo, f.Session, f.Mechanism, f.Where, f.Rule, f.Line)
	}
	return nil
}
