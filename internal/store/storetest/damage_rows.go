package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// tables are those of the schema, without what the database makes for itself.
func (h *home) tables(t *testing.T) (names []string) {
	t.Helper()
	rows, err := h.Raw.QueryContext(t.Context(), `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
		AND name NOT LIKE 'document_words%' ORDER BY name`)
	if err != nil {
		rows, err = h.Raw.QueryContext(t.Context(), `SELECT CAST(table_name AS TEXT) FROM information_schema.tables
			WHERE table_schema = current_schema() AND table_name <> 'schema_version' ORDER BY table_name`)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil || len(names) < 30 {
		t.Fatalf("%d tables, %v", len(names), err)
	}
	return names
}

// everyTable writes at least one row into each of them.
func everyTable(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := t.Context()
	packed := edited(2, "packed", "old run", start, "p.go")
	fill(t, s, append(mixed(), packed)...)
	wireAll(t, s, linked(1, "a.go", "b.go", 1))
	saveBlock(t, s, 1, 2, 3, []byte("the past"))
	c := memory.Crystal{
		ID: crystalID(1), Kind: memory.Fact, Text: "said once", Lifecycle: memory.Generated, Origin: memory.OriginUser, SaidAt: start, LastAt: start,
		Subject: "tea", Anchors: []memory.Anchor{{Path: "a.go", Symbol: "main"}},
	}
	addCrystals(t, s, c)
	project := projectAt(place(1), start).ID
	update(t, s, func(tx *store.Tx) error {
		session, err := tx.Session(ctx, sessionOf(mixed()[0]))
		if err != nil {
			return err
		}
		session.Happened, session.SummaryAt = "it was told", start
		steps := []func() error{
			func() error { return tx.SaveSession(ctx, session) },
			func() error { return tx.CountTogether(ctx, session.ID) },
			func() error {
				return tx.InsertSuggestion(ctx, 1, memory.Suggestion{ID: "s", Project: project, Session: session.ID, Neuron: file(1, "a.go"), Offer: memory.OfferFile, Path: "a.go", Score: .5, ShownAt: start})
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
			func() error { return tx.RenameEntity(ctx, project, "till", "new till") },
			func() error {
				return tx.SetPin(ctx, memory.Pin{Crystal: c.ID, Project: project, Title: "Title", Reason: "because", At: start}, "title")
			},
			func() error {
				return tx.SavePage(ctx, store.Page{Name: "me", Text: "I am Ada", By: memory.OriginUser, At: start})
			},
			func() error { return tx.SetWritten(ctx, "vault", "live.md", "# live") },
			func() error { _, err := tx.AddNote(ctx, c.ID, project, .5, start); return err },
			func() error {
				_, err := tx.AddState(ctx, store.StateText{Project: project, At: start, By: "rules", Text: "a state"}, 3)
				return err
			},
			func() error { return tx.TakeNote(ctx, c.ID, 1) },
			func() error {
				return tx.AddMood(ctx, store.Mood{At: start, Reward: .25, Stress: .5, Bond: .75, Why: "it works"}, 3)
			},
			func() error {
				return tx.AddPayment(ctx, store.Payment{ID: "p", At: start, Amount: 7, Skill: "tea", Note: "thanks"})
			},
			func() error {
				return tx.SaveGoal(ctx, memory.Goal{ID: "g", Project: project, Status: memory.GoalActive})
			},
			func() error {
				id, err := tx.AddThought(ctx, store.Thought{Project: project, Goal: "g", At: start, Strength: .5, Keys: []string{"k"}, Why: "because"})
				if err != nil {
					return err
				}
				return tx.JudgeThought(ctx, id, "used")
			},
			func() error { return store.NewFact[string]("mark").Set(ctx, tx, "done") },
			func() error {
				id, err := tx.BeginSleep(ctx, "asked")
				return errors.Join(err, tx.EndSleep(ctx, id, `{"forgot":1}`, 3))
			},
			func() error {
				return tx.SaveSource(ctx, project, store.Source{Path: "a.go", Size: 3, Modified: 4, Hash: 5})
			},
			func() error { return tx.Leave(ctx, store.Trace{Crystal: c.ID, What: "said", Detail: "once"}) },
			func() error { return tx.Tombstone(ctx, "gone") },
			func() error { _, err := tx.Pack(ctx, sessionOf(packed)); return err },
		}
		for i, step := range steps {
			if err := step(); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
		return nil
	})
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
			return []string{set(`1`)}, []string{set(`0`)}
		}
		return []string{set(column + ` * 2`)}, []string{set(column + ` / 2`)}
	case []byte: // SQLite's text for bytes, then PostgreSQL's
		return []string{set(`CAST('The past' AS BLOB)`), set(`CAST('The past' AS BYTEA)`)},
			[]string{set(fmt.Sprintf(`x'%x'`, v)), set(fmt.Sprintf(`decode('%x', 'hex')`, v))}
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
	if err := rows.Scan(into...); err != nil {
		t.Fatal(err)
	}
	return columns, values
}

var damagedRowCases = []contractCase{
	{"a change of any column of any table is found, or named as one that is not checked", func(t *testing.T, h *home) {
		h.damaged = true
		s := h.open()
		everyTable(t, s)
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
		found, refused := 0, 0
		for _, table := range h.tables(t) {
			if store.Unchecked[table] != "" {
				continue
			}
			columns, values := h.firstRow(t, table)
			for i, column := range columns {
				if store.Unchecked[table+"."+column] != "" {
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
				if err := h.try(t.Context(), undo); err != nil {
					t.Fatal(err)
				}
				if n := damaged(); n > 0 {
					t.Fatalf("%s.%s: %d rows are damaged after the harm was undone", table, column, n)
				}
			}
		}
		t.Logf("%d changes found, %d refused by the database", found, refused)
	}},
}
