//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
)

// exactlyOnce wants these events in the store, each once, and nothing else.
func (m *machine) exactlyOnce(want map[memory.EventID]bool) {
	m.t.Helper()
	found := map[memory.EventID]int{}
	for _, e := range m.events() {
		found[e.ID]++
	}
	lost, extra, twice := 0, 0, 0
	for id := range want {
		if found[id] == 0 {
			lost++
		}
	}
	for id, n := range found {
		if !want[id] {
			extra++
		}
		if n > 1 {
			twice++
		}
	}
	if lost+extra+twice > 0 {
		m.t.Errorf("of %d events %d are lost, %d stored twice, %d nobody sent", len(want), lost, twice, extra)
	}
	if state := m.spool().State(); state.Waiting > 0 || state.Lost.Count > 0 {
		m.t.Errorf("left in the spool: %+v", state)
	}
}

func (m *machine) healthy() {
	m.t.Helper()
	if r := m.run("", "doctor", "--deep"); r.code != 0 {
		m.t.Errorf("doctor --deep exits %d:\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// 50 agents at once, 100 events each, while four processes drain: nothing is lost, nothing is stored twice.
func TestStormOfHooks(t *testing.T) {
	const workers, each, drainers = 50, 100, 4
	m := newMachine(t)
	want := map[memory.EventID]bool{}
	for w := range workers {
		for i := range each {
			want[memory.DerivedEventID(fmt.Sprintf("worker-%d", w), fmt.Sprintf("call-%d-%d", w, i), string(memory.ToolUsed))] = true
		}
	}

	over := make(chan struct{})
	sums := make([]steward.DrainResult, drainers)
	var drains sync.WaitGroup
	for i := range sums {
		drains.Go(func() {
			for last := false; !last; {
				select {
				case <-over:
					last = true // and one more look
				default:
				}
				var r steward.DrainResult
				if err := json.Unmarshal([]byte(m.ok("drain", "--json")), &r); err != nil {
					t.Error(err)
				}
				sums[i].Events += r.Events
				sums[i].Duplicates += r.Duplicates
				sums[i].Rejected += r.Rejected
			}
		})
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			r := m.finish(m.start("hebb-hooks", strconv.Itoa(w), strconv.Itoa(each)), nil)
			if strings.TrimSpace(r.stdout) != strconv.Itoa(each) {
				t.Errorf("worker %d: exit %d, kept %q: %s", w, r.code, r.stdout, r.stderr)
			}
		})
	}
	wg.Wait()
	close(over)
	drains.Wait()
	var total steward.DrainResult
	for _, sum := range sums {
		total.Events += sum.Events
		total.Duplicates += sum.Duplicates
		total.Rejected += sum.Rejected
	}
	if total.Duplicates > 0 || total.Rejected > 0 {
		t.Errorf("drained %+v", total)
	}
	m.exactlyOnce(want)
	m.healthy()
}

// kill -9 in the middle of 200 drains: every event that was appended is there once at the end.
func TestKilledDrains(t *testing.T) {
	const loops, each = 80, 60 // several transactions to be killed in: the first takes 25 events
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("HEBB_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("HEBB_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	m := newMachine(t)
	m.ok("events")
	box := m.spool()
	want := map[memory.EventID]bool{}
	killed := 0
	for loop := range loops {
		for i := range each {
			e := m.event(fmt.Sprintf("%d-%d", loop, i))
			if err := box.Append(e); err != nil {
				t.Fatal(err)
			}
			want[e.ID] = true
		}
		cmd := m.command("drain", "--quiet")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		exited := make(chan error, 1)
		go func() { exited <- cmd.Wait() }()
		m.awaitProgress(random, exited)
		_ = cmd.Process.Kill() // it may be gone already
		if <-exited; !cmd.ProcessState.Success() {
			killed++
		}
	}
	if killed < loops/4 {
		t.Errorf("only %d of %d drains were killed: the test no longer tests anything", killed, loops)
	}
	t.Logf("%d of %d drains killed before they were done", killed, loops)
	m.exactlyOnce(want)
	m.healthy()
}

// awaitProgress returns when a drain has come as far as chance decided: at once, when it has sealed the inbox, after a
// number of commits (each makes the write-ahead log longer or shorter), or when the segment is gone; or when it ended.
func (m *machine) awaitProgress(random *rand.Rand, exited chan error) {
	wal := m.path("home", "hebb.db-wal")
	size := func() int64 {
		info, err := os.Stat(wal)
		if err != nil {
			return -1
		}
		return info.Size()
	}
	milestone, changes, spins := random.IntN(4), 1+random.IntN(6), random.IntN(2000)
	last := size()
	for spin := 0; len(exited) == 0; spin++ {
		switch milestone {
		case 0:
			if spin >= spins {
				return
			}
		case 1:
			if _, err := os.Stat(m.path("home", "spool", "inbox")); err != nil {
				return
			}
		case 2:
			if now := size(); now != last {
				last = now
				if changes--; changes == 0 {
					return
				}
			}
		case 3:
			if names, _ := filepath.Glob(m.path("home", "spool", "*.sealed")); len(names) == 0 && spin > 0 {
				if _, err := os.Stat(m.path("home", "spool", "inbox")); err != nil {
					return
				}
			}
		}
		runtime.Gosched()
	}
}

// A hook that is killed has promised nothing; what it leaves behind spoils nothing.
func TestKilledHooks(t *testing.T) {
	m := newMachine(t)
	want := map[memory.EventID]bool{}
	possible := map[memory.EventID]bool{}
	for i := range 40 {
		call := fmt.Sprintf("c%d", i)
		id := memory.DerivedEventID("run", call, string(memory.ToolUsed))
		cmd := m.command("hook", "claude-code")
		cmd.Stdin = strings.NewReader(m.toolCall("run", call, "a.go"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			for range i * 50 {
				runtime.Gosched()
			}
			_ = cmd.Process.Kill() // it may be gone already
		}
		if err := cmd.Wait(); err == nil {
			want[id] = true
		}
		possible[id] = true
	}
	for _, e := range m.events() {
		if !possible[e.ID] {
			t.Errorf("event %s: nobody sent it", e.ID)
		}
		delete(want, e.ID)
	}
	if len(want) > 0 {
		t.Errorf("%d acknowledged events are lost", len(want))
	}
	m.healthy()
}

// Eight processes that start at once on an empty data folder all succeed and see the same empty memory.
func TestManyFirstStarts(t *testing.T) {
	for range 3 {
		m := newMachine(t)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if r := m.run("", "events", "--json"); r.code != 0 || strings.TrimSpace(r.stdout) != "[]" || r.stderr != "" {
					t.Errorf("exit %d: %s%s", r.code, r.stdout, r.stderr)
				}
			})
		}
		wg.Wait()
		m.healthy()
	}
}

