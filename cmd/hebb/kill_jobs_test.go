//go:build unix

package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// killsOfJob is at how many of its steps a long job is killed, evenly spread: each takes seconds.
const killsOfJob = 12

// Forgetting and importing are many transactions. Killed between any two of them, forgetting is finished by the next command that
// drains, importing by importing again: the events are those of a job that was not killed, and doctor --deep finds nothing.
func TestALongJobKilledOnTheWayIsFinished(t *testing.T) {
	dying := buildDying(t)
	work := func(m *machine) {
		for session := range 4 {
			for i := range 30 {
				m.hook(m.toolCall(fmt.Sprint("run-", session), fmt.Sprintf("call-%d-%d", session, i), fmt.Sprintf("file%d.go", (session+i)%12)))
			}
			m.hook(m.prompt(fmt.Sprint("run-", session), fmt.Sprint("prompt-", session), "the secret plan of the importer"))
		}
		m.ok("drain")
	}
	for _, c := range []struct {
		name string
		args []string
		pass []string // functions whose transactions must be among those at which it is killed
		// prepare makes the home in which the job runs.
		prepare func(m *machine)
	}{
		{"forget", []string{"forget", "--session", "run-2", "--yes"}, []string{"BeginForgetting", "forgetDocuments", "forgetEvents", "forget.begin < forget.run", "learnEvents", "settleSessions", "forget.end < forget.run"}, work},
		{"import", []string{"import", "../all.jsonl", "--mine"}, []string{"takeInBatches", "learnEvents", "forget.end < forget.run"}, func(m *machine) {
			work(m)
			m.ok("export", "../all.jsonl")
			if err := os.RemoveAll(m.path("home")); err != nil {
				m.t.Fatal(err)
			}
			m.ok("drain") // into a new one
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			c.prepare(m)
			m.copy("home", "kept")
			cmd := m.start(dying, c.args...)
			cmd.Env = append(cmd.Env, "HEBB_STEPS="+m.path("steps"))
			if r := m.finish(cmd, nil); r.code != 0 {
				t.Fatalf("exits %d: %s%s", r.code, r.stdout, r.stderr)
			}
			want := map[memory.EventID]bool{}
			for _, e := range m.events() {
				want[e.ID] = true
			}
			lines := strings.Split(strings.TrimSpace(m.read(m.path("steps"))), "\n")
			for _, step := range c.pass {
				if !slices.ContainsFunc(lines, func(line string) bool {
					return strings.HasPrefix(line, "committed") && strings.Contains(strings.ReplaceAll(line, "(*relearner).", ""), step)
				}) {
					t.Fatalf("no step %q among\n%s", step, strings.Join(lines, "\n"))
				}
			}
			t.Logf("%d steps", len(lines))
			killed := 0
			var steps []int // transactions, before and after their commit
			for i, line := range lines {
				if strings.HasPrefix(line, "commit") {
					steps = append(steps, i)
				}
			}
			for n := 0; n < len(steps); n += max(len(steps)/killsOfJob, 1) {
				i := steps[n]
				m.copy("kept", "home")
				cmd := m.start(dying, c.args...)
				cmd.Env = append(cmd.Env, "HEBB_DIE_AT="+strconv.Itoa(i+1))
				_ = cmd.Run()
				switch state, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); {
				case ok && state.Signal() == syscall.SIGKILL:
					killed++
				case cmd.ProcessState.Success(): // fewer steps this time: batches adapt to how fast the machine is
				default:
					t.Fatalf("step %d (%s): it was not killed: %v", i+1, lines[i], cmd.ProcessState)
				}
				m.ok("drain")
				if now := m.events(); c.name == "import" || len(now) == 4*31 { // it had not begun to forget
					m.ok(c.args...)
				}
				m.exactlyOnce(want)
				m.healthy()
				if t.Failed() {
					t.Fatalf("killed at step %d: %s", i+1, lines[i])
				}
			}
			if killed < killsOfJob/2 {
				t.Errorf("killed %d times, want %d at least", killed, killsOfJob/2)
			}
		})
	}
}
