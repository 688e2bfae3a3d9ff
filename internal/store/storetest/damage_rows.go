package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// EveryTable writes at least one row into each table, all of the project that it returns wherever they belong to one.
func EveryTable(t *testing.T, s *store.Store) memory.Place {
	t.Helper()
	ctx := t.Context()
	fill(t, s, mixed()...)
	wireAll(t, s, linked(1, "a.go", "b.go", 1), linked(1, "b.go", "c.go", 1))
	saveBlock(t, s, 1, 2, 3, []byte("the past"))
	c := memory.Crystal{
		ID: crystalID(1), Project: place(1).Project(), Kind: memory.Fact, Text: "said once", Lifecycle: memory.Generated, Origin: memory.OriginUser, SaidAt: start, LastAt: start,
		Subject: "tea", Anchors: []memory.Anchor{{Path: "a.go", Symbol: "main"}},
	}
	document := addCrystals(t, s, c)[0]
	project := projectAt(place(1), start).ID
	goal := memory.Goal{
		ID: memory.GoalID(crystalID(3)), Project: project, Title: "count nickels", Kind: memory.GoalKinds[0], Status: memory.GoalActive, Origin: memory.OriginUser,
	}
	update(t, s, func(tx *store.Tx) error {
		session, err := tx.Session(ctx, sessionOf(mixed()[0]))
		if err != nil {
			return err
		}
		shown, err := tx.EventSeqs(ctx, store.EventFilter{IDs: []memory.EventID{mixed()[0].ID}})
		if err != nil {
			return err
		}
		session.Happened, session.SummaryAt = "it was told", start
		steps := []func() error{
			func() error { return tx.SaveSession(ctx, session) },
			func() error { return tx.CountTogether(ctx, session.ID) },
			func() error {
				return tx.InsertSuggestion(ctx, shown[0], memory.Suggestion{ID: "s", Project: project, Session: session.ID, Neuron: file(1, "a.go"), Offer: memory.OfferFile, Path: "a.go", Score: .5, ShownAt: start})
			},
			func() error { return tx.SettleSuggestion(ctx, "s", memory.Used, start) },
			func() error {
				return tx.SaveHeat(ctx, store.Heat{Neuron: file(1, "a.go"), Project: project, Heat: 1.5, Touches: 2, LastAt: start, Note: "why", NoteAt: start})
			},
			func() error {
				_, err := tx.SaveEntity(ctx, memory.Entity{Project: project, Name: "till", CreatedAt: start})
				return err
			},
			func() error {
				_, err := tx.SaveEntity(ctx, memory.Entity{Project: project, Name: "drawer", Type: "part", CreatedAt: start})
				return err
			},
			func() error {
				_, err := tx.Observe(ctx, project, "till", memory.Observation{Text: "it prints", Origin: memory.OriginUser, Confidence: .75, SaidAt: start})
				return err
			},
			func() error {
				_, err := tx.Relate(ctx, memory.Relation{Project: project, From: "till", Type: "has", To: "drawer", CreatedAt: start})
				return err
			},
			func() error {
				return tx.SetPin(ctx, memory.Pin{Crystal: c.ID, Project: project, Title: "Title", Reason: "because", Origin: memory.OriginUser, At: start}, "title")
			},
			func() error {
				return store.Pages.Keep(ctx, tx, store.Page{Name: "me", Text: "I am Ada", By: memory.OriginUser, At: start})
			},
			func() error { return tx.SetWritten(ctx, "vault", "live.md", "# live") },
			func() error { _, err := tx.AddNote(ctx, c.ID, project, .5, start); return err },
			func() error {
				_, err := tx.AddState(ctx, store.StateText{Project: project, At: start, By: "rules", Text: "a state"}, 3)
				return err
			},
			func() error { return tx.TakeNote(ctx, c.ID) },
			func() error {
				return tx.AddMood(ctx, store.Mood{At: start, Reward: .25, Stress: .5, Bond: .75, Why: "it works"}, 3)
			},
			func() error {
				return store.Payments.Keep(ctx, tx, store.Payment{ID: string(crystalID(2)), At: start, Amount: 7, Skill: "tea", Note: "thanks"})
			},
			func() error {
				return store.Goals.Keep(ctx, tx, goal)
			},
			func() error {
				id, err := tx.AddThought(ctx, store.Thought{Project: project, Goal: goal.ID, At: start, Strength: .5, Keys: []string{"k"}, Why: "because"})
				if err != nil {
					return err
				}
				return tx.JudgeThought(ctx, id, "used")
			},
			func() error { return tx.SetRegister(ctx, project, -1, -2) },
			func() error { return tx.Tombstone(ctx, memory.EventID(crystalID(4))) },
			func() error { _, err := tx.TakeLease(ctx, "work", "me", "", time.Hour); return err },
			func() error { return store.NewFact[int]("progress").Of(project).Set(ctx, tx, 1) },
			func() error {
				return tx.SaveSource(ctx, project, store.Source{Path: "a.go", Size: 3, Modified: 4, Hash: 5})
			},
			func() error { return tx.SetLines(ctx, document, store.Lines{First: 1, Last: 2}) },
			func() error {
				return tx.SetVectors(ctx, "model", []store.DocumentVector{{Document: document, Project: project, Vector: memory.Vector{1}}})
			},
			func() error { return tx.Leave(ctx, store.Trace{Crystal: c.ID, At: start, What: "said"}) },
			func() error {
				link, err := tx.Synapse(ctx, file(1, "b.go"), file(1, "c.go"))
				sleep, begun := tx.BeginSleep(ctx, "asked")
				if err := errors.Join(err, begun); err != nil {
					return err
				}
				if err := tx.EndSleep(ctx, sleep, `{"forgot":1}`, 3); err != nil {
					return err
				}
				return tx.Prune(ctx, store.Gone{A: link.A, B: link.B, Project: project, Sleep: sleep, Synapse: &link})
			},
			func() error { _, err := tx.Pack(ctx, sessionOf(mixed()[2])); return err },
		}
		for i, step := range steps {
			if err := step(); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
		return nil
	})
	return place(1)
}

// rowsOf counts the rows of each table; project says which of those that belong to one.
func (h *home) rowsOf(t *testing.T, project memory.ProjectID) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, table := range store.Tables() {
		query := `SELECT COUNT(*) FROM ` + table.Name
		if table.Project {
			query += fmt.Sprint(` WHERE project_id = `, int64(project))
		}
		var n int
		must.Do(t, h.Raw.QueryRowContext(t.Context(), query).Scan(&n))
		counts[table.Name] = n
	}
	return counts
}

