// Package answer says what a task needs at a moment: at the prompt and at the start of a session, within a budget and with a receipt. It
// reads the rooms below and writes nothing.
package answer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// prompt answers a prompt with what the work will need. One that names nothing and holds no error needs nothing. receipts are of what the session is
// shown with the same answer.
func prompt(ctx context.Context, s sheet, receipts ...memory.Event) (Shown, error) {
	e := s.to
	if !isTask(e) {
		return Shown{}, nil
	}
	if _, _, failed := ranking.Met(e.Place.Project(), brain.Question(e.Text)); !failed && !tells(e.Text) {
		return Shown{}, nil
	}
	s.waiting = append(s.waits(), receipts...)
	return brain.View(ctx, s.brain.Store, func(tx *store.Tx) (Shown, error) { return newReply(s, tx).compose(ctx) })
}

const (
	promptsAsked = 3   // prompts before this one that a short one goes on with
	minPrompt    = 5   // characters; a shorter prompt is no task: yes, ok, go
	leastTold    = 4.5 // weight of its words from which a prompt can name files: one name, or two common words (go 1.4, faster 3.9, a name 5)
	maxPath      = 240 // bytes; longer than paths of real projects, and no room for an essay in a name
	likelyIfNear = 0.6 // confidence that marks a file as likely if past commits agree (test vectors of the design)
	nearShare    = 0.5 // share of the nearest commits, by likeness, that counts as agreement (likewise)
)

// isTask distinguishes a task, of a person or of a program, from a word between two of them, from commands to the agent itself,
// and from what the agent's own machinery says in a person's place.
func isTask(e memory.Event) bool {
	text := strings.TrimSpace(e.Text)
	if e.Kind != memory.Prompted || e.Origin != memory.OriginUser && e.Origin != memory.OriginAgent || e.Subagent != "" || e.AgentSession == "" {
		return false
	}
	return utf8.RuneCountInString(text) >= minPrompt && !record.IsCommand(text)
}

// reply is an answer to one prompt in the making.
type reply struct {
	sheet
	tuning  tuning.Hook
	first   bool            // it is the session's first prompt
	prompts []string        // those before it, latest first
	opened  []string        // files the session has opened, latest first
	spent   map[string]bool // files it was shown of late
}

func newReply(s sheet, tx *store.Tx) *reply {
	t := s.brain.Config.Tuning.Hook
	r := &reply{sheet: s.at(memory.AtPrompt, t.ShowTokens), tuning: t, first: true, spent: map[string]bool{}}
	r.tx = tx
	return r
}

// tells reports whether a prompt can name files and memories: a word such as go or faster leads to some file, and means
// none.
func tells(text string) bool {
	return statements.Told(vocab.TextWords(text), embedding.GeneralRow) >= leastTold
}

func (r *reply) compose(ctx context.Context) (out Shown, err error) {
	if err := r.lookBack(ctx); err != nil {
		return out, err
	}
	found, err := ranking.RecallFiles(ctx, r.brain, r.tx, ranking.RecallInput{
		Scope: brain.Scope{Project: r.project.String()}, Text: r.to.Text, Earlier: r.prompts, Open: r.opened, Next: true,
	})
	if err != nil && !brain.IsNotFound(err) { // where nothing is known of the project, what holds everywhere may be needed
		return out, err
	}
	r.fixes(found.Fixes)
	var offers []rival
	if tells(r.to.Text) {
		if offers, err = r.needed(ctx); err != nil {
			return out, err
		}
		files, err := r.files(ctx, found.Files)
		if err != nil {
			return out, err
		}
		offers = append(offers, files...)
	}
	slices.SortStableFunc(offers, func(a, b rival) int { return brain.CompareDown(a.probability, b.probability) })
	for _, o := range offers {
		o.add()
	}
	return r.result()
}

// lookBack gathers what the session has seen and done, from the store and from what waits for it.
func (r *reply) lookBack(ctx context.Context) error {
	if err := r.sheet.lookBack(ctx); err != nil {
		return err
	}
	touches, err := r.tx.TouchesBefore(ctx, r.session, math.MaxInt64, ranking.OpenTouches)
	if err != nil {
		return err
	}
	prompts, err := r.tx.Events(ctx, store.EventFilter{Session: r.session, Kind: memory.Prompted, Limit: promptsAsked + 1, Bare: true})
	if err != nil {
		return err
	}
	said := func(e memory.Event) {
		if e.Kind != memory.Prompted || e.ID == r.to.ID {
			return
		}
		r.first = false
		if e.Origin != memory.OriginUser || e.Subagent != "" {
			return // nobody typed it
		}
		if len(r.prompts) < promptsAsked && !record.IsCommand(strings.TrimSpace(e.Text)) {
			r.prompts = append(r.prompts, e.Text)
		}
	}
	for _, e := range slices.Backward(r.waiting) {
		said(e)
		for _, t := range slices.Backward(e.Touches) {
			r.open(t.Kind, t.Path)
		}
	}
	for _, e := range prompts {
		said(e.Event)
	}
	for _, t := range touches {
		r.open(t.Kind, t.Path)
	}
	for _, l := range r.earlier {
		if !l.Held && r.tx.Now.Sub(l.ShownAt) < r.tuning.Refractory {
			r.spent[l.Path] = true
		}
	}
	mood, err := desk.Mood(ctx, r.tx)
	if err != nil {
		return err
	}
	manner := mood.Now(r.tx.Now).Manner() // fixes come first in any mood
	r.budget, r.tuning.ShowFiles = manner.Lines(r.budget), manner.Lines(r.tuning.ShowFiles)
	r.held, err = r.heldOut(ctx, r.tuning)
	return err
}

