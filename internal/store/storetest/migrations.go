package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// further returns all migrations and one more for each text.
func further(texts ...string) []store.Migration {
	steps := store.Migrations()
	for _, text := range texts {
		steps = append(steps, store.Migration{Version: len(steps) + 1, Name: "further", SQL: text})
	}
	return slices.Clip(steps)
}

const (
	addTable  = `CREATE TABLE further (id INTEGER NOT NULL PRIMARY KEY) STRICT; INSERT INTO further (id) SELECT COUNT(*) FROM event;`
	addColumn = `ALTER TABLE project ADD COLUMN further INTEGER NOT NULL DEFAULT 3;`
	broken    = `CREATE TABLE half (id INTEGER NOT NULL PRIMARY KEY) STRICT; INSERT INTO nowhere (id) VALUES (1);`
)

// This code writes no event without the columns that later steps add.
const (
	laterColumns = `ALTER TABLE event ADD COLUMN version INTEGER NOT NULL DEFAULT 1; ALTER TABLE event ADD COLUMN ahead INTEGER;`
	withoutThem  = `ALTER TABLE event DROP COLUMN version; ALTER TABLE event DROP COLUMN ahead;`
)

// filled leaves a closed store of the present schema with some events in it.
func (h *home) filled(t *testing.T) (before []string) {
	t.Helper()
	s := must.Get(h.Open(t.Context(), Options{Now: h.Now}))(t)
	fill(t, s, mixed()...)
	before = contents(t, s)
	must.Do(t, s.Close())
	return before
}

