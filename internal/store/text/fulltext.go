package text

import (
	"strconv"
	"strings"
)

// Expression is what full text looks for: documents with all of All and Phrases and, if there is any, one of Any.
type Expression struct {
	All, Any []string
	Phrases  [][]string
	Scoped   bool     // look in the projects alone, although any one word will do: it may be common
	Wide     bool     // look everywhere, although all words must be there: the projects hold much of what there is
	Grouped  bool     // look in the group of the filter alone: it holds few of all texts
	Scopes   []string // projects as words; set by the store
	Group    string   // as a word; set by the store
}

// Empty reports whether it looks for nothing.
func (e Expression) Empty() bool { return len(e.All)+len(e.Any)+len(e.Phrases) == 0 }

// fullTextQuery reads the newest documents first without sorting: the index keeps them in the order of their numbers. The
// limit is no parameter: SQLite plans by its value, and would plan again each time.
func fullTextQuery(columns, condition string, most int64) string {
	return `SELECT ` + columns + ` FROM document_words JOIN document ON document.id = document_words.rowid
		WHERE document_words MATCH ?` + condition + ` ORDER BY document_words.rowid DESC LIMIT ` + strconv.FormatInt(most, 10)
}

// expression writes what to look for in FTS5's language. The store lets no sign into words; the quotes keep AND a word.
func expression(e Expression) string {
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
