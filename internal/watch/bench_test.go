package watch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// BenchmarkWatchingFiftyThousandFiles measures how long it takes until a repository of 50 000 files in 6 250 folders is watched, and the memory
// of the process then, as the system counts it.
func BenchmarkWatchingFiftyThousandFiles(b *testing.B) {
	const files = 50000
	dir := filepath.Join(b.TempDir(), "large")
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("part%03d/folder%02d/file%d.go", i/400, i/8%50, i))
		if i%8 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(name, fmt.Appendf(nil, "package a\n\nvar V%d = %d\n", i, i), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "all"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	runtime.GC()
	for b.Loop() {
		w := &Watcher{
			Quiet: usualQuiet, Look: time.Hour, Now: time.Now, ready: make(chan struct{}), later: make(chan struct{}, 1),
			Projects: func(context.Context) ([]Place, error) {
				return []Place{{Project: memory.Project{ID: 1}, Place: memory.Place{Identity: dir, Root: dir}, Root: dir}}, nil
			},
			Lately: func(context.Context, memory.ProjectID, time.Time) ([]memory.Event, error) { return nil, nil },
			Append: func(memory.Event) error { return nil },
			Learn:  func(context.Context, Lesson) error { return nil },
		}
		ctx, cancel := context.WithCancel(b.Context())
		done := make(chan error, 1)
		began := time.Now()
		go func() { done <- w.Run(ctx) }()
		<-w.ready
		b.ReportMetric(time.Since(began).Seconds(), "s/watched")
		b.ReportMetric(resident(b), "MB-resident")
		s := w.Status()
		if len(s.Projects) != 1 || s.Projects[0].Files != files || s.Projects[0].Folders < 6250 {
			b.Fatalf("status %+v", s)
		}
		cancel()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}

// resident is the memory that the system counts for this process, in megabytes.
func resident(b *testing.B) float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Log(err) // no Linux
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	var kilobytes float64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1024
}
