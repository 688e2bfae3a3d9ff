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
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Lines of knowledge are crystals of an agent with a memory.Line. They stand until another takes their place, a later session
// overturns them, or somebody drops them.

// ScribeSource begins the source of a line: the ID of the session that was read follows.
const ScribeSource = "scribe "

// What happens to lines, as their traces name it.
const (
	traceRetired = "retired" // a later session showed that it is over
	traceSeen    = "seen again"
)

// Lines are those that stand in a project: neither over nor waiting for the person. Those seen last come first.
func Lines(ctx context.Context, tx *store.Tx, project memory.ProjectID) ([]memory.Crystal, error) {
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
	Again    []memory.CrystalID `json:"again,omitempty"`
	Waiting  []memory.CrystalID `json:"waiting,omitempty"` // of those added or replaced, for the person
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

func noteChange(ctx context.Context, tx *store.Tx, id memory.ProjectID, c LineChange) error {
	if len(c.Added)+len(c.Replaced)+len(c.Retired)+len(c.Again)+c.Dropped == 0 {
		return nil
	}
	list, err := lineChanges(id).Get(ctx, tx)
	if err != nil {
		return err
	}
	list = append(list, c)
	return lineChanges(id).Set(ctx, tx, list[max(0, len(list)-changesKept):])
}

// pageEdit carries out what was right in an answer.
type pageEdit struct {
	*material
	tx       *store.Tx
	settings tuning.Crystal
	answer   judged
	prompts  []memory.StoredEvent
	who      string
	said     []memory.CrystalID // statements of the person that lines quote
	change   *LineChange
}

// lineKinds are the kinds under which lines are kept, statementKinds those of what the person said in them.
var (
	lineKinds = map[lines.Kind]memory.CrystalKind{
		lines.Preference: memory.Preference, lines.Procedure: memory.Procedure, lines.Fact: memory.Fact, lines.Cause: memory.Cause,
		lines.Decision: memory.Decision, lines.State: memory.State,
	}
	statementKinds = map[lines.Kind]Kind{lines.Preference: Preference, lines.Decision: Decision, lines.Fact: Fact}
)

// crystal is a line as it is kept, with what the person said in the words that prove it.
func (k *pageEdit) crystal(ctx context.Context, l lines.Line) (c memory.Crystal, keeps bool, err error) {
	proof := k.answer.Proofs[l.Quote]
	c = memory.Crystal{
		Project: k.of.Project, Kind: lineKinds[l.Kind], Text: l.Text, Origin: memory.OriginAgent, Source: ScribeSource + k.of.ID.String(), Session: k.of.ID,
		Heard: readProbability, Importance: SaidImportance, Lifecycle: memory.Generated, SaidAt: k.of.LastEventAt, LastAt: k.of.LastEventAt,
		Line: &memory.Line{
			Quote: l.Quote, Turn: proof.Turn, Person: proof.Person, When: l.When, Seen: 1, SeenAt: k.of.LastEventAt, By: k.who, Lacks: k.answer.lacks[l.Text],
		},
	}
	if no, err := rejected(ctx, k.tx, c); err != nil || no {
		return c, false, err
	}
	if len(c.Line.Lacks) > 0 {
		c.Lifecycle = memory.Waiting
	}
	if kind, states := statementKinds[l.Kind]; states && proof.Person {
		said, ok, err := KeepReading(ctx, k.settings, k.tx, k.prompts, Reading{Quote: l.Quote, Kind: kind, Marks: l.Breaks})
		if err != nil {
			return c, false, err
		}
		if ok {
			c.Line.Said, k.said = said.ID, append(k.said, said.ID)
		}
	}
	if c.Anchors, err = anchors(ctx, k.tx, c.Project, c.Text, nil); err != nil {
		return c, false, err
	}
	c.ID, err = NewCrystalID(k.tx)
	return c, true, err
}

// store keeps a new line, in the place of one that waits and says the same.
func (k *pageEdit) store(ctx context.Context, c memory.Crystal) error {
	if c.Lifecycle == memory.Waiting {
		k.change.Waiting = append(k.change.Waiting, c.ID)
	}
	waiting, err := WaitingLines(ctx, k.tx, c.Project)
	for _, w := range waiting {
		if lines.Alike(w.Text, c.Text) {
			err = errors.Join(err, EndCrystal(ctx, k.tx, w, TraceSuperseded, string(c.ID)))
		}
	}
	return errors.Join(err, StoreCrystal(ctx, k.tx, c))
}

func (k *pageEdit) add(ctx context.Context, l lines.Line) error {
	c, keeps, err := k.crystal(ctx, l)
	if err != nil || !keeps {
		return err
	}
	k.change.Added = append(k.change.Added, c.ID)
	return k.store(ctx, c)
}

// stands finds a line that was shown to the model and still stands.
func (k *pageEdit) stands(ctx context.Context, name string) (c memory.Crystal, ok bool, err error) {
	shown, ok := k.line(name)
	if !ok {
		return c, false, nil
	}
	now, err := k.tx.Crystal(ctx, shown.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return c, false, nil
	}
	return now.Crystal, err == nil && now.Line != nil && now.ValidTo.IsZero(), err
}

// replace puts a line in the place of another. One that waits for the person replaces nothing yet.
func (k *pageEdit) replace(ctx context.Context, l lines.Replacement) error {
	old, ok, err := k.stands(ctx, l.ID)
	if err != nil || !ok {
		return err
	}
	c, keeps, err := k.crystal(ctx, l.Line)
	if err != nil || !keeps {
		return err
	}
	c.Parents = []memory.CrystalID{old.ID}
	if c.Lifecycle == memory.Waiting {
		k.change.Added = append(k.change.Added, c.ID)
		return k.store(ctx, c)
	}
	c.Line.Seen += old.Line.Seen
	k.change.Replaced = append(k.change.Replaced, ReplacedLine{old.ID, c.ID})
	return errors.Join(k.store(ctx, c), EndCrystal(ctx, k.tx, old, TraceSuperseded, string(c.ID)), k.outdate(ctx, old, c.Line.Said))
}

// outdate ends what the person said in a line that is over by their own later words.
func (k *pageEdit) outdate(ctx context.Context, old memory.Crystal, by memory.CrystalID) error {
	if old.Line.Said == "" || old.Line.Said == by || by == "" {
		return nil
	}
	said, err := k.tx.Crystal(ctx, old.Line.Said)
	if errors.Is(err, memory.ErrNotFound) || err == nil && (!said.ValidTo.IsZero() || said.Lifecycle == memory.Frozen) {
		return nil
	}
	return errors.Join(err, EndCrystal(ctx, k.tx, said.Crystal, TraceSuperseded, string(by)))
}

func (k *pageEdit) retire(ctx context.Context, e lines.End) error {
	old, ok, err := k.stands(ctx, e.ID)
	if err != nil || !ok {
		return err
	}
	k.change.Retired = append(k.change.Retired, old.ID)
	return EndCrystal(ctx, k.tx, old, traceRetired, k.of.ID.String())
}

func (k *pageEdit) again(ctx context.Context, name string) error {
	c, ok, err := k.stands(ctx, name)
	if err != nil || !ok {
		return err
	}
	c.Line.Seen, c.Line.SeenAt, c.LastAt = c.Line.Seen+1, k.of.LastEventAt, k.of.LastEventAt
	k.change.Again = append(k.change.Again, c.ID)
	if c.Line.Said != "" {
		k.said = append(k.said, c.Line.Said)
	}
	return errors.Join(k.tx.SaveCrystal(ctx, c), k.tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceSeen, Detail: k.of.ID.String()}))
}

