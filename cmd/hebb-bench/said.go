package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/said"
)

func (a *app) saidCommand() *cobra.Command {
	var crossValidate, train, replay, closing, scribe, goals bool
	var out, memory, questions string
	cmd := &cobra.Command{
		Use: "said [FOLDER]", Short: "How well hebb understands what a person says that matters later",
		Long: `Judges the model that comes with the program on a FOLDER with prompts.jsonl ({id, text, lang}) and written.jsonl, else labels.jsonl
({id, keep: [{quote, kind, worth}], typed}). A statement is found when it overlaps a quote by half of the shorter of the two. PRECISION counts
statements with a worth of 2 or 3 against those with none, and all of what was not typed; RECALL is that of worth 3, and of worth 2 or 3. On
prompts that the model was trained on this says nothing about others: use --cv. Without a FOLDER said/ and people/ in HEBB_BENCH, else in
../shared/bench, are taken.

With pairs.jsonl ({id, repo, said, revised}) in the folder a second table says how often what is said later surely replaces the
right earlier statement (SURE) or another one (WRONG), or makes the right one doubtful at least (LIKELY), among what the pairs of a
repository say and AMONG ALL that was said there; ORDINARY counts the labelled statements that do so, which hardly any should. The
model for that is learned from made-up pairs alone.

With --cv the models are trained on nine tenths of the people and judged on the last tenth, for each tenth
(pairs: by repository). With --train they are trained on everything and written.

With --closing the folder holds closing messages of agents, with decisions and lessons as labels, and the other model is meant.`,
		Example: "  hebb-bench said\n  hebb-bench said --cv --json\n  hebb-bench said --train --out internal/statements/model.bin\n" +
			"  hebb-bench said --closing cmd/hebb-bench/internal/said/closing/test",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bench := cmp.Or(os.Getenv(envBench), filepath.Join("..", "shared", "bench"))
			folder, folders := filepath.Join(bench, "said"), []string{"said", "people"}
			if len(args) == 1 {
				folder = filepath.Clean(args[0])
				bench, folders = filepath.Dir(folder), []string{filepath.Base(folder)}
			}
			prompts, err := said.ReadStrict(os.DirFS(bench), folders...)
			if err != nil {
				return fmt.Errorf("labelled prompts in %s: %w; name a FOLDER that holds prompts.jsonl and labels.jsonl", folder, err)
			}
			speaker := said.Person
			if closing {
				speaker = said.Agent
			}
			revisions, err := said.ReadRevisions(os.DirFS(folder))
			if err != nil {
				return fmt.Errorf("pairs of statements in %s: %w", folder, err)
			}
			switch {
			case scribe:
				return a.readByScribe(cmd.Context(), filepath.Dir(folder), questions)
			case goals:
				return a.trainGoals(cmd.Context(), train, filepath.Dir(out))
			case train && crossValidate:
				return errors.New("--train and --cv: choose one")
			case train:
				m, err := speaker.Train(cmd.Context(), prompts)
				if err != nil {
					return err
				}
				file, err := m.Encode()
				if err != nil {
					return err
				}
				if err := os.WriteFile(out, file, 0o600); err != nil || len(revisions) == 0 {
					return err
				}
				replacing, err := said.TrainReplacing(cmd.Context())
				if err != nil {
					return err
				}
				if file, err = json.Marshal(replacing); err != nil {
					return err
				}
				return os.WriteFile(filepath.Join(filepath.Dir(out), "replaces.json"), append(file, '\n'), 0o600)
			}
			switch {
			case replay:
				return a.replaySaid(cmd.Context(), prompts, filepath.Join(filepath.Dir(folder), "sessions"), memory, questions)
			}
			rows := speaker.Judge(prompts)
			revised := said.JudgeRevisions(revisions)
			if crossValidate {
				if rows, err = speaker.CrossValidate(cmd.Context(), prompts); err != nil {
					return err
				}
				if revised, err = said.CrossValidateRevisions(cmd.Context(), revisions); err != nil {
					return err
				}
			}
			err = showRows(a, rows, []string{"SET", "MODEL", "PRECISION>", "RECALL 3>", "RECALL 2+>", "KIND>", "THRESHOLD>", "PROMPTS>"}, func(r said.Row) []string {
				return []string{
					r.Set, r.Model, fmt.Sprintf("%.3f", r.Precision), fmt.Sprintf("%.3f", r.Recall3), fmt.Sprintf("%.3f", r.Recall2), fmt.Sprintf("%.3f", r.Kind),
					fmt.Sprintf("%.3f", r.Threshold), grouped(int64(r.N)),
				}
			})
			if err != nil || len(revised) == 0 {
				return err
			}
			return showRows(a, revised, []string{"MODEL", "SURE>", "LIKELY>", "WRONG>", "AMONG ALL>", "LIKELY>", "WRONG>", "ORDINARY>", "LIKELY>", "THRESHOLDS>", "REVISIONS>"}, func(r said.RevisedRow) []string {
				return []string{
					r.Model, fmt.Sprintf("%.3f", r.Recall), fmt.Sprintf("%.3f", r.Likely), grouped(int64(r.Wrong)),
					fmt.Sprintf("%.3f", r.All), fmt.Sprintf("%.3f", r.AllLikely), grouped(int64(r.AllWrong)),
					fmt.Sprintf("%d of %d", r.Ordinary, r.Of), grouped(int64(r.OrdinaryLikely)), fmt.Sprintf("%.3f %.3f", r.Sure, r.Perhaps), grouped(int64(r.N)),
				}
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&crossValidate, "cv", false, "train and cross-validate on the folder")
	f.BoolVar(&train, "train", false, "train on the whole folder and write the model")
	f.BoolVar(&goals, "goals", false, "cross-validate what is put off and what ends it; with --train write acts.bin and concerns.json beside the model")
	f.BoolVar(&scribe, "scribe", false, "what memory keeps of real sessions that a scribe has read, as the setting llm.scribe does")
	f.BoolVar(&closing, "closing", false, "what agents say at the end, not what people say")
	f.BoolVar(&replay, "replay", false, "send the sessions of the developer who has most through the hook, and count what memory holds then")
	f.StringVar(&memory, "memory", "", "with --replay: write MEMORY.md as it came out, and the start after it, to this file")
	f.StringVar(&questions, "questions", "", "with --scribe or --replay: write what readers are asked to this folder")
	f.StringVar(&out, "out", "internal/statements/model.bin", "with --train: the file to write; replaces.json is written beside it")
	return cmd
}

// replaySaid shows what memory holds of the sessions of one developer: with a scribe, with a model that never saw theirs, and with that of the program.
func (a *app) replaySaid(ctx context.Context, prompts said.Prompts, sessions, memory, questions string) error {
	var rows []said.Replayed
	for _, model := range []string{"scribe", "others", "builtin"} {
		row, err := said.Replay(ctx, prompts, sessions, model, questions)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if memory != "" {
		if err := os.WriteFile(memory, []byte(rows[0].State+"\n"+rows[0].Start), 0o600); err != nil {
			return err
		}
	}
	return showRows(a, rows, []string{"MODEL", "SESSIONS>", "PROMPTS>", "MEMORIES>", "WORTH 3>", "HELD>", "SHARE>", "WHOLE>", "SHOWN>", "LISTENING ms>"}, func(r said.Replayed) []string {
		return []string{
			r.Model, grouped(int64(r.Sessions)), grouped(int64(r.Prompts)), grouped(int64(r.Memories)), grouped(int64(r.Labelled)), grouped(int64(r.Held)), fmt.Sprintf("%.3f", r.Share),
			grouped(int64(r.Whole)), grouped(int64(r.Shown)), fmt.Sprintf("%.3f", r.Listening),
		}
	})
}

// readByScribe shows what memory keeps of the answers that readers gave in the place of a model, and writes the questions for readers to a folder.
func (a *app) readByScribe(ctx context.Context, folder, questions string) error {
	rows, err := said.Scribe(ctx, os.DirFS(folder), questions)
	if err != nil {
		return err
	}
	return showRows(a, rows, []string{"SESSIONS", "PROMPTS>", "PRECISION>", "RECALL 3>", "RIGHT>", "WRONG>", "MARGINAL>"}, func(r said.ScribeRow) []string {
		return []string{
			r.Sessions, grouped(int64(r.Prompts)), fmt.Sprintf("%.3f", r.Precision), fmt.Sprintf("%.3f", r.Recall3),
			grouped(int64(r.Right)), grouped(int64(r.Wrong)), grouped(int64(r.Marginal)),
		}
	})
}

// trainGoals learns the judgements about put-off work from a folder and from people/ beside it, shows how they do, and writes them.
func (a *app) trainGoals(ctx context.Context, write bool, to string) error {
	c, rows, err := said.TrainConcerns(ctx)
	if err != nil {
		return err
	}
	if write {
		c.Acts.Frequent = nil // those of the other model
		acts, err1 := c.Acts.Encode()
		judges, err2 := json.Marshal(c)
		err := errors.Join(err1, err2, os.WriteFile(filepath.Join(to, "acts.bin"), acts, 0o600), os.WriteFile(filepath.Join(to, "concerns.json"), append(judges, '\n'), 0o600))
		if err != nil {
			return err
		}
	}
	return showRows(a, rows, []string{"JUDGEMENT", "RIGHT>", "WRONG>", "THRESHOLD>"}, func(r said.ConcernRow) []string {
		return []string{r.What, fmt.Sprintf("%d of %d", r.Right, r.Of), fmt.Sprintf("%d of %d", r.Wrong, r.Among), fmt.Sprintf("%.3f", r.Sure)}
	})
}