func (r *reply) open(kind memory.TouchKind, path string) {
	if (kind == memory.Read || kind == memory.Edit) && !slices.Contains(r.opened, path) {
		r.opened = append(r.opened, path)
	}
}

// fixes adds the files that fixed the prompt's error before.
func (r *reply) fixes(found []ranking.Recalled) {
	slices.SortStableFunc(found, func(a, b ranking.Recalled) int { return brain.CompareDown(a.Confidence, b.Confidence) })
	for _, f := range found {
		if len(r.lines) == r.tuning.ShowFixes {
			return
		}
		if f.Confidence >= recall.Gate(r.tuning.Precision) && r.worthShowing(f.Path) {
			r.add(suggestion(memory.OfferFix, f), fmt.Sprintf("%s %s (%s)", record.ShownName(f.Path), shownReason(f.Reason), percent(f.Confidence)))
		}
	}
}

// rival is a line that competes with others for the room of an answer.
type rival struct {
	probability float64 // that the task needs it
	add         func()
}

// files offers what the task needs. At the first prompt of a session the surest are marked.
func (r *reply) files(ctx context.Context, found []ranking.Recalled) (offers []rival, err error) {
	var chosen []ranking.Recalled
	for _, f := range found {
		shown := f.Confidence >= recall.Gate(r.tuning.Precision) && len(chosen) < r.tuning.ShowFiles
		judged := len(r.ranked.Files) < recall.JudgedAnswers
		if !shown && !judged {
			break // no later one is surer
		}
		if !r.worthShowing(f.Path) {
			continue
		}
		if shown {
			chosen = append(chosen, f)
		}
		if judged {
			r.ranked.Add(f.Path, f.Answer())
		}
	}
	marked, err := r.mark(ctx, chosen)
	if err != nil {
		return nil, err
	}
	reasoned := slices.Clone(chosen)
	if err := ranking.GiveReasons(ctx, r.tx, reasoned); err != nil {
		return nil, err
	}
	for i, kinds := range chosen {
		offers = append(offers, rival{kinds.Confidence, func() {
			if f := reasoned[i]; f.Reason == kinds.Reason || !r.addFile(f, f.Reason, marked[i]) {
				r.addFile(kinds, "", marked[i]) // the names of kinds of evidence are for people, in the receipt
			}
		}})
	}
	return offers, nil
}

// addFile adds a line about a file, if it may be shown, with what happened before that makes it likely.
func (r *reply) addFile(f ranking.Recalled, before string, marked bool) bool {
	s, about := suggestion(memory.OfferFile, f), percent(f.Confidence)
	if marked {
		s.Offer = memory.OfferPreload
		about += ", most likely"
	}
	if before != "" {
		about += "; " + shownReason(before)
	}
	return r.add(s, fmt.Sprintf("%s (%s)", record.ShownName(f.Path), about))
}

// mark chooses the files so likely that an agent does well to begin with them: recall alone is sure, or the past
// commits most like the prompt say the same.
func (r *reply) mark(ctx context.Context, files []ranking.Recalled) (marked []bool, err error) {
	marked = make([]bool, len(files))
	if !r.first {
		return marked, nil
	}
	var near map[string]float64
	left := r.tuning.PreloadFiles
	for i := range files {
		f := &files[i]
		if left == 0 || f.Confidence < min(r.tuning.PreloadSure, likelyIfNear) {
			continue
		}
		if near == nil {
			if near, err = ranking.ChangeSets(ctx, r.brain, r.tx, r.project, r.to.Text); err != nil {
				return nil, err
			}
		}
		// What is shown stays the chance that experience gives it: the same commits have made it already.
		if marked[i] = likely(r.tuning, f.Confidence, near[f.Path]); marked[i] {
			left--
		}
	}
	return marked, nil
}

// likely says whether a file is to be marked: recall is sure of it, or half sure and past commits name it too.
func likely(t tuning.Hook, confidence, near float64) bool {
	return confidence >= t.PreloadSure || confidence >= likelyIfNear && near >= nearShare
}

// worthShowing leaves out what the session has seen, files that are gone, generated ones, and names that cannot be shown as they are.
func (r *reply) worthShowing(path string) bool {
	known := r.never[path] || r.spent[path] || slices.Contains(r.opened, path) ||
		slices.ContainsFunc(r.lines, func(s memory.Suggestion) bool { return s.Path == path })
	return !known && r.code.Has(path) && ranking.ShownPath(path) && len(path) <= maxPath && ranking.Keeps(path)
}

func suggestion(offer memory.Offer, r ranking.Recalled) memory.Suggestion {
	return memory.Suggestion{
		Offer: offer, Path: r.Path, Score: rounded(r.Score), Confidence: rounded(r.Confidence), Reason: r.Reason,
	}
}

// rounded keeps receipts short.
func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// shownReason is a reason on one line. It is hebb's own wording; what it quotes might not be.
func shownReason(reason string) string { return scrub.Quote(scrub.Line(reason)) }
