// Package statements keeps what was said: by people and agents who want it remembered, and by people in their prompts where they use a plain
// form (forms.go). It knows when something is said again, replaced, confirmed or rejected, which places in the code it speaks of, and where
// it comes from. How-tos that a person writes as Markdown files (procedures) are kept in the same way. A scribe, if there is one, reads
// sessions that are over.
package statements

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Remember keeps a text. When it returns, the text is on disk and search finds it.
var Remember = brain.NeverBusy(brain.Operation[RememberInput, RememberResult]{
	Name: "remember",
	Run:  remember,
}, func(in RememberInput) string { return cmp.Or(in.Text, in.Quote) })

func remember(ctx context.Context, b *brain.Brain, in RememberInput) (out RememberResult, err error) {
	if err := brain.Fits("remember", in.Origin, in.Text, in.Quote, in.Subject, in.Source); err != nil {
		return out, err
	}
	in.Text = cmp.Or(strings.TrimSpace(in.Text), in.Quote)
	c := memory.Crystal{
		Kind: cmp.Or(in.Kind, memory.Fact), Text: strings.TrimSpace(scrub.Clean(in.Text)), Subject: scrub.Line(scrub.Clean(in.Subject)), Origin: cmp.Or(in.Origin, memory.OriginUser),
		Source: scrub.Line(scrub.Clean(in.Source)), Lifecycle: memory.Generated,
	}
	switch {
	case strings.TrimSpace(strings.ReplaceAll(c.Text, private, "")) == "":
		return out, fmt.Errorf("there is nothing to remember: give it some words: %w", memory.ErrInvalid)
	case !slices.Contains(memory.CrystalKinds, c.Kind):
		return out, fmt.Errorf("kind %q: want one of %s: %w", c.Kind, texts.KindNames(memory.CrystalKinds), memory.ErrInvalid)
	}
	err = record.RecordingIn(ctx, b, in.Scope, in.Everywhere, func(r *record.Recorder, id memory.ProjectID, place memory.Place) (err error) {
		c, tx := c, r.Tx // this may run again
		c.Project, c.SaidAt = id, tx.Now
		if c, err = proven(ctx, tx, c, cmp.Or(in.Quote, in.Text)); err != nil {
			return err
		}
		if err = Room(ctx, tx, id, c.Origin); err != nil {
			return err
		}
		if c, err = ownSubject(ctx, tx, c, in.Origin); err != nil {
			return err
		}
		c.Marks = GoodMarks(in.Breaks)
		if c.Anchors, err = anchors(ctx, tx, id, c.Text, Keys(place, in.Dir, in.Files)); err != nil {
			return err
		}
		earlier, lacking, err := named(ctx, tx, c, in)
		if err != nil {
			return err
		}
		if lacking != "" {
			out, err = proposeText(ctx, tx, c, earlier)
			out.Proposed = lacking
			return err
		}
		if out, err = keep(ctx, b.Config.Tuning.Crystal, tx, c); err != nil || len(earlier) == 0 || out.Rejected {
			return err
		}
		earlier = slices.DeleteFunc(earlier, func(old memory.Crystal) bool { return old.ID == out.ID || slices.Contains(out.Superseded, old.ID) })
		ended, err := replace(ctx, tx, &out.Crystal, earlier...)
		out.Superseded = append(out.Superseded, ended...)
		return errors.Join(err, tx.SaveCrystal(ctx, out.Crystal))
	})
	return out, err
}

// keep is Crystallise for what somebody says now: nobody but the person says again what the person has rejected, and a prompt from before
// that is no proof that they do.
func keep(ctx context.Context, settings tuning.Crystal, tx *store.Tx, c memory.Crystal) (RememberResult, error) {
	if c.Origin != memory.OriginUser || c.Session != 0 {
		wrong, is, err := rejection(ctx, tx, c)
		if err != nil || is && !(c.Origin == memory.OriginUser && c.SaidAt.After(wrong.ValidTo)) {
			return RememberResult{Crystal: wrong, Rejected: is}, err
		}
	}
	return Crystallise(ctx, settings, tx, c)
}

