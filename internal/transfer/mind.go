package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// writtenPage is a page that people write about themselves.
type writtenPage struct {
	Name string        `json:"name"`
	Text string        `json:"text"`
	By   memory.Origin `json:"by"`
	At   time.Time     `json:"at"`
}

// writtenNote is what is said of a file. Its heat is not written: it follows from the events.
type writtenNote struct {
	Project   memory.ProjectID `json:"project"`
	Path      string           `json:"path"`
	Summary   string           `json:"summary,omitempty"`
	SummaryBy memory.Origin    `json:"summary_by,omitempty"`
	Note      string           `json:"note,omitempty"`
	NoteBy    memory.Origin    `json:"note_by,omitempty"`
	NoteAt    time.Time        `json:"note_at,omitzero"`
}

// mind goes through what people and agents keep in mind: pins, pages and notes on files.
func mind(ctx context.Context, b *brain.Brain, tx *store.Tx, each func(line) error) error {
	projects, err := tx.Projects(ctx)
	if err != nil {
		return err
	}
	ids := []memory.ProjectID{0}
	for _, p := range projects {
		ids = append(ids, p.ID)
	}
	pins, err := tx.Pins(ctx, ids...)
	if err != nil {
		return err
	}
	for _, p := range pins {
		if err := each(line{Type: pinLine, Pin: &p}); err != nil {
			return err
		}
	}
	for _, name := range workmem.Pages() {
		p, err := tx.Page(ctx, b.PageKey(string(name)))
		if brain.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := each(line{Type: pageLine, Page: &writtenPage{string(name), p.Text, p.By, p.At}}); err != nil {
			return err
		}
	}
	for _, id := range ids[1:] {
		noted, err := tx.Noted(ctx, id)
		if err != nil {
			return err
		}
		for _, h := range noted {
			n := writtenNote{Project: id, Path: h.Path}
			if brain.BySomebody(h.SummaryBy) {
				n.Summary, n.SummaryBy = h.Summary, h.SummaryBy
			}
			if h.Note != "" {
				n.Note, n.NoteBy, n.NoteAt = h.Note, h.NoteBy, h.NoteAt
			}
			if n.Summary+n.Note == "" {
				continue
			}
			if err := each(line{Type: noteLine, Note: &n}); err != nil {
				return err
			}
		}
	}
	return later(ctx, tx, ids, each)
}

