package postgres

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// Full text drives, whatever else is asked for, whether or not the server knows the words when it plans.
func TestFullTextIsReadByItsIndex(t *testing.T) {
	t.Parallel()
	url := serverURL(t)
	schema := newSchema(t, url)
	s := open(t, url, schema)
	project := memory.NewProjectID("/p")
	must.Do(t, s.Update(t.Context(), func(tx *store.Tx) error {
		docs := make([]store.Document, 6000)
		for i := range docs {
			docs[i] = store.Document{
				Ref: fmt.Sprint(i), Project: project, Kind: "note", At: start, Path: fmt.Sprintf("src/%d.go", i%50), Text: "some text",
				Words: []string{"all", fmt.Sprint("some", i%100), fmt.Sprint("rare", i/10)}, Around: []string{fmt.Sprint("near", i%500)},
			}
		}
		_, err := tx.AddDocuments(t.Context(), docs)
		return err
	}))
	if err := s.Tidy(t.Context()); err != nil { // it also counts
		t.Fatal(err)
	}
	conn := must.Get(raw(t, url, schema).Conn(t.Context()))(t)
	defer func() { _ = conn.Close() }()
	for i, e := range []store.Expression{
		{Any: []string{"rare7", "rare8", "rare9"}},
		{All: []string{"all", "rare7"}},
		{Phrases: [][]string{{"some7", "rare0"}}},
		{All: []string{"near7"}, Any: []string{"rare1", "rare2"}},
	} {
		for j, condition := range []string{``, fmt.Sprintf(` AND +project_id IN (%d) AND document.kind IN ('note') AND at >= 0`, project), ` AND path <> '' AND path >= 'src' AND path < 'src0'`} {
			for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
				name := fmt.Sprintf("statement_%d_%d_%s", i, j, mode)
				query := strings.Replace(fullTextQuery(`document.id, text`, condition, 50), `?`, `$1`, 1)
				for _, statement := range []string{`SET plan_cache_mode = ` + mode, `PREPARE ` + name + `(text) AS ` + query} {
					if _, err := conn.ExecContext(t.Context(), statement); err != nil {
						t.Fatalf("%s: %v", statement, err)
					}
				}
				lines := must.Get(column(t.Context(), conn, `EXPLAIN EXECUTE `+name+`('`+strings.ReplaceAll(expression(e), `'`, `''`)+`')`))(t)
				plan := strings.Join(lines, "\n")
				if !strings.Contains(plan, "Bitmap Index Scan on document_search") || strings.Contains(plan, "Seq Scan") {
					t.Errorf("%+v%s, %s:\n%s", e, condition, mode, plan)
				}
			}
		}
	}
}
