package statements

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
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
	Preference: memory.Preference, Rule: memory.Rule, Decision: memory.Decision, Correction: memory.Correction,
	Fact: memory.Fact, Later: memory.Intention, Lesson: memory.Lesson,
}

// Listen keeps what will matter in a later session, in the transaction that records it: what a person says in a prompt, and decisions and
// lessons in the message with which an agent ends its turn. What an agent or a tool submitted in the person's place is no prompt of theirs.
func Listen(ctx context.Context, c config.Config, tx *store.Tx, e memory.StoredEvent) error {
	if e.Session == 0 || !c.Listens(e.Place) {
		return nil
	}
	said, err := statementsIn(ctx, tx, e)
	if err != nil || len(said) == 0 {
		return err
	}
	atHand, err := filesAtHand(ctx, tx, e)
	if err != nil {
		return err
	}
	for _, s := range said {
		if err := hear(ctx, c.Tuning.Crystal, tx, e, s, atHand); err != nil {
			return err
		}
	}
	return nil
}

// Understood are the statements in a prompt that is not in the store yet, as they will be kept.
func Understood(ctx context.Context, conf config.Config, tx *store.Tx, e memory.StoredEvent) (said []memory.Crystal, err error) {
	if !conf.Listens(e.Place) {
		return nil, nil
	}
	found, err := statementsIn(ctx, tx, e)
	for _, s := range found {
		c, keeps, err := crystalOf(ctx, tx, e, s)
		if err != nil {
			return nil, err
		}
		if keeps && c.Lifecycle != memory.Waiting {
			said = append(said, c)
		}
	}
	return said, err
}

// statementsIn finds what will matter in what was said, each statement with its point as its quote; what cannot be understood alone is left
// out.
func statementsIn(ctx context.Context, tx *store.Tx, e memory.StoredEvent) (said []Statement, err error) {
	switch {
	case e.Kind == memory.Prompted && e.Origin == memory.OriginUser && e.Subagent == "":
		for _, s := range Statements(Prompt{Text: e.Text}) {
			point, refers := pointOf(e.Text, s)
			if refers {
				asked, failed := askedBefore(ctx, tx, e)
				if err = errors.Join(err, failed); asked == "" {
					continue
				}
				point += " (the agent had asked: " + prose.Quoted(asked) + ")"
			}
			if s.Quote = point; !slices.ContainsFunc(said, func(o Statement) bool { return o.Quote == s.Quote }) {
				said = append(said, s)
			}
		}
	case (e.Kind == memory.TurnEnded || e.Kind == memory.SubagentEnded) && e.Origin == memory.OriginAgent:
		said = Closing(e.Text)
	}
	return said, err
}

// askedBefore is the question with which the agent ended the turn before a prompt; empty if there is none that says what it is about, or it may
// not be shown.
func askedBefore(ctx context.Context, tx *store.Tx, e memory.StoredEvent) (string, error) {
	turns, err := tx.Events(ctx, store.EventFilter{Session: e.Session, Kind: memory.TurnEnded, Limit: 1, Bare: true})
	if err != nil || len(turns) == 0 || turns[0].Subagent != "" {
		return "", err
	}
	asked := lastQuestion(turns[0].Text)
	if names(asked) < namesLeast-1 || prose.Withheld(memory.OriginAgent, asked) || scrub.Redacted(asked) || prose.Hijacks(asked) {
		return "", nil
	}
	return asked, nil
}

