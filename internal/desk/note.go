// Package desk is working memory: notes, pins, shelves of sessions, wrap-up and mood. It does not write files for people; package views does.
package desk

import (
	"cmp"
	"context"
	"path"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// TakeNote keeps a note. When it returns, a power cut loses nothing of it, search finds it, and it waits for a dream.
var TakeNote = brain.NeverBusy(brain.Operation[statements.NoteInput, statements.NoteResult]{
	Name: "note", Files: brain.WriteNotes,
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
			out.Lines, out.Full = ScratchLines(RenderScratch(ScratchEntries(waiting))), LinesFull
			return err
		})
		return out, err
	},
}, func(in statements.NoteInput) string { return in.Text })

func ScratchEntries(notes []store.Note) []ScratchEntry {
	entries := make([]ScratchEntry, len(notes))
	for i, n := range notes {
		entries[i] = ScratchEntry{At: n.At, Importance: n.Importance, Text: prose.SaidBy(n.Origin, brain.Harmless(n.Origin, n.Text))}
	}
	return entries
}

// ScratchView is the file of the notes that wait; whatever a person writes there is a note.
func ScratchView(b *brain.Brain, folder string, id memory.ProjectID) FileView {
	return FileView{
		Name: path.Join(folder, "scratch.md"),
		Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			notes, err := tx.WaitingNotes(ctx, id)
			return RenderScratch(ScratchEntries(notes)), err
		},
		ImportParts: func(ctx context.Context, base, text string) (left int, err error) {
			return importNotes(ctx, b, path.Join(folder, "scratch.md"), id, base, text)
		},
	}
}

const (
	// ScratchAtOnce of an edit of scratch.md are stored by one look at the file; the others stay there for the next.
	ScratchAtOnce = 200
	// scratchPerTransaction bounds how long they hold up other writers.
	scratchPerTransaction = 5
)

// importNotes stores what a person added to scratch.md, and with each part the text that is stored so far.
func importNotes(ctx context.Context, b *brain.Brain, file string, id memory.ProjectID, base, text string) (left int, err error) {
	edit, err := NewScratchEdit(base, scrub.Clean(text)) // whole: a secret may span lines
	if err != nil {
		return 0, err
	}
	var typed time.Time // what is typed into one file is one list: no line takes back another
	for stored := 0; stored == 0 || stored < ScratchAtOnce && edit.Left() > 0; stored += scratchPerTransaction {
		entries := edit.Next(scratchPerTransaction)
		known := edit.Known()
		err := record.Recording(ctx, b, b.Store.UpdateDurable, func(r *record.Recorder) error {
			for _, e := range entries {
				at := e.At
				typed = cmp.Or(typed, r.Tx.Now)
				if e.ByHand || at.After(typed) {
					at = typed
				}
				if _, err := statements.Note(ctx, b.Config.Tuning.Crystal, r.Tx, id, statements.NoteInput{Text: prose.UnsaidBy(e.Text), Importance: e.Importance, Origin: memory.OriginUser, At: at.UTC().Truncate(time.Millisecond)}); err != nil {
					return err
				}
			}
			return r.Tx.SetWritten(ctx, b.VaultID(), file, known)
		})
		if err != nil {
			return edit.Left(), err
		}
	}
	return edit.Left(), nil
}
