package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// packAll packs every session, and returns how many calls went into packs.
func packAll(t *testing.T, s *store.Store) (packed int64) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		packed = 0
		sessions, err := tx.Sessions(t.Context(), store.SessionFilter{})
		for _, one := range sessions {
			if err != nil {
				return err
			}
			var n int64
			n, err = tx.Pack(t.Context(), one.ID)
			packed += n
		}
		return err
	})
	return packed
}

func unpackAll(t *testing.T, s *store.Store, most int) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		projects, err := tx.PackedProjects(t.Context())
		for _, id := range projects {
			for more := true; more && err == nil; {
				more, err = tx.Unpack(t.Context(), id, most)
			}
		}
		return err
	})
}

// rows are all events and accesses as they lie in their tables.
func (h *home) rows(t *testing.T) []string {
	t.Helper()
	return append(h.linesOf(t, `SELECT seq, id, project_id, session_id, ord, at, kind, origin, agent, subagent, tool, input, text, result_bytes, command, hash, version, ahead FROM event ORDER BY seq`),
		h.linesOf(t, `SELECT event_seq, n, neuron_id, kind, old_path FROM access ORDER BY event_seq, n`)...)
}

// linesOf returns what a query finds past the store, a line for each row.
func (h *home) linesOf(t *testing.T, query string) (lines []string) {
	t.Helper()
	rows, err := h.Raw.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	for err == nil && rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		err = rows.Scan(into...)
		lines = append(lines, fmt.Sprint(values))
	}
	must.Do(t, errors.Join(err, rows.Err()))
	return lines
}

// bySession is what is read of each session: its events and its touches, and figures of all.
func bySession(t *testing.T, s *store.Store) (all []any) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		all = nil
		sessions, err := tx.Sessions(t.Context(), store.SessionFilter{})
		slices.SortFunc(sessions, func(a, b memory.Session) int { return cmp.Compare(a.ID, b.ID) }) // where one of a clock ahead comes, rows say
		for _, one := range sessions {
			if err != nil {
				return err
			}
			for _, f := range []store.EventFilter{
				{}, {Limit: 5}, {Kind: memory.ToolUsed}, {Kind: memory.Prompted}, {Since: start.Add(5 * time.Hour), Until: start.Add(9 * time.Hour)},
			} {
				f.Session = one.ID
				var found []memory.StoredEvent
				if found, err = tx.Events(t.Context(), f); err != nil {
					return err
				}
				all = append(all, found)
			}
			touches, err1 := tx.SessionTouches(t.Context(), one.ID, 2, 0)
			files, _, err2 := tx.Work(t.Context(), one)
			count, err3 := tx.CountProject(t.Context(), one.Project)
			events, err4 := tx.CountEvents(t.Context(), store.EventFilter{Project: one.Project})
			all = append(all, touches, files, count, events)
			err = errors.Join(err1, err2, err3, err4)
		}
		return err
	})
	return all
}

var packCases = []contractCase{
	{"packed calls read like rows, and become the same rows again", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		events := someEvents(r, 200)
		fill(t, s, events...)
		before, read, rows := contents(t, s), bySession(t, s), h.rows(t)
		packed := packAll(t, s)
		if left := len(h.rows(t)); packed == 0 || left > len(rows)-int(packed) {
			t.Fatalf("%d calls packed, %d of %d rows left", packed, left, len(rows))
		}
		same(t, "while packed", contents(t, s), before)
		if again := bySession(t, s); !reflect.DeepEqual(again, read) {
			t.Errorf("sessions read while packed\n%v\nbefore\n%v", again, read)
		}
		if more := packAll(t, s); more != 0 {
			t.Errorf("%d calls packed twice", more)
		}
		unpackAll(t, s, 2)
		same(t, "unpacked", h.rows(t), rows)
		same(t, "all of it", contents(t, s), before)
	}},
	{"a session that goes on is packed again with what it did since", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go"), edited(1, "b", "other", start, "b.go"))
		packAll(t, s)
		fill(t, s, edited(1, "c", "run", start.Add(time.Hour), "c.go"), edited(1, "d", "other", start.Add(time.Hour), "a.go"))
		before := contents(t, s)
		if n := packAll(t, s); n != 2 {
			t.Errorf("%d calls packed, want the two new ones", n)
		}
		same(t, "packed again", contents(t, s), before)
	}},
	{"an event in a pack is known", func(t *testing.T, h *home) {
		s := h.open()
		kept, other := edited(1, "a", "run", start, "a.go"), edited(1, "b", "run", start, "a.go")
		fill(t, s, kept)
		packAll(t, s)
		h.now = start.Add(48 * time.Hour)
		view(t, s, func(tx *store.Tx) error {
			for _, e := range []memory.Event{kept, other} {
				known, err := tx.InPack(t.Context(), memory.StoredEvent{Event: e, Project: e.Place.Project(), Session: sessionOf(e)})
				if err != nil || known != (e.ID == kept.ID) {
					t.Errorf("%s is in a pack: %v, %v", e.Text, known, err)
				}
			}
			return nil
		})
	}},
	{"closed sessions that ended before a time are packable, the oldest first", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "one", start.Add(2*time.Hour)), edited(1, "b", "two", start.Add(time.Hour)), edited(1, "c", "three", start.Add(3*time.Hour)),
			edited(2, "d", "four", start))
		closeAll(t, s)
		fill(t, s, edited(1, "e", "open", start))
		view(t, s, func(tx *store.Tx) error {
			found, err := tx.Packable(t.Context(), place(1).Project(), start, start.Add(3*time.Hour), 5)
			var names []string
			for _, one := range found {
				names = append(names, one.AgentSession)
			}
			if fmt.Sprint(names) != "[two one]" {
				t.Errorf("packable: %q", names)
			}
			return err
		})
	}},
}
