package transfer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// Only the user decides what is never forgotten: the texts of others' pins are imported, and are not pinned.
var pins = &kind[memory.Pin]{
	name: "pin", mine: true,
	count:   func(out *TransferResult) *int { return &out.Pins },
	each:    list(func(ctx context.Context, e *exporter) ([]memory.Pin, error) { return e.tx.Pins(ctx, e.projects...) }),
	project: func(p *memory.Pin) *memory.ProjectID { return &p.Project },
	clean: func(t *importer, p *memory.Pin) {
		p.Title, p.Reason, p.At = oneLine(p.Title), scrub.Clean(p.Reason), t.moment(p.At)
	},
	check: func(_ *importer, _ context.Context, p memory.Pin) error {
		if desk.NormalTitle(p.Title) == "" || !slices.Contains(memory.Origins, p.Origin) {
			return fmt.Errorf("pin of %s: title %q, origin %q: %w", p.Crystal, p.Title, p.Origin, memory.ErrInvalid)
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, p memory.Pin) error {
		c, err := t.tx.Crystal(ctx, p.Crystal)
		if brain.IsNotFound(err) {
			return t.known(nil) // its text was deleted here
		}
		if err != nil {
			return err
		}
		p.Project = c.Project
		if _, err := desk.PinOf(ctx, t.tx, c.Project, desk.NormalTitle(p.Title), p.Waiting()); !brain.IsNotFound(err) {
			return t.known(err)
		}
		return t.tx.SetPin(ctx, p, desk.PinKey(p))
	},
}

// Pages are what people write about themselves.
var pages = &kind[store.Page]{
	name: "page", mine: true,
	count: func(out *TransferResult) *int { return &out.Pages },
	each: func(ctx context.Context, e *exporter, write func(store.Page) error) error {
		for _, name := range desk.Pages() {
			p, err := e.tx.Page(ctx, string(name))
			if err == nil {
				p.Name = string(name)
				err = write(p)
			}
			if err != nil && !brain.IsNotFound(err) {
				return err
			}
		}
		return nil
	},
	clean: func(t *importer, p *store.Page) { p.Text, p.At = scrub.Clean(p.Text), t.moment(p.At) },
	check: func(_ *importer, _ context.Context, p store.Page) error {
		name, err := desk.ParsePage(p.Name)
		if err == nil && (!slices.Contains(memory.Origins, p.By) || p.At.IsZero()) {
			err = fmt.Errorf("page %s: who wrote it and when: %w", name, memory.ErrInvalid)
		}
		return err
	},
	// A page replaces an older one.
	take: func(t *importer, ctx context.Context, p store.Page) error {
		name, err := desk.ParsePage(p.Name)
		if err != nil {
			return err
		}
		key := string(name)
		known, err := t.tx.Page(ctx, key)
		if err == nil && !known.At.Before(p.At) {
			return t.known(nil)
		}
		if err != nil && !brain.IsNotFound(err) {
			return err
		}
		p.Name = key
		return t.tx.SavePage(ctx, p)
	},
}

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

var goalLines = &kind[memory.Goal]{
	name:  "goal",
	count: func(out *TransferResult) *int { return &out.Goals },
	each: list(func(ctx context.Context, e *exporter) ([]memory.Goal, error) {
		return e.tx.Goals(ctx, false, e.projects...)
	}),
	project: func(g *memory.Goal) *memory.ProjectID { return &g.Project },
	clean:   func(_ *importer, g *memory.Goal) { g.Title, g.Text = oneLine(g.Title), scrub.Clean(g.Text) },
	check: func(_ *importer, _ context.Context, g memory.Goal) error {
		if _, err := memory.ParseEventID(string(g.ID)); err != nil {
			return fmt.Errorf("goal: %w", err)
		}
		if !slices.Contains(memory.GoalKinds, g.Kind) || !slices.Contains(memory.GoalStatuses, g.Status) || !slices.Contains(memory.Origins, g.Origin) {
			return fmt.Errorf("goal %s: kind %q, status %q, origin %q: %w", g.ID, g.Kind, g.Status, g.Origin, memory.ErrInvalid)
		}
		if g.Title == "" {
			return fmt.Errorf("goal %s: no title: %w", g.ID, memory.ErrInvalid)
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, g memory.Goal) error {
		if !t.mine { // this person has not mentioned what others asked for
			g.Origin, g.MentionedAt = memory.OriginImport, time.Time{}
		}
		known, err := t.tx.Goals(ctx, false, g.Project)
		if err != nil || slices.ContainsFunc(known, func(k memory.Goal) bool { return k.ID == g.ID }) {
			return t.known(err)
		}
		return t.tx.SaveGoal(ctx, g)
	},
	move: func(m *projectMove, g *memory.Goal) bool {
		g.From, g.Counted = m.sessions[g.From], m.sessions[g.Counted]
		return true
	},
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

// Notes that wait for the next dream; their texts are their crystals'.
var waitingNotes = &kind[store.Note]{
	name: "waiting-note", mine: true,
	each: list(func(ctx context.Context, e *exporter) ([]store.Note, error) {
		return e.tx.WaitingNotes(ctx, e.projects...)
	}),
	project: func(n *store.Note) *memory.ProjectID { return &n.Project },
	take: func(t *importer, ctx context.Context, n store.Note) error {
		c, err := t.tx.Crystal(ctx, n.Crystal)
		if err != nil {
			return brain.IgnoreNotFound(err) // deleted here
		}
		_, err = t.tx.AddNote(ctx, n.Crystal, c.Project, min(max(n.Importance, 0), 1), t.moment(n.At))
		return err
	},
}

var payments = &kind[store.Payment]{
	name: "payment", mine: true,
	each: list(func(ctx context.Context, e *exporter) ([]store.Payment, error) {
		return e.tx.Payments(ctx)
	}),
	clean: func(t *importer, p *store.Payment) {
		p.At = t.moment(p.At)
		cleanLines(&p.Skill, &p.Buyer, &p.Note)
	},
	check: func(_ *importer, _ context.Context, p store.Payment) error {
		if _, err := memory.ParseEventID(p.ID); err != nil {
			return fmt.Errorf("payment: %w", err)
		}
		if p.Amount == 0 || math.Abs(float64(p.Amount)) > state.MostUSDC*state.Usdc || p.At.IsZero() {
			return fmt.Errorf("payment %s: amount %d at %s: %w", p.ID, p.Amount, p.At.Format(time.RFC3339), memory.ErrInvalid)
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, p store.Payment) error { return t.tx.AddPayment(ctx, p) },
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

// thoughts are connections to goals: what was shown and what came of it decides what is shown next.
var thoughts = &kind[store.Thought]{
	name: "connection", mine: true,
	each: list(func(ctx context.Context, e *exporter) ([]store.Thought, error) {
		all, err := backward(e.tx.Thoughts(ctx, 0, time.Time{}, math.MaxInt32))
		for i := range all {
			all[i].ID = 0 // it gets a new one
		}
		return all, err
	}),
	project: func(c *store.Thought) *memory.ProjectID { return &c.Project },
	clean: func(t *importer, c *store.Thought) {
		c.At = t.moment(c.At)
		cleanLines(&c.Why, &c.Episode)
		for _, list := range [][]string{c.Keys, c.Files} {
			for i := range list {
				cleanLines(&list[i])
			}
		}
	},
	check: func(_ *importer, _ context.Context, c store.Thought) error {
		if c.At.IsZero() || c.Strength < 0 || c.Strength > 1 ||
			!slices.Contains([]string{"", goals.ThoughtUsed, goals.ThoughtWrong}, c.Outcome) {
			return fmt.Errorf("connection to %s: strength %g, outcome %q: %w", c.Goal, c.Strength, c.Outcome, memory.ErrInvalid)
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, c store.Thought) error {
		goals, err := t.tx.Goals(ctx, false, c.Project, 0)
		if err != nil || !slices.ContainsFunc(goals, func(g memory.Goal) bool { return g.ID == c.Goal }) {
			return err // the goal is gone here
		}
		known, err := t.tx.Thoughts(ctx, c.Project, c.At, math.MaxInt32)
		if err != nil || slices.ContainsFunc(known, func(k store.Thought) bool {
			return k.Goal == c.Goal && k.At.Equal(c.At) && strings.Join(k.Keys, "\n") == strings.Join(c.Keys, "\n")
		}) {
			return err
		}
		_, err = t.tx.AddThought(ctx, c)
		return err
	},
}

// writtenGap is a search of a project that found no answer. Other gaps follow from the rest of the file.
type writtenGap struct {
	Project memory.ProjectID `json:"project"`
	state.Gap
}

var gaps = &kind[writtenGap]{
	name: "searched-in-vain", mine: true,
	each: listByProject(func(tx *store.Tx, ctx context.Context, id memory.ProjectID) ([]state.Gap, error) {
		return state.GapsFact(id).Get(ctx, tx)
	}, func(id memory.ProjectID, g state.Gap) (writtenGap, bool) { return writtenGap{id, g}, true }),
	project: func(g *writtenGap) *memory.ProjectID { return &g.Project },
	clean: func(t *importer, g *writtenGap) {
		g.Kind, g.Text, g.At = state.GapSearch, oneLine(g.Text), t.moment(g.At)
	},
	check: func(_ *importer, _ context.Context, g writtenGap) error {
		if g.Text == "" || g.At.IsZero() || g.Times < 1 || g.Origin != "" && !slices.Contains(memory.Origins, g.Origin) {
			return fmt.Errorf("gap %q: want its words, a time, and how often: %w", g.Text, memory.ErrInvalid)
		}
		return nil
	},
	take: func(t *importer, ctx context.Context, g writtenGap) error {
		known, err := state.GapsFact(g.Project).Get(ctx, t.tx)
		if err != nil || len(state.Hit(known, g.Text)) < len(known) {
			return err // it was asked here too
		}
		return state.SaveSearches(ctx, t.tx, g.Project, append(known, g.Gap))
	},
}
