// Package desk is working memory: notes, pins, shelves of sessions, wrap-up and mood. It does not write files for people; package views does.
package desk

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// TakeNote keeps a note. When it returns, a power cut loses nothing of it, search finds it, and it waits for a dream.
var TakeNote = brain.NeverBusy(brain.Operation[statements.NoteInput, statements.NoteResult]{
	Name: "note", Files: brain.WriteFiles,
	Run: func(ctx context.Context, b *brain.Brain, in statements.NoteInput) (out statements.NoteResult, err error) {
		err = record.RecordingIn(ctx, b, in.Scope, in.Everywhere, func(r *record.Recorder, id memory.ProjectID, _ memory.Place) error {
			if err = statements.Room(ctx, r.Tx, id, in.Origin); err != nil {
				return err
			}
			if out, err = statements.Note(ctx, b.Config.Tuning.Crystal, r.Tx, id, in); err != nil {
				return err
			}
			waiting, err := r.Tx.WaitingNotes(ctx, id)
			out.Waiting = slices.ContainsFunc(waiting, func(n store.Note) bool { return n.Crystal == out.ID })
			out.Lines, out.Full = ScratchLines(waiting), LinesFull
			return err
		})
		return out, err
	},
}, func(in statements.NoteInput) string { return in.Text })
