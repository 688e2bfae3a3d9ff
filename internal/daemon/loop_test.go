package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// ran is one run of the work of a test.
type ran struct {
	what Work
	at   time.Duration // since the daemon began
}

// bench is a daemon without a socket, whose work takes a second and empties the spool.
type bench struct {
	*daemon
	mutex sync.Mutex // of runs
	runs  []ran
	takes time.Duration
	fails error
	began time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	must.Do(t, os.WriteFile(program, []byte("hebb"), 0o700))
	lock := filepath.Join(dir, "daemon", "lock")
	must.Do(t, errors.Join(os.Mkdir(filepath.Dir(lock), 0o700), os.WriteFile(lock, nil, 0o600)))
	b := &bench{takes: time.Second, began: time.Now()}
	b.daemon = newDaemon(Options{
		Config: config.Config{Dir: dir, Tuning: tuning.Default()}, Version: "1.2.3", Program: program, Now: time.Now,
		Work: func(what Work) (Report, error) {
			b.mutex.Lock()
			b.runs = append(b.runs, ran{what, time.Since(b.began)})
			b.mutex.Unlock()
			time.Sleep(b.takes) // the clock of the bubble: nobody waits
			if b.fails != nil {
				return Report{}, b.fails
			}
			n := len(b.spool.Peek(peekMost, ""))
			return Report{Events: int64(n)}, os.RemoveAll(b.spool.Dir)
		},
	})
	return b
}

func (b *bench) append(t *testing.T, id string, kind memory.EventKind) {
	t.Helper()
	must.Do(t, b.spool.Append(memory.Event{ID: memory.DerivedEventID(id), Kind: kind}))
}

func kindsOf(runs []ran) (kinds []Work) {
	for _, r := range runs {
		kinds = append(kinds, r.what)
	}
	return kinds
}

// An event is drained within a second of its writing, the end of a turn by a rotation; then rotations follow each 15 minutes, and
// without anything to do the daemon ends half an hour after the last event.
func TestTheDayOfADaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		ended := make(chan error, 1)
		go func() { ended <- b.loop(t.Context()) }()
		time.Sleep(5 * time.Second)
		written := time.Since(b.began)
		b.append(t, "one", memory.ToolUsed)
		time.Sleep(5 * time.Second)
		b.append(t, "two", memory.TurnEnded)
		err := <-ended
		if !errors.Is(err, ErrIdle) {
			t.Errorf("it ended: %v", err)
		}
		if got := time.Since(b.began); got < 10*time.Second+endAfter || got > 12*time.Second+endAfter {
			t.Errorf("it ended after %s", got)
		}
		want := []Work{Rotation, Events, Rotation, Rotation, Rotation}
		if got := kindsOf(b.runs); !slices.Equal(got, want[:len(got)]) || len(got) < 4 {
			t.Fatalf("it did %v, want %v", got, want)
		}
		if late := b.runs[1].at - written; late > time.Second {
			t.Errorf("the drain began %s after the write", late)
		}
		if pause := b.runs[3].at - b.runs[2].at; pause < rotateEvery || pause > rotateEvery+2*time.Second {
			t.Errorf("rotations are %s apart", pause)
		}
		if s := b.status(); s.Events != 2 || len(s.Jobs) != 2 || s.Jobs[0].Name != string(Rotation) {
			t.Errorf("status %+v", s)
		}
	})
}

// A rotation may take minutes. Events that come meanwhile are imported within a second, and the end of a turn among them has another
// rotation follow.
func TestEventsDoNotWaitForARotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		work := b.Work
		b.Work = func(what Work) (Report, error) {
			if what == Rotation && len(b.spool.Peek(peekMost, "")) == 0 {
				b.mutex.Lock()
				b.runs = append(b.runs, ran{what, time.Since(b.began)})
				b.mutex.Unlock()
				time.Sleep(5 * time.Minute)
				return Report{}, nil
			}
			return work(what)
		}
		ctx, end := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.loop(ctx) }()
		time.Sleep(time.Minute)
		for _, kind := range []memory.EventKind{memory.ToolUsed, memory.TurnEnded} {
			b.append(t, string(kind), kind)
			time.Sleep(10 * time.Second)
		}
		if s := b.status(); s.Events != 2 || s.Doing != Rotation || s.Waiting != 0 {
			t.Errorf("status %+v", s)
		}
		time.Sleep(5 * time.Minute)
		end(ErrAsked)
		<-ended
		b.mutex.Lock()
		runs := slices.Clone(b.runs) // the last one goes on
		b.mutex.Unlock()
		if got := kindsOf(runs); !slices.Equal(got, []Work{Rotation, Events, Events, Rotation}) {
			t.Fatalf("it did %v", got)
		}
		for i, written := range []time.Duration{time.Minute, 70 * time.Second} {
			if late := runs[i+1].at - written; late > time.Second {
				t.Errorf("a drain began %s after the write", late)
			}
		}
		time.Sleep(10 * time.Minute) // what it no longer waits for
	})
}

// A daemon that is asked to stop finishes the work at hand, and then has what came since consolidated.
func TestAStopIsGraceful(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		ctx, end := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.loop(ctx) }()
		time.Sleep(5 * time.Second)
		b.append(t, "one", memory.ToolUsed)
		time.Sleep(lookEvery + 10*time.Millisecond) // the drain has begun
		end(ErrAsked)
		if err := <-ended; !errors.Is(err, ErrAsked) {
			t.Errorf("it ended: %v", err)
		}
		if got := kindsOf(b.runs); !slices.Equal(got, []Work{Rotation, Events, Rotation}) {
			t.Errorf("it did %v", got)
		}
		if pause := b.runs[2].at - b.runs[1].at; pause < b.takes {
			t.Errorf("the last rotation began %s after the drain, which takes %s", pause, b.takes)
		}
		if s := b.status(); !s.Stopping || s.Events != 1 {
			t.Errorf("status %+v", s)
		}
	})
}

// Work that takes longer than a minute is left to itself.
func TestAStopDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.takes = time.Hour
		ctx, end := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.loop(ctx) }()
		time.Sleep(time.Second)
		end(ErrAsked)
		<-ended
		if got := time.Since(b.began); got > 2*time.Minute {
			t.Errorf("it ended after %s", got)
		}
		time.Sleep(time.Hour) // the work ends, as a process of its own does
	})
}

// What is due while work is at hand comes after it; what fails is reported and tried again ever later.
func TestFailuresAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.fails = errors.New("the disk is full")
		b.append(t, "one", memory.ToolUsed)
		ctx, end := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.loop(ctx) }()
		time.Sleep(time.Minute)
		end(ErrAsked)
		<-ended
		if n := len(b.runs); n < 4 || n > 8 {
			t.Errorf("%d runs in a minute", n)
		}
		if jobs := b.status().Jobs; jobs[0].Error != "the disk is full" {
			t.Errorf("status says %+v", jobs)
		}
	})
}

// A program that is replaced or removed is not run on.
func TestAReplacedProgramEnds(t *testing.T) {
	for name, change := range map[string]func(string) error{
		"removed": os.Remove,
		"replaced": func(program string) error {
			return errors.Join(os.WriteFile(program+".new", []byte("hebb 2"), 0o700), os.Rename(program+".new", program))
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			ended := make(chan error, 1)
			go func() { ended <- b.loop(t.Context()) }()
			time.Sleep(time.Minute)
			must.Do(t, change(b.Program))
			if err := <-ended; !errors.Is(err, ErrReplaced) || time.Since(b.began) > 2*time.Minute {
				t.Errorf("%s: it ended after %s: %v", name, time.Since(b.began), err)
			}
		})
	}
}
