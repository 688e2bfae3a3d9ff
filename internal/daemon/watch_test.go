package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/texts"
)

// Editors save in place, by a new file that takes the place of the old one, or after moving the old one away.
func TestEachEditIsRecordedOnceHoweverEditorsSave(t *testing.T) {
	t.Parallel()
	const files, rounds = 20, 10
	var names []string
	for i := range files {
		names = append(names, fmt.Sprintf("src/file%02d.go", i))
	}
	w := newWorld(t, names...).start()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for style, save := range []func(name, text string){
		w.write,
		func(name, text string) {
			w.write(name+".part4711", text)
			check(os.Rename(w.file(name+".part4711"), w.file(name)))
		},
		func(name, text string) {
			check(os.Rename(w.file(name), w.file(name+"~")))
			w.write(name, text)
		},
	} {
		for round := range rounds {
			for _, name := range names {
				save(name, fmt.Sprintf("// %d in style %d\n", round, style))
			}
			w.edited(append([]string{}, names...)...)
		}
	}
	w.write("last.go", "last\n")
	w.edited("last.go")
	w.stop()
	w.drain()
	w.drain() // nothing is stored twice
	count := map[string]int{}
	for _, e := range w.Events() {
		if e.Agent == memory.AgentPerson {
			count[e.Touches[0].Path]++
		}
	}
	for _, name := range names {
		if count[name] != 3*rounds {
			t.Errorf("%s: %d edits, want %d", name, count[name], 3*rounds)
		}
	}
	if s := w.watcher.Status(); s.Edits != 3*files*rounds+1 || s.Bursts != 0 || s.LastChange.IsZero() {
		t.Errorf("status %+v", s)
	}
	if w.Spool.Peek(1<<20, "~") != nil {
		t.Error("a copy that an editor keeps is no edit")
	}
}

func TestWhatIsNoEditIsNotRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "same.go", "mine.go", "go.sum").start()
	w.write("no.ignored", "x\n")
	w.write("build/out.go", "x\n")
	w.write("mine.go.swp", "x\n")
	w.write("go.sum", "x\n")
	must.Do(t, os.Symlink("same.go", w.file("link.go")))
	w.write("mine.go", "an edit\n")
	w.edited("mine.go")

	agent := w.Event(memory.ToolUsed, 0)
	agent.At, agent.Tool = time.Now(), "Bash"
	w.append(agent)
	w.write("agent.go", "while an agent works\n")
	w.learns(func(l Lesson) bool { return slices.Contains(l.Changed, "agent.go") })
	w.drain() // the agent's call is in the store now and says the same
	w.write("agent.go", "while an agent works still\n")
	w.learns(func(l Lesson) bool { return !l.Words && slices.Contains(l.Changed, "agent.go") })
	w.stop()
	if s := w.watcher.Status(); s.Edits != 1 || s.Bursts != 0 {
		t.Errorf("status %+v", s)
		for len(w.seen) > 0 {
			t.Errorf("seen %+v", <-w.seen)
		}
	}
}

// A change is the person's unless an agent used a tool about its time.
func TestWhoseAChangeIs(t *testing.T) {
	at := time.Now()
	for name, c := range map[string]struct {
		change func(*memory.Event)
		agents bool
	}{
		"a call":               {func(*memory.Event) {}, true},
		"a call before":        {func(e *memory.Event) { e.At = at.Add(-agentWindow) }, true},
		"a failed call":        {func(e *memory.Event) { e.Kind = memory.ToolFailed }, true},
		"long ago":             {func(e *memory.Event) { e.At = at.Add(-time.Minute) }, false},
		"a prompt":             {func(e *memory.Event) { e.Kind = memory.Prompted }, false},
		"the person's command": {func(e *memory.Event) { e.Agent = memory.AgentPerson }, false},
	} {
		e := memory.Event{At: at.Add(time.Second), Kind: memory.ToolUsed, Agent: "claude-code", AgentSession: "run", Tool: "Bash", Input: "make fmt"}
		c.change(&e)
		if got := byAgent([]memory.Event{e}, at); got != c.agents {
			t.Errorf("%s: by an agent %v, want %v", name, got, c.agents)
		}
	}
}

// A branch switch, a merge with a conflict, a stash and a generator are not the person's edits.
func TestBurstsRecordNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go", "b.go")
	w.git("switch", "-q", "-c", "side")
	w.write("a.go", "side\n")
	w.git("commit", "-q", "-a", "-m", "side")
	w.git("switch", "-q", "main")
	w.write("a.go", "main\n")
	w.git("commit", "-q", "-a", "-m", "main")
	w.watcher.Quiet = 2 * time.Second // git stash pop is two programs: the stash goes after the files came
	w.start()

	w.git("switch", "-q", "side") // as many files as a person edits
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 1 })
	w.write("b.go", "stashed\n")
	w.edited("b.go")
	w.git("stash", "-q")
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 2 })
	w.git("stash", "pop", "-q")
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 3 })
	w.fails("merge", "main") // a conflict
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 4 })
	for i := range mostByHand + 1 { // a generator
		w.write("made/f"+strconv.Itoa(i)+".go", "x\n")
	}
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 5 })
	w.write("made/f2.go", "the person's\n")
	w.edited("made/f2.go")
	w.stop()
	if s := w.watcher.Status(); s.Edits != 2 {
		t.Errorf("status %+v", s)
	}
}

