package sqlite

import (
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/store/db"
)

// fullTextTable is the index over the words of documents. It holds no text of its own, and triggers keep it true, so that
// whatever deletes a document, its words go too. Words are cut already: blanks are all that separates them.
const fullTextTable = `
CREATE VIRTUAL TABLE document_words USING fts5 (words, around, scope, content = '', contentless_delete = 1, tokenize = 'ascii');

CREATE TRIGGER document_added AFTER INSERT ON document BEGIN
	INSERT INTO document_words (rowid, words, around, scope) VALUES (new.id, new.words, new.around, new.scope);
END;

CREATE TRIGGER document_gone AFTER DELETE ON document BEGIN
	DELETE FROM document_words WHERE rowid = old.id;
END;`

// fullTextQuery reads the newest documents first without sorting: the index keeps them in the order of their numbers. The
// limit is no parameter: SQLite plans by its value, and would plan again each time.
func fullTextQuery(columns, condition string, most int64) string {
	return `SELECT ` + columns + ` FROM document_words JOIN document ON document.id = document_words.rowid
		WHERE document_words MATCH ?` + condition + ` ORDER BY document_words.rowid DESC LIMIT ` + strconv.FormatInt(most, 10)
}

// expression writes what to look for in FTS5's language. The store lets no sign into words; the quotes keep AND a word.
func expression(e db.Expression) string {
	var parts []string
	if len(e.Scopes) > 0 {
		parts = append(parts, `scope : (`+joined(e.Scopes, ` OR `)+`)`)
	}
	if e.Group != "" {
		parts = append(parts, `scope : "`+e.Group+`"`)
	}
	for _, p := range e.Phrases {
		parts = append(parts, `words : "`+strings.Join(p, ` `)+`"`)
	}
	if len(e.All) > 0 {
		parts = append(parts, `{words around} : (`+joined(e.All, ` AND `)+`)`)
	}
	if len(e.Any) > 0 {
		parts = append(parts, `{words around} : (`+joined(e.Any, ` OR `)+`)`)
	}
	return strings.Join(parts, ` AND `)
}

func joined(words []string, with string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `"` + w + `"`
	}
	return strings.Join(quoted, with)
}