// harms are a change of a value, and its undoing, by the kind of value. Each undoing gives back the same bits.
func harms(table, column string, value any) (harm, undo []string) {
	set := func(expression string) string { return fmt.Sprintf(`UPDATE %s SET %s = %s`, table, column, expression) }
	switch v := value.(type) {
	case nil:
		return []string{set(`1`) + ` WHERE ` + column + ` IS NULL`}, []string{set(`NULL`) + ` WHERE ` + column + ` = 1`}
	case int64:
		return []string{set(column + ` + 1`)}, []string{set(column + ` - 1`)}
	case float64:
		if v == 0 {
			return []string{set(`3`) + ` WHERE ` + column + ` = 0`}, []string{set(`0`) + ` WHERE ` + column + ` = 3`}
		}
		return []string{set(column + ` * 2`)}, []string{set(column + ` / 2`)}
	case []byte:
		return []string{set(fmt.Sprintf(`X'%x'`, append(slices.Clone(v), 1)))}, []string{set(fmt.Sprintf(`X'%x'`, v))}
	}
	return []string{set(column + ` || 'x'`)}, []string{set(fmt.Sprintf(`substr(%s, 1, length(%s) - 1)`, column, column))}
}

// try runs the first statement that the database takes.
func (h *home) try(ctx context.Context, statements []string) (err error) {
	for _, s := range statements {
		if _, err = h.Raw.ExecContext(ctx, s); err == nil {
			return nil
		}
	}
	return err
}

