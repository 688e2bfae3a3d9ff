package daemon

import (
	"fmt"
	"os"
	"path/filepath"
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
	w := newWorld(t, "same.go", "restored.go", "staged.go", "dirty.go", "agent.go", "ran.go", "mine.go", "go.sum", "crlf.go")
	w.write("dirty.go", "changed before anybody watched\n")
	w.write("restored.go", "a change that is taken back\n")
	w.start()

	w.write("same.go", "same.go\n")
	w.write("dirty.go", "changed before anybody watched\n")
	w.write("crlf.go", "crlf.go\r\n")
	w.git("restore", "restored.go")
	w.write("no.ignored", "x\n")
	w.write("build/out.go", "x\n")
	w.write("mine.go.swp", "x\n")
	w.write("go.sum", "x\n")
	w.write("image.go", "a\x00b")
	must.Do(t, os.Symlink("same.go", w.file("link.go")))
	w.write("mine.go", "an edit\n")
	w.edited("mine.go")

	agent := w.Event(memory.ToolUsed, 0)
	agent.At, agent.Tool, agent.Touches = time.Now(), "Edit", []memory.Touch{{Kind: memory.Edit, Path: "agent.go"}}
	w.append(agent)
	w.write("agent.go", "by an agent\n")
	w.write("mine.go", "another edit\n")
	w.edited("mine.go")
	w.drain() // the agent's call is in the store now and says the same
	w.write("agent.go", "by an agent again\n")
	w.write("mine.go", "a third edit\n")
	w.edited("mine.go")

	w.write("staged.go", "edited and staged at once\n")
	w.git("add", "staged.go")
	w.edited("staged.go")
	w.stop()
	if s := w.watcher.Status(); s.Edits != 4 || s.Bursts != 0 {
		t.Errorf("status %+v", s)
	}
}

// A change of a file belongs to the agent's session that touched it within seconds, else to the person's; not to the person's either
// where an agent's command may have made it, and to nobody's again where the agent's hook has recorded it.
func TestWhoseAChangeIs(t *testing.T) {
	at := time.Now()
	touch := func(kind memory.TouchKind, name string) []memory.Touch {
		return []memory.Touch{{Kind: kind, Path: name}}
	}
	day := at.Local().Format(time.DateOnly)
	for name, c := range map[string]struct {
		change  func(*memory.Event)
		session string // whose; empty: nobody's
	}{
		"a command":               {func(*memory.Event) {}, ""},
		"long ago":                {func(e *memory.Event) { e.At = at.Add(-time.Minute) }, day},
		"another tool":            {func(e *memory.Event) { e.Tool = "Glob" }, day},
		"an edit":                 {func(e *memory.Event) { e.Tool, e.Touches = "Edit", touch(memory.Edit, "a.go") }, ""},
		"an edit of another file": {func(e *memory.Event) { e.Tool, e.Touches = "Edit", touch(memory.Edit, "b.go") }, day},
		"a read":                  {func(e *memory.Event) { e.Tool, e.Touches = "Read", touch(memory.Read, "a.go") }, "run"},
		"a command that names it": {func(e *memory.Event) { e.Touches = touch(memory.Mention, "a.go") }, "run"},
		"the person's command":    {func(e *memory.Event) { e.Agent = memory.AgentPerson }, day},
	} {
		e := memory.Event{At: at.Add(time.Second), Kind: memory.ToolUsed, Agent: "claude-code", AgentSession: "run", Tool: "Bash", Input: "make fmt"}
		c.change(&e)
		agent, session, known := maker([]memory.Event{e}, "a.go", at)
		if known != (c.session != "") || known && session != c.session || known && (agent == memory.AgentPerson) != (session == day) {
			t.Errorf("%s: %s %s, %v", name, agent, session, known)
		}
	}
}

// An agent that reads a file which then changes, by a formatter that it started for example, has the edit in its own session.
func TestAChangeOfAFileThatAnAgentTouchedIsOfItsSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "read.go").start()
	agent := w.Event(memory.ToolUsed, 0)
	agent.At, agent.Tool, agent.Touches = time.Now(), "Read", []memory.Touch{{Kind: memory.Read, Path: "read.go"}}
	w.append(agent)
	w.write("read.go", "formatted\n")
	if e := wait(w, w.seen); e.Agent != agent.Agent || e.AgentSession != agent.AgentSession || e.Touches[0].Kind != memory.Edit {
		t.Errorf("event %+v", e)
	}
	w.stop()
	w.drain()
	for _, s := range w.Sessions() {
		if s.Agent == memory.AgentPerson {
			t.Errorf("a session of the person: %+v", s)
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
	w.learns(func(l Lesson) bool { return l.Commits })
	w.write("b.go", "stashed\n")
	w.edited("b.go")
	w.git("stash", "-q")
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 1 })
	w.git("stash", "pop", "-q")
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 2 })
	w.fails("merge", "main") // a conflict
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 3 })
	for i := range mostByHand + 1 { // a generator
		w.write("made/f"+strconv.Itoa(i)+".go", "x\n")
	}
	w.waitFor(func(s WatchStatus) bool { return s.Bursts == 4 })
	w.write("made/f1.go", "x\n") // as the generator wrote it
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
	w.write("a.go", "just saved\n")
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
