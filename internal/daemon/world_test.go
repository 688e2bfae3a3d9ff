package daemon

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

// world is a repository that hebb knows, and a watcher of it.
type world struct {
	*braintest.Lab
	watcher *Watcher
	dir     string
	place   memory.Place
	seen    chan memory.Event // what the watcher recorded
	learned chan Lesson       // what it has read again
	stop    func()
}

// newWorld makes a repository of some files, each with its name as its text. Nothing is watched before start.
func newWorld(t *testing.T, files ...string) *world {
	t.Helper()
	w := &world{
		Lab: braintest.NewLab(t), dir: filepath.Join(t.TempDir(), "shop"),
		seen: make(chan memory.Event, 1000), learned: make(chan Lesson, 1000), stop: func() {},
	}
	w.Clock = time.Now().UTC()
	must.Do(t, os.Mkdir(w.dir, 0o755))
	w.git("init", "-q", "-b", "main")
	w.write(".gitignore", "*.ignored\nbuild/\n")
	for _, name := range files {
		w.write(name, name+"\n")
	}
	w.git("add", ".")
	w.git("commit", "-q", "-m", "first")
	must.Do(t, w.Recognise(t.Context(), w.dir))
	var err error
	if w.place, err = brain.PlaceAt(w.Config, w.dir); err != nil {
		t.Fatal(err)
	}
	w.Place = w.place
	start := w.Event(memory.SessionStarted, 0)
	start.At = w.Clock.Add(-time.Hour)
	w.append(start)
	w.drain()
	w.watcher = NewWatcher(w.Config, time.Now)
	w.watcher.Quiet, w.watcher.Look = 40*time.Millisecond, time.Hour
	w.watcher.append = func(e memory.Event) error {
		w.append(e)
		w.seen <- e
		return nil
	}
	teach := w.watcher.Teach
	w.watcher.Teach = func(ctx context.Context, l Lesson) error {
		err := teach(ctx, l)
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		w.learned <- l
		return err
	}
	return w
}

// start watches until the test ends.
func (w *world) start() *world {
	w.T.Helper()
	ctx, cancel := context.WithCancel(w.T.Context())
	var running sync.WaitGroup
	running.Go(func() { w.watcher.Run(ctx) })
	w.stop = func() {
		cancel()
		running.Wait()
		w.stop = func() {}
		if s := w.watcher.Status(); s.Problem != "" {
			w.T.Error(s.Problem)
		}
	}
	w.T.Cleanup(func() { w.stop() })
	<-w.watcher.ready
	return w
}

func (w *world) git(args ...string) string {
	w.T.Helper()
	out, err := w.command(args...).CombinedOutput()
	if err != nil {
		w.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *world) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "gc.auto=0", "-c", "maintenance.auto=false"}, args...)...) // nothing in the background
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	return cmd
}

func (w *world) file(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

// write saves a file as most editors do: in place.
func (w *world) write(name, text string) {
	w.T.Helper()
	must.Do(w.T, os.MkdirAll(filepath.Dir(w.file(name)), 0o755))
	must.Do(w.T, os.WriteFile(w.file(name), []byte(text), 0o644))
}

func (w *world) append(events ...memory.Event) {
	w.T.Helper()
	for _, e := range events {
		if err := w.Spool.Append(e); err != nil {
			w.T.Error(err)
		}
	}
}

func (w *world) drain() {
	w.T.Helper()
	must.Get(steward.Run(w.T.Context(), w.Brain, steward.Drain, steward.DrainInput{Wait: true}))(w.T)
}

// edited waits until an edit of each of these files was recorded, and of no others.
func (w *world) edited(names ...string) {
	w.T.Helper()
	var got []string
	for len(got) < len(names) {
		got = append(got, wait(w, w.seen).Touches[0].Path)
	}
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		w.T.Fatalf("edited %q, want %q", got, names)
	}
}

// learns waits until something was read again.
func (w *world) learns(is func(Lesson) bool) {
	w.T.Helper()
	for !is(wait(w, w.learned)) {
	}
}

// wait returns what comes next, within a time in which it surely comes.
func wait[V any](w *world, from chan V) (v V) {
	w.T.Helper()
	select {
	case v = <-from:
	case <-time.After(time.Minute):
		w.T.Fatalf("nothing came: %+v", w.watcher.Status())
	}
	return v
}

// waitFor waits until the status is as wanted. It looks again whenever something was read again or recorded, and every few milliseconds.
func (w *world) waitFor(is func(WatchStatus) bool) {
	w.T.Helper()
	look, end := time.NewTicker(5*time.Millisecond), time.After(time.Minute)
	defer look.Stop()
	for !is(w.watcher.Status()) {
		select {
		case <-look.C:
		case <-end:
			w.T.Fatalf("status %+v", w.watcher.Status())
		}
	}
}

// fails runs git, which must fail.
func (w *world) fails(args ...string) {
	w.T.Helper()
	if out, err := w.command(args...).CombinedOutput(); err == nil {
		w.T.Fatalf("git %s: %s", strings.Join(args, " "), out)
	}
}
