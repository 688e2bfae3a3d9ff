// Package daemon is the optional process that keeps a memory up to date while nobody asks: it looks
// at the spool, starts the drains and the upkeep that hooks start otherwise, and answers on a socket
// of the data folder. What it starts are processes of their own, so that it stays small, and nothing
// is lost if it or one of them is killed.
//
// It also sees what a person does in the work trees of known projects: edits, and commands if their shell reports them, become
// events of a session of the person, on the path that hooks use. An edit is the person's if no agent used a tool within ten seconds of it.
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
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"slices"
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
	// Watch sees what no hook reports; nil: nothing is watched.
	Watch *Watcher
	// Work does what is due; nil: in a process of Program.
	Work func(Work) (Report, error)
}

// Reasons to end, for people.
var (
	ErrIdle     = errors.New("nothing happened for 30 minutes")
	ErrAsked    = errors.New("it was asked to stop")
	ErrReplaced = errors.New("its program was replaced or removed")
	ErrGone     = errors.New("its data folder is gone")
)

const (
	finishPatience = time.Minute      // for the work at hand, and again for the last rotation
	serverPatience = 2 * time.Second  // for requests that run when the daemon ends
	headerPatience = 10 * time.Second // for the headers of a request
)

type daemon struct {
	Options
	spool spool.Spool
	began time.Time
	wake  chan struct{}
	done  chan struct{} // a run has ended
	page  page

	mutex    sync.Mutex // guards what is below
	rhythm   rhythm
	books    books
	stopping bool
}

// Run runs the daemon of a data folder until the context ends, somebody asks it to stop, or it has a
// reason of its own. The error is that reason. A second daemon of a data folder is a conflict.
func Run(ctx context.Context, o Options) error {
	listener, release, err := hold(ctx, o.Config)
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	defer release()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	d := newDaemon(o)
	d.page.ctx = ctx
	server := &http.Server{Handler: d.handler(end), ReadHeaderTimeout: headerPatience}
	var busy sync.WaitGroup
	busy.Go(func() { _ = server.Serve(listener) }) // until it is shut down
	if o.Watch != nil {
		o.Watch.Teach = d.teach
		busy.Go(func() { o.Watch.Run(ctx) })
	}
	reason := d.loop(ctx)
	end(reason)
	d.page.served.Wait()
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), serverPatience)
	defer cancel()
	if server.Shutdown(patient) != nil {
		_ = server.Close() // requests had their time
	}
	busy.Wait()
	return reason
}

func newDaemon(o Options) *daemon {
	now := o.Now()
	d := &daemon{
		Options: o, began: now, wake: make(chan struct{}, 1), done: make(chan struct{}, 2),
		rhythm: rhythm{stay: o.Stay, active: now}, spool: spool.Spool{Dir: o.Config.Spool(), Limits: o.Config.Tuning.Spool},
	}
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

// loop starts what is due until there is a reason to end.
func (d *daemon) loop(ctx context.Context) error {
	program, lock := file(d.Program), file(lockFile(d.Config))
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return d.finish(context.Cause(ctx))
		case <-d.done:
		case <-d.wake:
		case <-tick.C:
		}
		switch {
		case !unchanged(lock, file(lockFile(d.Config))):
			return ErrGone // a run would make the folder again
		case !unchanged(program, file(d.Program)):
			return d.finish(ErrReplaced)
		}
		what, over := d.due()
		if over {
			return d.finish(ErrIdle)
		}
		if what != "" {
			d.start(what)
		}
	}
}

// file describes a file, nil if there is none.
func file(path string) fs.FileInfo { info, _ := os.Stat(path); return info }

// unchanged reports whether a file is still the one that it was.
func unchanged(was, is fs.FileInfo) bool {
	return was != nil && is != nil && os.SameFile(was, is) && was.Size() == is.Size() &&
		was.ModTime().Equal(is.ModTime())
}

// due is what is to be done now, and whether there was nothing to do for so long that it ends.
func (d *daemon) due() (what Work, over bool) {
	now, waiting, open := d.Now(), d.waiting(), d.page.open()
	d.with(func() {
		if open {
			d.rhythm.active = now
		}
		what = d.rhythm.due(now, waiting, d.closes)
		over = what == "" && d.rhythm.over(now)
	})
	return what, over
}

// waiting is the size of the spool. What people said counts by the piece.
func (d *daemon) waiting() int64 {
	s := d.spool.State()
	return s.Waiting + int64(s.Said)
}

// closes reports whether a session or a turn begins or ends in the spool: hooks start a whole drain
// in the background then.
func (d *daemon) closes() bool {
	kinds := []memory.EventKind{memory.SessionStarted, memory.TurnEnded, memory.SessionEnded}
	return slices.ContainsFunc(d.spool.Peek(peekMost, ""), func(e memory.Event) bool {
		return slices.Contains(kinds, e.Kind)
	})
}

// start does work in the background, and notes what became of it.
func (d *daemon) start(what Work) {
	waiting := d.waiting()
	d.with(func() { d.rhythm.begin(what, waiting) })
	go func() {
		report, err := d.Work(what)
		now, left, problem := d.Now(), d.waiting(), ""
		if err != nil {
			problem = err.Error()
		}
		d.with(func() {
			d.rhythm.done(what, now, left, err != nil)
			d.books.events += report.Events
			d.books.note(string(what), now, problem)
			for _, j := range report.Jobs {
				d.books.note(j.Job, now, j.Error)
			}
		})
		d.done <- struct{}{}
	}()
}

// finish waits for the work at hand, has what came since the latest rotation consolidated, and
// returns the reason to end. Work that takes longer than a minute is left to itself.
func (d *daemon) finish(reason error) error {
	d.with(func() { d.stopping = true })
	if !d.ended() {
		return reason
	}
	var dirty bool
	d.with(func() { dirty = d.rhythm.dirty })
	if dirty || d.waiting() > 0 {
		d.start(Rotation)
		d.ended()
	}
	return reason
}

// ended waits for the end of the work at hand, for a minute.
func (d *daemon) ended() bool {
	over := time.After(finishPatience)
	for {
		var doing Work
		if d.with(func() { doing = d.rhythm.doing() }); doing == "" {
			return true
		}
		select {
		case <-d.done:
		case <-over:
			return false
		}
	}
}

// child does work as hooks do: in a process that lowers its priority, that may be killed at any
// time, and that outlives the daemon if need be.
func (d *daemon) child(what Work) (r Report, err error) {
	args := []string{"drain", "--quiet", "--json"}
	if what == Events {
		args = append(args, "--events")
	}
	out, err := d.run(context.Background(), nil, args...)
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	return r, err
}

// teach reads in a process of its own what a lesson names.
func (d *daemon) teach(ctx context.Context, l Lesson) error {
	text, err := json.Marshal(l)
	if err == nil {
		_, err = d.run(ctx, text, "drain", "--json", "--read")
	}
	return err
}

func (d *daemon) run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, d.Program, args...)
	var out, problem bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = d.Config.Dir, bytes.NewReader(input), &out, &problem
	err := cmd.Run()
	if err != nil && ctx.Err() == nil {
		var told struct{ Error string }
		for said := json.NewDecoder(&problem); said.Decode(&told) == nil; { // warnings come first
		}
		return nil, errors.New(cmp.Or(told.Error, err.Error()))
	}
	return out.Bytes(), errors.Join(err, ctx.Err())
}
