package storetest

import (
	"slices"
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
	{"a lost access is found by its event", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"))
		h.sql(t, `DELETE FROM access WHERE n = 1`)
		if found := findDamage(t.Context(), t, s); len(found) != 1 {
			t.Errorf("found %v, want the event", found)
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
