package evaluate

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// DreamInput says how to measure dreams.
type DreamInput struct {
	Crystals, Runs int
	Tuning         tuning.Tuning
	Clock          Clock
}

// DreamRow is one line of the dream benchmark.
type DreamRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"` // rules: a whole dream; first: the same, nothing read before; prompt: what a model would be given, not its answer
	Crystals int     `json:"crystals"`
	N        int     `json:"n"`
	Dream    float64 `json:"dream_ms"` // the median
	Slowest  float64 `json:"slowest_ms"`
	Pointers int     `json:"pointers"`
	Faded    int     `json:"faded"`
	Tokens   int     `json:"tokens,omitempty"` // of the prompt, at four bytes each
}

const (
	dreamNotes   = 5              // between two dreams
	dreamBetween = 26 * time.Hour // lines grow old, so that pointers are looked for
	bytesToken   = 4
)

// Dream measures a rewriting by rules on a memory of many crystals, searches for pointers and files for people included, beside the
// first one of a process and beside building the prompt for a language model.
func Dream(ctx context.Context, in DreamInput) (rows []DreamRow, err error) {
	passed := time.Duration(0)
	clock := func() time.Time { return in.Clock().Add(passed) }
	scale := TextScaleInput{Tuning: in.Tuning, Clock: clock}
	err = scale.opened(ctx, func(c config.Config, place memory.Place, b *brain.Brain) error {
		w := newWriter(clock())
		file, err := w.export(place, in.Crystals)
		if err != nil {
			return err
		}
		if _, err := transfer.Import(ctx, b, transfer.ImportInput{From: bytes.NewReader(file)}); err != nil {
			return err
		}
		scope := brain.Scope{Project: place.Project().String()}
		rules := DreamRow{Case: "rules"}
		var took, prompts []time.Duration
		prompt := DreamRow{Case: "prompt"}
		for range in.Runs + 1 {
			for range dreamNotes {
				if _, err := steward.Run(ctx, b, desk.TakeNote, statements.NoteInput{Scope: scope, Text: w.note()}); err != nil {
					return err
				}
			}
			passed += dreamBetween
			began := in.Clock()
			material, err := steward.Run(ctx, b, dreams.DreamBegin, scope)
			if err != nil {
				return err
			}
			prompts = append(prompts, in.Clock().Sub(began))
			prompt.Tokens = max(prompt.Tokens, len(material.Prompt)/bytesToken)
			began = in.Clock()
			out, err := steward.Run(ctx, b, dreams.Dream, dreams.DreamInput{Scope: scope, Force: true, Rules: true})
			if err != nil {
				return err
			}
			took = append(took, in.Clock().Sub(began))
			if !out.Run || out.Shallow {
				return fmt.Errorf("nothing was dreamt: %s", out.Why)
			}
			rules.Pointers, rules.Faded = out.Pointers, rules.Faded+len(out.Faded)
		}
		first := DreamRow{Case: "first", N: 1, Dream: milliseconds(took[0]), Slowest: milliseconds(took[0])}
		for _, one := range []struct {
			row   *DreamRow
			times []time.Duration
		}{{&rules, took[1:]}, {&prompt, prompts[1:]}} {
			slices.Sort(one.times)
			one.row.N, one.row.Dream, one.row.Slowest = len(one.times), milliseconds(percentile(one.times, 0.50)), milliseconds(percentile(one.times, 1))
		}
		rows = []DreamRow{rules, first, prompt}
		return nil
	})
	for i := range rows {
		rows[i].Bench, rows[i].Crystals = "dream", in.Crystals
	}
	return rows, err
}
