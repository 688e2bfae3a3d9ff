package desk

import (
	"context"

	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/store"
)

// FileView is one file for people: how it is written, and what an edit of it means.
type FileView struct {
	Name   string
	Render func(ctx context.Context, tx *store.Tx) (string, error)
	// Instead says of a file that hebb only writes, and has no Read, how to change what it says.
	Instead string
	// Read cuts a text of the file into memories, and says which they are.
	Read func(ctx context.Context, tx *store.Tx, text string) ([]sheet.Entry, error)
	// Take keeps what a person changed, or a part of it. text is the whole file.
	Take func(ctx context.Context, r *record.Recorder, c sheet.Change, text string) error
}