var migrationCases = []contractCase{
	{"a fresh store takes all steps and no snapshot", func(t *testing.T, h *home) {
		h.migrations = further(addTable, addColumn)
		fill(t, h.open(), mixed()...)
		h.sql(t, `DELETE FROM further`) // the step was taken
		if found := h.Snapshots(t); len(found) != 0 {
			t.Errorf("an empty store was copied to %q", found)
		}
	}},
	{"an older store is copied, brought up to date and keeps its rows", func(t *testing.T, h *home) {
		before := h.filled(t)
		h.migrations = further(addTable, addColumn)
		s := h.open()
		same(t, "after the migration", contents(t, s), before)
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("copies: %q, want one", found)
		}
		fill(t, s, edited(1, "new", "run", start, "new.go"))
		h.open()
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("opening again copied again: %q", found)
		}
	}},
	{"events and links of the first schema are all there in the present one", func(t *testing.T, h *home) {
		s := must.Get(h.Open(t.Context(), Options{Migrations: store.Migrations()[:1], Now: h.Now}))(t)
		h.sql(t, laterColumns)
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "c.go"))
		strong, weak := linked(1, "a.go", "b.go", 0.7), linked(1, "c.go", "a.go", 0.2)
		weak.Origin, weak.CoAccesses = memory.OriginRepo, 4
		wireAll(t, s, strong, weak)
		before := h.rows(t)
		h.sql(t, withoutThem)
		must.Do(t, s.Close())
		s = h.open() // which is searched for damage in the end
		same(t, "after the migration", h.rows(t), before)
		expectSynapses(t, s, store.SynapseFilter{}, strong, weak)
	}},
	{"events get the hash of the form in which they travel, and what was damaged is still found", func(t *testing.T, h *home) {
		const before = 10
		s := must.Get(h.Open(t.Context(), Options{Migrations: store.Migrations()[:before], Now: h.Now}))(t)
		h.sql(t, laterColumns)
		fill(t, s, edited(1, "a", "run", start, "a.go"), edited(1, "b", "run", start), edited(1, "c", "", start))
		run := memory.NewSessionID("claude", "run", place(1).Project())
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.InsertEvent(t.Context(), memory.StoredEvent{Project: place(1).Project(), Event: memory.Event{
				ID: memory.DerivedEventID("closed"), At: start, Kind: memory.Closed, Tool: "idle", Input: run.String(), Agent: memory.AgentHebb, Origin: memory.OriginTool,
			}}, nil)
			return err
		})
		events := func(s *store.Store) (list []memory.StoredEvent) {
			view(t, s, func(tx *store.Tx) error {
				return tx.WalkEvents(t.Context(), func(e memory.StoredEvent) error { list = append(list, e); return nil })
			})
			return list
		}
		for _, e := range events(s) {
			parts := []string{
				string(e.ID), e.Project.String(), e.Session.String(), fmt.Sprint(e.Ord), fmt.Sprint(e.At.UnixMilli()), string(e.Kind), string(e.Origin), string(e.Agent),
				e.Subagent, e.Tool, e.Input, e.Text,
			}
			for _, touch := range e.Touches {
				parts = append(parts, string(touch.Kind), touch.Path)
			}
			h.sql(t, fmt.Sprintf(`UPDATE event SET hash = %d WHERE id = '%s'`, memory.ContentHash(parts...), e.ID))
		}
		damaged := `UPDATE event SET text = 'text of %s' WHERE id = '` + string(memory.DerivedEventID("b")) + `'`
		h.sql(t, fmt.Sprintf(damaged, "nobody"))
		h.sql(t, withoutThem)
		must.Do(t, s.Close())
		s = h.open()
		if found := findDamage(t.Context(), t, s); len(found) != 1 || found[0].Where != "event "+string(memory.DerivedEventID("b")) {
			t.Errorf("damage %v, want that of one event", found)
		}
		if e := events(s)[3]; e.Input != "claude" || e.Text != "run" || e.Ended() != run {
			t.Errorf("the end of a session is %+v", e)
		}
		h.sql(t, fmt.Sprintf(`UPDATE event SET hash = %d WHERE id = '%s'`, edited(1, "b", "run", start).Hash(), memory.DerivedEventID("b")))
		h.sql(t, fmt.Sprintf(damaged, "b"))
	}},
	{"what had tables of its own before facts is all there", func(t *testing.T, h *home) {
		const tables, at = 7, int64(1_700_000_000_000)
		s := must.Get(h.Open(t.Context(), Options{Migrations: store.Migrations()[:tables], Now: h.Now}))(t)
		pinned, noted, taken := someCrystal(seed(t), 1), someCrystal(seed(t), 2), someCrystal(seed(t), 3)
		noted.ValidTo, noted.Project, pinned.Project, taken.Project = time.Time{}, place(1).Project(), 0, 0
		for _, c := range []memory.Crystal{pinned, noted, taken} { // as the program of then wrote them
			update(t, s, func(tx *store.Tx) error {
				_, err := tx.AddDocuments(t.Context(), []store.Document{{
					Ref: string(c.ID), Project: c.Project, Kind: string(c.Kind), Origin: c.Origin, At: c.SaidAt, Text: c.Text, Words: strings.Fields(c.Text),
				}})
				return err
			})
			h.sql(t, fmt.Sprintf(`INSERT INTO crystal (id, document_id, kind, subject, importance, valence, lifecycle, source, session_id, heard, parents, said_at, last_at,
				accesses, gap_hours, unsure, hash) SELECT ref, id, kind, '', 0.5, 0, 'generated', '', 0, 0, '', at, at, 0, 0, 0, %d FROM document WHERE ref = '%s'`, c.Hash(), c.ID))
		}
		gone := memory.EventID(crystalID(9))
		many := make([]string, 600) // more than one statement rehashes
		for i := range many {
			many[i] = fmt.Sprintf(`('many-%d', %d)`, i, at)
		}
		h.sql(t, `INSERT INTO tombstone (event_id, forgotten_at) VALUES `+strings.Join(many, ", "))
		for _, row := range []string{
			`INSERT INTO lease (name, holder, until) VALUES ('work', 'she', 4000000000000)`,
			fmt.Sprintf(`INSERT INTO tombstone (event_id, forgotten_at) VALUES ('%s', %d)`, gone, at),
			fmt.Sprintf(`INSERT INTO page (name, text, by, at) VALUES ('soul', 'I "am" Ada', 'user', %d)`, at),
			fmt.Sprintf(`INSERT INTO view (name, text, at) VALUES ('vault/live.md', '# \ ü', %d)`, at),
			fmt.Sprintf(`INSERT INTO ledger (id, at, amount, skill, buyer, note) VALUES ('p', %d, -7, 'tea', 'b', '')`, at),
			fmt.Sprintf(`INSERT INTO mood (at, reward, stress, bond, why) VALUES (%d, 0.25, 0.5, 0.75, 'so')`, at),
			fmt.Sprintf(`INSERT INTO sleep (at, why, report) VALUES (%d, 'asked', '{"n": 1}')`, at),
			fmt.Sprintf(`INSERT INTO pin (crystal_id, project_id, normal, title, reason, at) VALUES ('%s', 0, 'x', 'X', 'r', %d)`, pinned.ID, at),
			fmt.Sprintf(`INSERT INTO note (crystal_id, project_id, importance, at) VALUES ('%s', 0, 0.625, %d)`, noted.ID, at), // its memory has a project
			fmt.Sprintf(`INSERT INTO note (crystal_id, project_id, importance, at, state_id) VALUES ('%s', 0, 0.5, %d, 4)`, taken.ID, at),
		} {
			h.sql(t, row)
		}
		must.Do(t, s.Close())
		update(t, h.open(), func(tx *store.Tx) error { // which is searched for damage in the end
			lease, err1 := tx.TakeLease(t.Context(), "work", "he", "", 100*365*24*time.Hour)
			known, err2 := tx.Known(t.Context(), gone)
			page, err3 := tx.Page(t.Context(), "soul")
			written, err4 := tx.Written(t.Context(), "vault", "live.md")
			payments, err5 := store.Payments.All(t.Context(), tx, store.CrystalFilter{})
			moods, err6 := tx.Moods(t.Context(), 5)
			sleeps, err7 := tx.Sleeps(t.Context(), time.Time{}, 5)
			pins, err8 := tx.Pins(t.Context(), 0)
			notes, err9 := tx.WaitingNotes(t.Context(), noted.Project)
			again, err10 := tx.AddNote(t.Context(), taken.ID, 0, 1, start)
			when := time.UnixMilli(at).UTC()
			got := []any{lease, known, page, written, payments, moods, sleeps, pins, notes, again}
			want := []any{
				false, true, store.Page{Name: "soul", Text: `I "am" Ada`, By: memory.OriginUser, At: when}, `# \ ü`,
				[]store.Payment{{ID: "p", At: when, Amount: -7, Skill: "tea", Buyer: "b"}},
				[]store.Mood{{At: when, Reward: .25, Stress: .5, Bond: .75, Why: "so"}},
				[]store.SleepRecord{{ID: 1, At: when, Why: "asked", Report: `{"n": 1}`}},
				[]memory.Pin{{Crystal: pinned.ID, Title: "X", Text: pinned.Text, Reason: "r", Origin: pinned.Origin, At: when}},
				[]store.Note{{Crystal: noted.ID, Project: noted.Project, Kind: noted.Kind, Text: noted.Text, Origin: noted.Origin, Importance: .625, At: when}}, false,
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			return errors.Join(err1, err2, err3, err4, err5, err6, err7, err8, err9, err10)
		})
	}},
	{"a newer store is refused and not written", func(t *testing.T, h *home) {
		h.migrations = further(addTable)
		fill(t, h.open(), mixed()...)
		newer := newClosed(t, h)
		before := h.State(t)
		s, err := h.Open(t.Context(), Options{Now: h.Now})
		if !errors.Is(err, memory.ErrRefused) {
			t.Errorf("got %v, %v, want a refusal", s, err)
		}
		if h.State(t) != before {
			t.Error("the refused store was written")
		}
		same(t, "for the newer program", contents(t, h.open()), newer)
	}},
	{"a failing step leaves the old version whole and usable", func(t *testing.T, h *home) {
		before := h.filled(t)
		for _, steps := range [][]store.Migration{further(broken), further(addTable, broken)} {
			if s, err := h.Open(t.Context(), Options{Migrations: steps, Now: h.Now}); err == nil {
				t.Fatalf("the broken step went through: %v", s)
			}
			h.mu.Lock()
			h.now = h.now.Add(1e9) // the next copy gets another name
			h.mu.Unlock()
		}
		s := h.open() // with the steps of the program before
		same(t, "after the failed migration", contents(t, s), before)
		fill(t, s, edited(1, "new", "run", start, "new.go"))
	}},
	{"many that open an empty place at once all get the same store", func(t *testing.T, h *home) {
		const n = 8
		inParallel(t, n, func(i int) error {
			s, err := h.Open(t.Context(), h.options())
			if err != nil {
				return err
			}
			err = s.Update(t.Context(), func(tx *store.Tx) error {
				_, err := record(t.Context(), tx, edited(1, fmt.Sprint(i), "run", start, "a.go"))
				return err
			})
			return errors.Join(err, s.Close())
		})
		s := h.open()
		expectEvents(t, s, n)
		expectGapless(t, s, 1, n)
	}},
	{"many that open an older store at once migrate it once", func(t *testing.T, h *home) {
		before := h.filled(t)
		h.migrations = further(addTable)
		inParallel(t, 6, func(int) error {
			s, err := h.Open(context.WithoutCancel(t.Context()), h.options())
			if err != nil {
				return err
			}
			return s.Close()
		})
		same(t, "after the migration", contents(t, h.open()), before)
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("copies: %q, want one", found)
		}
	}},
}

// newClosed opens the store with the test's migrations, closes it, and returns what is in it.
func newClosed(t *testing.T, h *home) []string {
	t.Helper()
	s := must.Get(h.Open(t.Context(), h.options()))(t)
	lines := contents(t, s)
	must.Do(t, s.Close())
	return lines
}
