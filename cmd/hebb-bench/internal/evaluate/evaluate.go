// Package evaluate holds the benchmarks behind hebb-bench. Each measures the product beside what it
// is compared to and returns rows, which print as a table for people and as JSON for programs.
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

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Input says what to replay.
type Input struct {
	Histories []string // JSON Lines, plain or gzip; or folders of git repositories
	Sessions  []SessionFiles
	Tuning    tuning.Tuning
	Options
}

// temporary makes a folder for a benchmark. remove belongs into a defer statement.
func temporary() (dir string, remove func(*error), err error) {
	dir, err = os.MkdirTemp("", "hebb-bench-")
	return dir, func(err *error) { *err = errors.Join(*err, os.RemoveAll(dir)) }, err
}

// newProject makes a folder to work in.
func newProject(folder string) (memory.Place, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return memory.Place{}, err
	}
	return project.Resolve(folder)
}

// Size is how much a memory holds.
type Size struct {
	Events, Neurons, Synapses int64
	Bytes                     int64
}

// sizeOf weighs a memory.
func sizeOf(ctx context.Context, b *brain.Brain) (s Size, err error) {
	stats, err := steward.Run(ctx, b, inspect.Stats, brain.Scope{All: true})
	s.Bytes = stats.Store.Bytes
	for _, p := range stats.Projects {
		s.Events += p.Events
		s.Neurons += p.Files + p.Errors
		for _, n := range p.Synapses {
			s.Synapses += n
		}
	}
	return s, err
}

// percentile returns the value below which share of the durations lie. It sorts them.
func percentile(took []time.Duration, share float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[min(int(share*float64(len(took))), len(took)-1)]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// emptyProgram builds a Go program that does nothing: the least a process written in Go can cost.
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

// usage is what a process took. The kernel counts a child's memory from before exec, so the peak is
// never below this program's own size at that moment: an upper bound.
type usage struct {
	wall, cpu time.Duration // cpu: user and system together
	peak      int64         // KB
}

// once runs the process and returns what it printed and used.
func (p process) once(ctx context.Context) (string, usage, error) {
	cmd := exec.CommandContext(ctx, p.args[0], p.args[1:]...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Stdin = strings.NewReader(p.input())
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", usage{}, fmt.Errorf("%s: %w: %s", strings.Join(p.args, " "), err, out)
	}
	state := cmd.ProcessState
	return string(out), usage{time.Since(start), state.UserTime() + state.SystemTime(), peakKB(state)}, nil
}

// times runs the process so often, so many at a time.
func (p process) times(ctx context.Context, runs, parallel int) (used []usage, err error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for worker := range parallel {
		wg.Go(func() {
			for i := worker; i < runs; i += parallel {
				_, one, failed := p.once(ctx)
				mu.Lock()
				used, err = append(used, one), errors.Join(err, failed)
				mu.Unlock()
				if failed != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	return used, err
}
