package statements

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/typed"
)

// crystalKinds are the kinds under which statements are kept.
var crystalKinds = map[Kind]memory.CrystalKind{
	Preference: memory.Preference, Rule: memory.Rule, Decision: memory.Decision, Fact: memory.Fact,
}

// Statement is a sentence of the person that has a plain form.
type Statement struct {
	Start, End int // bytes of the prompt
	Kind       Kind
	Text       string // what is kept
}

// A pasted plan or log is somebody else's text for the most part: few of its sentences are taken.
const (
	pastedBytes = 1500
	pastedLines = 15
	fromPasted  = 2
)

// Statements are the sentences of a prompt that the person typed and that have a plain form, each once.
func Statements(prompt string) (said []Statement) {
	for _, s := range Sentences(prompt) {
		kind, text, ok := Plain(prompt[s.Start:s.End])
		if ok && !s.Doubtful && !slices.ContainsFunc(said, func(o Statement) bool { return o.Text == text }) {
			said = append(said, Statement{s.Start, s.End, kind, text})
		}
	}
	if len(prompt) > pastedBytes || strings.Count(prompt, "\n") >= pastedLines {
		said = said[:min(len(said), fromPasted)]
	}
	return said
}

// Listen keeps what a person says in a prompt in a plain form, in the transaction that records it. What an agent or a tool submitted in the
// person's place is no prompt of theirs.
func Listen(ctx context.Context, c config.Config, tx *store.Tx, e memory.StoredEvent) error {
	said := statementsIn(c, e)
	if e.Session == 0 || len(said) == 0 {
		return nil
	}
	atHand, err := filesAtHand(ctx, tx, e)
	if err != nil {
		return err
	}
	for _, s := range said {
		kept, keeps, err := crystalOf(ctx, tx, e, s.Kind, s.Text, heardProbability)
		if err != nil || !keeps {
			return err
		}
		named, err := anchors(ctx, tx, e.Project, kept.Text, nil)
		if err != nil {
			return err
		}
		kept.Anchors = joined(named, atHand)
		if _, err = Crystallise(ctx, c.Tuning.Crystal, tx, kept); err != nil {
			return err
		}
	}
	return nil
}

// Understood are the statements in a prompt that is not in the store yet, as they will be kept.
func Understood(ctx context.Context, conf config.Config, tx *store.Tx, e memory.StoredEvent) (said []memory.Crystal, err error) {
	for _, s := range statementsIn(conf, e) {
		c, keeps, err := crystalOf(ctx, tx, e, s.Kind, s.Text, heardProbability)
		if err != nil {
			return nil, err
		}
		if keeps {
			said = append(said, c)
		}
	}
	return said, nil
}

// statementsIn are those of a prompt that the person typed, where hebb may listen.
func statementsIn(c config.Config, e memory.StoredEvent) []Statement {
	if e.Kind != memory.Prompted || e.Origin != memory.OriginUser || e.Subagent != "" || !c.Listens(e.Place) {
		return nil
	}
	return Statements(e.Text)
}

// crystalOf is a statement of the person in their words, and whether it is kept: not where they hid a part of it or rejected it before, and not
// where a credential was taken out of it, which is no memory.
func crystalOf(ctx context.Context, tx *store.Tx, e memory.StoredEvent, kind Kind, text string, sure float64) (c memory.Crystal, keeps bool, err error) {
	text = prose.OneLine(text)
	if strings.Contains(text, private) || scrub.Redacted(text) || prose.Hijacks(text) { // the rest may only make sense with what the person hid
		return c, false, nil
	}
	c = memory.Crystal{
		Project: e.Project, Kind: crystalKinds[kind], Text: text, Origin: e.Origin, Source: SourceOf(e), Session: e.Session,
		Heard: sure, Importance: sure, Lifecycle: memory.Generated, SaidAt: e.At,
	}
	no, err := Rejected(ctx, tx, c)
	return c, !no, err
}

const (
	atHandMost  = 4  // files in use that a statement is tied to
	touchesRead = 24 // latest touches among which they are looked for
)

// filesAtHand are the files that a session used last before a prompt, those it changed first.
func filesAtHand(ctx context.Context, tx *store.Tx, e memory.StoredEvent) ([]memory.Anchor, error) {
	touches, err := tx.TouchesBefore(ctx, e.Session, e.Ord, touchesRead)
	if err != nil {
		return nil, err
	}
	var changed, read []memory.Anchor
	for _, t := range touches {
		a := memory.Anchor{Path: t.Path, AtHand: true}
		switch {
		case slices.Contains(changed, a):
		case t.Kind == memory.Edit:
			changed = append(changed, a)
			read = slices.DeleteFunc(read, func(r memory.Anchor) bool { return r == a })
		case t.Kind == memory.Read && !slices.Contains(read, a):
			read = append(read, a)
		}
	}
	list := append(changed, read...)
	return list[:min(len(list), atHandMost)], nil
}

// KeepReading keeps what the person said in one of some prompts, in their words. What does not stand in one of them is not kept, and what may
// be somebody else's waits.
func KeepReading(ctx context.Context, settings tuning.Crystal, tx *store.Tx, prompts []memory.StoredEvent, r Reading) (out RememberResult, ok bool, err error) {
	prompt, at, ok := find(prompts, typed.OwnParts, r.Quote)
	unsure := !ok
	if unsure {
		prompt, at, ok = find(prompts, typed.UnsureParts, r.Quote)
	}
	if !ok {
		return out, false, nil
	}
	kept, keeps, err := crystalOf(ctx, tx, prompt, r.Kind, quotedClause(at.text, r.Quote), readProbability)
	if err != nil || !keeps {
		return out, false, err
	}
	if unsure {
		kept.Lifecycle = memory.Waiting
	}
	named, err1 := anchors(ctx, tx, kept.Project, kept.Text, nil)
	atHand, err2 := filesAtHand(ctx, tx, prompt)
	if err := errors.Join(err1, err2); err != nil {
		return out, false, err
	}
	kept.Anchors, kept.Marks = joined(named, atHand), GoodMarks(r.Marks)
	out, err = keep(ctx, settings, tx, kept)
	return out, err == nil && !out.Rejected, err
}