// proven is what an agent hands over as the person's word, if it stands in a prompt of theirs: that is who said it, and when. What is kept
// is the whole sentence as the person typed it, whatever part of it was handed over.
func proven(ctx context.Context, tx *store.Tx, c memory.Crystal, words string) (memory.Crystal, error) {
	if c.Origin != memory.OriginAgent {
		return c, nil
	}
	q, found, err := Quoted(ctx, tx, c.Project, words)
	if err != nil || !found || !q.Whole && len(quotable(q.Text)) > sentenceWords || prose.Hijacks(q.Text) {
		return c, err
	}
	c.Text, c.Origin, c.Source, c.Session = q.Text, memory.OriginUser, PromptSource+string(q.Prompt.ID), q.Prompt.Session
	c.SaidAt, c.LastAt = q.Prompt.At, tx.Now
	return c, nil
}

// ownSubject takes the subject that an agent names off a sentence of the person, if the sentence does not speak of what it would replace.
func ownSubject(ctx context.Context, tx *store.Tx, c memory.Crystal, by memory.Origin) (memory.Crystal, error) {
	if brain.ByUser(by) || c.Origin != memory.OriginUser || c.Subject == "" {
		return c, nil
	}
	others, err := tx.Crystals(ctx, store.CrystalFilter{Subject: texts.Subject(c), Projects: []memory.ProjectID{c.Project}, Current: true})
	if slices.ContainsFunc(others, func(o store.Kept) bool { return o.Origin == memory.OriginUser && !speaksOf(c.Text, o.Text) }) {
		c.Subject = ""
	}
	return c, err
}

// Crystallise keeps a crystal. What is known in the same words is said again; what says something new about a known subject
// takes the place of the earlier statement, which stays as history, and so does what says in a plain form that another no longer holds.
func Crystallise(ctx context.Context, settings tuning.Crystal, tx *store.Tx, c memory.Crystal) (out RememberResult, err error) {
	same, err := saidBefore(ctx, tx, c)
	if err != nil {
		return out, err
	}
	var copies []memory.Crystal // in files of agents
	for _, known := range same {
		waits := known.Lifecycle == memory.Waiting
		switch {
		case known.Origin == memory.OriginFile && c.Origin == memory.OriginUser && c.Lifecycle != memory.Waiting:
			copies = append(copies, known.Crystal)
			continue
		case known.Lifecycle == memory.Archived, c.Origin.Tier() < known.Origin.Tier(), waits && c.Origin != memory.OriginUser:
			continue // a more trusted origin gets a crystal of its own
		case c.Lifecycle == memory.Waiting:
			return RememberResult{Crystal: known.Crystal, Known: true}, nil
		case waits: // now the person says it
			known.Lifecycle = c.Lifecycle
		}
		if c.Origin.Tier() > known.Origin.Tier() {
			return RememberResult{Crystal: known.Crystal, Known: true}, nil
		}
		return sayAgain(ctx, settings, tx, known.Crystal, c)
	}
	out, err = AddCrystal(ctx, tx, c)
	for _, copied := range copies {
		err = errors.Join(err, EndCrystal(ctx, tx, copied, TraceSuperseded, string(out.ID)))
	}
	if err != nil || len(out.Superseded) > 0 || !out.ValidTo.IsZero() || c.Lifecycle == memory.Waiting {
		return out, err
	}
	older, found, err := replacedBy(ctx, tx, out.Crystal)
	if err == nil && found {
		out.Superseded, err = replace(ctx, tx, &out.Crystal, older)
		err = errors.Join(err, tx.SaveCrystal(ctx, out.Crystal), Contradicted(ctx, tx, out.Crystal, older.ID))
	}
	return out, err
}

