package statements

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// Lines of knowledge are crystals of an agent with a memory.Line. They stand until another takes their place, a later session
// overturns them, or somebody drops them.

// ScribeSource begins the source of a line: the ID of the session that was read follows.
const ScribeSource = "scribe "

// What happens to lines, as their traces name it.
const (
	traceRetired = "retired" // a later session showed that it is over
	traceSeen    = "seen again"
	traceAside   = "gave way" // to more useful lines
)

// Lines are those that stand in a project: neither over nor waiting for the person, and none that gave way to others. Those seen last
// come first.
func Lines(ctx context.Context, tx *store.Tx, project memory.ProjectID) (list []memory.Crystal, err error) {
	list, err = LinesThatHold(ctx, tx, project)
	return slices.DeleteFunc(list, func(c memory.Crystal) bool { return c.Line.Aside }), err
}

// linesAside gave way to others, but still hold.
func linesAside(ctx context.Context, tx *store.Tx, project memory.ProjectID) (list []memory.Crystal, err error) {
	list, err = LinesThatHold(ctx, tx, project)
	return slices.DeleteFunc(list, func(c memory.Crystal) bool { return !c.Line.Aside }), err
}

// LinesThatHold are all of them, also those that gave way to others.
func LinesThatHold(ctx context.Context, tx *store.Tx, project memory.ProjectID) ([]memory.Crystal, error) {
	return linesOf(ctx, tx, store.CrystalFilter{Projects: []memory.ProjectID{project}, Lines: true, Current: true, Living: true})
}

// WaitingLines are those that name something that nothing bears out. Nobody is shown them until the person keeps them.
func WaitingLines(ctx context.Context, tx *store.Tx, project memory.ProjectID) ([]memory.Crystal, error) {
	return linesOf(ctx, tx, store.CrystalFilter{Projects: []memory.ProjectID{project}, Lines: true, Current: true, Lifecycle: memory.Waiting})
}

func linesOf(ctx context.Context, tx *store.Tx, f store.CrystalFilter) (list []memory.Crystal, err error) {
	found, err := tx.Crystals(ctx, f)
	for _, c := range found {
		if c.Line != nil && c.Origin.Tier() <= memory.OriginAgent.Tier() {
			list = append(list, c.Crystal)
		}
	}
	slices.SortStableFunc(list, func(a, b memory.Crystal) int {
		return cmp.Or(b.Line.SeenAt.Compare(a.Line.SeenAt), a.Line.Turn-b.Line.Turn, strings.Compare(a.Text, b.Text))
	})
	return list, err
}

// LineChange is what the reading of one session changed.
type LineChange struct {
	At       time.Time          `json:"at"`
	Session  memory.SessionID   `json:"session"`
	Added    []memory.CrystalID `json:"added,omitempty"`
	Replaced []ReplacedLine     `json:"replaced,omitempty"`
	Retired  []memory.CrystalID `json:"retired,omitempty"`
	Aside    []memory.CrystalID `json:"aside,omitempty"` // gave way to others
	Again    []memory.CrystalID `json:"again,omitempty"`
	Waiting  []memory.CrystalID `json:"waiting,omitempty"` // of those added or replaced, for the person
	Said     []memory.CrystalID `json:"said,omitempty"`    // what the person said that was understood
	Over     []memory.CrystalID `json:"over,omitempty"`    // what they had said before that was ended by it
	Unmeant  []memory.CrystalID `json:"unmeant,omitempty"` // what rules had heard that was not found: it waits
	Dropped  int                `json:"dropped,omitempty"` // parts of the answer that nothing proved
	Undone   bool               `json:"undone,omitempty"`
}

// ReplacedLine is a line that took the place of another.
type ReplacedLine struct {
	Old memory.CrystalID `json:"old"`
	New memory.CrystalID `json:"new"`
}

const changesKept = 100

