package evaluate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// RecallInput says how to measure recall.
type RecallInput struct {
	Scale  int // times 17,000 neurons and 75,000 synapses
	Runs   int
	Tuning tuning.Tuning
	Clock  Clock
}

// RecallRow is one line of the recall benchmark.
type RecallRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"` // learn, record: per second; cold, words, files, both: milliseconds
	Neurons  int64   `json:"neurons"`
	Synapses int64   `json:"synapses"`
	N        int     `json:"n"`
	P50      float64 `json:"p50_ms,omitempty"`
	P95      float64 `json:"p95_ms,omitempty"`
	Rate     float64 `json:"per_s,omitempty"`
}

// Recall builds a large memory and measures how fast commits are learned, accesses recorded with full windows, and
// questions answered: cold (the store opened and read for one question) and in a process that has asked before.
func Recall(ctx context.Context, in RecallInput) (rows []RecallRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := config.Config{Dir: dir, Tuning: in.Tuning}
	l := newLarge(memory.Place{Identity: dir, Root: dir}, in.Clock(), in.Scale)
	open := func() (*brain.Brain, error) { return brain.Open(ctx, c, func() time.Time { return l.now }) }
	b, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	commits, sessions := l.commits(), l.sessions()
	for _, part := range []struct {
		name   string
		events []memory.Event
	}{{"learn", commits}, {"record", sessions}} {
		start := in.Clock()
		if err := l.record(ctx, b, part.events); err != nil {
			return nil, err
		}
		rows = append(rows, RecallRow{Case: part.name, N: len(part.events), Rate: float64(len(part.events)) / in.Clock().Sub(start).Seconds()})
	}
	more, err := l.questions(ctx, in, b, open)
	if err != nil {
		return nil, err
	}
	rows = append(rows, more...)
	size, err := steward.Run(ctx, b, inspect.Stats, brain.Scope{Project: l.place.Project().String()})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Bench = "recall"
		for _, p := range size.Projects {
			rows[i].Neurons = p.Files + p.Errors
			for _, n := range p.Synapses {
				rows[i].Synapses += n
			}
		}
	}
	return rows, nil
}

// questions asks in all the ways there are.
func (l *large) questions(ctx context.Context, in RecallInput, b *brain.Brain, open func() (*brain.Brain, error)) (rows []RecallRow, err error) {
	scope := brain.Scope{Project: l.place.Project().String()}
	file := func(i int) []string { return []string{l.files[i*7919%len(l.files)]} }
	text := func(i int) string { return fmt.Sprintf("%s: %s the %s", l.word(), l.word(), l.word()) }
	for _, c := range []struct {
		name string
		ask  func(i int) ranking.RecallInput
	}{
		{"words", func(i int) ranking.RecallInput { return ranking.RecallInput{Scope: scope, Text: text(i), Limit: 10} }},
		{"files", func(i int) ranking.RecallInput { return ranking.RecallInput{Scope: scope, Open: file(i), Limit: 10} }},
		{"both", func(i int) ranking.RecallInput {
			return ranking.RecallInput{Scope: scope, Text: text(i), Open: file(i), Limit: 10, Next: true}
		}},
	} {
		var took []time.Duration
		for i := range in.Runs + 1 {
			start := in.Clock()
			if _, err := steward.Run(ctx, b, ranking.Recall, c.ask(i)); err != nil {
				return nil, err
			}
			if i > 0 { // the first reads the past
				took = append(took, in.Clock().Sub(start))
			}
		}
		rows = append(rows, timed(c.name, took))
	}
	var took []time.Duration
	for i := range max(in.Runs/10, 1) {
		start := in.Clock()
		fresh, err := open()
		if err != nil {
			return nil, err
		}
		_, err = steward.Run(ctx, fresh, ranking.Recall, ranking.RecallInput{Scope: scope, Text: text(i), Limit: 10})
		took = append(took, in.Clock().Sub(start))
		if err = errors.Join(err, fresh.Close()); err != nil {
			return nil, err
		}
	}
	return append(rows, timed("cold", took)), nil
}

func timed(name string, took []time.Duration) RecallRow {
	slices.Sort(took)
	return RecallRow{Case: name, N: len(took), P50: milliseconds(percentile(took, .5)), P95: milliseconds(percentile(took, .95))}
}
