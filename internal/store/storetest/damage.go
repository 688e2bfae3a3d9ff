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
	{"a change behind the store's back is found and named", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		events := mixed()
		fill(t, s, events...)
		wireAll(t, s, linked(1, "a.go", "b.go", 1))
		crystal := memory.Crystal{ID: crystalID(1), Kind: memory.Fact, Text: "said once", Lifecycle: memory.Generated, Origin: memory.OriginUser, SaidAt: start, LastAt: start}
		addCrystals(t, s, crystal)
		addDocuments(t, s, said("doc", "mend the login"))
		if found := findDamage(t.Context(), t, s); len(found) != 0 {
			t.Fatalf("damage before any: %v", found)
		}
		for _, c := range []struct{ name, harm, repair, where string }{
			{"a text", `UPDATE event SET text = 'One' WHERE text = 'one'`, `UPDATE event SET text = 'one' WHERE text = 'One'`, "event " + string(events[0].ID)},
			{"an origin", `UPDATE event SET origin = 'user' WHERE text = 'three'`, `UPDATE event SET origin = 'web' WHERE text = 'three'`, "event " + string(events[2].ID)},
			{"a time", `UPDATE event SET at = at + 1 WHERE text = 'two'`, `UPDATE event SET at = at - 1 WHERE text = 'two'`, "event " + string(events[1].ID)},
			{"the size of an answer", `UPDATE event SET result_bytes = 0 WHERE text = 'two'`, `UPDATE event SET result_bytes = NULL WHERE text = 'two'`, "event " + string(events[1].ID)},
			{"an event's hash", `UPDATE event SET hash = hash + 1 WHERE text = 'four'`, `UPDATE event SET hash = hash - 1 WHERE text = 'four'`, "event " + string(events[3].ID)},
			{"a kind of access", `UPDATE access SET kind = 'read'`, `UPDATE access SET kind = 'edit'`, "event "},
			{"a key", `UPDATE neuron SET key = 'A.go' WHERE key = 'a.go'`, `UPDATE neuron SET key = 'a.go' WHERE key = 'A.go'`, "neuron "},
			{"a count of accesses", `UPDATE neuron SET accesses = 7 WHERE key = 'b.go'`, `UPDATE neuron SET accesses = 1 WHERE key = 'b.go'`, "neuron "},
			{"a date of a neuron", `UPDATE neuron SET last_at = last_at + 1 WHERE key = 'b.go'`, `UPDATE neuron SET last_at = last_at - 1 WHERE key = 'b.go'`, "neuron "},
			{"a count of events", `UPDATE session SET events = events + 1 WHERE agent_session = 'other'`, `UPDATE session SET events = events - 1 WHERE agent_session = 'other'`, "session "},
			{"the name of a run", `UPDATE session SET agent_session = 'x' WHERE agent_session = 'other'`, `UPDATE session SET agent_session = 'other' WHERE agent_session = 'x'`, "session "},
			{"the end of a session", `UPDATE session SET last_event_at = last_event_at + 1 WHERE agent_session = 'other'`, `UPDATE session SET last_event_at = last_event_at - 1 WHERE agent_session = 'other'`, "session "},
			{"the beginning of a session", `UPDATE session SET opened_at = opened_at - 1 WHERE agent_session = 'other'`, `UPDATE session SET opened_at = opened_at + 1 WHERE agent_session = 'other'`, "session "},
			{"a count of links", `UPDATE neuron SET links = links - 1 WHERE key = 'b.go'`,
				`UPDATE neuron SET links = links + 1 WHERE key = 'b.go'`, "neuron " + file(1, "b.go").String()},
			{"the order of a synapse", `UPDATE synapse SET a = b, b = a`, `UPDATE synapse SET a = b, b = a`, "synapse "},
			{"an end of a synapse", `UPDATE synapse SET a = b`,
				fmt.Sprintf(`UPDATE synapse SET a = %d`, linked(1, "a.go", "b.go", 1).A), "synapse "},
			{"the project of a synapse", `UPDATE synapse SET project_id = (SELECT id FROM project WHERE name = 'project-2')`,
				`UPDATE synapse SET project_id = (SELECT id FROM project WHERE name = 'project-1')`, "synapse "},
			{"a clock", `UPDATE project SET clock = clock + 1`, `UPDATE project SET clock = clock - 1`, "project "},
			{"an identity", `UPDATE project SET identity = identity || 'x'`, `UPDATE project SET identity = substr(identity, 1, length(identity) - 1)`, "project "},
			{"a document's text", `UPDATE document SET text = 'Mend it' WHERE ref = 'doc'`, `UPDATE document SET text = 'mend the login' WHERE ref = 'doc'`, "document doc"},
			{"a document's words", `UPDATE document SET words = 'mend the log' WHERE ref = 'doc'`, `UPDATE document SET words = 'mend the login' WHERE ref = 'doc'`, "document doc"},
			{"a document's origin", `UPDATE document SET origin = 'web' WHERE ref = 'doc'`, `UPDATE document SET origin = 'user' WHERE ref = 'doc'`, "document doc"},
			{"a document's hash", `UPDATE document SET hash = hash + 1 WHERE ref = 'doc'`, `UPDATE document SET hash = hash - 1 WHERE ref = 'doc'`, "document doc"},
			{"a count of words", `UPDATE term SET docs = docs + 7`, `UPDATE term SET docs = docs - 7`, "words"},
			{"a lost word", `UPDATE term SET word = word + 1`, `UPDATE term SET word = word - 1`, "words"},
			{"a count of documents", `UPDATE totals SET documents = 7`, `UPDATE totals SET documents = 2`, "words"},
			{"what a crystal says", `UPDATE document SET text = 'said twice' WHERE text = 'said once'`, `UPDATE document SET text = 'said once' WHERE text = 'said twice'`, "crystal " + string(crystal.ID)},
			{"a crystal's kind", `UPDATE crystal SET kind = 'goal'`, `UPDATE crystal SET kind = 'fact'`, "crystal " + string(crystal.ID)},
			{"a crystal's hash", `UPDATE crystal SET hash = hash + 1`, `UPDATE crystal SET hash = hash - 1`, "crystal " + string(crystal.ID)},
		} {
			h.sql(t, c.harm)
			found := findDamage(t.Context(), t, s)
			if !slices.ContainsFunc(found, func(d store.Damage) bool { return strings.HasPrefix(d.Where, c.where) }) {
				t.Errorf("%s: found %v, want something at %q", c.name, found, c.where)
			}
			h.sql(t, c.repair)
		}
		if found := findDamage(t.Context(), t, s); len(found) != 0 {
			t.Errorf("damage after all was repaired: %v", found)
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
		if !slices.Contains(found, store.Damage{Where: "crystal " + string(crystalID(1)), What: "its document is missing"}) {
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
	{"each way in which a synapse can be wrong has its own words", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"), edited(2, "b", "run", start, "c.go"))
		right := linked(1, "a.go", "b.go", 1)
		elsewhere := store.NewSynapse(place(1).Project(), memory.OriginAgent, file(1, "a.go"), file(2, "c.go"))
		wireAll(t, s, right, elsewhere)
		h.sql(t, fmt.Sprintf(`UPDATE synapse SET a = b, b = a WHERE a = %d AND b = %d`, right.A, right.B))
		want := []store.Damage{
			{Where: fmt.Sprintf("synapse %s–%s", elsewhere.A, elsewhere.B), What: "its ends are not both in its project"},
			{Where: fmt.Sprintf("synapse %s–%s", right.B, right.A), What: "its ends are not in order"},
		}
		for _, project := range []int{1, 2} { // each is that of one end, and not of the other
			h.sql(t, fmt.Sprintf(`UPDATE synapse SET project_id = %d WHERE a = %d AND b = %d`,
				place(project).Project(), elsewhere.A, elsewhere.B))
			found := slices.DeleteFunc(findDamage(t.Context(), t, s), func(d store.Damage) bool { return strings.Contains(d.What, "checksum") })
			slices.SortFunc(found, func(a, b store.Damage) int { return strings.Compare(a.What, b.What) })
			if !slices.Equal(found, want) {
				t.Errorf("in project %d: found %v, want %v", project, found, want)
			}
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
