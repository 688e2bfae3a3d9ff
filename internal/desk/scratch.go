package desk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const (
	scratchTitle  = "# Scratch Buffer (Working Memory WAL)"
	scratchNotice = "Unsynthesized notes — will be consumed by next dream cycle."

	// LinesFull is the number of lines of notes at which the pressure is full, as designed.
	LinesFull = 50
)

// ScratchView is the file of the notes that wait; whatever a person writes there is a note.
func ScratchView(settings tuning.Crystal, folder string, id memory.ProjectID) FileView {
	return FileView{
		Name: path.Join(folder, "scratch.md"),
		Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			notes, err := tx.WaitingNotes(ctx, id)
			return RenderScratch(notes), err
		},
		Read: func(ctx context.Context, tx *store.Tx, text string) ([]sheet.Entry, error) {
			notes, err := tx.WaitingNotes(ctx, id)
			entries, unread := readScratch(text, notes)
			return entries, errors.Join(err, unread)
		},
		Take: func(ctx context.Context, r *record.Recorder, c sheet.Change, _ string) error {
			return takeNotes(ctx, settings, r.Tx, id, c)
		},
	}
}

// takeNotes keeps what a person changed in scratch.md. A note of a file from before there were marks does not end because it is missing.
func takeNotes(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, c sheet.Change) error {
	keep := func(e sheet.Entry) (memory.CrystalID, error) {
		in := noteOf(e.Text)
		if in.Text == "" {
			return "", nil
		}
		if in.At.IsZero() || in.At.After(c.At) {
			in.At = c.At // what is typed into one file is one list: no line takes back another
		}
		in.At = in.At.UTC().Truncate(time.Millisecond)
		if in.Text, in.Origin = prose.UnsaidBy(in.Text); e.ID != "" {
			in.Origin = memory.OriginUser // words that the person changed are theirs; those of others that they put back are not
		}
		out, err := statements.Note(ctx, settings, tx, id, in)
		if err == nil && out.Rejected {
			err = statements.BringBack(ctx, settings, tx, out.ID)
		}
		return out.ID, err
	}
	for _, e := range c.Gone {
		if e.Marked {
			if err := statements.TakeOut(ctx, tx, e.ID, "scratch.md", ""); err != nil {
				return err
			}
		}
	}
	for _, e := range slices.Concat(c.Edited, c.New) {
		next, err := keep(e)
		if err == nil && e.ID != "" {
			err = statements.TakeOut(ctx, tx, e.ID, "scratch.md", next)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// RenderScratch renders scratch.md: three lines of header, then one line for each note and none between.
//
//	# Scratch Buffer (Working Memory WAL)
//
//	Unsynthesized notes — will be consumed by next dream cycle.
//	- [2026-03-12T14:30:00Z] (importance: 0.8) User's name is Douglas, prefers tabs over spaces ^7k2m
func RenderScratch(notes []store.Note) string {
	marks := sheet.MarksOf(notes, noteID)
	var b strings.Builder
	b.WriteString(scratchTitle + "\n\n" + scratchNotice + "\n")
	for _, n := range notes {
		b.WriteString(marks.On(noteID(n), sheet.Indented(noteLine(n))) + "\n")
	}
	return b.String()
}

func noteID(n store.Note) string { return string(n.Crystal) }

// noteLine is a note as scratch.md says it.
func noteLine(n store.Note) string {
	text := strings.TrimLeft(prose.Tidy(prose.SaidBy(n.Origin, brain.Harmless(n.Origin, n.Text))), " \t")
	return fmt.Sprintf("- [%s] (importance: %.1f) %s", n.At.UTC().Format(time.RFC3339), min(max(n.Importance, 0), 1), text)
}

// ScratchLines counts the lines of scratch.md, on which the pressure to dream depends.
func ScratchLines(notes []store.Note) int { return strings.Count(RenderScratch(notes), "\n") }

// readScratch cuts scratch.md into notes. One without a mark is the waiting note that reads like it.
func readScratch(text string, notes []store.Note) ([]sheet.Entry, error) {
	entries, err := sheet.Read(text, sheet.Form{
		Frame: func(line string) bool { return line == scratchTitle || line == scratchNotice },
		Heads: func(line string) bool {
			_, level := prose.Heading(line)
			return level > 0 && strings.HasPrefix(line[level:], " ")
		},
	})
	written := map[string]string{}
	for _, n := range notes {
		written[noteLine(n)] = noteID(n)
	}
	return sheet.Resolve(entries, sheet.MarksOf(notes, noteID), func(e sheet.Entry) string { return written[e.Text] }), err
}

// noteForm is the first line of a note: an item with a time, which may be missing, an importance and the text.
var noteForm = prose.Pattern(`^[-*+•] [ \t]*(?:\[([^\]]+)\][ \t]*)?\([ \t]*(?i:importance)[ \t]*:[ \t]*([-0-9.,]+)[ \t]*\)`)

// noteOf is the note that an entry says. One that a person wrote without time and importance has neither.
func noteOf(text string) (in statements.NoteInput) {
	in.Text = strings.TrimSpace(prose.TrimBullet(text))
	form := noteForm().FindStringSubmatch(text)
	if form == nil {
		return in
	}
	importance, err := strconv.ParseFloat(strings.Replace(form[2], ",", ".", 1), 64)
	if err != nil {
		return in
	}
	if stamp := prose.TrimBlanks(form[1]); form[1] != "" {
		at, err := time.Parse(time.RFC3339, stamp)
		if err != nil {
			at, err = time.Parse("2006-01-02T15:04Z07:00", stamp) // seconds may be missing
		}
		if err != nil {
			return in
		}
		in.At = at.UTC()
	}
	in.Importance = math.Round(min(max(importance, 0), 1)*10) / 10
	in.Text = strings.TrimSpace(text[len(form[0]):])
	return in
}
