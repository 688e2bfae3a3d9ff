package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
)

func (a *app) hookCommand() *cobra.Command {
	var in evaluate.HookInput
	cmd := withoutArguments("hook", "What one hook call costs the agent (needs go on PATH)",
		`Wall time of the whole process: an empty Go program; hebb hook for a PostToolUse payload, which is
only recorded; and for what is answered from a memory of 17,000 neurons and 73,000 synapses, or a
multiple of that (--scale 6: 100,000 files and 80,000 commits): the start of a session, a prompt,
an edit, an error. Alone and with 20 at once.`,
		func(ctx context.Context) (err error) {
			if in.Program, err = a.program(); err != nil {
				return err
			}
			return a.show(evaluate.Hook(ctx, in))
		})
	cmd.Flags().IntVar(&in.Runs, "runs", 400, "processes per row")
	cmd.Flags().IntVar(&in.Scale, "scale", 1, "times 17,000 files")
	return cmd
}

func (a *app) drainCommand() *cobra.Command {
	var in evaluate.DrainInput
	cmd := withoutArguments("drain", "How fast events go through the spool into the store",
		`Appends events to a spool, drains them into an empty store with all that is learned from them, and
drains the same events again, which must only be recognised. The events are sessions of 150:
prompts, reads, searches, edits, commands that fail and pass, closing messages, ends, commits.`,
		func(ctx context.Context) error {
			if slices.Min(in.Events) < 1 {
				return errors.New("--events must be 1 or more")
			}
			in.Tuning = a.tuning
			return a.show(evaluate.Drain(ctx, in))
		})
	cmd.Flags().IntSliceVar(&in.Events, "events", []int{3000, 10000, 30000, 100000}, "events to move, a measurement for each number")
	return cmd
}

func (a *app) recallCommand() *cobra.Command {
	var in evaluate.RecallInput
	cmd := withoutArguments("recall", "How fast hebb learns, records and answers on a large memory",
		`Builds a memory of about 17,000 neurons and 73,000 synapses (times --scale) and measures: commits
learned per second, accesses recorded per second while the session's window is full, and the time
of one question, cold (open the store, read the past, answer) and in a process that has asked
before: with words, with an open file, with both.`,
		func(ctx context.Context) error {
			in.Tuning = a.tuning
			return a.show(evaluate.Recall(ctx, in))
		})
	cmd.Flags().IntVar(&in.Scale, "scale", 1, "times 17,000 neurons and 73,000 synapses")
	cmd.Flags().IntVar(&in.Runs, "runs", 200, "questions of each kind")
	return cmd
}

func (a *app) dreamCommand() *cobra.Command {
	var in evaluate.DreamInput
	cmd := withoutArguments("dream", "What a dream by rules takes on a memory of many crystals",
		`Dreams by rules on a memory of so many crystals, with five new notes and a day between two dreams:
the searches that prove pointers and the files for people are included. Beside it what building the
prompt for a language model takes, with the size of that prompt; the model's own time comes on top
of it.`,
		func(ctx context.Context) error {
			in.Tuning = a.tuning
			return a.show(evaluate.Dream(ctx, in))
		})
	cmd.Flags().IntVar(&in.Crystals, "crystals", 2000, "memories to begin with; each takes some milliseconds to make")
	cmd.Flags().IntVar(&in.Runs, "runs", 20, "dreams")
	return cmd
}
