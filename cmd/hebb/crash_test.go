//go:build unix

package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
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
	if r := m.run("", "doctor"); r.code != 0 {
		m.t.Errorf("doctor exits %d:\n%s%s", r.code, r.stdout, r.stderr)
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
		must.Do(t, cmd.Start())
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

// A drain that hangs must not hang everybody: commands answer from what is stored and say so.
func TestHangingDrain(t *testing.T) {
	m := newMachine(t)
	m.write("home/config.toml", "[tuning.store]\nbusy_timeout = 100\n")
	m.hook(m.toolCall("run", "one", "a.go"))
	if n := len(m.events()); n != 1 {
		t.Fatalf("%d events", n)
	}
	m.hook(m.toolCall("run", "two", "a.go"))
	release := must.Get(filesys.Acquire(t.Context(), m.path("home", "spool", "drain.lock")))(t)
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
