package evaluate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// DreamInput says how to measure dreams.
type DreamInput struct {
	Crystals, Runs int
	Tuning         tuning.Tuning
}

// DreamRow is one line of the dream benchmark.
type DreamRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"` // rules: a whole dream; prompt: what a model would be given, not its answer
	Crystals int     `json:"crystals"`
	N        int     `json:"n"`
	P50      float64 `json:"p50_ms"`
	Slowest  float64 `json:"slowest_ms"`
	Pointers int     `json:"pointers,omitempty"`
	Tokens   int     `json:"tokens,omitempty"` // of the prompt, at four bytes each
}

const (
	dreamNotes   = 5              // between two dreams
	dreamBetween = 26 * time.Hour // lines grow old, so that pointers are looked for
	bytesToken   = 4
)

// Dream measures a rewriting by rules on a memory of many crystals, searches for pointers and files
// for people included, and building the prompt for a language model.
func Dream(ctx context.Context, in DreamInput) (rows []DreamRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	place, err := newProject(filepath.Join(dir, "project"))
	if err != nil {
		return nil, err
	}
	passed := time.Duration(0)
	clock := func() time.Time { return time.Now().Add(passed) }
	c := config.Config{Dir: filepath.Join(dir, "memory"), Tuning: in.Tuning}
	b, err := steward.Open(ctx, c.Serving(), clock) // as `hebb mcp` answers
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	w := newHeavy(place)
	scope := brain.Scope{Dir: place.Root}
	for range in.Crystals {
		remembered := statements.RememberInput{Scope: scope, Text: w.note()}
		if _, err := steward.Run(ctx, b, statements.Remember, remembered); err != nil {
			return nil, err
		}
	}
	rules, prompt := DreamRow{Case: "rules"}, DreamRow{Case: "prompt"}
	var dreamt, prompted []time.Duration
	for i := range in.Runs + 1 {
		for range dreamNotes {
			if _, err := steward.Run(ctx, b, desk.TakeNote, statements.NoteInput{Scope: scope, Text: w.note()}); err != nil {
				return nil, err
			}
		}
		passed += dreamBetween
		began := time.Now()
		material, err := steward.Run(ctx, b, state.DreamBegin, scope)
		if err != nil {
			return nil, err
		}
		asked := time.Now()
		out, err := steward.Run(ctx, b, state.Dream, state.DreamInput{Scope: scope, Force: true, Rules: true})
		if err != nil {
			return nil, err
		}
		if !out.Run || out.Shallow {
			return nil, fmt.Errorf("nothing was dreamt: %s", out.Why)
		}
		rules.Pointers, prompt.Tokens = out.Pointers, max(prompt.Tokens, len(material.Prompt)/bytesToken)
		if i > 0 { // the first one of a process reads what later ones have
			dreamt, prompted = append(dreamt, time.Since(asked)), append(prompted, asked.Sub(began))
		}
	}
	for row, took := range map[*DreamRow][]time.Duration{&rules: dreamt, &prompt: prompted} {
		row.Bench, row.Crystals, row.N = "dream", in.Crystals, len(took)
		row.P50, row.Slowest = milliseconds(percentile(took, .5)), milliseconds(slices.Max(took))
	}
	return []DreamRow{rules, prompt}, nil
}

// note is a sentence of words that mean something, which no other has.
func (h *heavy) note() string {
	h.count++
	return fmt.Sprintf("%s, number %d", h.words(8+h.random.IntN(17)), h.count)
}
