// Package evaluate holds the benchmarks behind hebb-bench. Each measures the product beside what it is compared to,
// in one run, and returns rows that print as a table for people and as one JSON object per line for programs.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Clock measures elapsed time.
type Clock func() time.Time

// percentile returns the value below which share of the sorted durations lie.
func percentile(sorted []time.Duration, share float64) time.Duration {
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// emptyProgram builds a Go program that does nothing: the least a process written in Go can cost on this machine.
func emptyProgram(ctx context.Context, dir string) (string, error) {
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return "", err
	}
	program := filepath.Join(dir, "empty")
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", program, source)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the empty program (a benchmark needs go on PATH): %w: %s", err, out)
	}
	return program, nil
}

// process is a command to be timed.
type process struct {
	args  []string
	env   []string
	input func() string // what a call reads; several may ask at once
}

// usage is what processes took besides wall time. The kernel counts a child's memory from before exec, so the peak is never below this
// program's own size at that moment: an upper bound.
type usage struct {
	peak int64         // KB, the highest
	cpu  time.Duration // of user and system together, the median
}

// once runs the process and returns its wall time and what else it used.
func (p process) once(ctx context.Context, clock Clock) (time.Duration, usage, error) {
	cmd := exec.CommandContext(ctx, p.args[0], p.args[1:]...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Stdin = strings.NewReader(p.input())
	start := clock()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, usage{}, fmt.Errorf("%s: %w: %s", strings.Join(p.args, " "), err, out)
	}
	state := cmd.ProcessState
	return clock().Sub(start), usage{peakKB(state), state.UserTime() + state.SystemTime()}, nil
}

// times runs the process so often, so many at a time, and returns the sorted wall times.
func (p process) times(ctx context.Context, clock Clock, runs, parallel int) (sorted []time.Duration, used usage, err error) {
	var cpu []time.Duration
	var mu sync.Mutex
	var wg sync.WaitGroup
	var errs []error
	for worker := range parallel {
		wg.Go(func() {
			for i := worker; i < runs; i += parallel {
				took, one, err := p.once(ctx, clock)
				mu.Lock()
				sorted, cpu, used.peak = append(sorted, took), append(cpu, one.cpu), max(used.peak, one.peak)
				if err != nil {
					errs = append(errs, err)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	slices.Sort(sorted)
	slices.Sort(cpu)
	used.cpu = percentile(cpu, .5)
	return sorted, used, errors.Join(errs...)
}
