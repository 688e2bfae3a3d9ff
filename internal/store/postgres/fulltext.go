package postgres

import (
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/store/db"
)

// fullTextColumn is the index over the words of documents; the server keeps it true. Words are cut already: the server's own
// way to cut goes by its locale and takes 1e5 for a number. It counts positions up to 16383.
const fullTextColumn = `
CREATE FUNCTION positions(words TEXT, weight TEXT) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
	SELECT COALESCE(string_agg('''' || word || ''':' || LEAST(n, 16383) || weight, ' '), '')::tsvector
	FROM unnest(string_to_array(words, ' ')) WITH ORDINALITY AS each (word, n) WHERE word <> ''
$body$;
ALTER TABLE document ADD COLUMN search tsvector GENERATED ALWAYS AS (positions(words, 'A') || positions(around, 'D')) STORED;
CREATE INDEX document_search ON document USING gin (search);`

// fullTextQuery finds first and filters and sorts after: otherwise the server may go through all documents from the newest
// on and look for the words in each.
func fullTextQuery(columns, condition string, most int64) string {
	return `WITH document AS MATERIALIZED (SELECT * FROM document WHERE search @@ CAST(CAST(? AS TEXT) AS tsquery)` + condition + `)
		SELECT ` + columns + ` FROM document ORDER BY document.id DESC LIMIT ` + strconv.FormatInt(most, 10)
}

// expression writes what to look for in the server's language. Projects and groups are no words here: the condition names them.
func expression(e db.Expression) string {
	var parts []string
	for _, p := range e.Phrases {
		parts = append(parts, joined(p, `A`, ` <-> `))
	}
	if len(e.All) > 0 {
		parts = append(parts, joined(e.All, ``, ` & `))
	}
	if len(e.Any) > 0 {
		parts = append(parts, joined(e.Any, ``, ` | `))
	}
	return strings.Join(parts, ` & `)
}

// joined writes words in quotes, looked for in a weight or in all. The store lets no sign into them.
func joined(words []string, weight, with string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `'` + w + `'`
		if weight != `` {
			quoted[i] += `:` + weight
		}
	}
	return `(` + strings.Join(quoted, with) + `)`
}