// firstRow returns the columns of a table and the values of its first row.
func (h *home) firstRow(t *testing.T, table string) (columns []string, values []any) {
	t.Helper()
	rows, err := h.Raw.QueryContext(t.Context(), `SELECT * FROM `+table)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	if columns, err = rows.Columns(); err != nil {
		t.Fatal(err)
	}
	if !rows.Next() {
		t.Fatalf("%s has no row: %v", table, rows.Err())
	}
	values = make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	must.Do(t, rows.Scan(into...))
	return columns, values
}

var damagedRowCases = []contractCase{
	{"a change of any column of any table is found, or named as one that is not checked", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		EveryTable(t, s)
		damaged := func() (n int) {
			err := s.View(t.Context(), func(tx *store.Tx) error {
				_, found, err := tx.CheckRows(t.Context())
				n = len(found)
				return err
			})
			if err != nil { // a row that cannot be read at all
				n++
			}
			return n
		}
		if n := damaged(); n > 0 {
			t.Fatalf("%d rows are damaged before any harm", n)
		}
		turn, n := must.Part(t, 4, 4), 0 // one column in four
		found, refused := 0, 0
		for _, schema := range store.Tables() {
			table := schema.Name
			if unchecked[table] != "" {
				continue
			}
			columns, values := h.firstRow(t, table)
			for i, column := range columns {
				if n++; unchecked[table+"."+column] != "" || !slices.Contains(turn, n%4) {
					continue
				}
				harm, undo := harms(table, column, values[i])
				if h.try(t.Context(), harm) != nil {
					refused++ // by a key or a type: the database itself would find it
					continue
				}
				if damaged() == 0 {
					t.Errorf("%s.%s was changed and nobody noticed", table, column)
				}
				found++
				must.Do(t, h.try(t.Context(), undo))
			}
			if n := damaged(); n > 0 { // what was noticed may then have been an earlier harm
				t.Fatalf("%s: %d rows are damaged after all harm was undone", table, n)
			}
		}
		t.Logf("%d changes found, %d refused by the database", found, refused)
	}},
	{"a project with rows in every table can be vacated, and a store with rows in every table be emptied", func(t *testing.T, h *home) {
		s := h.open()
		id := EveryTable(t, s).Project()
		for table, n := range h.rowsOf(t, id) {
			if n == 0 {
				t.Errorf("EveryTable writes no row into %s", table)
			}
		}
		other := h.rowsOf(t, place(2).Project())
		calls := 0
		for left := true; left; calls++ {
			update(t, s, func(tx *store.Tx) (err error) {
				left, err = tx.Vacate(t.Context(), id, 1)
				return err
			})
		}
		if found := findDamage(t.Context(), t, s); calls < 8 || len(found) > 0 {
			t.Errorf("after %d calls of one row each: %v", calls, found)
		}
		left, others := h.rowsOf(t, id), h.rowsOf(t, place(2).Project())
		for _, table := range store.Tables() {
			if table.Project && (left[table.Name] > 0 || others[table.Name] != other[table.Name]) {
				t.Errorf("%s: %d rows left, %d of the other project, want 0 and %d", table.Name, left[table.Name], others[table.Name], other[table.Name])
			}
		}
		if left["project"] != 1 {
			t.Errorf("%d projects, want the other one", left["project"])
		}
		fill(t, s, mixed()[0])
		if h.rowsOf(t, id)["neuron"] == 0 {
			t.Error("what was vacated cannot be stored again")
		}
		update(t, s, func(tx *store.Tx) error { return tx.Empty(t.Context()) })
		expectEmpty(t, s)
		expectFrequency(t, s, nil)
		for table, n := range h.rowsOf(t, place(2).Project()) {
			if kept := table == "totals"; (n > 0) != kept {
				t.Errorf("%d rows of %s in an empty store", n, table)
			}
		}
		EveryTable(t, s)
	}},
}
