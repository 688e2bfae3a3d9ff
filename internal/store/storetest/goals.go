package storetest

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

var goalCases = []contractCase{
	{"a connection keeps what it was made of, and goes with its goal", func(t *testing.T, h *home) {
		s := h.open()
		here, there := place(1).Project(), place(2).Project()
		thought := func(project memory.ProjectID, goal memory.GoalID, minutes int) store.Thought {
			return store.Thought{
				Project: project, Goal: goal, At: start.Add(time.Duration(minutes) * time.Minute), Strength: .75, Keys: []string{"one", "two"}, Why: "both speak of locks",
				ThoughtOf: store.ThoughtOf{Episode: "read lock.go", Lived: start, Files: []string{"lock.go"}},
			}
		}
		first, second := thought(here, "a", 1), thought(there, "b", 2)
		update(t, s, func(tx *store.Tx) (err error) {
			err = errors.Join(store.Goals.Keep(t.Context(), tx, memory.Goal{ID: "a", Project: here, Status: memory.GoalActive}),
				store.Goals.Keep(t.Context(), tx, memory.Goal{ID: "b", Project: there, Status: memory.GoalActive}))
			for _, one := range []*store.Thought{&first, &second} {
				id, failed := tx.AddThought(t.Context(), *one)
				one.ID, err = id, errors.Join(err, failed)
			}
			return err
		})
		kept := func(project memory.ProjectID, since time.Time, most int) (list []store.Thought) {
			view(t, s, func(tx *store.Tx) (err error) {
				list, err = tx.Thoughts(t.Context(), project, since, most)
				return err
			})
			return list
		}
		if got := kept(0, time.Time{}, 9); !reflect.DeepEqual(got, []store.Thought{second, first}) {
			t.Errorf("got %+v, want %+v and %+v", got, second, first)
		}
		if got := kept(here, time.Time{}, 9); !reflect.DeepEqual(got, []store.Thought{first}) {
			t.Errorf("of one project: %+v", got)
		}
		if got := kept(0, start.Add(2*time.Minute), 9); len(got) != 1 || got[0].ID != second.ID {
			t.Errorf("since: %+v", got)
		}
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.JudgeThought(t.Context(), first.ID, "used"), tx.DeleteThought(t.Context(), second.ID))
		})
		if got := kept(0, time.Time{}, 9); len(got) != 1 || got[0].Outcome != "used" {
			t.Errorf("judged: %+v", got)
		}
		update(t, s, func(tx *store.Tx) error { return tx.Drop(t.Context(), "a") })
		if got := kept(0, time.Time{}, 9); len(got) != 0 {
			t.Errorf("its goal is gone: %+v", got)
		}
	}},
	{"the latest work is what somebody did, not that somebody came", func(t *testing.T, h *home) {
		s := h.open()
		latest := func() (id memory.EventID, at time.Time) {
			view(t, s, func(tx *store.Tx) (err error) {
				id, at, err = tx.LatestWork(t.Context(), place(1).Project())
				return err
			})
			return id, at
		}
		if id, at := latest(); id != "" || !at.IsZero() {
			t.Errorf("nothing happened: %q, %v", id, at)
		}
		worked := edited(1, "worked", "run", start.Add(time.Minute), "a.go")
		came, elsewhere := edited(1, "came", "run", start.Add(2*time.Minute)), edited(2, "elsewhere", "run", start.Add(3*time.Minute), "a.go")
		came.Kind = memory.SessionStarted
		fill(t, s, worked, came, elsewhere)
		if id, at := latest(); id != worked.ID || !at.Equal(worked.At) {
			t.Errorf("%q, %v; want %q", id, at, worked.ID)
		}
	}},
}