// saidBefore are the crystals that hold and say what another says, word for word first. An agent that hands over what a person said, and
// hebb that heard it, may cut the sentence differently and call it by another kind.
func saidBefore(ctx context.Context, tx *store.Tx, c memory.Crystal) ([]store.Kept, error) {
	projects := []memory.ProjectID{c.Project}
	same, err := tx.Crystals(ctx, store.CrystalFilter{Hash: c.Hash(), Projects: projects, Current: true})
	same = slices.DeleteFunc(same, func(k store.Kept) bool { return strings.TrimSpace(k.Text) != c.Text })
	said := texts.NewStatement(c, vocab.TextWords)
	words := said.Terms()
	if err != nil || len(same) > 0 || brain.IsThought(c) || len(words) == 0 || len(words) > sentenceWords {
		return same, err
	}
	kinds := make([]string, len(memory.CrystalKinds))
	for i, k := range memory.CrystalKinds {
		kinds[i] = string(k)
	}
	found, err := tx.Match(ctx, store.Expression{All: words}, store.DocumentFilter{Projects: projects, Kinds: kinds, Limit: candidates})
	if err != nil {
		return nil, err
	}
	documents := make([]int64, len(found))
	for i, d := range found {
		documents[i] = d.ID
	}
	near, err := tx.Crystals(ctx, store.CrystalFilter{Documents: documents, Projects: projects, Current: true, OldestFirst: true})
	if err == nil && c.Session != 0 {
		var here []store.Kept
		here, err = tx.Crystals(ctx, store.CrystalFilter{Session: c.Session, Projects: projects, Current: true, OldestFirst: true})
		near = append(near, here...)
	}
	return slices.DeleteFunc(near, func(k store.Kept) bool {
		return brain.IsThought(k.Crystal) || !texts.SaidAgain(said, texts.NewStatement(k.Crystal, vocab.TextWords))
	}), err
}

const (
	sentenceWords = 60 // a longer text is no sentence, and is known only word for word
	candidates    = 8  // texts with the same words, the latest first
)

// AddCrystal keeps a crystal as a new one, with the document that makes it findable.
func AddCrystal(ctx context.Context, tx *store.Tx, c memory.Crystal) (out RememberResult, err error) {
	if c.ID == "" {
		if c.ID, err = NewCrystalID(tx); err != nil {
			return out, err
		}
	}
	if c.LastAt.IsZero() {
		c.LastAt = c.SaidAt
	}
	c.Importance = cmp.Or(c.Importance, SaidImportance)
	if c.Lifecycle != memory.Waiting { // it takes nobody's place
		c.Subject = texts.Subject(c)
		if out.Superseded, err = supersede(ctx, tx, &c); err != nil {
			return out, err
		}
	}
	out.Crystal = c
	return out, StoreCrystal(ctx, tx, c)
}

// EndCrystal makes a crystal history.
func EndCrystal(ctx context.Context, tx *store.Tx, c memory.Crystal, why, detail string) error {
	c.ValidTo = tx.Now
	return errors.Join(tx.SaveCrystal(ctx, c), tx.Leave(ctx, store.Trace{Crystal: c.ID, What: why, Detail: detail}))
}

// TakeOut ends a crystal that a person took out of a file, or whose text they changed there: next is what they wrote in its place. A pin
// stays, and so does what does not hold any more.
func TakeOut(ctx context.Context, tx *store.Tx, id, file string, next memory.CrystalID) error {
	c, err := tx.Crystal(ctx, memory.CrystalID(id))
	switch {
	case err != nil || !c.ValidTo.IsZero() || c.Lifecycle == memory.Frozen || c.ID == next:
		return brain.IgnoreNotFound(err)
	case next != "":
		return EndCrystal(ctx, tx, c.Crystal, TraceSuperseded, string(next))
	}
	return EndCrystal(ctx, tx, c.Crystal, TraceWrong, "taken out of "+file)
}

