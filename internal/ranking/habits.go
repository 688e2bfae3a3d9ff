package ranking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// LearnHabits goes through the commits and sessions that came since the last time once more, as if each were still to come, and learns from
// where their files were ranked. It does so outside of any transaction.
func LearnHabits(ctx context.Context, b *brain.Brain, id memory.ProjectID, progress func(float64)) error {
	var past *recall.Rehearsal
	var old *recall.Habits
	var generation string
	err := record.Pasts(b).View(ctx, b.Store, id, func(tx *store.Tx, p *record.Past) error {
		known := 0
		if p.Meaning != nil && p.Meaning.Habits != nil {
			old = p.Meaning.Habits
			known = old.Episodes()
		}
		if p.Image.Episodes()-known < b.Numbers.LessonsAfter {
			return nil
		}
		courses, err := coursesOf(ctx, tx, p.Image, known)
		generation, past = p.Generation, p.Ranker.Rehearse(courses)
		return err
	})
	if err != nil || past == nil {
		return err
	}
	habits, err := past.Teach(old, b.Numbers.Lessons, func(share float64) error {
		if progress != nil {
			progress(share)
		}
		return context.Cause(ctx)
	})
	if err != nil {
		return fmt.Errorf("learn habits of %s: %w", id, err)
	}
	_, err = KeepBlocks(ctx, b.Store, id, generation, map[int][]byte{record.HabitsBlock: habits.Encode()})
	return err
}

// coursesOf reads how the sessions went that are not among the first known episodes. One that went on later is not asked about again: part
// of it is known.
func coursesOf(ctx context.Context, tx *store.Tx, image *recall.Image, known int) (courses []recall.Course, err error) {
	seen := map[int64]bool{0: true} // what people recorded by hand belongs to no session
	for n := range image.Episodes() {
		e := image.Episode(uint32(n))
		if e.Kind != recall.SessionEpisode || seen[e.Ref] {
			continue
		}
		seen[e.Ref] = true
		if n < known {
			continue
		}
		c, err := courseOf(ctx, tx, image, memory.SessionID(e.Ref))
		if err != nil {
			return nil, err
		}
		courses = append(courses, c)
	}
	return courses, nil
}

func courseOf(ctx context.Context, tx *store.Tx, image *recall.Image, id memory.SessionID) (recall.Course, error) {
	c := recall.Course{}
	s, err := tx.Session(ctx, id)
	if err != nil {
		if brain.IsNotFound(err) {
			err = nil // nothing is left to ask about
		}
		return c, err
	}
	c.Started = s.OpenedAt
	touches, err := tx.SessionTouches(ctx, id, 0, 0)
	if err != nil {
		return c, err
	}
	prompts, err := tx.Events(ctx, store.EventFilter{Session: id, Kind: memory.Prompted})
	receipts, failed := tx.Events(ctx, store.EventFilter{Session: id, Kind: memory.Suggested, Bare: true})
	slices.Reverse(prompts) // oldest first
	said := func(before int64) {
		for ; len(prompts) > 0 && prompts[0].Ord < before; prompts = prompts[1:] {
			if p := prompts[0]; p.Origin != memory.OriginUser || p.Subagent != "" || record.IsCommand(p.Text) {
				continue
			}
			c.Prompts = append(c.Prompts, recall.Spoken{Text: prompts[0].Text, Opened: len(c.Files)})
		}
	}
	search := int64(-1) // the event of the search met last
	for _, t := range touches {
		said(t.Ord)
		n, known := image.Find(t.Path)
		switch {
		case !known:
		case t.Kind == memory.Mention && t.Ord == search:
			last := &c.Listed[len(c.Listed)-1]
			last.Files = append(last.Files, n)
		case t.Kind == memory.Mention:
			search = t.Ord
			c.Listed = append(c.Listed, recall.Search{Files: []recall.FileNo{n}, Opened: len(c.Files)})
		case (t.Kind == memory.Read || t.Kind == memory.Edit) && (len(c.Files) == 0 || c.Files[len(c.Files)-1] != n):
			c.Files = append(c.Files, n)
		}
	}
	for _, e := range slices.Backward(receipts) { // oldest first
		if o, judged := outcomeOf(e, touches); judged {
			c.Outcomes = append(c.Outcomes, o)
		}
	}
	return c, errors.Join(err, failed)
}

// outcomeOf says what became of the first files for a prompt, by its receipt. Other receipts name none.
func outcomeOf(e memory.StoredEvent, touches []store.FileTouch) (o recall.Outcome, judged bool) {
	var first recall.Ranked
	if json.Unmarshal([]byte(e.Input), &first) != nil {
		return o, false
	}
	var before, after []string
	for _, t := range touches {
		switch {
		case t.Kind != memory.Read && t.Kind != memory.Edit:
		case t.Ord < e.Ord:
			before = append(before, t.Path)
		default:
			after = append(after, t.Path)
		}
	}
	return first.Judge(before, after)
}
