package store

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// rehash are the tables that got checksums later than with their first row, by the name of the step.
var rehash = map[string][]*db.Table{"checksums": {text.CheckedSource, text.CheckedAudit}, "facts": {text.CheckedFact}, "memory": {text.CheckedMemory}}

// Migrations returns every step in order. The version of the last step is the schema this program knows.
func Migrations() []db.Migration {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted by name
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var steps []db.Migration
	for _, name := range names {
		sql, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err) // embedded at build time
		}
		base := strings.TrimSuffix(strings.TrimPrefix(name, "migrations/"), ".sql")
		digits, title, _ := strings.Cut(base, "_")
		version, err := strconv.Atoi(digits)
		if err != nil || version != len(steps)+1 {
			panic(fmt.Sprintf("migration %s: want number %d", name, len(steps)+1))
		}
		text, last, _ := strings.Cut(string(sql), "-- After the checksums:")
		steps = append(steps, db.Migration{Version: version, Name: title, SQL: text, Rehash: rehash[title], Last: "--" + last + "\n"})
	}
	return steps
}
