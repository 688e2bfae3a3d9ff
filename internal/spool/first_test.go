package spool

import (
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestOfManyWhoComeAtOnceOneIsTheFirst(t *testing.T) {
	t.Parallel()
	s := newSpool(t)
	const window = 2 * time.Second
	for round := range 200 {
		// Half of them live just before a window ends, half just after.
		end := time.UnixMilli(int64(1_000_000+round) * window.Milliseconds())
		var won atomic.Int64
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				first, err := s.First(end.Add(time.Duration(i-4)*time.Millisecond), window, "session", fmt.Sprint(round))
				if err != nil {
					t.Error(err)
				}
				if first {
					won.Add(1)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Fatalf("round %d: %d came first", round, won.Load())
		}
	}
}

func TestTheSameWordsAreSaidAgainAfterAWhile(t *testing.T) {
	t.Parallel()
	s := newSpool(t)
	at := time.UnixMilli(1_000_000_500)
	for _, c := range []struct {
		name   string
		after  time.Duration
		window time.Duration
		words  []string
		want   bool
	}{
		{"the first", 0, time.Second, []string{"a", "b"}, true},
		{"its twin", 20 * time.Millisecond, time.Second, []string{"a", "b"}, false},
		{"a twin in the next window", 600 * time.Millisecond, time.Second, []string{"a", "b"}, false},
		{"other words", 0, time.Second, []string{"ab"}, true},
		{"later", 3 * time.Second, time.Second, []string{"a", "b"}, true},
		{"for ever", 0, 0, []string{"id"}, true},
		{"whenever", 24 * time.Hour, 0, []string{"id"}, false},
	} {
		if got, err := s.First(at.Add(c.after), c.window, c.words...); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
	must.Do(t, s.ForgetFirsts(time.Now().Add(-time.Hour)))
	if got, err := s.First(at, 0, "id"); err != nil || got {
		t.Errorf("forgotten too early: %v, %v", got, err)
	}
	must.Do(t, s.ForgetFirsts(time.Now().Add(time.Hour)))
	if left, err := os.ReadDir(s.path(firsts)); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if got, err := s.First(at, 0, "id"); err != nil || !got {
		t.Errorf("not forgotten: %v, %v", got, err)
	}
}
