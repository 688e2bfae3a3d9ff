package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store/postgres"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// DrainInput says how to measure the drain.
type DrainInput struct {
	Events int
	Store  string // postgres:// URL; empty for SQLite
	Tuning tuning.Tuning
	Clock  Clock
}

// DrainRow is one line of the drain benchmark.
type DrainRow struct {
	Bench     string  `json:"bench"`
	Case      string  `json:"case"` // append, drain, again
	Engine    string  `json:"engine"`
	Events    int     `json:"events"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"events_per_s"`
}

// Drain measures how fast hooks can append, how fast the spool is taken into the store, and how fast events that are
// already there are recognised. The events are plain: one file touched each, 200 sessions, 2 000 files.
func Drain(ctx context.Context, in DrainInput) (rows []DrainRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := config.Config{Dir: dir, Store: in.Store, Schema: fmt.Sprintf("hebb_bench_%d", in.Clock().UnixMilli()), Tuning: in.Tuning}
	b, err := brain.Open(ctx, c, in.Clock)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close(), dropSchema(ctx, c)) }()
	box := spool.Spool{Dir: c.Spool(), Limits: in.Tuning.Spool}
	engine := "sqlite"
	if in.Store != "" {
		engine = "postgres"
	}
	events := plainEvents(in.Events, in.Clock())
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
		start := in.Clock()
		if err := step.run(); err != nil {
			return rows, err
		}
		if step.name == "" {
			continue // the same letters once more, to be recognised
		}
		took := in.Clock().Sub(start).Seconds()
		rows = append(rows, DrainRow{
			Bench: "drain", Case: step.name, Engine: engine, Events: in.Events, Seconds: took, PerSecond: float64(in.Events) / took,
		})
	}
	return rows, nil
}

// dropSchema leaves a server as it was found.
func dropSchema(ctx context.Context, c config.Config) error {
	if c.Store == "" {
		return nil
	}
	return postgres.Drop(context.WithoutCancel(ctx), postgres.Options{URL: c.Store, Schema: c.Schema})
}

func plainEvents(n int, now time.Time) []memory.Event {
	random := rand.New(rand.NewPCG(1, 2))
	place := memory.Place{Identity: "/home/dev/proj/.git", Root: "/home/dev/proj"}
	events := make([]memory.Event, n)
	for i := range events {
		session := fmt.Sprintf("session-%d", i*200/n)
		events[i] = memory.Event{
			ID: memory.DerivedEventID("bench", fmt.Sprint(i)), At: now.Add(time.Duration(i-n) * time.Millisecond),
			Kind: memory.ToolUsed, Origin: memory.OriginTool, Agent: "claude-code", AgentSession: session, Place: place, Tool: "Read",
			Touches: []memory.Touch{{Kind: memory.Read, Path: filepath.Join("src", fmt.Sprintf("file%d.go", random.IntN(2000)))}},
		}
	}
	return events
}
