package evaluate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
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
}

// RecallRow is one line of the recall benchmark.
type RecallRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"` // learn, record: per second; cold, words, files, both: milliseconds
	Neurons  int64   `json:"neurons"`
	Synapses int64   `json:"synapses"`
	N        int     `json:"n"`
	P50      float64 `json:"p50_ms,omitempty" show:"%.2f"`
	P95      float64 `json:"p95_ms,omitempty" show:"%.2f"`
	Rate     float64 `json:"per_s,omitempty" show:"%.0f"`
}

// Recall builds a large memory and measures how fast commits are learned, accesses recorded with
// full windows, and questions answered: cold (the store opened and read for one question) and in a
// process that has asked before.
func Recall(ctx context.Context, in RecallInput) (rows []RecallRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	c := config.Config{Dir: dir, Tuning: in.Tuning}
	l := newLarge(memory.Place{Identity: dir, Root: dir}, time.Now(), in.Scale)
	open := func() (*brain.Brain, error) { return steward.Open(ctx, c, func() time.Time { return l.now }) }
	b, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	for _, part := range []struct {
		name   string
		events []memory.Event
	}{{"learn", l.commits()}, {"record", l.sessions()}} {
		start := time.Now()
		if err := l.record(ctx, b, part.events); err != nil {
			return nil, err
		}
		n := len(part.events)
		rows = append(rows, RecallRow{Case: part.name, N: n, Rate: float64(n) / time.Since(start).Seconds()})
	}
	more, err := l.questions(ctx, in.Runs, b, open)
	if err != nil {
		return nil, err
	}
	rows = append(rows, more...)
	size, err := sizeOf(ctx, b)
	for i := range rows {
		rows[i].Bench, rows[i].Neurons, rows[i].Synapses = "recall", size.Neurons, size.Synapses
	}
	return rows, err
}

// questions asks in all the ways there are. The first of each way reads the past and is not
// counted, except where the store is opened for each.
func (l *large) questions(ctx context.Context, runs int, b *brain.Brain, open func() (*brain.Brain, error)) (rows []RecallRow, err error) {
	scope := brain.Scope{Project: l.place.Project().String()}
	for _, name := range []string{"words", "files", "both", "cold"} {
		n, cold := runs+1, name == "cold"
		if cold {
			n = max(runs/10, 1)
		}
		var took []time.Duration
		for i := range n {
			in := ranking.RecallInput{Scope: scope, Limit: 10, Next: name == "both"}
			if name != "files" {
				in.Text = fmt.Sprintf("%s: %s the %s", l.word(), l.word(), l.word())
			}
			if name == "files" || name == "both" {
				in.Open = []string{l.files[i*7919%len(l.files)]}
			}
			start := time.Now()
			asked := b
			if cold {
				if asked, err = open(); err != nil {
					return nil, err
				}
			}
			_, err = steward.Run(ctx, asked, ranking.Recall, in)
			if cold {
				err = errors.Join(err, asked.Close())
			}
			if err != nil {
				return nil, err
			}
			if i > 0 || cold {
				took = append(took, time.Since(start))
			}
		}
		rows = append(rows, RecallRow{
			Case: name, N: len(took), P50: milliseconds(percentile(took, .5)), P95: milliseconds(percentile(took, .95)),
		})
	}
	return rows, nil
}
