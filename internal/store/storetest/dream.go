package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

var dreamCases = []contractCase{
	{"a note waits until one state takes it, and no longer", func(t *testing.T, h *home) {
		s := h.open()
		r := seed(t)
		here, person := someCrystal(r, 1), someCrystal(r, 2)
		here.Project, person.Project = place(1).Project(), 0
		for _, c := range []*memory.Crystal{&here, &person} { // what does not hold does not wait
			c.ValidTo = time.Time{}
		}
		addCrystals(t, s, here, person)
		waiting := func(projects ...memory.ProjectID) (ids []memory.CrystalID) {
			view(t, s, func(tx *store.Tx) error {
				notes, err := tx.WaitingNotes(t.Context(), projects...)
				for _, n := range notes {
					ids = append(ids, n.Crystal)
				}
				return err
			})
			return ids
		}
		update(t, s, func(tx *store.Tx) error {
			one, err := tx.AddNote(t.Context(), here.ID, here.Project, .8, start)
			again, err2 := tx.AddNote(t.Context(), here.ID, here.Project, .1, start.Add(time.Hour))
			_, err3 := tx.AddNote(t.Context(), person.ID, 0, .7, start.Add(time.Minute))
			if !one || again {
				t.Errorf("added %v, again %v", one, again)
			}
			return errors.Join(err, err2, err3)
		})
		view(t, s, func(tx *store.Tx) error {
			want := store.Note{Crystal: here.ID, Project: here.Project, Kind: here.Kind, Text: here.Text, Origin: here.Origin, Importance: .8, At: start}
			return expect(t, "waiting", []store.Note{want})(tx.WaitingNotes(t.Context(), here.Project))
		})
		if got := waiting(0, here.Project); !slices.Equal(got, []memory.CrystalID{person.ID, here.ID}) {
			t.Errorf("waiting: %v", got)
		}
		update(t, s, func(tx *store.Tx) error { return tx.TakeNote(t.Context(), here.ID) })
		if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.TakeNote(t.Context(), here.ID) }); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("taken twice: %v", err)
		}
		update(t, s, func(tx *store.Tx) error { return tx.Drop(t.Context(), person.ID) })
		if got := waiting(0, here.Project); len(got) != 0 {
			t.Errorf("still waiting: %v", got)
		}
	}},
	{"the latest states are kept, refused ones beside them", func(t *testing.T, h *home) {
		s := h.open()
		p := place(1).Project()
		add := func(project memory.ProjectID, text, refused string) (id int64) {
			update(t, s, func(tx *store.Tx) (err error) {
				id, err = tx.AddState(t.Context(), store.StateText{Project: project, At: start, By: "rules", Text: text, Refused: refused}, 3)
				return err
			})
			return id
		}
		for i := range 6 {
			add(p, fmt.Sprint("good ", i), "")
			add(p, fmt.Sprint("bad ", i), "too short")
		}
		last := add(0, "größe", "")
		view(t, s, func(tx *store.Tx) error {
			now, one := tx.State(t.Context(), p)
			person, two := tx.State(t.Context(), 0)
			_, none := tx.State(t.Context(), place(2).Project())
			if now.Text != "good 5" || !errors.Is(none, memory.ErrNotFound) ||
				!reflect.DeepEqual(person, store.StateText{ID: last, At: start, By: "rules", Text: "größe"}) {
				t.Errorf("%+v, %+v, %v", now, person, none)
			}
			all, three := tx.States(t.Context(), p)
			var texts []string
			for _, one := range all {
				texts = append(texts, one.Text)
			}
			if want := []string{"bad 5", "good 5", "bad 4", "good 4", "bad 3", "good 3"}; !slices.Equal(texts, want) {
				t.Errorf("kept %q, want %q", texts, want)
			}
			return errors.Join(one, two, three)
		})
	}},
	{"moods and payments are kept", func(t *testing.T, h *home) {
		s := h.open()
		var moods []store.Mood
		for i := range 5 {
			moods = append(moods, store.Mood{At: start.Add(time.Duration(i) * time.Minute), Reward: float64(i) / 8, Stress: .5, Bond: .25, Why: "it's so"})
		}
		pay := []store.Payment{
			{ID: "a", At: start.Add(time.Hour), Amount: 1_500_000, Skill: "größe", Buyer: "b", Note: "n"},
			{ID: "b", At: start, Amount: -20, Skill: "x"},
		}
		update(t, s, func(tx *store.Tx) error {
			for _, m := range moods {
				if err := tx.AddMood(t.Context(), m, 2); err != nil {
					return err
				}
			}
			return errors.Join(store.Payments.Keep(t.Context(), tx, pay[0]), store.Payments.Keep(t.Context(), tx, pay[1]))
		})
		view(t, s, func(tx *store.Tx) error {
			return errors.Join(expect(t, "moods", []store.Mood{moods[4], moods[3], moods[2]})(tx.Moods(t.Context(), 10)),
				expect(t, "payments", pay)(store.Payments.All(t.Context(), tx, store.CrystalFilter{})))
		})
	}},
}
