//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/daemon"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// daemon is a client of the machine's daemon, which is ended with the test.
func (m *machine) daemon() daemon.Client {
	m.t.Helper()
	c := daemon.Client{Config: m.config(), Patience: generous}
	m.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), generous)
		defer cancel()
		if _, err := c.Stop(ctx); err != nil && !errors.Is(err, daemon.ErrNone) {
			m.t.Errorf("stop: %v", err)
		}
	})
	return c
}

// status waits until the daemon says what is wanted of it.
func (m *machine) status(c daemon.Client, want func(daemon.Status) bool) daemon.Status {
	m.t.Helper()
	var s daemon.Status
	m.wait("the daemon", func() (bool, string) {
		var err error
		s, err = c.Status(m.t.Context())
		return err == nil && want(s), fmt.Sprintf("%+v, %v", s, err)
	})
	return s
}

// wait waits for a condition.
func (m *machine) wait(what string, condition func() (bool, string)) {
	m.t.Helper()
	over := time.After(generous)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		done, state := condition()
		if done {
			return
		}
		select {
		case <-over:
			m.t.Fatalf("%s: %s", what, state)
		case <-tick.C:
		}
	}
}

func rotated(s daemon.Status) bool { return len(s.Jobs) > 0 && s.Doing == "" }

// daemons lists the processes of the program that are daemons of the machine.
func (m *machine) daemons() (pids []string) {
	m.t.Helper()
	commands := must.Get(filepath.Glob("/proc/[0-9]*/cmdline"))(m.t)
	home := "HEBB_HOME=" + m.path("home")
	for _, file := range commands {
		command, _ := os.ReadFile(file) // it may have ended
		environment, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "environ"))
		if string(command) == program+"\x00daemon\x00run\x00" && slices.Contains(strings.Split(string(environment), "\x00"), home) {
			pids = append(pids, filepath.Base(filepath.Dir(file)))
		}
	}
	return pids
}

// 100 cold starts at once end in one daemon, and each says which.
func TestManyStartsMakeOneDaemon(t *testing.T) {
	m := newMachine(t)
	c := m.daemon()
	var all sync.WaitGroup
	var mutex sync.Mutex
	pids, started := map[int]int{}, 0
	for range 100 {
		all.Go(func() {
			var out struct {
				PID     int
				Started bool
			}
			text := m.ok("daemon", "start", "--json")
			mutex.Lock()
			defer mutex.Unlock()
			if err := json.Unmarshal([]byte(text), &out); err != nil {
				t.Errorf("%v: %s", err, text)
			}
			pids[out.PID]++
			if out.Started {
				started++
			}
		})
	}
	all.Wait()
	p, err := c.Ping(t.Context())
	if err != nil || len(pids) != 1 || pids[p.PID] != 100 || started != 1 {
		t.Errorf("%d started; they name %v, and %+v answers, %v", started, pids, p, err)
	}
	if _, err := os.Stat("/proc/self/environ"); err == nil {
		if got := m.daemons(); len(got) != 1 {
			t.Errorf("processes %v", got)
		}
	}
}

// hooked has hooks send n tool calls of a session.
func (m *machine) hooked(session string, n int) {
	for i := range n {
		m.hook(m.toolCall(session, fmt.Sprintf("%s-%d", session, i), fmt.Sprintf("f%d.go", i)))
	}
}

// once wants each of so many tool calls in the store once.
func (m *machine) once(calls int) {
	m.t.Helper()
	seen := map[memory.EventID]int{}
	tools := 0
	for _, e := range m.events() {
		seen[e.ID]++
		if e.Kind == memory.ToolUsed {
			tools++
		}
		if seen[e.ID] > 1 {
			m.t.Errorf("%s is there twice", e.ID)
		}
	}
	if tools != calls {
		m.t.Errorf("%d tool calls in the store, want %d", tools, calls)
	}
}

// A daemon drains what hooks write without being asked; while it is stopped, hooks and commands go on without it, and when it goes on,
// each event is stored once.
func TestAStoppedDaemonStopsNobody(t *testing.T) {
	m := newMachine(t)
	c := m.daemon()
	m.ok("daemon", "start")
	m.status(c, rotated)
	m.hooked("one", 10)
	s := m.status(c, func(s daemon.Status) bool { return s.Events >= 10 && s.Waiting == 0 })
	must.Do(t, syscall.Kill(s.PID, syscall.SIGSTOP))
	t.Cleanup(func() { _ = syscall.Kill(s.PID, syscall.SIGCONT) })
	m.hooked("two", 10)
	if m.spool().State().Waiting == 0 {
		t.Error("a stopped daemon has drained")
	}
	if r := m.run("", "daemon", "status"); r.code != 4 { // it accepts the connection, and does not answer
		t.Errorf("status of a stopped daemon exits %d: %s%s", r.code, r.stdout, r.stderr)
	}
	m.once(20) // a command drains by itself
	m.hooked("three", 10)
	must.Do(t, syscall.Kill(s.PID, syscall.SIGCONT))
	m.status(c, func(s daemon.Status) bool { return s.Events >= 20 && s.Waiting == 0 })
	m.once(30)
}

