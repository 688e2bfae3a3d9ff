package daemon

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

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

// BenchmarkWatchingFiftyThousandFiles measures how long it takes until a repository of 50 000 files in 6 250 folders is watched, and the memory
// of the process then, as the system counts it.
func BenchmarkWatchingFiftyThousandFiles(b *testing.B) {
	const files = 50000
	dir := filepath.Join(b.TempDir(), "large")
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("part%03d/folder%02d/file%d.go", i/400, i/8%50, i))
		if i%8 == 0 {
			must.Do(b, os.MkdirAll(filepath.Dir(name), 0o755))
		}
		must.Do(b, os.WriteFile(name, fmt.Appendf(nil, "package a\n\nvar V%d = %d\n", i, i), 0o644))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "all"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	c := must.Get(config.Load(func(name string) string {
		return map[string]string{config.EnvHome: filepath.Join(b.TempDir(), "home")}[name]
	}))(b)
	must.Do(b, know(b.Context(), c, dir))
	runtime.GC()
	for b.Loop() {
		w := NewWatcher(c, time.Now)
		w.Look = time.Hour
		ctx, cancel := context.WithCancel(b.Context())
		done := make(chan struct{})
		began := time.Now()
		go func() {
			w.Run(ctx)
			close(done)
		}()
		<-w.ready
		b.ReportMetric(time.Since(began).Seconds(), "s/watched")
		b.ReportMetric(resident(b), "MB-resident")
		s := w.Status()
		if len(s.Projects) != 1 || s.Projects[0].Files != files || s.Projects[0].Folders < 6250 {
			b.Fatalf("status %+v", s)
		}
		cancel()
		<-done
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
	must.Get(fmt.Sscan(rest, &kilobytes))(b)
	return kilobytes / 1024
}

// know has a memory meet a project.
func know(ctx context.Context, c config.Config, dir string) error {
	m, err := steward.Open(ctx, c, time.Now)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }()
	if err := m.Recognise(ctx, dir); err != nil {
		return err
	}
	place, err := brain.PlaceAt(c, dir)
	if err != nil {
		return err
	}
	_, err = steward.Run(ctx, m, steward.Observe, []memory.Event{{
		ID: memory.DerivedEventID("start"), At: time.Now(), Kind: memory.SessionStarted, Origin: memory.OriginTool, Agent: "claude-code",
		AgentSession: "run", Place: place,
	}})
	return err
}
