package git

import (
	"context"
	"runtime"
	"testing"
	"time"
)

// BenchmarkHistory reads 30,000 commits of three files each. The repository is made once, which takes most of the time.
// "live-KB" is what the Go side holds on to halfway: it must not grow with the history.
func BenchmarkHistory(b *testing.B) {
	const commits = 30_000
	g := Repo{Root: synthesise(b, commits).dir}
	var first time.Duration
	var live uint64
	b.ReportAllocs()
	for b.Loop() {
		start, seen := time.Now(), 0
		err := g.History(context.Background(), "", func(Commit) error {
			switch seen++; seen {
			case 1:
				first = time.Since(start)
			case commits / 2:
				b.StopTimer()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				live = m.HeapAlloc
				b.StartTimer()
			}
			return nil
		})
		if err != nil || seen != commits {
			b.Fatalf("saw %d, %v", seen, err)
		}
	}
	b.ReportMetric(float64(commits)*float64(b.N)/b.Elapsed().Seconds(), "commits/s")
	b.ReportMetric(float64(first.Milliseconds()), "first-ms")
	b.ReportMetric(float64(live>>10), "live-KB")
}

func BenchmarkCount(b *testing.B) {
	g := Repo{Root: synthesise(b, 30_000).dir}
	for b.Loop() {
		if _, err := g.Count(context.Background(), ""); err != nil {
			b.Fatal(err)
		}
	}
}
