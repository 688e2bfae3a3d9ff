package store

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Table is a table of the schema.
type Table struct {
	Name     string
	Key      []string // columns of the primary key
	Refers   []string // the tables that its rows refer to
	Project  bool     // its rows belong to a project: column project_id
	Owned    bool     // the database deletes its rows with those they refer to
	Checksum bool     // its rows carry one
}

// Tables returns the tables as the migrations leave them, each after all that refer to it: the order in which rows can be deleted.
// Whoever works table by table takes this list, so that a new table is left out nowhere.
var Tables = sync.OnceValue(func() (ordered []Table) {
	left := tablesOf(Migrations())
	for len(left) > 0 {
		for i, t := range left {
			refersTo := func(other Table) bool { return other.Name != t.Name && slices.Contains(other.Refers, t.Name) }
			if !slices.ContainsFunc(left, refersTo) {
				ordered, left = append(ordered, t), slices.Delete(left, i, i+1)
				break
			}
			if i == len(left)-1 {
				panic("store: tables refer to each other in a circle") // the schema is a constant
			}
		}
	}
	return ordered
})

// tablesOf reads the schema: one statement ends at a semicolon, one column or constraint at a comma outside of brackets.
func tablesOf(steps []Migration) (tables []Table) {
	named := func(name string) int { return slices.IndexFunc(tables, func(t Table) bool { return t.Name == name }) }
	for _, step := range steps {
		var text strings.Builder
		for line := range strings.Lines(step.SQL + step.Last) {
			code, _, _ := strings.Cut(line, "--")
			text.WriteString(code + " ")
		}
		for statement := range strings.SplitSeq(text.String(), ";") {
			words := strings.Fields(statement)
			if len(words) > 0 && strings.HasPrefix(words[0], "{") { // statements of a database's own
				words = words[1:]
			}
			switch {
			case len(words) < 3 || words[1] != "TABLE":
			case words[0] == "CREATE":
				tables = append(tables, tableOf(words[2], statement))
			case words[0] == "DROP":
				tables = slices.Delete(tables, named(words[2]), named(words[2])+1)
			case words[0] == "ALTER" && words[3] == "RENAME":
				tables[named(words[2])].Name = words[5]
			case words[0] == "ALTER" && words[3] == "ADD":
				t := &tables[named(words[2])]
				t.Checksum = t.Checksum || words[5] == "checksum"
				t.Project = t.Project || words[5] == "project_id"
			case words[0] == "ALTER" && words[3] == "DROP" && words[5] == "checksum":
				tables[named(words[2])].Checksum = false
			}
		}
	}
	return tables
}

// tableOf reads one CREATE TABLE statement.
func tableOf(name, statement string) Table {
	t := Table{Name: name}
	body := statement[strings.Index(statement, "(")+1 : strings.LastIndex(statement, ")")]
	for _, part := range splitOutside(body) {
		words := strings.Fields(part)
		switch words[0] {
		case "project_id":
			t.Project = true
		case "checksum":
			t.Checksum = true
		}
		if words[0] == "PRIMARY" {
			t.Key = strings.FieldsFunc(part[strings.Index(part, "("):], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
		} else if strings.Contains(part, "PRIMARY KEY") || words[1] == "{serial}" {
			t.Key = []string{words[0]}
		}
		if i := slices.Index(words, "REFERENCES"); i >= 0 {
			t.Refers = append(t.Refers, words[i+1])
			always := words[0] == "FOREIGN" || strings.Contains(part, "NOT NULL")
			t.Owned = t.Owned || always && strings.Contains(part, "ON DELETE CASCADE")
		}
	}
	return t
}

// splitOutside splits at the commas that stand in no brackets.
func splitOutside(text string) (parts []string) {
	depth := 0
	parts = strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ',' && depth == 0
	})
	return parts
}
