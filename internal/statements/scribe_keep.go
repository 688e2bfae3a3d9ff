package statements

import (
	"context"
	"errors"

	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// pageEdit carries out what was right in an answer.
type pageEdit struct {
	*material
	tx       *store.Tx
	settings tuning.Crystal
	answer   judged
	prompts  []memory.StoredEvent
	who      string
	said     []memory.CrystalID // statements of the person that lines quote
	quotes   bool               // a line of this answer does
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
	if no, err := Rejected(ctx, k.tx, c); err != nil || no {
		return c, false, err
	}
	if len(c.Line.Lacks) > 0 {
		c.Lifecycle = memory.Waiting
	}
	if kind, states := statementKinds[l.Kind]; states && proof.Person && !k.answer.misread[l.Text] {
		said, ok, err := KeepReading(ctx, k.settings, k.tx, k.prompts, Reading{Quote: l.Quote, Kind: kind, Marks: l.Breaks})
		if err != nil {
			return c, false, err
		}
		if ok {
			c.Line.Said, k.said, k.quotes = said.ID, append(k.said, said.ID), true
			if k.change.Over = append(k.change.Over, said.Superseded...); !said.Known {
				k.change.Said = append(k.change.Said, said.ID)
			}
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
	theirs := old.Line.Person && (old.Kind == memory.Preference || old.Kind == memory.Decision)
	if theirs && !SameSubject(l.Quote, old.Text) && !SameSubject(l.Text, old.Text) { // their words about something else end nothing
		k.change.Added = append(k.change.Added, c.ID)
		return k.store(ctx, c)
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
	k.change.Over = append(k.change.Over, said.ID)
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

// aside lets a line give way to others.
func (k *pageEdit) aside(ctx context.Context, name string) error {
	c, ok, err := k.stands(ctx, name)
	if err != nil || !ok {
		return err
	}
	c.Line.Aside = true
	k.change.Aside = append(k.change.Aside, c.ID)
	return errors.Join(k.tx.SaveCrystal(ctx, c), k.tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceAside, Detail: k.of.ID.String()}))
}

func (k *pageEdit) again(ctx context.Context, name string) error {
	c, ok, err := k.stands(ctx, name)
	if err != nil || !ok {
		return err
	}
	c.Line.Seen, c.Line.SeenAt, c.Line.Aside, c.LastAt = c.Line.Seen+1, k.of.LastEventAt, false, k.of.LastEventAt
	k.change.Again = append(k.change.Again, c.ID)
	if c.Line.Said != "" {
		k.said = append(k.said, c.Line.Said)
	}
	return errors.Join(k.tx.SaveCrystal(ctx, c), k.tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceSeen, Detail: k.of.ID.String()}))
}