func lineChanges(id memory.ProjectID) store.Fact[[]LineChange] {
	return store.NewFact[[]LineChange]("scribe/changes").Of(id)
}

// linesLooked is when the person last saw what the scribe changed.
func linesLooked(id memory.ProjectID) store.Fact[time.Time] {
	return store.NewFact[time.Time]("scribe/looked").Of(id)
}

// noteChange keeps what a reading changed so far, in the place of what was noted of it before.
func noteChange(ctx context.Context, tx *store.Tx, id memory.ProjectID, c LineChange, before time.Time) error {
	if len(c.Added)+len(c.Replaced)+len(c.Retired)+len(c.Aside)+len(c.Again)+len(c.Said)+len(c.Over)+len(c.Unmeant)+c.Dropped == 0 {
		return nil
	}
	list, err := lineChanges(id).Get(ctx, tx)
	if err != nil {
		return err
	}
	if n := len(list); n > 0 && list[n-1].Session == c.Session && list[n-1].At.Equal(before) {
		list = list[:n-1]
	}
	list = append(list, c)
	return lineChanges(id).Set(ctx, tx, list[max(0, len(list)-changesKept):])
}

// undoLines takes back what the reading of a session changed, as far as nobody has changed it since.
func undoLines(ctx context.Context, tx *store.Tx, project memory.ProjectID, session memory.SessionID) (done LineChange, err error) {
	list, err := lineChanges(project).Get(ctx, tx)
	if err != nil {
		return done, err
	}
	at := -1
	for i, c := range list {
		if c.Session == session && !c.Undone {
			at = i // the latest
		}
	}
	if at < 0 {
		return done, fmt.Errorf("undo session %s: the scribe changed nothing that stands: %w", session, memory.ErrNotFound)
	}
	list[at].Undone = true
	err = takeBack(ctx, tx, list[at], list)
	return list[at], errors.Join(err, lineChanges(project).Set(ctx, tx, list))
}

// takeBack makes lines and statements as they were before a reading, as far as nobody has changed them since. Of all, those that are undone say which
// lines nothing proves any more.
func takeBack(ctx context.Context, tx *store.Tx, change LineChange, all []LineChange) (err error) {
	save := func(c memory.Crystal) {
		err = errors.Join(err, tx.SaveCrystal(ctx, c), tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceUndone, Detail: string(memory.OriginUser)}))
	}
	find := func(id memory.CrystalID) (c memory.Crystal, ok bool) {
		kept, failed := tx.Crystal(ctx, id)
		err = errors.Join(err, brain.IgnoreNotFound(failed))
		return kept.Crystal, failed == nil
	}
	end := func(id memory.CrystalID) (ended bool) {
		c, ok := find(id)
		confirmed := c.Line != nil && !c.Line.KeptAt.IsZero() || c.Line == nil && c.Heard != readProbability || c.Lifecycle == memory.Frozen
		if ended = ok && c.ValidTo.IsZero() && !confirmed; ended {
			c.ValidTo = tx.Now
			save(c)
		}
		return ended
	}
	back := func(id memory.CrystalID) {
		c, ok := find(id)
		made := func(l LineChange) bool {
			return l.Undone && (slices.Contains(l.Added, id) || slices.ContainsFunc(l.Replaced, func(r ReplacedLine) bool { return r.New == id }))
		}
		if !ok || slices.ContainsFunc(all, made) {
			return
		}
		traces, failed := tx.Traces(ctx, id)
		err = errors.Join(err, failed)
		if slices.ContainsFunc(traces, func(t store.Trace) bool { return t.What == TraceWrong }) { // the person dropped it
			return
		}
		if c.Line != nil && c.Line.Aside {
			line := *c.Line
			line.Aside = false
			c.Line, c.ValidTo = &line, time.Time{}
			save(c)
		} else if !c.ValidTo.IsZero() {
			c.ValidTo = time.Time{}
			save(c)
		}
	}
	for _, id := range slices.Concat(change.Added, change.Said) {
		end(id)
	}
	for _, r := range change.Replaced {
		if end(r.New) {
			back(r.Old)
		}
	}
	for _, id := range slices.Concat(change.Retired, change.Aside, change.Over) {
		back(id)
	}
	for _, id := range change.Unmeant {
		if c, ok := find(id); ok && c.Lifecycle == memory.Waiting {
			c.Lifecycle = memory.Generated
			save(c)
		}
	}
	return err
}