// later goes through what dreams and goals keep.
func later(ctx context.Context, tx *store.Tx, ids []memory.ProjectID, each func(line) error) error {
	goals, err := tx.Goals(ctx, false, ids...)
	if err != nil {
		return err
	}
	for _, g := range goals {
		if err := each(line{Type: goalLine, Goal: &g}); err != nil {
			return err
		}
	}
	for _, id := range ids {
		states, err := tx.States(ctx, id)
		if err != nil {
			return err
		}
		for _, s := range slices.Backward(states) { // the oldest first, as they came about
			s.ID = 0 // it gets a number of its own
			if err := each(line{Type: stateLine, State: &s}); err != nil {
				return err
			}
		}
	}
	waiting, err := tx.WaitingNotes(ctx, ids...)
	for _, n := range waiting {
		if err := each(line{Type: waitingLine, Waiting: &waitingNote{n.Crystal, n.Project, n.Importance, n.At}}); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	payments, err := tx.Payments(ctx, time.Time{})
	for _, p := range payments {
		if err := each(line{Type: paymentLine, Payment: &p}); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return passing(ctx, tx, ids, each)
}

// waitingNote is a note that no dream has taken in; its text is its crystal's.
type waitingNote struct {
	Crystal    memory.CrystalID `json:"crystal"`
	Project    memory.ProjectID `json:"project,omitzero"`
	Importance float64          `json:"importance"`
	At         time.Time        `json:"at"`
}

// goal takes a goal over that is not known here.
func (t *taker) goal(ctx context.Context, g memory.Goal) error {
	t.out.Goals++
	if !t.mine { // what others called for is nothing that this person has spoken of
		g.Origin, g.MentionedAt = memory.OriginImport, time.Time{}
	}
	g.Title, g.Text = scrub.Line(scrub.Clean(g.Title)), scrub.Clean(g.Text)
	known, err := t.tx.Goals(ctx, false, g.Project)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(known, func(k memory.Goal) bool { return k.ID == g.ID }) {
		t.out.Known++
		return nil
	}
	return t.tx.SaveGoal(ctx, g)
}

// state takes the states of a project over where there is none, the oldest first. What others dreamt does not say who works here.
func (t *taker) state(ctx context.Context, s store.StateText) error {
	if !t.mine {
		return nil
	}
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
	s.Text, s.At, s.By, s.Refused = scrub.Clean(s.Text), momentOf(s.At, t.tx.Now), scrub.Line(scrub.Clean(s.By)), scrub.Line(scrub.Clean(s.Refused))
	_, err := t.tx.AddState(ctx, s, dreams.StatesKept)
	return err
}

// waits lets a note wait here as it did there.
func (t *taker) waits(ctx context.Context, n waitingNote) error {
	if !t.mine {
		return nil // what others noted is no note of this person's
	}
	if _, err := t.tx.Crystal(ctx, n.Crystal); brain.IsNotFound(err) {
		return nil // deleted here
	} else if err != nil {
		return err
	}
	_, err := t.tx.AddNote(ctx, n.Crystal, n.Project, min(max(n.Importance, 0), 1), momentOf(n.At, t.tx.Now))
	return err
}

// payment takes a payment over, once. What others earned is not earned here.
func (t *taker) payment(ctx context.Context, p store.Payment) error {
	if !t.mine {
		return nil
	}
	p.At = momentOf(p.At, t.tx.Now)
	line := func(s string) string { return scrub.Line(scrub.Clean(s)) }
	p.Skill, p.Buyer, p.Note = line(p.Skill), line(p.Buyer), line(p.Note)
	return t.tx.AddPayment(ctx, p)
}

var errEnough = errors.New("enough")

func anyMind(ctx context.Context, b *brain.Brain, tx *store.Tx) (bool, error) {
	err := mind(ctx, b, tx, func(line) error { return errEnough })
	if errors.Is(err, errEnough) {
		return true, nil
	}
	return false, err
}

func exportMind(ctx context.Context, b *brain.Brain, tx *store.Tx, encoder *json.Encoder, out *TransferResult) error {
	return mind(ctx, b, tx, func(l line) error {
		switch l.Type {
		case pinLine:
			out.Pins++
		case pageLine:
			out.Pages++
		case noteLine:
			out.Notes++
		case goalLine:
			out.Goals++
		}
		return encoder.Encode(l)
	})
}

// tellOf takes over what a file says came of a session. Others do not overwrite what was said here, and do not speak as
// somebody here.
func (t *taker) tellOf(s *memory.Session, file memory.Session) {
	if s.Told() && !t.mine {
		return
	}
	if file.ToldAt.IsZero() || !t.mine && !file.Told() { // rules here will say it by what the events tell
		*s = s.Untold()
		return
	}
	s.Happened, s.Learned, s.Next = scrub.Clean(file.Happened), scrub.Clean(file.Learned), scrub.Clean(file.Next)
	s.ToldBy, s.ToldAt = file.ToldBy, notAfter(file.ToldAt.UTC().Truncate(time.Millisecond), t.tx.Now)
	if !t.mine || !slices.Contains(memory.Origins, s.ToldBy) {
		s.ToldBy = memory.OriginImport
	}
}

// pin pins a text that came with the file. What never goes is for a person here to say: others' pins are texts like any other.
func (t *taker) pin(ctx context.Context, p memory.Pin) error {
	t.out.Pins++
	if !t.mine {
		return nil
	}
	p.Title, p.Reason = scrub.Line(scrub.Clean(p.Title)), scrub.Clean(p.Reason)
	c, err := t.tx.Crystal(ctx, p.Crystal)
	if brain.IsNotFound(err) {
		t.out.Known++ // its text was deleted here
		return nil
	}
	if err != nil {
		return err
	}
	p.Origin = c.Origin // it waits if its text is not the person's
	if _, err := desk.PinOf(ctx, t.tx, c.Project, workmem.NormalTitle(p.Title), p.Waiting()); err == nil {
		t.out.Known++
		return nil
	} else if !brain.IsNotFound(err) {
		return err
	}
	p.Project, p.At = c.Project, momentOf(p.At, t.tx.Now)
	return t.tx.SetPin(ctx, p, desk.PinKey(p))
}

// page takes a page over that is newer than the one here.
func (t *taker) page(ctx context.Context, text writtenPage) error {
	t.out.Pages++
	name, err := workmem.ParsePage(text.Name)
	if err != nil || !t.mine {
		return err
	}
	p := store.Page{Name: t.brain.PageKey(string(name)), Text: scrub.Clean(text.Text), By: text.By, At: momentOf(text.At, t.tx.Now)}
	known, err := t.tx.Page(ctx, p.Name)
	if err == nil && !known.At.Before(p.At) {
		t.out.Known++
		return nil
	}
	if err != nil && !brain.IsNotFound(err) {
		return err
	}
	return t.tx.SavePage(ctx, p)
}

// noteFiles takes over what the file says of files that are known here, where nobody here has said anything.
func (t *taker) noteFiles(ctx context.Context, r *record.Recorder, notes []writtenNote) error {
	for _, n := range notes {
		id := memory.NewNeuronID(n.Project, memory.FileNeuron, texts.ScrubbedPath(n.Path))
		if _, err := r.Neuron(ctx, id); brain.IsNotFound(err) {
			continue
		} else if err != nil {
			return err
		}
		h, err := r.Heat(ctx, n.Project, id)
		if err != nil {
			return err
		}
		by := func(o memory.Origin) memory.Origin {
			if !t.mine || !slices.Contains(memory.Origins, o) {
				return memory.OriginImport
			}
			return o
		}
		if h.Note == "" && n.Note != "" {
			h.Note, h.NoteBy, h.NoteAt = scrub.Line(scrub.Clean(n.Note)), by(n.NoteBy), momentOf(n.NoteAt, r.Tx.Now)
		}
		if !brain.BySomebody(h.SummaryBy) && n.Summary != "" {
			h.Summary, h.SummaryBy = scrub.Line(scrub.Clean(n.Summary)), by(n.SummaryBy)
		}
		if h.LastAt.IsZero() {
			h.LastAt = r.Tx.Now
		}
	}
	return nil
}
