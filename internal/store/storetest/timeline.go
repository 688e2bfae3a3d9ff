package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// committed is a commit in the n-th project, some minutes after start.
func committed(project, minutes int, subject string) memory.Event {
	e := edited(project, subject, "", start.Add(time.Duration(minutes)*time.Minute), "a.go")
	e.Kind, e.Origin, e.Agent, e.Tool, e.Text = memory.Committed, memory.OriginRepo, memory.AgentGit, "", subject
	return e
}

var timelineCases = []contractCase{
	{"a session counts its files once each, and the commits of its project while it ran", func(t *testing.T, h *home) {
		s := h.open()
		minute := func(n int) time.Time { return start.Add(time.Duration(n) * time.Minute) }
		read := edited(1, "read", "run", minute(2), "a.go", "c.go")
		read.Touches[0].Kind, read.Touches[1].Kind = memory.Read, memory.Mention
		failed := edited(1, "failed", "run", minute(3))
		failed.Kind = memory.ToolFailed
		fill(t, s, edited(1, "edit", "run", minute(1), "a.go", "b.go"), read, failed, edited(1, "other", "other", minute(2), "d.go"),
			committed(1, 0, "before"), committed(1, 1, "first"), committed(1, 3, "last"), committed(1, 4, "after"), committed(2, 2, "elsewhere"))
		view(t, s, func(tx *store.Tx) error {
			run, err := tx.Session(t.Context(), sessionOf(read))
			if err != nil {
				return err
			}
			files, commits, err := tx.Work(t.Context(), run)
			if files != 2 || commits != 2 {
				t.Errorf("%d files and %d commits, want a.go and b.go, first and last", files, commits)
			}
			return err
		})
	}},
	{"commits are visited from the latest on, until there are enough", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, committed(1, 1, "one"), committed(2, 2, "two"), committed(1, 3, "three"), edited(1, "edit", "run", start, "a.go"))
		for _, c := range []struct {
			name    string
			project memory.ProjectID
			since   time.Time
			most    int
			want    []string
		}{
			{"all", 0, time.Time{}, 9, []string{"three", "two", "one"}},
			{"of a project", place(1).Project(), time.Time{}, 9, []string{"three", "one"}},
			{"since", 0, start.Add(2 * time.Minute), 9, []string{"three", "two"}},
			{"two are enough", 0, time.Time{}, 2, []string{"three", "two"}},
		} {
			var got []string
			view(t, s, func(tx *store.Tx) error {
				return tx.WalkCommits(t.Context(), c.project, c.since, func(found store.Commit) bool {
					got = append(got, found.Subject)
					return len(got) < c.most
				})
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}},
	{"what was forgotten on purpose is listed deed by deed", func(t *testing.T, h *home) {
		s := h.open()
		for i, ids := range [][]memory.EventID{{"a", "b"}, {"c"}, {"d", "e", "f"}} {
			h.pass(time.Duration(i) * time.Hour)
			update(t, s, func(tx *store.Tx) error {
				for _, id := range ids {
					if err := tx.Tombstone(t.Context(), id); err != nil {
						return err
					}
				}
				return nil
			})
		}
		for _, c := range []struct {
			since time.Time
			limit int
			want  []store.OnPurpose
		}{
			{time.Time{}, 0, []store.OnPurpose{{At: start.Add(3 * time.Hour), Events: 3}, {At: start.Add(time.Hour), Events: 1}, {At: start, Events: 2}}},
			{time.Time{}, 1, []store.OnPurpose{{At: start.Add(3 * time.Hour), Events: 3}}},
			{start.Add(time.Hour), 0, []store.OnPurpose{{At: start.Add(3 * time.Hour), Events: 3}, {At: start.Add(time.Hour), Events: 1}}},
		} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, fmt.Sprint(c.since, ", ", c.limit), c.want)(tx.ForgottenOnPurpose(t.Context(), c.since, c.limit))
			})
		}
	}},
}
