package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
)

// checkFullText compares the full-text index with the documents. The index holds no text of its own, so SQLite's check of it
// finds only a broken structure and not a word that became another.
func (f *file) checkFullText(ctx context.Context) []string {
	db := f.pool("NORMAL", 1, false) // the virtual table below lives as long as its connection
	findings, err := compareFullText(ctx, db)
	if err = errors.Join(err, db.Close()); err != nil {
		findings = append(findings, "full text: "+err.Error())
	}
	return findings
}

func compareFullText(ctx context.Context, db *sql.DB) (findings []string, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	for _, statement := range []string{`CREATE VIRTUAL TABLE temp.indexed USING fts5vocab('main', 'document_words', 'instance')`, `BEGIN`} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	seed := maphash.MakeSeed()
	want, err := documentWords(ctx, conn, seed)
	if err != nil {
		return nil, err
	}
	got, err := indexedWords(ctx, conn, seed)
	if err != nil {
		return nil, err
	}
	if got != want {
		findings = []string{fmt.Sprintf("full text: the index has %d words, and documents have %d, or others than these", got.n, want.n)}
	}
	_, err = conn.ExecContext(ctx, `ROLLBACK`)
	return findings, err
}

// wordSum stands for a set of words at their places, whatever the order in which they were added.
type wordSum struct {
	n   int64
	sum uint64
}

// place is where a word stands.
type place struct {
	word   string
	doc    int64
	column string
	offset int64
}

func (s *wordSum) add(seed maphash.Seed, p place) {
	s.n++
	s.sum += maphash.Comparable(seed, p)
}

func documentWords(ctx context.Context, conn *sql.Conn, seed maphash.Seed) (sum wordSum, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT id, words, around, scope FROM document`)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id int64
		texts := map[string]*string{"words": new(string), "around": new(string), "scope": new(string)}
		if err := rows.Scan(&id, texts["words"], texts["around"], texts["scope"]); err != nil {
			return sum, err
		}
		for column, text := range texts {
			for i, word := range strings.Fields(*text) {
				sum.add(seed, place{strings.ToLower(word), id, column, int64(i)})
			}
		}
	}
	return sum, rows.Err()
}

func indexedWords(ctx context.Context, conn *sql.Conn, seed maphash.Seed) (sum wordSum, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT term, doc, col, "offset" FROM temp.indexed`)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.word, &p.doc, &p.column, &p.offset); err != nil {
			return sum, err
		}
		p.word = strings.ToLower(p.word)
		sum.add(seed, p)
	}
	return sum, rows.Err()
}
