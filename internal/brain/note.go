package brain

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// NoteInput is something urgent that the next dream is to take in.
type NoteInput struct {
	Scope
	Text string `json:"text"`
	// Importance is 0 to 1; 0 is taken for the usual.
	Importance float64 `json:"importance,omitempty"`
	// Kind is what sort of knowledge it is; empty: by its words.
	Kind memory.CrystalKind `json:"kind,omitempty"`
	// Everywhere notes it about the person, not about this project.
	Everywhere bool          `json:"everywhere,omitempty"`
	Origin     memory.Origin `json:"origin,omitempty"` // empty: the user
	// Felt are the events that it tells of, such as reward or friction: how good or bad they were weighs what dreams keep.
	Felt []string `json:"felt,omitempty"`

	source string // empty: somebody wrote it
}

// Chosen is the scope of the note: a note about the person belongs to no project.
func (in NoteInput) Chosen() Scope {
	if in.Everywhere {
		return Scope{All: true}
	}
	return in.Scope
}

// NoteResult is a note as it is kept.
type NoteResult struct {
	memory.Crystal
	// Known says that it was noted before, word for word.
	Known bool `json:"known,omitempty"`
	// Waiting says that it waits for the next dream; one that was noted before may have been dreamt already.
	Waiting bool `json:"waiting"`
	// Lines is how long the scratch is now; at Full the pressure to dream is full.
	Lines int `json:"lines"`
	Full  int `json:"full"`
	// Warnings are files for people that could not be written.
	Warnings []string `json:"warnings,omitempty"`
}

// TakeNote keeps a note. When it returns, a power cut loses nothing of it, search finds it, and it waits for a dream.
var TakeNote = neverBusy(Operation[NoteInput, NoteResult]{
	Name: "note", Summary: "Note something that matters now; it is searchable at once and the next dream takes it in", Files: WriteNotes,
	Run: func(ctx context.Context, b *Brain, in NoteInput) (out NoteResult, err error) {
		var place memory.Place
		if !in.Everywhere && in.Project == "" {
			if place, err = b.placeAt(in.Dir); err != nil {
				return out, err
			}
		}
		var id memory.ProjectID
		err = b.recording(ctx, b.say, func(r *recorder) error {
			id = 0
			switch {
			case in.Everywhere:
			case in.Project != "":
				if id, err = b.named(ctx, r.tx, in.Project); err != nil {
					return err
				}
			default:
				id = place.Project()
				if err := r.seeProject(ctx, memory.Event{At: r.tx.Now, Place: place}); err != nil {
					return err
				}
			}
			if out, err = b.note(ctx, r.tx, id, in, r.tx.Now); err != nil {
				return err
			}
			waiting, err := r.tx.WaitingNotes(ctx, id)
			out.Waiting = slices.ContainsFunc(waiting, func(n store.Note) bool { return n.Crystal == out.ID })
			out.Lines, out.Full = workmem.ScratchLines(workmem.ScratchView(scratchEntries(waiting))), workmem.LinesFull
			return err
		})
		return out, err
	},
}, func(in NoteInput) string { return in.Text })

// note keeps a text as a crystal that waits for a dream.
func (b *Brain) note(ctx context.Context, tx *store.Tx, id memory.ProjectID, in NoteInput, at time.Time) (out NoteResult, err error) {
	if err := fits("note", in.Text); err != nil {
		return out, err
	}
	text := strings.TrimSpace(scrub.Clean(in.Text))
	if text == "" {
		return out, fmt.Errorf("note: there is nothing to note: %w", memory.ErrInvalid)
	}
	if in.Origin == "" {
		in.Origin = memory.OriginUser
	}
	if in.Importance == 0 {
		in.Importance = saidImportance
	}
	if in.Importance < 0 || in.Importance > 1 {
		return out, fmt.Errorf("note: importance %g: want 0 to 1: %w", in.Importance, memory.ErrInvalid)
	}
	if in.Kind == "" {
		in.Kind = noteKind(text)
	}
	anchors, err := b.anchors(ctx, tx, id, text, nil)
	if err != nil {
		return out, err
	}
	valence, err := valenceOf(at, in.Felt)
	if err != nil {
		return out, fmt.Errorf("note: %w", err)
	}
	said, err := b.crystallise(ctx, tx, memory.Crystal{
		Project: id, Kind: in.Kind, Text: text, Origin: in.Origin, Source: cmp.Or(in.source, "note"), Lifecycle: memory.Generated, SaidAt: at,
		Importance: in.Importance, Valence: valence, Anchors: anchors,
	})
	if err != nil {
		return out, err
	}
	out.Crystal, out.Known = said.Crystal, said.Known
	_, err = tx.AddNote(ctx, said.ID, id, in.Importance, at)
	return out, err
}