// A daemon is killed at moments drawn by lot while hooks write. The next start takes over what it left, and no event is lost.
func TestAKilledDaemonLosesNothing(t *testing.T) {
	m := newMachine(t)
	c := m.daemon()
	const rounds, calls = 6, 8
	for round := range rounds {
		m.ok("daemon", "start")
		p := must.Get(c.Ping(t.Context()))(t)
		for i := range calls {
			m.hook(m.toolCall("run", fmt.Sprintf("%d-%d", round, i), "main.go"))
			if i == round {
				must.Do(t, syscall.Kill(p.PID, syscall.SIGKILL))
			}
		}
	}
	m.ok("daemon", "start")
	m.status(c, func(s daemon.Status) bool { return rotated(s) && s.Waiting == 0 })
	m.once(rounds * calls)
	m.ok("doctor")
}

// SIGTERM ends a daemon as hebb daemon stop does: what waits in the spool is consolidated first. Without its data folder it ends
// without a word, and does not make the folder again.
func TestADaemonEndsInOrder(t *testing.T) {
	m := newMachine(t)
	c := m.daemon()
	run := func(end func(daemon.Ping)) string {
		cmd := m.command("daemon", "run")
		ended := make(chan result)
		go func() { ended <- m.finish(cmd, nil) }()
		s := m.status(c, rotated)
		end(s.Ping)
		r := <-ended
		if r.code != 0 {
			t.Errorf("it exits %d: %s%s", r.code, r.stdout, r.stderr)
		}
		return r.stdout
	}
	run(func(p daemon.Ping) {
		m.hooked("one", 3)
		must.Do(t, syscall.Kill(p.PID, syscall.SIGTERM))
	})
	if s := m.spool().State(); s.Waiting > 0 {
		t.Errorf("%d bytes wait in the spool", s.Waiting)
	}
	run(func(daemon.Ping) {
		m.hooked("two", 3)
		m.ok("daemon", "stop")
	})
	if s := m.spool().State(); s.Waiting > 0 {
		t.Errorf("%d bytes wait in the spool", s.Waiting)
	}
	m.once(6)
	if got := run(func(daemon.Ping) {
		must.Do(t, os.Rename(m.path("home"), m.path("moved")))
	}); got != "The daemon has ended: its data folder is gone.\n" {
		t.Errorf("it says %q", got)
	}
	if _, err := os.Stat(m.path("home")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data folder is there again: %v", err)
	}
}

// What keeps the daemon's work from being done is shown, tried again, and over when it is fixed.
func TestTheStatusOfADaemonSaysWhatFails(t *testing.T) {
	m := newMachine(t)
	c := m.daemon()
	m.ok("daemon", "start")
	m.status(c, rotated)
	m.write("home/config.toml", "{{{\n")
	m.hooked("one", 1)
	m.status(c, func(s daemon.Status) bool {
		return slices.ContainsFunc(s.Jobs, func(j daemon.Job) bool {
			return j.Name == string(daemon.Events) && strings.Contains(j.Error, "config.toml: line 1")
		})
	})
	m.write("home/config.toml", "")
	m.status(c, func(s daemon.Status) bool { return s.Events == 1 && s.Waiting == 0 })
}

// A prompt is answered with the same bytes, whether a daemon did the upkeep of the memory or a drain of a hook.
func TestAnswersAreTheSameWithADaemon(t *testing.T) {
	t.Parallel()
	m := newRepository(t, talkative)
	m.ok("drain")
	m.copy("home", "before")
	m.ok("daemon", "start", "--stay")
	m.status(m.daemon(), rotated)
	with := m.prompts("same", lexerTask)
	m.ok("daemon", "stop")
	m.copy("before", "home")
	m.ok("drain", "--quiet")
	if without := m.prompts("same", lexerTask); with != without || with == "" {
		t.Errorf("with a daemon:\n%s\nwithout:\n%s", with, without)
	}
}

// A function that a person adds is found by a search, without a hook, a commit or a sleep. What reads it is a process of its own.
func TestAFunctionOfThePersonIsFound(t *testing.T) {
	t.Parallel()
	m := newRepository(t, talkative)
	m.prompts("before", lexerTask) // projects are watched in which something happened lately
	m.ok("drain")
	m.ok("daemon", "start")
	c := m.daemon()
	m.status(c, func(s daemon.Status) bool { return rotated(s) && len(s.Watch.Projects) == 1 })
	m.write("repo/rounding.go", "package shop\n\n// RoundHalfUpward rounds prices.\nfunc RoundHalfUpward(cents int) int {\n\tif cents < 0 {\n"+
		"\t\treturn 0\n\t}\n\treturn cents\n}\n")
	m.wait("the search", func() (bool, string) {
		out := m.ok("search", "RoundHalfUpward")
		return strings.Contains(out, "rounding.go"), out
	})
	if s := m.status(c, func(s daemon.Status) bool { return s.Watch.Edits == 1 }); s.Watch.Problem != "" {
		t.Errorf("status %+v", s.Watch)
	}
}
