//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// killsOfJob is at how many of its steps a long job is killed, evenly spread: each takes seconds.
var killsOfJob = must.Size(4, 12)

// Draining, forgetting and importing are many transactions. Killed between any two of them, draining and forgetting are finished by
// the next command that drains, importing by importing again: the events are those of a job that was not killed, and doctor
// finds nothing.
func TestALongJobKilledOnTheWayIsFinished(t *testing.T) {
	work := func(m *machine) {
		place := must.Get(project.Resolve(m.path("repo")))(m.t)
		for session := range 4 {
			for i := range 30 {
				e := m.event(fmt.Sprintf("call-%d-%d", session, i))
				e.AgentSession, e.Place = fmt.Sprint("run-", session), place
				e.Touches[0].Path = fmt.Sprintf("file%d.go", (session+i)%12)
				must.Do(m.t, m.spool().Append(e))
			}
			m.hook(m.prompt(fmt.Sprint("run-", session), fmt.Sprint("prompt-", session), "the secret plan of the importer"))
		}
	}
	for _, c := range []struct {
		name string
		args []string
		pass []string // functions whose transactions must be among those at which it is killed
		// prepare makes the home in which the job runs.
		prepare func(m *machine)
	}{
		{"drain", []string{"drain"}, []string{"steward.drain", "goals.FollowPrompts", "texts.Index"}, work},
		{"forget", []string{"forget", "--session", "run-2", "--yes"}, []string{"BeginForgetting", "hide", "forgetDocuments", "forgetEvents"}, func(m *machine) {
			work(m)
			m.ok("drain")
		}},
		{"import", []string{"import", "../all.jsonl", "--mine"}, []string{"takeInBatches", "replay", "takeOver"}, func(m *machine) {
			work(m)
			m.ok("export", "../all.jsonl")
			must.Do(m.t, os.RemoveAll(m.path("home")))
			m.ok("drain") // into a new one
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.ok("drain") // makes the store
			c.prepare(m)
			want := map[memory.EventID]bool{}
			killed, _ := m.killAt([]string{"home"}, c.args, func(steps []string) (list []int) {
				for _, e := range m.events() {
					want[e.ID] = true
				}
				var commits []int // transactions, before and after their commit
				for i, step := range steps {
					steps[i] = strings.ReplaceAll(step, "(*rebuilder).", "")
					if strings.HasPrefix(step, "commit") {
						commits = append(commits, i)
					}
				}
				for _, function := range c.pass {
					if !slices.ContainsFunc(steps, func(s string) bool { return strings.HasPrefix(s, "committed") && strings.Contains(s, function) }) {
						t.Fatalf("no step %q among\n%s", function, strings.Join(steps, "\n"))
					}
				}
				for n := 0; n < len(commits); n += max(len(commits)/killsOfJob, 1) {
					list = append(list, commits[n])
				}
				return list
			}, func(string) { // batches adapt to how fast the machine is: it may come to fewer steps
				m.ok("drain")
				if now := m.events(); c.name == "import" || len(now) == 4*31 { // it had not begun to forget
					m.ok(c.args...)
				}
				m.exactlyOnce(want)
				m.healthy()
			})
			if killed < killsOfJob/2 {
				t.Errorf("killed %d times, want %d at least", killed, killsOfJob/2)
			}
		})
	}
}

// A backup is killed at each of its steps. Every file with a name is whole, the good ones are all there, and the next backup leaves
// nothing of the killed one.
func TestKilledBackupsCostNoGoodOne(t *testing.T) {
	t.Parallel()
	const before = 3
	m := newMachine(t)
	m.ok("record", "a.go", "--text", strings.Repeat("words to copy ", 200))
	for range before {
		m.ok("backup")
	}
	verify := func(what string) {
		all, err := transfer.Backups(t.Context(), m.config())
		if err != nil || len(all) < before || slices.ContainsFunc(all, func(b transfer.BackupResult) bool { return b.Problem != "" }) {
			t.Fatalf("%s: backups %+v, %v", what, all, err)
		}
		m.ok("backup")
		if left, err := filepath.Glob(filepath.Join(m.config().Backups(), "*.partial*")); err != nil || len(left) > 0 {
			t.Errorf("%s: left of it: %q, %v", what, left, err)
		}
		for _, f := range inspect.Doctor(t.Context(), m.config(), time.Now, nil, inspect.DoctorInput{}) {
			if f.Level == inspect.Fail || f.Name == "backups" && f.Level != inspect.Fine {
				t.Errorf("%s: doctor: %+v", what, f)
			}
		}
		m.ok("restore", all[0].File, "--yes")
		if n := len(m.events()); n != 1 {
			t.Errorf("%s: %d events after restoring %s", what, n, all[0].File)
		}
	}
	if _, missed := m.killAt([]string{"home"}, []string{"backup"}, func(steps []string) []int {
		passes(t, steps, []string{"partial in", "whole in", "named in"})
		return writing(steps)
	}, verify); missed > 0 {
		t.Errorf("%d times it did not come to the step", missed)
	}
}
