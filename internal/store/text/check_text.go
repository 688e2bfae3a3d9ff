package text

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

const walkPage = 500 // rows read at a time

// CheckTexts looks at what documents and crystals say, and at how often which words are counted.
func (tx *Tx) CheckTexts(ctx context.Context, report func(where, what string)) (n int64, err error) {
	counted := tally{words: map[int64]int64{}}
	for after, full := int64(0), true; full; {
		type hashed struct {
			Document
			stored int64
		}
		docs, err := db.All(ctx, tx.db, `SELECT `+documentColumns+`, hash FROM document WHERE id > ? ORDER BY id LIMIT ?`, []any{after, walkPage},
			func(d *hashed) []any { return append(d.fields(), &d.stored) })
		if err != nil {
			return n, fmt.Errorf("check documents: %w", err)
		}
		for _, d := range docs {
			n++
			after = d.ID
			counted.count(d.Kind, d.Words, 1)
			if d.hash() != d.stored {
				report("document "+d.Ref, "content does not match its hash")
			}
		}
		full = len(docs) == walkPage
	}
	if err := tx.checkWords(ctx, counted, report); err != nil {
		return n, fmt.Errorf("check words: %w", err)
	}
	err = tx.db.Each(ctx, `SELECT memory.id, memory.kind, memory.project_id, memory.text, memory.hash, COALESCE(document.text, '') FROM memory
		LEFT JOIN document ON document.id = document_id ORDER BY memory.id`, nil, func(rows *sql.Rows) error {
		var c memory.Crystal
		var hash int64
		var found string
		err := rows.Scan(&c.ID, &c.Kind, (*int64)(&c.Project), &c.Text, &hash, &found)
		n++
		switch {
		case c.Hash() != hash:
			report("crystal "+string(c.ID), "content does not match its hash")
		case c.Kind.Statement() && found != c.Text:
			report("crystal "+string(c.ID), "its document is missing or says something else")
		}
		return err
	})
	return n, db.Wrap(err, "check crystals")
}

func (tx *Tx) checkWords(ctx context.Context, want tally, report func(where, what string)) error {
	wrong := 0
	err := tx.db.Each(ctx, `SELECT word, docs FROM term ORDER BY word`, nil, func(rows *sql.Rows) error {
		var word, docs int64
		err := rows.Scan(&word, &docs)
		if want.words[word] != docs {
			wrong++
		}
		delete(want.words, word)
		return err
	})
	if err != nil {
		return err
	}
	if wrong += len(want.words); wrong > 0 {
		report("words", fmt.Sprintf("%d are not counted as often as documents have them", wrong))
	}
	var documents, words int64
	err = tx.db.One(ctx, `SELECT documents, words FROM totals`, nil, &documents, &words)
	if err == nil && (documents != want.docs || words != want.length) {
		report("words", fmt.Sprintf("counts %d words in %d documents, %d in %d are stored", words, documents, want.length, want.docs))
	}
	return err
}
