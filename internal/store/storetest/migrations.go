package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
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
	addTable  = `CREATE TABLE further (id {int} NOT NULL PRIMARY KEY) {strict}; INSERT INTO further (id) SELECT COUNT(*) FROM event;`
	addColumn = `ALTER TABLE project ADD COLUMN further {int} NOT NULL DEFAULT 3;`
	broken    = `CREATE TABLE half (id {int} NOT NULL PRIMARY KEY) {strict}; INSERT INTO nowhere (id) VALUES (1);`
)

// filled leaves a closed store of the present schema with some events in it.
func (h *home) filled(t *testing.T) (before []string) {
	t.Helper()
	s, err := h.Open(t.Context(), Options{Now: h.Now})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s, mixed()...)
	before = contents(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
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
	{"a store from before associative memory keeps its rows and can learn", func(t *testing.T, h *home) {
		before, err := h.Open(t.Context(), Options{Migrations: store.Migrations()[:1], Now: h.Now})
		if err != nil {
			t.Fatal(err)
		}
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}
		e := taught(1)[0]
		p := projectAt(e.Place, start)
		stored := memory.StoredEvent{Event: e, Project: p.ID, Session: sessionOf(e), Ord: 1}
		at := start.UnixMilli()
		h.sql(t, fmt.Sprintf(`INSERT INTO project (id, identity, root, name, first_at, last_at)
			VALUES (%d, '%s', '%s', '%s', %d, %d)`, p.ID, p.Identity, p.Root, p.Name, at, at))
		h.sql(t, fmt.Sprintf(`INSERT INTO session
			(id, project_id, agent, agent_session, opened_at, last_event_at, events, last_ord)
			VALUES (%d, %d, '%s', '%s', %d, %d, 1, 1)`, stored.Session, p.ID, e.Agent, e.AgentSession, at, at))
		h.sql(t, fmt.Sprintf(`INSERT INTO event
			(id, project_id, session_id, ord, at, kind, origin, agent, subagent, tool, input, text, hash)
			VALUES ('%s', %d, %d, 1, %d, '%s', '%s', '%s', '', '%s', '', '%s', %d)`,
			e.ID, p.ID, stored.Session, at, e.Kind, e.Origin, e.Agent, e.Tool, e.Text, stored.Hash()))
		for n, touch := range e.Touches {
			id := file(1, touch.Path)
			h.sql(t, fmt.Sprintf(`INSERT INTO neuron (id, project_id, kind, key, accesses, first_at, last_at)
				VALUES (%d, %d, 'file', '%s', 1, %d, %d)`, id, p.ID, touch.Path, at, at))
			h.sql(t, fmt.Sprintf(`INSERT INTO access (event_seq, n, neuron_id, kind)
				VALUES ((SELECT seq FROM event WHERE id = '%s'), %d, %d, '%s')`, e.ID, n, id, touch.Kind))
		}

		s := h.open()
		got := contents(t, s)
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("copies: %q, want one", found)
		}
		fill(t, s, taught(1)[1])
		h.learn(t, s, 1)
		update(t, s, func(tx *store.Tx) error { return tx.Empty(t.Context()) })
		fill(t, s, e)
		same(t, "as if it had been stored now", got, contents(t, s))
	}},
	{"the register of a store becomes one of each project, with the same value", func(t *testing.T, h *home) {
		before, err := h.Open(t.Context(), Options{Migrations: store.Migrations()[:15], Now: h.Now})
		if err != nil {
			t.Fatal(err)
		}
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}
		want := plasticity.Balance{Weight: plasticity.Stored(-math.Pi / 3), Rates: plasticity.Rates{Weight: .9, Myelin: .8, Activation: .7}}
		for _, n := range []int{1, 2} {
			p := projectAt(place(n), start)
			h.sql(t, fmt.Sprintf(`INSERT INTO project (id, identity, root, name, first_at, last_at)
				VALUES (%d, '%s', '%s', '%s', 1, 1)`, p.ID, p.Identity, p.Root, p.Name))
		}
		for name, value := range map[string]string{
			"balance/weight": fmt.Sprint(float64(want.Weight)), "balance/rates": ".9 .8 .7", "sleep/held": "1 2", "other": "fact",
		} {
			h.sql(t, fmt.Sprintf(`INSERT INTO meta (name, value) VALUES ('%s', '%s')`, name, value))
		}
		s := h.open()
		view(t, s, func(tx *store.Tx) error {
			for _, n := range []int{1, 2} {
				got, err := tx.Balance(t.Context(), place(n).Project())
				if err != nil || got != want {
					t.Errorf("project %d: %+v, %v, want %+v", n, got, err, want)
				}
				registers, err := tx.Registers(t.Context(), place(n).Project())
				if err != nil || len(registers) != 1 || registers[0].After != 0 {
					t.Errorf("project %d: %+v, %v: want one that holds for all events", n, registers, err)
				}
			}
			weight, err1 := tx.Meta(t.Context(), "balance/weight")
			votes, err2 := tx.Meta(t.Context(), "sleep/held")
			fact, err3 := tx.Meta(t.Context(), "other")
			if weight != "" || votes != "" || fact != "fact" {
				t.Errorf("left: %q, %q, %q", weight, votes, fact)
			}
			return errors.Join(err1, err2, err3)
		})
	}},
	{"a store from before thoughts keeps what is said of code, what is known and what came to mind", func(t *testing.T, h *home) {
		before, err := h.Open(t.Context(), Options{Migrations: store.Migrations()[:10], Now: h.Now})
		if err != nil {
			t.Fatal(err)
		}
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}
		for n, project := range []int{7, 8, 0} { // 0: of the person
			h.sql(t, fmt.Sprintf(`INSERT INTO document (ref, project_id, kind, origin, at, path, title, text, words, around, scope, length, hash)
				VALUES ('c%d', %d, 'fact', 'user', 1, '', '', 'x', 'x', '', '', 1, 1)`, n, project))
			h.sql(t, fmt.Sprintf(`INSERT INTO crystal
				(id, document_id, kind, subject, importance, valence, lifecycle, source, parents, said_at, last_at, accesses, gap_hours, unsure, hash)
				SELECT 'c%d', id, 'fact', '', 0.5, 0, 'generated', '', '', 1, 1, 0, 0, 0, 1 FROM document WHERE ref = 'c%d'`, n, n))
			h.sql(t, fmt.Sprintf(`INSERT INTO anchor (crystal_id, path, symbol, commit_id, hash) VALUES ('c%d', 'f%d.go', '', '', 1)`, n, n))
		}
		h.sql(t, `INSERT INTO entity (project_id, name, type, created_at) VALUES (7, 'till', 'machine', 1)`)
		h.sql(t, `INSERT INTO goal (id, project_id, status, data) VALUES ('g', 7, 'active', '{}')`)
		h.sql(t, `INSERT INTO connection (project_id, goal_id, at, strength, keys, why, outcome) VALUES (7, 'g', 1, 0.5, 'k', 'because', '')`)

		view(t, h.open(), func(tx *store.Tx) error {
			for n, project := range []memory.ProjectID{7, 8, 0} {
				path := fmt.Sprintf("f%d.go", n)
				found, err := tx.AboutFiles(t.Context(), project, []string{path}, 5)
				if paths, failed := tx.AnchoredPaths(t.Context(), project); err != nil || failed != nil || len(found) != 1 || !slices.Equal(paths, []string{path}) {
					t.Errorf("of project %d %v in %q: %v, %v", project, found, paths, err, failed)
				}
			}
			entities, err := tx.Entities(t.Context(), 7)
			if err != nil || len(entities) != 1 || entities[0].Origin != memory.OriginImport {
				t.Errorf("%+v, %v: want the entity, named by nobody who is trusted", entities, err)
			}
			thoughts, err := tx.Thoughts(t.Context(), 7, time.Time{}, 5)
			if err != nil || len(thoughts) != 1 || thoughts[0].Why != "because" || thoughts[0].Episode != "" {
				t.Errorf("%+v, %v: want the connection", thoughts, err)
			}
			return nil
		})
		h.sql(t, `DELETE FROM anchor`)
		h.sql(t, `DELETE FROM crystal`) // rows that no door wrote have neither hashes nor counted words
		h.sql(t, `DELETE FROM document`)
	}},
	{"a store from before sleep keeps neurons, links and blocks", func(t *testing.T, h *home) {
		before, err := h.Open(t.Context(), Options{Migrations: store.Migrations()[:2], Now: h.Now})
		if err != nil {
			t.Fatal(err)
		}
		p, at := projectAt(place(1), start), start.UnixMilli()
		see(t, before, p)
		var neurons []store.Strength
		var links []store.Synapse
		for i := range 40 {
			n := newborn(memory.Neuron{ID: file(1, fmt.Sprint(i)), Project: p.ID, Kind: memory.FileNeuron, Key: fmt.Sprint(i), FirstAt: start, LastAt: start})
			if i%3 > 0 {
				n.Myelin, n.Activation, n.Standing, n.Gone = plasticity.Stored(i)+.125, plasticity.Stored(-i), .5, i%7 == 0
				n.Peak = n.Myelin
			}
			h.sql(t, fmt.Sprintf(`INSERT INTO neuron (id, project_id, kind, key, accesses, first_at, last_at, myelin, activation, standing, gone)
				VALUES (%d, %d, 'file', '%s', 0, %d, %d, %g, %g, %g, %d)`, n.ID, p.ID, n.Key, at, at, float64(n.Myelin), float64(n.Activation), n.Standing,
				map[bool]int{true: 1}[n.Gone]))
			neurons = append(neurons, n)
		}
		r := seed(t)
		for i := range neurons[1:] {
			one := store.NewSynapse(p.ID, pick(r, memory.Origins), neurons[i].ID, neurons[i+1].ID)
			one.Link = fadingLink(r)
			links = append(links, one)
			for _, n := range []*store.Strength{&neurons[i], &neurons[i+1]} {
				n.Links++
				h.sql(t, fmt.Sprintf(`UPDATE neuron SET links = %d WHERE id = %d`, n.Links, n.ID))
			}
		}
		h.withChecksums(t, func() {
			update(t, before, func(tx *store.Tx) error { return tx.SaveSynapses(t.Context(), links) })
			saveBlock(t, before, 1, 2, 3, []byte("the past"))
		}, "synapse", "block")
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}

		s := h.open()
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
			slices.SortFunc(got, byEnds)
			slices.SortFunc(links, byEnds)
			if !slices.Equal(got, links) {
				t.Errorf("links: got %+v\nwant %+v", got, links)
			}
			return err
		})
		for _, n := range neurons {
			expectNeuron(t, s, n)
		}
		expectBlock(t, s, 1, 2, 3, []byte("the past"))
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("copies: %q, want one", found)
		}
		letGo(t, s, plasticity.Noise, 1, links[0])
		err = s.Update(t.Context(), func(tx *store.Tx) error {
			return tx.SaveSynapses(t.Context(), []store.Synapse{linked(1, "0", "unknown", 1)})
		})
		if err == nil {
			t.Error("after the migration, a synapse to nowhere was stored")
		}
	}},
	{"a store from before text memory keeps its rows and can remember", func(t *testing.T, h *home) {
		before, err := h.Open(t.Context(), Options{Migrations: store.Migrations()[:6], Now: h.Now})
		if err != nil {
			t.Fatal(err)
		}
		events := taught(1)
		for i := range events { // sessions have more columns now than this store
			events[i].AgentSession = ""
		}
		fill(t, before, events...)
		h.withChecksums(t, func() {
			wireAll(t, before, linked(1, "a.go", "b.go", 1))
			saveBlock(t, before, 1, 2, 3, []byte("the past"))
		}, "synapse", "block")
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}
		s := h.open()
		view(t, s, func(tx *store.Tx) error {
			kept, one := tx.Events(t.Context(), store.EventFilter{})
			links, two := tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
			if len(kept) != len(events) || len(links) != 1 {
				t.Errorf("%d events and %d links, want %d and 1", len(kept), len(links), len(events))
			}
			return errors.Join(one, two)
		})
		expectBlock(t, s, 1, 2, 3, []byte("the past"))
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("copies: %q, want one", found)
		}
		d := said("ref", "mend the login")
		d.EventSeq = 1
		addDocuments(t, s, d)
		addCrystals(t, s, someCrystal(seed(t), 1))
		if found := matched(t, s, store.Expression{All: []string{"mend"}}, store.DocumentFilter{}); len(found) != 1 {
			t.Errorf("found %d", len(found))
		}
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

// withChecksums lets this program write to tables of an older schema, which have no checksums.
func (h *home) withChecksums(t *testing.T, write func(), tables ...string) {
	t.Helper()
	for _, table := range tables {
		if _, err := h.Raw.ExecContext(t.Context(), `ALTER TABLE `+table+` ADD COLUMN checksum BIGINT`); err != nil {
			h.sql(t, `ALTER TABLE `+table+` ADD COLUMN checksum INTEGER`) // SQLite's name for it
		}
	}
	write()
	for _, table := range tables {
		h.sql(t, `ALTER TABLE `+table+` DROP COLUMN checksum`)
	}
}

// newClosed opens the store with the test's migrations, closes it, and returns what is in it.
func newClosed(t *testing.T, h *home) []string {
	t.Helper()
	s, err := h.Open(t.Context(), h.options())
	if err != nil {
		t.Fatal(err)
	}
	lines := contents(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return lines
}