// crystalOf is a statement in the words of who said it, and whether it is kept: not where the person hid a part of it or rejected it
// before, and not where a credential was taken out of it, which is no memory.
func crystalOf(ctx context.Context, tx *store.Tx, e memory.StoredEvent, s Statement) (c memory.Crystal, keeps bool, err error) {
	text := prose.OneLine(s.Quote)
	if strings.Contains(text, private) || scrub.Redacted(text) || prose.Hijacks(text) { // the rest may only make sense with what the person hid
		return c, false, nil
	}
	c = memory.Crystal{
		Project: e.Project, Kind: crystalKinds[s.Kind], Text: text, Origin: e.Origin, Source: SourceOf(e), Session: e.Session,
		Heard: s.Probability, Importance: s.Probability, Lifecycle: memory.Generated, SaidAt: e.At,
	}
	if e.Origin != memory.OriginUser {
		c.Importance *= agentsWeight
	}
	waits := s.Doubtful && e.Origin == memory.OriginUser
	if s.Maybe && !waits {
		again, err := repeated(ctx, tx, c)
		if err != nil {
			return c, false, err
		}
		waits = !again
	}
	if waits {
		c.Lifecycle = memory.Waiting
	}
	no, err := rejected(ctx, tx, c)
	return c, !no, err
}

// repeated reports whether the person has said the same before. A prompt that is sent once more in the same session is no repetition.
func repeated(ctx context.Context, tx *store.Tx, c memory.Crystal) (bool, error) {
	same, err := saidBefore(ctx, tx, c)
	return slices.ContainsFunc(same, func(k store.Kept) bool {
		return k.Origin == memory.OriginUser && k.Source != c.Source && (k.Session != c.Session || k.Text != c.Text)
	}), err
}

// hear keeps one statement.
func hear(ctx context.Context, settings tuning.Crystal, tx *store.Tx, e memory.StoredEvent, s Statement, atHand []memory.Anchor) error {
	c, keeps, err := crystalOf(ctx, tx, e, s)
	if err != nil || !keeps {
		return err
	}
	named, err := anchors(ctx, tx, e.Project, c.Text, nil)
	if err != nil {
		return err
	}
	c.Anchors = joined(named, atHand)
	_, err = Crystallise(ctx, settings, tx, c)
	return err
}

const (
	agentsWeight = 0.5 // of what an agent concludes, against what a person says
	atHandMost   = 4   // files in use that a statement is tied to
	touchesRead  = 24  // latest touches among which they are looked for
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
	prompt, at, ok := find(prompts, typed.OwnParts, r.Quote, r.Before)
	unsure := !ok
	if unsure {
		prompt, at, ok = find(prompts, typed.UnsureParts, r.Quote, r.Before)
	}
	if !ok {
		return out, false, nil
	}
	text := quotedClause(at.text, r.Quote)
	if r.About != "" && !prose.Withheld(memory.OriginAgent, r.About) {
		text += " (about: " + r.About + ")"
	}
	kept, keeps, err := crystalOf(ctx, tx, prompt, Statement{Quote: text, Kind: r.Kind, Probability: readProbability, Doubtful: unsure})
	if err != nil || !keeps {
		return out, false, err
	}
	named, err1 := anchors(ctx, tx, kept.Project, kept.Text, nil)
	atHand, err2 := filesAtHand(ctx, tx, prompt)
	if err := errors.Join(err1, err2); err != nil {
		return out, false, err
	}
	kept.Anchors, kept.Marks = joined(named, atHand), GoodMarks(r.Marks)
	out, err = keep(ctx, settings, tx, kept)
	if err != nil || out.Rejected {
		return out, false, err
	}
	old, err := tx.Crystal(ctx, r.Replaces)
	switch {
	case err != nil, unsure, old.ID == out.ID, !old.ValidTo.IsZero(), old.Lifecycle == memory.Frozen, !old.SaidAt.Before(out.SaidAt):
		return out, true, brain.IgnoreNotFound(err)
	case !SameSubject(out.Text, old.Text): // somebody has to decide
		old.OvertakenBy = out.ID
		return out, true, tx.SaveCrystal(ctx, old.Crystal)
	}
	_, err = replace(ctx, tx, &out.Crystal, old.Crystal)
	return out, true, errors.Join(err, tx.SaveCrystal(ctx, out.Crystal))
}
