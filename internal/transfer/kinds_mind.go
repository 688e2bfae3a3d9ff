package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// writtenNote is what was written about a file. Its heat is not exported: it follows from the events.
type writtenNote struct {
	Project   memory.ProjectID `json:"project"`
	Path      string           `json:"path"`
	Summary   string           `json:"summary,omitempty"`
	SummaryBy memory.Origin    `json:"summary_by,omitempty"`
	Note      string           `json:"note,omitempty"`
	NoteBy    memory.Origin    `json:"note_by,omitempty"`
	NoteAt    time.Time        `json:"note_at,omitzero"`
}

// Notes on files are stored last, by noteFiles, when all files are known.
var fileNotes = &kind[writtenNote]{
	name:  "file-note",
	count: func(out *TransferResult) *int { return &out.Notes },
	each: listByProject((*store.Tx).Noted, func(id memory.ProjectID, h store.Heat) (writtenNote, bool) {
		n := writtenNote{Project: id, Path: h.Path}
		if brain.BySomebody(h.SummaryBy) {
			n.Summary, n.SummaryBy = h.Summary, h.SummaryBy
		}
		if h.Note != "" {
			n.Note, n.NoteBy, n.NoteAt = h.Note, h.NoteBy, h.NoteAt
		}
		return n, n.Summary+n.Note != ""
	}),
	project: func(n *writtenNote) *memory.ProjectID { return &n.Project },
	clean: func(t *importer, n *writtenNote) {
		n.Path = statements.ScrubbedPath(n.Path)
		cleanLines(&n.Note, &n.Summary)
		n.NoteBy, n.SummaryBy, n.NoteAt = t.origin(n.NoteBy), t.origin(n.SummaryBy), t.moment(n.NoteAt)
	},
	check: func(t *importer, _ context.Context, n writtenNote) error {
		t.notes = append(t.notes, n)
		return nil
	},
}

// noteFiles stores the notes on files that are known here, where nobody here has written anything.
func (t *importer) noteFiles(ctx context.Context, r *record.Recorder, notes []writtenNote) error {
	for _, n := range notes {
		id := memory.NewNeuronID(n.Project, memory.FileNeuron, n.Path)
		if _, err := r.Neuron(ctx, id); brain.IsNotFound(err) {
			continue
		} else if err != nil {
			return err
		}
		h, err := r.Heat(ctx, n.Project, id)
		if err != nil {
			return err
		}
		if h.Note == "" && n.Note != "" {
			h.Note, h.NoteBy, h.NoteAt = n.Note, n.NoteBy, n.NoteAt
		}
		if !brain.BySomebody(h.SummaryBy) && n.Summary != "" {
			h.Summary, h.SummaryBy = n.Summary, n.SummaryBy
		}
		if h.LastAt.IsZero() {
			h.LastAt = r.Tx.Now
		}
	}
	return nil
}

// The states of a project are imported, the oldest first, where it has none here.
var states = &kind[store.StateText]{
	name: "state", mine: true,
	each: listByProject(func(tx *store.Tx, ctx context.Context, id memory.ProjectID) ([]store.StateText, error) {
		return backward(tx.States(ctx, id))
	}, func(_ memory.ProjectID, s store.StateText) (store.StateText, bool) {
		s.ID = 0 // it gets a new one
		return s, true
	}),
	project: func(s *store.StateText) *memory.ProjectID { return &s.Project },
	clean: func(t *importer, s *store.StateText) {
		s.Text, s.At = scrub.Clean(s.Text), t.moment(s.At)
		cleanLines(&s.By, &s.Refused)
	},
	check: func(_ *importer, _ context.Context, s store.StateText) error {
		if _, err := state.ParseState(s.Text); err != nil && s.Refused == "" { // a state may have been refused because it cannot be parsed
			return fmt.Errorf("state of %s: %w", s.Project, err)
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, s store.StateText) error {
		known, asked := t.dreamt[s.Project]
		if !asked {
			here, err := t.tx.States(ctx, s.Project)
			if err != nil {
				return err
			}
			known = len(here) > 0
			t.dreamt[s.Project] = known
		}
		if known {
			return nil
		}
		_, err := t.tx.AddState(ctx, s, state.StatesKept)
		return err
	},
}

var moods = &kind[store.Mood]{
	name: "mood", mine: true,
	each: list(func(ctx context.Context, e *exporter) ([]store.Mood, error) {
		return backward(e.tx.Moods(ctx, desk.MoodsKept))
	}),
	clean: func(t *importer, m *store.Mood) { m.At, m.Why = t.moment(m.At), oneLine(m.Why) },
	check: func(_ *importer, _ context.Context, m store.Mood) error {
		for _, level := range []float64{m.Reward, m.Stress, m.Bond} {
			if m.At.IsZero() || level < 0 || level > 1 {
				return fmt.Errorf("mood at %s: want a time and levels of 0 to 1: %w", m.At.Format(time.RFC3339), memory.ErrInvalid)
			}
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, m store.Mood) error {
		known, err := t.tx.Moods(ctx, desk.MoodsKept)
		if err != nil || slices.ContainsFunc(known, func(k store.Mood) bool { return k.At.Equal(m.At) && k.Why == m.Why }) {
			return err
		}
		now, err := desk.Mood(ctx, t.tx)
		if err == nil && !m.At.Before(now.At) { // it goes on from here
			latest := statements.Mood{Reward: m.Reward, Stress: m.Stress, Bond: m.Bond, At: m.At}
			err = desk.MoodFact.Set(ctx, t.tx, latest)
		}
		return errors.Join(err, t.tx.AddMood(ctx, m, desk.MoodsKept))
	},
}
