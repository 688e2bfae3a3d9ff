package evaluate

import (
	"context"
	"errors"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// DrainInput says how to measure the drain.
type DrainInput struct {
	Events []int // how many, a measurement for each
	Tuning tuning.Tuning
}

// DrainRow is one line of the drain benchmark.
type DrainRow struct {
	Bench     string  `json:"bench"`
	Case      string  `json:"case"` // append, drain, again
	Events    int     `json:"events"`
	Seconds   float64 `json:"seconds" show:"%.2f"`
	CPU       float64 `json:"cpu_s" show:"%.2f"` // of this process: all but what a server does
	PerSecond float64 `json:"events_per_s" show:"%.0f"`
}

// Drain measures how fast hooks can append, how fast the spool is taken into the store with all
// that is learned from it, and how fast events that are already there are recognised. The events
// are those of sessions in daily use (heavy).
func Drain(ctx context.Context, in DrainInput) (rows []DrainRow, err error) {
	for _, n := range in.Events {
		measured, err := in.drain(ctx, n)
		rows = append(rows, measured...)
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

func (in DrainInput) drain(ctx context.Context, n int) (rows []DrainRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	c := config.Config{Dir: dir, Tuning: in.Tuning}
	b, err := steward.Open(ctx, c, time.Now)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	box := spool.Spool{Dir: c.Spool(), Limits: in.Tuning.Spool}
	events := heavyEvents(n, time.Now())
	fill := func() error {
		for _, e := range events {
			if err := box.Append(e); err != nil {
				return err
			}
		}
		return nil
	}
	empty := func() error {
		_, err := steward.Run(ctx, b, steward.Drain, steward.DrainInput{Wait: true})
		return err
	}
	for _, step := range []struct {
		name string
		run  func() error
	}{{"append", fill}, {"drain", empty}, {"", fill}, {"again", empty}} {
		start, used := time.Now(), cpuTime()
		if err := step.run(); err != nil {
			return rows, err
		}
		if step.name == "" {
			continue // the same events once more, to be recognised
		}
		took := time.Since(start).Seconds()
		rows = append(rows, DrainRow{
			Bench: "drain", Case: step.name, Events: n, Seconds: took, CPU: (cpuTime() - used).Seconds(),
			PerSecond: float64(n) / took,
		})
	}
	return rows, nil
}

// heavyEvents are n events of sessions, a session every two hours, the last one until now.
func heavyEvents(n int, now time.Time) (events []memory.Event) {
	h := newHeavy(memory.Place{Identity: "/home/dev/proj/.git", Root: "/home/dev/proj"})
	at := now.Add(-time.Duration(n/heavySession+2) * 2 * time.Hour).UTC().Truncate(time.Millisecond)
	for len(events) < n {
		for _, turn := range h.turns(at) {
			events = append(events, turn...)
		}
		at = at.Add(2 * time.Hour)
	}
	return events[:n]
}
