//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// HEBB_LOAD=full runs the tests of this file at the size that docs/reliability.md reports.
func loadSize(small, full int) int {
	if os.Getenv("HEBB_LOAD") == "full" {
		return full
	}
	return small
}

// 50 threads call the real hook at once, with two drains beside them and the settings that users have. Every event is stored once.
func TestStormOfProcesses(t *testing.T) {
	const workers = 50
	each, runs := loadSize(4, 20), loadSize(1, 10)
	for range runs {
		m := newMachine(t)
		want := map[memory.EventID]bool{}
		var wg sync.WaitGroup
		for w := range workers {
			for i := range each {
				want[memory.DerivedEventID(fmt.Sprintf("s%d", w), fmt.Sprintf("c%d", i), string(memory.ToolUsed))] = true
			}
			wg.Go(func() {
				for i := range each {
					m.hook(m.toolCall(fmt.Sprintf("s%d", w), fmt.Sprintf("c%d", i), "a.go"))
				}
			})
		}
		for range 2 {
			wg.Go(func() {
				for range 5 {
					m.run("", "drain")
				}
			})
		}
		wg.Wait()
		m.exactlyOnce(want)
		m.healthy()
	}
	t.Logf("%d runs of %d events: all stored once", runs, workers*each)
}

// busy starts processes that use a core each until the test ends.
func (m *machine) busy(processes int) {
	m.t.Helper()
	for range processes {
		cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
		must.Do(m.t, cmd.Start())
		m.t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // killed
		})
	}
}

// Beside busy processes every session start is kept. How many are answered within the limit is a figure of the machine, so it is
// printed and not asserted.
func TestSessionStartsBesideBusyProcesses(t *testing.T) {
	starts := loadSize(5, 40)
	m := newRepository(t, "")
	m.ok("pin", "Money", "Prices are in cents.")
	m.busy(6)
	answered := 0
	for i := range starts {
		payload := must.Get(json.Marshal(map[string]string{
			"session_id": strconv.Itoa(i), "transcript_path": "/x/projects/y/z.jsonl", "cwd": m.path("repo"), "hook_event_name": "SessionStart", "source": "startup",
		}))(t)
		r := m.run(string(payload), "hook", "claude-code")
		if r.code != 0 {
			t.Errorf("start %d exits %d: %s", i, r.code, r.stderr)
		}
		if strings.Contains(r.stdout, "Prices are in cents.") {
			answered++
		}
	}
	state := m.spool().State()
	t.Logf("%d of %d session starts answered within the limit beside 6 busy processes", answered, starts)
	if state.Lost.Count != 0 || int(state.Late.Count) != starts-answered {
		t.Errorf("%d of %d answered, counted %+v", answered, starts, state)
	}
	kept := 0
	for _, e := range m.events() {
		if e.Kind == memory.SessionStarted && e.AgentSession != "" {
			kept++
		}
	}
	if kept != starts {
		t.Errorf("%d of %d session starts kept", kept, starts)
	}
}

func TestLargePayloadsAreKept(t *testing.T) {
	payloads := loadSize(4, 20)
	m := newMachine(t)
	want := map[memory.EventID]bool{}
	for i := range payloads {
		call := strconv.Itoa(i)
		whole := m.toolCall("run", call, "a.go")
		large := strings.Replace(whole, `"tool_response":{}`, `"tool_response":{"content":"`+strings.Repeat("x", 15<<20)+`"}`, 1)
		m.hook(large)
		want[memory.DerivedEventID("run", call, string(memory.ToolUsed))] = true
	}
	m.exactlyOnce(want)
	t.Logf("%d payloads of 15 MB: all stored once", payloads)
}