// endSaid ends what the person said in a line, if it was understood from the same session.
func endSaid(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	if c.Line.Said == "" {
		return nil
	}
	said, err := tx.Crystal(ctx, c.Line.Said)
	if err == nil && said.ValidTo.IsZero() && said.Session == c.Session && said.Lifecycle != memory.Frozen {
		err = EndCrystal(ctx, tx, said.Crystal, traceUndone, string(memory.OriginUser))
	}
	return brain.IgnoreNotFound(err)
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
	end := func(id memory.CrystalID) {
		c, failed := tx.Crystal(ctx, id)
		if failed == nil && c.ValidTo.IsZero() && c.Line.KeptAt.IsZero() {
			failed = errors.Join(EndCrystal(ctx, tx, c.Crystal, traceUndone, string(memory.OriginUser)), endSaid(ctx, tx, c.Crystal))
		}
		err = errors.Join(err, brain.IgnoreNotFound(failed))
	}
	back := func(id memory.CrystalID) {
		c, failed := tx.Crystal(ctx, id)
		if failed == nil && !c.ValidTo.IsZero() {
			c.ValidTo = time.Time{}
			failed = errors.Join(tx.SaveCrystal(ctx, c.Crystal), tx.Leave(ctx, store.Trace{Crystal: id, What: traceUndone, Detail: string(memory.OriginUser)}))
		}
		err = errors.Join(err, brain.IgnoreNotFound(failed))
	}
	for _, id := range list[at].Added {
		end(id)
	}
	for _, r := range list[at].Replaced {
		end(r.New)
		back(r.Old)
	}
	for _, id := range list[at].Retired {
		back(id)
	}
	list[at].Undone = true
	return list[at], errors.Join(err, lineChanges(project).Set(ctx, tx, list))
}

// LineChangesInput chooses the changes of a project.
type LineChangesInput struct {
	brain.Scope
	// Looked says that the person sees them now: the next time only later ones are new.
	Looked bool `json:"looked,omitempty"`
	// Undo takes back what the reading of this session changed.
	Undo string `json:"undo,omitempty"`
}

// ChangedLine is a line that a reading of a session added, replaced or retired.
type ChangedLine struct {
	What string         `json:"what"` // added, replaced, retired or waiting
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
			looked, err1 := linesLooked(id).Get(ctx, tx)
			list, err2 := lineChanges(id).Get(ctx, tx)
			if err := errors.Join(err1, err2); err != nil {
				return nil, err
			}
			list = slices.DeleteFunc(list, func(c LineChange) bool { return c.Undone || !c.At.After(looked) })
			slices.Reverse(list)
			if out, err = changedLines(ctx, tx, list); err == nil && in.Looked {
				err = linesLooked(id).Set(ctx, tx, tx.Now)
			}
			return out, err
		})
	},
}, nil)

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
			line("retired", id, "")
		}
		if len(one.Lines) > 0 {
			out = append(out, one)
		}
	}
	return out, err
}
