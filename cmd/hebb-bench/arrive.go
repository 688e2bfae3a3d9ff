package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/said"
)

func (a *app) arriveCommand() *cobra.Command {
	var crossValidate, train bool
	var out string
	cmd := &cobra.Command{
		Use: "arrive [FOLDER]", Short: "How much of what was said arrives when a later prompt needs it",
		Long: `Gives each repository of a FOLDER a memory, once with everything that its pairs.jsonl says (FROM stated), once with what hebb itself
understood of prompts.jsonl (FROM heard). Then, weeks later, a new session for each pair: is its statement shown at the START, with
the PROMPT, or at EITHER? LINES is how many memories a prompt shows, SILENT the share of neutral.jsonl without any, and CURRENT
the share of revised statements that are not shown once what replaces them was said.

On the folder that the models were trained on this says nothing about other people: with --cv each repository is answered by models
that were trained without it, and a second table says what such models find at several rates of false alarms. With --train
the model is trained on the whole folder and written. Without a FOLDER said/ in HEBB_BENCH, else in ../shared/bench, is taken.`,
		Example: "  hebb-bench arrive\n  hebb-bench arrive --cv --json\n  hebb-bench arrive --train",
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
			if train && crossValidate {
				return errors.New("--train and --cv: choose one")
			}
			if train {
				m, err := data.Train(cmd.Context())
				if err != nil {
					return err
				}
				file, err := json.Marshal(m)
				if err != nil {
					return err
				}
				return os.WriteFile(out, append(file, '\n'), 0o600)
			}
			var rows []said.Arrived
			for _, heard := range []bool{false, true} {
				some, err := data.Judge(cmd.Context(), heard, crossValidate)
				if err != nil {
					return err
				}
				rows = append(rows, some...)
			}
			headers := []string{"FROM", "MODEL", "REPOSITORY", "HELD>", "PAIRS>", "START>", "PROMPT>", "EITHER>", "LINES>", "TOKENS>", "SILENT>", "CURRENT>"}
			err = showRows(a, rows, headers, func(r said.Arrived) []string {
				return []string{
					r.From, r.Model, r.Repo, grouped(r.Held), grouped(r.N), fmt.Sprintf("%.3f", r.Start), fmt.Sprintf("%.3f", r.Prompt), fmt.Sprintf("%.3f", r.Either),
					fmt.Sprintf("%.2f", r.Lines), fmt.Sprintf("%.0f", r.Tokens), fmt.Sprintf("%.3f", r.NeutralSilent), fmt.Sprintf("%.3f", r.RevisedCurrent),
				}
			})
			if err != nil || !crossValidate {
				return err
			}
			curve, err := data.CrossValidate(cmd.Context())
			if err != nil {
				return err
			}
			return showRows(a, curve, []string{"MODEL", "ALARMS>", "RIGHT>", "SPOKE>", "UNMET>", "TOP 1>", "TOP 3>", "OWN", "PAIRS>"}, func(r said.NeedRow) []string {
				return []string{
					r.Model, fmt.Sprintf("%.3f", r.Alarms), fmt.Sprintf("%.3f", r.Right), fmt.Sprintf("%.3f", r.Spoke), fmt.Sprintf("%.3f", r.Unmet),
					fmt.Sprintf("%.3f", r.Top1), fmt.Sprintf("%.3f", r.Top3), map[bool]string{true: "yes"}[r.Own], grouped(r.N),
				}
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&crossValidate, "cv", false, "answer in each repository with models that were trained without it")
	f.BoolVar(&train, "train", false, "train on the whole folder and write the model")
	f.StringVar(&out, "out", "internal/relevance/model.json", "with --train: the file to write")
	return cmd
}
