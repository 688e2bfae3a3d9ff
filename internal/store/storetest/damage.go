package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

var damageCases = []contractCase{
	{"a change behind the store's back is named", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		fill(t, s, mixed()...)
		h.sql(t, `UPDATE event SET text = 'One' WHERE text = 'one'`)
		found := findDamage(t.Context(), t, s)
		if len(found) != 1 || found[0].Where != "event "+string(mixed()[0].ID) {
			t.Errorf("found %v", found)
		}
	}},
	{"a crystal whose document is lost is found, where nothing watches over it", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		addCrystals(t, s, memory.Crystal{ID: crystalID(1), Kind: memory.Fact, Text: "said", SaidAt: start, LastAt: start})
		// Who opens SQLite without its settings may do this; a server lets nobody.
		if _, err := h.Raw.ExecContext(t.Context(), `DELETE FROM document`); err != nil {
			return
		}
		found := findDamage(t.Context(), t, s)
		if !slices.Contains(found, store.Damage{Where: "crystal " + string(crystalID(1)), What: "its document is missing or says something else"}) {
			t.Errorf("found %v", found)
		}
	}},
	{"a lost access is found by its event and its neuron", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"))
		h.sql(t, `DELETE FROM access WHERE n = 1`)
		if found := findDamage(t.Context(), t, s); len(found) != 2 {
			t.Errorf("found %v, want the event and the neuron", found)
		}
	}},
	{"a lost synapse is found by both its ends", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "c.go"))
		lost := linked(1, "a.go", "b.go", 1)
		wireAll(t, s, lost, linked(1, "b.go", "c.go", 1))
		h.sql(t, fmt.Sprintf(`DELETE FROM synapse WHERE a = %d AND b = %d`, lost.A, lost.B))
		want := []store.Damage{
			{Where: "neuron " + file(1, "a.go").String(), What: "counts 1 links, 0 are stored"},
			{Where: "neuron " + file(1, "b.go").String(), What: "counts 2 links, 1 are stored"},
		}
		found := findDamage(t.Context(), t, s)
		slices.SortFunc(found, func(a, b store.Damage) int { return strings.Compare(a.What, b.What) })
		if !slices.Equal(found, want) {
			t.Errorf("found %v, want %v", found, want)
		}
	}},
	{"a synapse between two projects is found", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go"), edited(2, "b", "run", start, "c.go"))
		wrong := store.NewSynapse(place(1).Project(), memory.OriginAgent, file(1, "a.go"), file(2, "c.go"))
		wireAll(t, s, wrong)
		want := store.Damage{Where: fmt.Sprintf("synapse %s–%s", wrong.A, wrong.B), What: "its ends are not both in its project"}
		if found := findDamage(t.Context(), t, s); !slices.Contains(found, want) {
			t.Errorf("found %v, want %v", found, want)
		}
	}},
}

// sql runs one statement past the store.
func (h *home) sql(t *testing.T, statement string) {
	t.Helper()
	if _, err := h.Raw.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
