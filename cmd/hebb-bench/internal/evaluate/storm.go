package evaluate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// StormInput says how to measure what others feel of a sleep.
type StormInput struct {
	Program string // the hebb to measure
	Self    string // hebb-bench, which is called for what hebb does not do
	Runs    int    // processes per row
	Tuning  tuning.Tuning
	Clock   Clock
}

// StormRow is one line of that benchmark.
type StormRow struct {
	Bench    string  `json:"bench"`
	Case     string  `json:"case"`     // hook: one call of an agent; insert: a process that writes into the same store
	Parallel int     `json:"parallel"` // processes at a time
	Asleep   bool    `json:"asleep"`   // beside a process that sleeps all the time
	Runs     int     `json:"runs"`
	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	Ratio    float64 `json:"ratio_p99"` // to the same without a sleep
	Sleeps   int64   `json:"sleeps"`    // that took place meanwhile
}

// Storm measures hooks and writers on a store of 17,000 neurons and 75,000 synapses, alone and beside a sleep that never
// ends: each time it wakes up it is put back to where it began.
func Storm(ctx context.Context, in StormInput) (rows []StormRow, err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := config.Config{Dir: filepath.Join(dir, "home"), Tuning: in.Tuning}
	size := sleepSizes[0]
	if err := newGraph(size.neurons, size.synapses, in.Clock().UTC().Truncate(time.Millisecond), in.Tuning).build(ctx, c); err != nil {
		return nil, err
	}
	env := []string{config.EnvHome + "=" + c.Dir, config.EnvBackground + "=0"}
	for _, p := range []struct {
		name string
		process
	}{
		{"hook", process{args: []string{in.Program, "hook", string(agent.ClaudeCode)}, env: env, input: payload}},
		{"insert", process{args: []string{in.Self, "insert"}, env: env, input: payload}},
	} {
		for _, parallel := range []int{1, crowd / 5} {
			var alone float64
			for _, asleep := range []bool{false, true} {
				row, err := storm(ctx, in, c, p.process, parallel, asleep)
				if err != nil {
					return rows, fmt.Errorf("%s, %d at once, asleep %v: %w", p.name, parallel, asleep, err)
				}
				if !asleep {
					alone = row.P99
				}
				row.Case, row.Ratio = p.name, row.P99/alone
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

func storm(ctx context.Context, in StormInput, c config.Config, p process, parallel int, asleep bool) (row StormRow, err error) {
	row = StormRow{Bench: "storm", Parallel: parallel, Asleep: asleep, Runs: in.Runs}
	if _, _, err := p.times(ctx, in.Clock, parallel, parallel); err != nil {
		return row, err
	}
	if asleep {
		wake, err := startSleeper(ctx, in, p.env)
		if err != nil {
			return row, err
		}
		defer func() { row.Sleeps = wake() }()
	}
	sorted, _, err := p.times(ctx, in.Clock, in.Runs, parallel)
	if err != nil {
		return row, err
	}
	row.P50, row.P99 = milliseconds(percentile(sorted, .5)), milliseconds(percentile(sorted, .99))
	return row, nil
}

// startSleeper starts a process that sleeps all the time. wake ends it and counts its sleeps.
func startSleeper(ctx context.Context, in StormInput, env []string) (wake func() int64, err error) {
	ctx, stop := context.WithCancel(ctx)
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, in.Self, "asleep") //nolint:gosec // this program
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), &said, os.Stderr
	if err := cmd.Start(); err != nil {
		stop()
		return nil, err
	}
	return func() int64 {
		stop()
		_ = cmd.Wait() // it was killed
		return int64(bytes.Count(said.Bytes(), []byte("\n")))
	}, nil
}

// Asleep sleeps until it is killed, as after work, and each time has everything to learn anew. It reports each sleep.
func Asleep(ctx context.Context, c config.Config, clock Clock, slept func()) (err error) {
	b, err := brain.Open(ctx, c, clock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	for {
		report, err := steward.Run(ctx, b, steward.Sleep, sleep.SleepInput{Yes: true, Again: true, Slice: true})
		if err != nil {
			return err
		}
		if !report.Busy {
			slept()
		}
	}
}
