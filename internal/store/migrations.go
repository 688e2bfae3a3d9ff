package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// rehash are the tables that got checksums later than with their first row, by the name of the step.
var rehash = map[string][]*db.Table{"checksums": {text.CheckedSource, text.CheckedAudit}, "facts": {text.CheckedFact}, "travelling": {text.CheckedFact}, "memory": {text.CheckedMemory}}

// then is what a step computes, by its name.
var then = map[string]func(context.Context, *db.Tx) error{"travelling": rehashEvents}

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
		steps = append(steps, db.Migration{Version: version, Name: title, SQL: text, Rehash: rehash[title], Then: then[title], Last: "--" + last + "\n"})
	}
	return steps
}

// rehashEvents gives events the hash of their travelling form, and names the session that a Closed event ended as it travels. What does not match the
// hash that it had is damaged, and keeps that hash.
func rehashEvents(ctx context.Context, within *db.Tx) error {
	tx := &Tx{Tx: text.New(within), db: within}
	return tx.walkEvents(ctx, func(e Numbered) error {
		if e.packed || e.hash != hashBefore(e.StoredEvent) {
			return nil
		}
		if id, err := memory.ParseSessionID(e.Input); err == nil && e.Kind == memory.Closed {
			s, err := tx.Session(ctx, id)
			if err != nil {
				return err
			}
			e.Input, e.Text = string(s.Agent), s.AgentSession
		}
		return tx.db.Run(ctx, `UPDATE event SET input = ?, text = ?, hash = ? WHERE seq = ?`, e.Input, e.Text, e.Hash(), e.Seq)
	})
}

// hashBefore is the hash that events had up to the tenth step.
func hashBefore(e memory.StoredEvent) int64 {
	parts := []string{
		string(e.ID), e.Project.String(), e.Session.String(), strconv.FormatInt(e.Ord, 10), strconv.FormatInt(e.At.UnixMilli(), 10), string(e.Kind),
		string(e.Origin), string(e.Agent), e.Subagent, e.Tool, e.Input, e.Text,
	}
	for _, t := range e.Touches {
		if parts = append(parts, string(t.Kind), t.Path); t.From != "" {
			parts = append(parts, "from", t.From)
		}
	}
	if e.ResultBytes != nil {
		parts = append(parts, "result", strconv.FormatInt(*e.ResultBytes, 10))
	}
	return memory.ContentHash(parts...)
}
