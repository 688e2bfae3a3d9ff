package statements

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// valenceOf is how good or bad events feel to somebody at rest: the reward they bring less the stress, -1 to 1.
func valenceOf(at time.Time, felt []string) (float64, error) {
	rest := Mood{}.Now(at)
	moved := rest
	for _, name := range felt {
		event, err := ParseMoodEvent(name)
		if err != nil {
			return 0, err
		}
		moved = moved.Feel(at, event)
	}
	return max(-1, min((moved.Reward-rest.Reward)-(moved.Stress-rest.Stress), 1)), nil
}

// NoteInput is something urgent for the next dream.
type NoteInput struct {
	brain.Scope
	Text string `json:"text"`
	// Importance is 0 to 1; 0 is taken for the usual.
	Importance float64 `json:"importance,omitempty"`
	// Kind is what sort of knowledge it is; empty: by its words.
	Kind memory.CrystalKind `json:"kind,omitempty"`
	// At is when it was said; zero is now.
	At time.Time `json:"-"`
	// Everywhere notes it about the person, not about this project.
	Everywhere bool          `json:"everywhere,omitempty"`
	Origin     memory.Origin `json:"origin,omitempty"` // empty: the user
	// Felt are the events that it reports, such as reward or friction: how good or bad they were weighs what dreams keep.
	Felt []string `json:"felt,omitempty"`

	Source string // empty: somebody wrote it
}

// Chosen is the scope of the note: a note about the person belongs to no project.
func (in NoteInput) Chosen() brain.Scope {
	if in.Everywhere {
		return brain.Scope{All: true}
	}
	return in.Scope
}

// NoteResult is a note as it is kept.
type NoteResult struct {
	memory.Crystal
	// Known says that it was noted before, word for word.
	Known bool `json:"known,omitempty"`
	// Rejected says that nothing was kept, because the person has rejected the crystal, which has the same words.
	Rejected bool `json:"rejected,omitempty"`
	// Waiting says that it waits for the next dream; one that was noted before may have been dreamt already.
	Waiting bool `json:"waiting"`
	// Lines is how long the scratch is now; at Full the pressure to dream is full.
	Lines int `json:"lines"`
	Full  int `json:"full"`
	// Warnings are files for people that could not be written.
	Warnings []string `json:"warnings,omitempty"`
}

// Note keeps a text as a crystal that waits for a dream.
func Note(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, in NoteInput) (out NoteResult, err error) {
	if err := brain.Fits("note", in.Origin, in.Text); err != nil {
		return out, err
	}
	text := strings.TrimSpace(scrub.Clean(in.Text))
	if text == "" {
		return out, fmt.Errorf("note: there is nothing to note: %w", memory.ErrInvalid)
	}
	in.Importance = cmp.Or(in.Importance, SaidImportance)
	if in.Importance < 0 || in.Importance > 1 {
		return out, fmt.Errorf("note: importance %g: want 0 to 1: %w", in.Importance, memory.ErrInvalid)
	}
	if in.Kind == "" {
		in.Kind = noteKind(text)
	}
	anchors, err := anchors(ctx, tx, id, text, nil)
	if err != nil {
		return out, err
	}
	at := in.At
	if at.IsZero() {
		at = tx.Now
	}
	valence, err := valenceOf(at, in.Felt)
	if err != nil {
		return out, fmt.Errorf("note: %w", err)
	}
	said, err := keep(ctx, settings, tx, memory.Crystal{
		Project: id, Kind: in.Kind, Text: text, Origin: cmp.Or(in.Origin, memory.OriginUser), Source: cmp.Or(in.Source, "note"), Lifecycle: memory.Generated, SaidAt: at,
		Importance: in.Importance, Valence: valence, Anchors: anchors,
	})
	if out.Crystal, out.Known, out.Rejected = said.Crystal, said.Known, said.Rejected; err != nil || said.Rejected {
		return out, err
	}
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
		if slices.ContainsFunc(k.words, func(w string) bool { return strings.Contains(lower, w) }) {
			return k.kind
		}
	}
	return memory.Fact
}