// LineChangesInput chooses the changes of a project.
type LineChangesInput struct {
	brain.Scope
	// Looked says that the person sees them now, with numbers: the next time only later ones are new.
	Looked bool `json:"looked,omitempty"`
	// Undo takes back what the reading of this session changed.
	Undo string `json:"undo,omitempty"`
}

// ChangedLine is a line that a reading of a session added, replaced or retired.
type ChangedLine struct {
	What string         `json:"what"` // added, replaced, retired, gave way or waiting
	Line memory.Crystal `json:"line"`
	Old  string         `json:"old,omitempty"` // the text of the line whose place it took
}

// LineChanges is what the reading of one session changed, with the lines.
type LineChanges struct {
	LineChange
	Lines []ChangedLine `json:"lines"`
}

// ScribeChanges lists what the scribe changed since the person last looked, the latest first, or takes one reading back.
var ScribeChanges = brain.NeverBusy(brain.Operation[LineChangesInput, []LineChanges]{
	Name: "scribe-changes",
	Run: func(ctx context.Context, b *brain.Brain, in LineChangesInput) ([]LineChanges, error) {
		return brain.Update(ctx, b, func(tx *store.Tx) (out []LineChanges, err error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return nil, err
			}
			if in.Undo != "" {
				chosen, err := record.Filter(ctx, b.Config, tx, in.Scope, in.Undo)
				if err != nil {
					return nil, err
				}
				c, err := undoLines(ctx, tx, id, chosen.Session)
				if err == nil {
					out, err = changedLines(ctx, tx, []LineChange{c})
				}
				return out, err
			}
			if out, err = NewChanges(ctx, tx, id); err != nil || !in.Looked || len(out) == 0 {
				return out, err
			}
			return out, linesLooked(id).Set(ctx, tx, tx.Now)
		})
	},
}, nil)

// NewChanges are what the scribe changed in a project since the person last looked, the latest first.
func NewChanges(ctx context.Context, tx *store.Tx, id memory.ProjectID) ([]LineChanges, error) {
	looked, err1 := linesLooked(id).Get(ctx, tx)
	list, err2 := lineChanges(id).Get(ctx, tx)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(c LineChange) bool { return c.Undone || !c.At.After(looked) })
	slices.Reverse(list)
	return changedLines(ctx, tx, list)
}

// changedLines are changes with their lines. A line that was forgotten is left out.
func changedLines(ctx context.Context, tx *store.Tx, list []LineChange) (out []LineChanges, err error) {
	for _, c := range list {
		one := LineChanges{LineChange: c, Lines: []ChangedLine{}}
		line := func(what string, id, old memory.CrystalID) {
			now, failed := tx.Crystal(ctx, id)
			if failed == nil {
				was, _ := tx.Crystal(ctx, old) // it may be forgotten
				one.Lines = append(one.Lines, ChangedLine{what, now.Crystal, was.Text})
			}
			err = errors.Join(err, brain.IgnoreNotFound(failed))
		}
		for _, id := range c.Added {
			what := "added"
			if slices.Contains(c.Waiting, id) {
				what = "waiting"
			}
			line(what, id, "")
		}
		for _, r := range c.Replaced {
			line("replaced", r.New, r.Old)
		}
		for _, id := range c.Retired {
			line(traceRetired, id, "")
		}
		for _, id := range c.Aside {
			line(traceAside, id, "")
		}
		if len(one.Lines) > 0 {
			out = append(out, one)
		}
	}
	return out, err
}
