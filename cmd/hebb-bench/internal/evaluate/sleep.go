package evaluate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// SleepInput says how to measure sleep.
type SleepInput struct {
	Scale  int // times 17,000 neurons and 75,000 synapses
	Runs   int // sleeps of each kind
	Tuning tuning.Tuning
}

// SleepRow is one line of the sleep benchmark.
type SleepRow struct {
	Bench       string  `json:"bench"`
	Case        string  `json:"case"` // whole: all of the graph, as a person asks for; slice: as after work
	Neurons     int64   `json:"neurons"`
	Synapses    int64   `json:"synapses"`
	N           int     `json:"n"`
	Decay       float64 `json:"decay_ms"` // the medians of n sleeps, each on a fresh copy
	Homeostasis float64 `json:"homeostasis_ms"`
	Consolidate float64 `json:"consolidate_ms"`
	Rows        int64   `json:"rows_written"` // by decay and homeostasis
	Pruned      int64   `json:"pruned"`
}

// Sleep measures what a sleep takes on a large memory that slept four hours of work ago.
func Sleep(ctx context.Context, in SleepInput) (rows []SleepRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	c := config.Config{Dir: filepath.Join(dir, "graph"), Tuning: in.Tuning}
	l := newLarge(memory.Place{Identity: dir, Root: dir}, time.Now(), in.Scale)
	if err := l.sleepThenWork(ctx, c); err != nil {
		return nil, err
	}
	for _, kind := range []string{"whole", "slice"} {
		row := SleepRow{Bench: "sleep", Case: kind, N: in.Runs}
		took := map[sleep.SleepPart][]float64{}
		for range in.Runs {
			copied := config.Config{Dir: filepath.Join(dir, "copy"), Tuning: in.Tuning}
			if err := copyStore(c, copied); err != nil {
				return rows, err
			}
			r, err := l.sleep(ctx, copied, kind == "slice")
			if err = errors.Join(err, os.RemoveAll(copied.Dir)); err != nil {
				return rows, err
			}
			for part, ms := range r.Took {
				took[part] = append(took[part], ms)
			}
			row.Neurons, row.Synapses, row.Pruned = r.Neurons, r.Links, r.Decay.PrunedSynapses+r.Decay.PrunedNeurons
			row.Rows = row.Pruned + r.Homeostasis.NeuronsDampened + r.Homeostasis.NeuronsBoosted + r.Homeostasis.TagsExpired
		}
		row.Decay, row.Homeostasis = median(took[sleep.DecayPart]), median(took[sleep.BalancePart])
		row.Consolidate = median(took[sleep.ConsolidatePart])
		rows = append(rows, row)
	}
	return rows, nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// sleepThenWork fills a memory: commits, sessions, a sleep, and four more hours of sessions.
func (l *large) sleepThenWork(ctx context.Context, c config.Config) (err error) {
	b, err := brain.Open(ctx, c, func() time.Time { return l.now })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := l.record(ctx, b, l.commits()); err != nil {
		return err
	}
	sessions := l.sessions()
	today := l.now
	l.now = today.Add(-4 * time.Hour)
	since := slices.IndexFunc(sessions, func(e memory.Event) bool { return e.At.After(l.now) })
	if err := l.record(ctx, b, sessions[:since]); err != nil {
		return err
	}
	if _, err := steward.Run(ctx, b, steward.Sleep, sleep.SleepInput{Yes: true}); err != nil {
		return err
	}
	l.now = today
	return l.record(ctx, b, sessions[since:])
}

func (l *large) sleep(ctx context.Context, c config.Config, slice bool) (report sleep.SleepReport, err error) {
	began := time.Now()
	b, err := brain.Open(ctx, c, func() time.Time { return l.now.Add(time.Since(began)) })
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return steward.Run(ctx, b, steward.Sleep, sleep.SleepInput{Yes: true, Slice: slice})
}

// copyStore copies a store, so that each sleep finds the same.
func copyStore(from, to config.Config) error {
	file, err := os.ReadFile(from.Database())
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to.Database()), 0o700), os.WriteFile(to.Database(), file, 0o600))
}
