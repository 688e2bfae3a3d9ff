package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/said"
)

func (a *app) saidCommand() *cobra.Command {
	var crossValidate, train, closing bool
	var out string
	cmd := &cobra.Command{
		Use: "said [FOLDER]", Short: "How well hebb understands what a person says that matters later",
		Long: `Judges the model that comes with the program on a FOLDER with prompts.jsonl ({id, text}) and labels.jsonl ({id, keep: [{quote,
kind, worth}]}). A statement is found when it overlaps a quote by half of the shorter of the two. PRECISION counts statements
with a worth of 2 or 3 against those with none; RECALL is that of worth 3, and of worth 2 or 3. On the
folder that the model was trained on this says nothing about other prompts: use --cv.

With --cv the model is trained on four fifths of the folder's sessions and judged on the last fifth, for each fifth and three
times over. With --train it is trained on the whole folder and written. Without a FOLDER said/ in HEBB_BENCH, else in
../shared/bench, is taken.

With --closing the folder holds closing messages of agents, with decisions and lessons as labels, and the other model is meant.`,
		Example: "  hebb-bench said\n  hebb-bench said --cv --json\n  hebb-bench said --train --out internal/listen/model.bin\n" +
			"  hebb-bench said --closing cmd/hebb-bench/internal/said/closing/test",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := filepath.Join(cmp.Or(os.Getenv(envBench), filepath.Join("..", "shared", "bench")), "said")
			if len(args) == 1 {
				folder = args[0]
			}
			prompts, err := said.Read(os.DirFS(folder))
			if err != nil {
				return fmt.Errorf("labelled prompts in %s: %w; name a FOLDER that holds prompts.jsonl and labels.jsonl", folder, err)
			}
			speaker := said.Person
			if closing {
				speaker = said.Agent
			}
			switch {
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
				return os.WriteFile(out, file, 0o600)
			}
			rows := []said.Row{speaker.Judge(prompts)}
			if crossValidate {
				if rows, err = speaker.CrossValidate(cmd.Context(), prompts); err != nil {
					return err
				}
			}
			return showRows(a, rows, []string{"MODEL", "PRECISION>", "RECALL 3>", "RECALL 2+>", "KIND>", "THRESHOLD>", "PROMPTS>"}, func(r said.Row) []string {
				return []string{
					r.Model, fmt.Sprintf("%.3f", r.Precision), fmt.Sprintf("%.3f", r.Recall3), fmt.Sprintf("%.3f", r.Recall2), fmt.Sprintf("%.3f", r.Kind),
					fmt.Sprintf("%.3f", r.Threshold), grouped(int64(r.N)),
				}
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&crossValidate, "cv", false, "train and cross-validate on the folder")
	f.BoolVar(&train, "train", false, "train on the whole folder and write the model")
	f.BoolVar(&closing, "closing", false, "what agents say at the end, not what people say")
	f.StringVar(&out, "out", "internal/listen/model.bin", "with --train: the file to write")
	return cmd
}