// noteKind guesses by few plain words what sort of knowledge a note is.
func noteKind(text string) memory.CrystalKind {
	lower := " " + strings.NewReplacer(":", " : ", ",", " ").Replace(strings.ToLower(text)) + " "
	for _, k := range []struct {
		kind  memory.CrystalKind
		words []string
	}{
		{memory.Preference, []string{" prefer", " likes ", " always ", " never ", " please ", " wants "}},
		{memory.Decision, []string{" decided ", " decision : ", " we use ", " we chose ", " agreed "}},
		{memory.Lesson, []string{" because ", " learned ", " turned out ", " root cause", " lesson"}},
		{memory.Intention, []string{" todo", " next : ", " must ", " should "}},
	} {
		for _, w := range k.words {
			if strings.Contains(lower, w) {
				return k.kind
			}
		}
	}
	return memory.Fact
}

func scratchEntries(notes []store.Note) []workmem.ScratchEntry {
	entries := make([]workmem.ScratchEntry, len(notes))
	for i, n := range notes {
		entries[i] = workmem.ScratchEntry{At: n.At, Importance: n.Importance, Text: workmem.SaidBy(n.Origin, harmless(n.Origin, n.Text))}
	}
	return entries
}

// scratchView is the file of the notes that wait; whatever a person writes there is a note.
func (b *Brain) scratchView(folder string, id memory.ProjectID) fileView {
	return fileView{
		name: path.Join(folder, "scratch.md"),
		render: func(ctx context.Context, tx *store.Tx) (string, error) {
			notes, err := tx.WaitingNotes(ctx, id)
			return workmem.ScratchView(scratchEntries(notes)), err
		},
		inParts: func(ctx context.Context, base, text string) (left int, err error) {
			return b.takeInNotes(ctx, path.Join(folder, "scratch.md"), id, base, text)
		},
	}
}

const (
	// scratchAtOnce of an edit of scratch.md are stored by one look at the file; the others stay there for the next.
	scratchAtOnce = 200
	// scratchPerTransaction bounds how long they hold up other writers.
	scratchPerTransaction = 5
)

// takeInNotes stores what a person added to scratch.md, and with each part the text that is stored so far.
func (b *Brain) takeInNotes(ctx context.Context, file string, id memory.ProjectID, base, text string) (left int, err error) {
	edit, err := workmem.NewScratchEdit(base, scrub.Clean(text)) // whole: a secret may span lines
	if err != nil {
		return 0, err
	}
	for stored := 0; stored == 0 || stored < scratchAtOnce && edit.Left() > 0; stored += scratchPerTransaction {
		entries := edit.Next(scratchPerTransaction)
		known := edit.Known()
		err := b.recording(ctx, b.store.UpdateDurable, func(r *recorder) error {
			for _, e := range entries {
				at := e.At
				if e.ByHand || at.After(r.tx.Now) {
					at = r.tx.Now
				}
				if _, err := b.note(ctx, r.tx, id, NoteInput{Text: workmem.UnsaidBy(e.Text), Importance: e.Importance, Origin: memory.OriginUser}, at.UTC().Truncate(time.Millisecond)); err != nil {
					return err
				}
			}
			return r.tx.SetWritten(ctx, b.vaultID(), file, known)
		})
		if err != nil {
			return edit.Left(), err
		}
	}
	return edit.Left(), nil
}