// Two drains at once share the work: together they take in everything once.
func TestTwoDrains(t *testing.T) {
	m := newMachine(t)
	m.ok("events")
	box := m.spool()
	want := map[memory.EventID]bool{}
	for i := range 200 {
		e := m.event(strconv.Itoa(i))
		if err := box.Append(e); err != nil {
			t.Fatal(err)
		}
		want[e.ID] = true
	}
	var wg sync.WaitGroup
	results := make([]steward.DrainResult, 2)
	for i := range results {
		wg.Go(func() {
			if err := json.Unmarshal([]byte(m.ok("drain", "--json")), &results[i]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if sum := results[0].Events + results[1].Events; sum != 200 || results[0].Duplicates+results[1].Duplicates > 0 {
		t.Errorf("drained %+v", results)
	}
	m.exactlyOnce(want)
}

// A drain that hangs must not hang everybody: commands answer from what is stored and say so.
func TestHangingDrain(t *testing.T) {
	m := newMachine(t)
	m.write("home/config.toml", "[tuning.store]\nbusy_timeout = 100\n")
	m.hook(m.toolCall("run", "one", "a.go"))
	if n := len(m.events()); n != 1 {
		t.Fatalf("%d events", n)
	}
	m.hook(m.toolCall("run", "two", "a.go"))
	release, err := filesys.Acquire(t.Context(), m.path("home", "spool", "drain.lock"))
	if err != nil {
		t.Fatal(err)
	}
	r := m.run("", "events", "--json")
	if r.code != 0 || strings.Count(r.stdout, `"kind": "tool"`) != 1 || !strings.Contains(r.stderr, `"warning": "another hebb`) {
		t.Errorf("exit %d: %s%s", r.code, r.stdout, r.stderr)
	}
	if text := m.ok("drain"); !strings.Contains(text, "nothing was done") {
		t.Errorf("drain said %q", text)
	}
	release()
	if n := len(m.events()); n != 2 {
		t.Errorf("%d events after the lock was free", n)
	}
}

// A record cut in the middle of its line costs that record only, and its bytes are kept aside.
func TestTornRecord(t *testing.T) {
	m := newMachine(t)
	m.hook(m.toolCall("run", "one", "a.go"))
	m.hook(m.toolCall("run", "torn", "b.go"))
	inbox := m.path("home", "spool", "inbox")
	info, err := os.Stat(inbox)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(inbox, info.Size()-40); err != nil {
		t.Fatal(err)
	}
	m.hook(m.toolCall("run", "three", "c.go"))
	m.exactlyOnce(map[memory.EventID]bool{
		memory.DerivedEventID("run", "one", string(memory.ToolUsed)):   true,
		memory.DerivedEventID("run", "three", string(memory.ToolUsed)): true,
	})
	kept, err := os.ReadFile(m.path("home", "spool", "rejected"))
	if err != nil || !strings.Contains(string(kept), string(memory.DerivedEventID("run", "torn", string(memory.ToolUsed)))) {
		t.Errorf("rejected holds %q, %v", kept, err)
	}
	if r := m.run("", "doctor"); r.code != 0 || !strings.Contains(r.stdout, "could not be read") {
		t.Errorf("doctor exits %d: %s", r.code, r.stdout)
	}
}

// At its limit the spool refuses observations and counts them; prompts still find room.
func TestFullSpool(t *testing.T) {
	m := newMachine(t)
	m.write("home/config.toml", "[tuning.spool]\nmax_size = 1\n") // MB
	m.write("home/spool/000000000000.sealed", strings.Repeat(" ", 1<<20))
	m.hook(m.toolCall("run", "dropped", "a.go"))
	m.hook(m.toolCall("run", "dropped too", "a.go"))
	m.hook(m.prompt("run", "p1", "still heard"))
	if state := m.spool().State(); state.Lost.Count != 2 || state.Waiting <= 1<<20 || !strings.Contains(state.Complaint, "spool is full") {
		t.Errorf("spool %+v", state)
	}
	events := m.events()
	if len(events) != 1 || events[0].Text != "still heard" {
		t.Errorf("events %+v", events)
	}
	if r := m.run("", "doctor"); !strings.Contains(r.stdout, "2 events lost") {
		t.Errorf("doctor: %s", r.stdout)
	}
}

// Ctrl-C in the middle of hebb init leaves a store that works, and the next run learns the rest.
func TestInterruptedInit(t *testing.T) {
	const commits = 120
	m := newMachine(t)
	git := func(args ...string) {
		t.Helper()
		cmd := m.start("git", args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	var history strings.Builder
	for i := range commits {
		fmt.Fprintf(&history, "commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata 4\nwork\n", 1767323045+i)
		fmt.Fprintf(&history, "M 644 inline file%d.go\ndata 2\nx\n\n", i%7)
	}
	fill := m.start("git", "fast-import", "--quiet")
	if r := m.finish(fill, strings.NewReader(history.String())); r.code != 0 {
		t.Fatal(r.stderr)
	}
	git("symbolic-ref", "HEAD", "refs/heads/main")

	// This git says all it has to say about the history, then signals the test and never ends.
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	ready, never := m.path("ready"), m.path("never")
	for _, name := range []string{ready, never} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.write("bin/git", fmt.Sprintf("#!/bin/sh\n%s \"$@\" || exit\ncase \" $* \" in *' diff-tree '*) echo > %s; exec cat %s;; esac\n", real, ready, never))
	if err := os.Chmod(m.path("bin", "git"), 0o700); err != nil {
		t.Fatal(err)
	}
	plain := m.env
	m.env = append(m.env[:len(m.env):len(m.env)], "PATH="+m.path("bin")+":"+m.getenv("PATH"))
	cmd := m.command("init")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(ready); err != nil { // opens when git has written its last word
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("interrupted init exits %d: %s", code, said.String())
	}
	m.env = plain
	m.healthy()
	if text := m.ok("init"); !strings.Contains(text, "Learned") && !strings.Contains(text, "Nothing new") {
		t.Errorf("init said %q", text)
	}
	if n := len(m.events()); n != commits {
		t.Errorf("%d events after the second init, want %d", n, commits)
	}
	m.healthy()
}
