// Package daemon is the optional process that keeps a memory up to date while nobody asks: it looks at the spool, starts the drains and
// the upkeep that hooks start otherwise, and answers on a socket of the data folder. It is a supervisor: what it starts are
// processes of their own, so that it stays small, and nothing is lost if it or one of them is killed.
//
// Hooks never talk to it. Answers are the same with it or without.
package daemon

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/httpapi"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
)

// Options are what a daemon needs.
type Options struct {
	Config  config.Config
	Version string
	Program string // path of this program
	Now     func() time.Time
	Stay    bool // do not end for want of work
	// Page opens the page of hebb ui; nil: it is not offered.
	Page func(context.Context) (*httpapi.Server, error)
	Eyes Eyes
	// Work does what is due; nil: in a process of Program.
	Work func(context.Context, Work) (Report, error)
}

// Eyes see what no hook reports. Each field may be nil.
type Eyes struct {
	// Run watches until the context ends. What it sees it appends to the spool; wake asks for a rotation.
	Run func(ctx context.Context, wake func()) error
	// Status is shown by hebb daemon status.
	Status func() any
	// Shell receives commands that the person ran.
	Shell http.Handler
}

// Reasons to end, for people.
var (
	ErrIdle     = errors.New("nothing happened for 30 minutes")
	ErrAsked    = errors.New("it was asked to stop")
	ErrReplaced = errors.New("its program was replaced or removed")
	ErrGone     = errors.New("its data folder is gone")
)

const (
	checkEvery     = 25               // looks, between two at program and data folder
	finishPatience = time.Minute      // for the work at hand, and again for the last rotation
	peekMost       = 1 << 20          // bytes of the spool in which a turn's end is looked for
	serverPatience = 2 * time.Second  // for requests that run when the daemon ends
	headerPatience = 10 * time.Second // for the headers of a request
)

type daemon struct {
	Options
	spool spool.Spool
	began time.Time
	wake  chan struct{}
	page  page

	mutex    sync.Mutex // guards what is below
	rhythm   rhythm
	books    books
	doing    Work
	stopping bool
	eyes     error // why they see nothing
}

// Run runs the daemon of a data folder until the context ends, somebody asks it to stop, or it has a reason of its own. The error is
// that reason. A data folder has one daemon; a second one is a conflict.
func Run(ctx context.Context, o Options) error {
	h, err := hold(ctx, o.Config)
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	d := newDaemon(o)
	d.page.ctx = ctx
	server := &http.Server{Handler: d.handler(end), ReadHeaderTimeout: headerPatience}
	var busy sync.WaitGroup
	busy.Go(func() { _ = server.Serve(h.listener) }) // it ends when it is shut down
	if o.Eyes.Run != nil {
		busy.Go(func() {
			err := o.Eyes.Run(ctx, d.wakeUp)
			d.with(func() { d.eyes = err })
		})
	}
	reason := d.loop(ctx, h)
	end(reason)
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), serverPatience)
	defer cancel()
	d.page.wait()
	if server.Shutdown(patient) != nil {
		_ = server.Close() // they had their time
	}
	busy.Wait()
	return errors.Join(reason, h.release())
}

func newDaemon(o Options) *daemon {
	d := &daemon{
		Options: o, began: o.Now(), wake: make(chan struct{}, 1),
		spool: spool.Spool{Dir: o.Config.Spool(), Limits: o.Config.Tuning.Spool},
	}
	d.rhythm = rhythm{stay: o.Stay, active: d.began}
	if d.Work == nil {
		d.Work = d.child
	}
	return d
}

func (d *daemon) with(do func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	do()
}

// wakeUp asks for a rotation now.
func (d *daemon) wakeUp() {
	d.with(func() { d.rhythm.asked, d.rhythm.active = true, d.Now() })
	select {
	case d.wake <- struct{}{}:
	default: // it wakes up already
	}
}