// sayAgain counts that a known text was said once more, and takes over what it is tied to now. Whether the person had to say it although it
// was remembered follows from the trace, the session and its receipts: store.Tx.Misses finds it, dream.Statement.Strength counts it.
func sayAgain(ctx context.Context, settings tuning.Crystal, tx *store.Tx, known, c memory.Crystal) (out RememberResult, err error) {
	again, what := texts.Confirm(texts.NewRules(settings).Use(known, false, c.SaidAt)), TraceSaidAgain
	if c.Session != 0 && c.Source == known.Source { // the same prompt, understood by somebody else too
		again, what = known, traceConfirmed
	}
	again.Importance = max(again.Importance, known.Importance) // it may have been computed for the first time
	again.Heard = texts.HeardAgain(known.Heard, c.Heard)
	again.Anchors = slices.Clone(known.Anchors)
	for _, a := range c.Anchors {
		switch at := slices.IndexFunc(again.Anchors, func(k memory.Anchor) bool { return k.Path == a.Path && k.Symbol == a.Symbol }); {
		case at < 0:
			again.Anchors = append(again.Anchors, a)
		case a.Hash != 0:
			again.Anchors[at].Hash = a.Hash // it speaks of the code as it is now
		}
	}
	again.Marks = memory.CheckMarks(append(slices.Clone(known.Marks), slices.DeleteFunc(slices.Clone(c.Marks), func(m string) bool { return slices.Contains(known.Marks, m) })...))
	out.Known = true
	if c.Subject != "" {
		again.Subject = texts.Subject(c)
		if out.Superseded, err = supersede(ctx, tx, &again); err != nil {
			return out, err
		}
	}
	out.Crystal = again
	return out, errors.Join(tx.SaveCrystal(ctx, again), tx.Leave(ctx, store.Trace{Crystal: again.ID, What: what, Detail: c.Source}))
}

// supersede ends the earlier statements about a crystal's subject, or the crystal itself if it is the earlier one.
func supersede(ctx context.Context, tx *store.Tx, c *memory.Crystal) (ended []memory.CrystalID, err error) {
	if c.Subject == "" {
		return nil, nil
	}
	others, err := tx.Crystals(ctx, store.CrystalFilter{Subject: c.Subject, Projects: []memory.ProjectID{c.Project}, Current: true})
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		if other.SaidAt.After(c.SaidAt) {
			if texts.Supersedes(other.Crystal, *c) && (c.ValidTo.IsZero() || other.SaidAt.Before(c.ValidTo)) {
				c.ValidTo = other.SaidAt
			}
			continue
		}
		if !texts.Supersedes(*c, other.Crystal) {
			continue
		}
		var older memory.Crystal
		*c, older = texts.Supersede(*c, other.Crystal)
		err := errors.Join(tx.SaveCrystal(ctx, older), tx.Leave(ctx, store.Trace{Crystal: older.ID, What: TraceSuperseded, Detail: string(c.ID)}))
		if err != nil {
			return nil, err
		}
		ended = append(ended, older.ID)
	}
	return ended, nil
}

// Keys are files as the project knows them: named from the working directory, by their whole path, or from the project's
// root where there is none of that name in the directory.
func Keys(place memory.Place, dir string, files []string) []string {
	out := make([]string, len(files))
	for i, name := range files {
		path, symbol, tied := strings.Cut(name, "#")
		key := memory.EscapePath(filepath.ToSlash(strings.TrimPrefix(path, "./")))
		if place.Identity != "" {
			there := path
			if !filepath.IsAbs(path) {
				there = filepath.Join(dir, path)
			}
			if _, err := os.Stat(there); err == nil {
				key = project.Key(place, there)
			}
		}
		if out[i] = key; tied {
			out[i] += "#" + symbol
		}
	}
	return out
}

// named are the statements that somebody says a new one replaces, and what an agent lacks to replace them.
func named(ctx context.Context, tx *store.Tx, c memory.Crystal, in RememberInput) (list []memory.Crystal, lacking string, err error) {
	for _, id := range in.Replaces {
		old, err := FindCrystal(ctx, tx, id)
		switch {
		case err != nil:
			return nil, "", err
		case !old.ValidTo.IsZero():
			return nil, "", fmt.Errorf("text %s is history already: replace what holds now (hebb why %s): %w", old.ID, old.ID, memory.ErrConflict)
		case old.Lifecycle == memory.Frozen:
			return nil, "", pinned("replace", old.Crystal)
		case old.Project != c.Project:
			return nil, "", fmt.Errorf("text %s belongs to another project: %w", old.ID, memory.ErrInvalid)
		}
		w, err := warrantFor(ctx, tx, old.Crystal, ProposeReplace, in.Origin, cmp.Or(in.Quote, in.Text))
		if err != nil {
			return nil, "", err
		}
		lacking = cmp.Or(lacking, w.lacking)
		list = append(list, old.Crystal)
	}
	return list, lacking, nil
}