func TestASwitchOfTenThousandFilesRecordsNothing(t *testing.T) {
	t.Parallel()
	const files = 10000
	w := newWorld(t)
	write := func(text string) {
		for i := range files {
			w.write(fmt.Sprintf("d%d/f%d.go", i%100, i), text)
		}
	}
	write("one\n")
	w.git("add", ".")
	w.git("commit", "-q", "-m", "one")
	w.git("switch", "-q", "-c", "two")
	write("two\n")
	w.git("commit", "-q", "-a", "-m", "two")
	w.start()
	w.git("switch", "-q", "main")
	w.learns(func(l Lesson) bool { return l.All })
	w.write("d1/f1.go", "the person's\n")
	w.edited("d1/f1.go")
	w.stop()
	if s := w.watcher.Status(); s.Edits != 1 || s.Bursts == 0 {
		t.Errorf("status %+v", s)
	}
}

func TestNewFoldersAreWatchedAndMovedOnesKeepTheirNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go").start()
	w.write("new/deep/b.go", "one\n")
	w.edited("new/deep/b.go")
	w.write("new/deep/b.go", "two\n")
	w.edited("new/deep/b.go")
	must.Do(t, os.Rename(w.file("new"), w.file("moved")))
	w.edited("moved/deep/b.go")
	w.write("moved/deep/b.go", "three\n")
	w.edited("moved/deep/b.go")
	must.Do(t, os.RemoveAll(w.file("moved")))
	w.write("moved/deep/b.go", "four\n")
	w.edited("moved/deep/b.go")
}

func TestWhatTheSystemLostIsFoundByTheIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go", "b.go")
	w.write("a.go", "changed before\n")
	must.Do(t, os.Chtimes(w.file("a.go"), time.Time{}, time.Now().Add(-time.Hour)))
	w.watcher.add = func(string) error { return nil } // the system reports nothing
	w.start()
	w.write("b.go", "a longer text\n")
	w.write("c.go", "new\n")
	w.watcher.notify.Errors <- fsnotify.ErrEventOverflow
	w.edited("b.go", "c.go")
	w.stop()
	if s := w.watcher.Status(); s.Overflows != 1 || s.Edits != 2 {
		t.Errorf("status %+v", s)
	}
}

func TestBeyondTheLimitOfWatchesTheWorkTreeIsLookedThrough(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go", "deep/b.go")
	w.watcher.add = func(name string) error {
		if filepath.Base(name) == "deep" {
			return syscall.ENOSPC
		}
		return nil
	}
	w.watcher.Look = 50 * time.Millisecond
	w.start()
	w.write("deep/b.go", "a longer text\n")
	w.edited("deep/b.go")
	w.git("commit", "-q", "-a", "-m", "second")
	w.learns(func(l Lesson) bool { return l.Commits })
	s := w.watcher.Status()
	if len(s.Projects) != 1 || s.Projects[0].Folders != 0 || s.Projects[0].Files != 3 || s.Projects[0].Limit == "" {
		t.Errorf("status %+v", s)
	}
}

func TestCommitsAreLearnedWithoutAHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go").start()
	w.write("a.go", "second\n")
	w.edited("a.go")
	w.git("commit", "-q", "-a", "-m", "the second commit")
	w.learns(func(l Lesson) bool { return l.Commits })
	for _, e := range w.Events() {
		if e.Kind == memory.Committed && e.Text == "the second commit" {
			return
		}
	}
	t.Errorf("it is not in the store: %+v", w.Events())
}

func TestAFunctionIsFoundOnceItIsSaved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "price.go", "other.go").start()
	search := func(want bool) {
		t.Helper()
		found := braintest.Must(w.Lab, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: w.dir}, Query: "RoundHalfUpward"})
		if got := len(found.Found) > 0 && found.Found[0].Path == "price.go"; got != want {
			t.Errorf("found: %v, want %v: %+v", got, want, found.Found)
		}
	}
	w.write("price.go", "package shop\n\n// RoundHalfUpward rounds prices.\nfunc RoundHalfUpward(cents int) int {\n\tif cents < 0 {\n\t\treturn 0\n\t}\n\treturn cents\n}\n")
	w.learns(func(l Lesson) bool { return len(l.Changed) == 1 })
	search(true)
	must.Do(t, os.Remove(w.file("price.go")))
	w.learns(func(l Lesson) bool { return !l.Words })
	search(false)
}

// A change that is not settled when the watcher ends is recorded; a watcher that begins takes what is there for known.
func TestTheEndLosesNothingAndTheBeginningRepeatsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go", "b.go")
	w.watcher.Quiet = time.Hour
	w.start()
	w.write("a.go", "just saved\n")
	w.waitFor(func(s WatchStatus) bool { return !s.LastChange.IsZero() })
	w.stop()
	w.edited("a.go")

	w.watcher.Quiet, w.watcher.ready = 40*time.Millisecond, make(chan struct{})
	w.watcher.add = nil
	w.start()
	w.write("b.go", "an edit\n")
	w.edited("b.go")
}

func TestPausedAndOldProjectsAreNotWatched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go")
	count := func() int {
		var list []WorkTree
		must.Do(t, w.watcher.use(t.Context(), func(b *brain.Brain) (err error) {
			list, err = projects(t.Context(), b)
			return err
		}))
		return len(list)
	}
	if count() != 1 {
		t.Error("a project of the last month is not watched")
	}
	must.Get(w.Config.Pause(w.place.Project(), true))(t)
	if count() != 0 {
		t.Error("a paused project is watched")
	}
	must.Get(w.Config.Pause(w.place.Project(), false))(t)
	w.watcher = NewWatcher(w.Config, func() time.Time { return time.Now().Add(projectAge) })
	if count() != 0 {
		t.Error("an old project is watched")
	}
}