// loop starts what is due, one run at a time, until there is a reason to end.
func (d *daemon) loop(ctx context.Context, h *holder) error {
	program, _ := os.Stat(d.Program) // without one, every look finds that it was removed
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	done := make(chan struct{}, 1)
	running := false
	for looks := 1; ; looks++ {
		select {
		case <-ctx.Done():
			return d.finish(ctx, running, done, context.Cause(ctx))
		case <-done:
			running = false
		case <-d.wake:
		case <-tick.C:
		}
		if looks%checkEvery == 0 {
			switch {
			case h != nil && h.gone(d.Config):
				return ErrGone // a run would make the folder again
			case !unchanged(program, d.Program):
				return d.finish(ctx, running, done, ErrReplaced)
			}
		}
		if running {
			continue
		}
		what, over := d.due()
		if over {
			return d.finish(ctx, running, done, ErrIdle)
		}
		if running = what != ""; running {
			d.start(ctx, what, done)
		}
	}
}

// due is what is to be done now, and whether there was nothing to do for so long that the daemon ends.
func (d *daemon) due() (what Work, over bool) {
	now, waiting, open := d.Now(), d.waiting(), d.page.open()
	d.with(func() {
		if open {
			d.rhythm.active = now
		}
		what = d.rhythm.due(now, waiting, d.closes)
		d.doing, over = what, what == "" && d.rhythm.over(now)
	})
	return what, over
}

// waiting is the size of the spool. What people said counts by the piece.
func (d *daemon) waiting() int64 {
	s := d.spool.State()
	return s.Waiting + int64(s.Said)
}

// closes reports whether a session or a turn begins or ends in the spool: hooks start a whole drain in the background then.
func (d *daemon) closes() bool {
	return slices.ContainsFunc(d.spool.Peek(peekMost, ""), func(e memory.Event) bool {
		return e.Kind == memory.SessionStarted || e.Kind == memory.TurnEnded || e.Kind == memory.SessionEnded
	})
}

// start does work in the background. It goes on when the daemon is asked to stop.
func (d *daemon) start(ctx context.Context, what Work, done chan<- struct{}) {
	go func() {
		d.do(context.WithoutCancel(ctx), what)
		done <- struct{}{}
	}()
}

// do does work and notes what became of it.
func (d *daemon) do(ctx context.Context, what Work) {
	began := d.Now()
	report, err := d.Work(ctx, what)
	now, left, problem := d.Now(), d.waiting(), ""
	if err != nil {
		problem = err.Error()
	}
	d.with(func() {
		d.doing = ""
		d.rhythm.done(what, now, left, err != nil)
		d.books.enter(what, now, now.Sub(began), report, problem)
	})
}

// finish waits for the work at hand, has what came since the latest rotation consolidated, and returns the reason to end. Work that
// takes longer than a minute is left to itself; it ends within the time that it has.
func (d *daemon) finish(ctx context.Context, running bool, done chan struct{}, reason error) error {
	var last bool
	waiting := d.waiting()
	d.with(func() { d.stopping, last = true, d.rhythm.dirty || waiting > 0 })
	for {
		if running {
			patience := time.NewTimer(finishPatience)
			defer patience.Stop()
			select {
			case <-done:
			case <-patience.C:
				return reason
			}
		}
		if !last {
			return reason
		}
		running, last = true, false
		d.with(func() { d.doing = Rotation })
		d.start(ctx, Rotation, done)
	}
}

// unchanged reports whether a program is the file that it was.
func unchanged(was os.FileInfo, path string) bool {
	is, err := os.Stat(path)
	return err == nil && was != nil && os.SameFile(was, is) && was.ModTime().Equal(is.ModTime()) && was.Size() == is.Size()
}

// gone reports whether the lock is no longer in the data folder.
func (h *holder) gone(c config.Config) bool {
	held, err := h.lock.Stat()
	named, missing := os.Stat(lockFile(c))
	return err != nil || missing != nil || !os.SameFile(held, named)
}

// child does work as hooks do: in a process that lowers its priority, and that may be killed at any time.
func (d *daemon) child(_ context.Context, what Work) (r Report, err error) {
	args := []string{"drain", "--quiet", "--json"}
	if what == Events {
		args = append(args, "--events")
	}
	cmd := exec.Command(d.Program, args...) // it outlives the daemon if need be, and ends by itself
	var out, problem bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = d.Config.Dir, &out, &problem
	if err := cmd.Run(); err != nil {
		return r, fmt.Errorf("%s", cmp.Or(reported(problem.Bytes()), err.Error()))
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return r, fmt.Errorf("the result of %s cannot be read: %w", strings.Join(args, " "), err)
	}
	return r, nil
}

// reported is the error that a command printed as JSON.
func reported(text []byte) string {
	var e struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal(text, &e) // else there is none
	return e.Error
}
