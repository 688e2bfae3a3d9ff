package brain

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// ForgetInput chooses what to forget: events by ID, or all that the other fields describe together. A project named
// by Scope.Project alone is forgotten whole.
type ForgetInput struct {
	Scope
	IDs     []memory.EventID `json:"ids,omitempty"`
	Session string           `json:"session,omitempty"`
	Origin  memory.Origin    `json:"origin,omitempty"`
	Since   time.Time        `json:"since,omitzero"`
	// Apply carries it out; without it the counts are what would go.
	Apply bool `json:"apply,omitempty"`
	// By is who asks; empty: the user. Anybody else forgets nothing that the user said.
	By memory.Origin `json:"by,omitempty"`
}

// ForgetResult tells what went, or would go.
type ForgetResult struct {
	store.Forgotten
	// Texts that were remembered, with all that makes them findable.
	Texts int64 `json:"texts"`
	// Newest are a few of them, to recognise what was chosen.
	Newest  []memory.StoredEvent `json:"newest"`
	Applied bool                 `json:"applied"`
	// Warning says what could not be finished.
	Warning string `json:"warning,omitempty"`
}

// Forget deletes memories and restores everything derived from them, as if they had never been seen.
var Forget = Operation[ForgetInput, ForgetResult]{
	Name: "forget", Summary: "Forget events, as if they had never been seen",
	Run: func(ctx context.Context, b *Brain, in ForgetInput) (ForgetResult, error) { return b.forget(ctx, in) },
}

// errDryRun undoes the transaction of a dry run: it counts by doing.
var errDryRun = errors.New("dry run")

// forgetSample is how many of the chosen events are shown.
const forgetSample = 10

func (b *Brain) forget(ctx context.Context, in ForgetInput) (out ForgetResult, err error) {
	described := in.Session != "" || in.Origin != "" || !in.Since.IsZero() || in.Project != ""
	if len(in.IDs) == 0 && !described {
		return out, fmt.Errorf("forget: say what: event IDs, --session, --origin, --since or --project: %w", memory.ErrInvalid)
	}
	if len(in.IDs) > 0 && described {
		return out, fmt.Errorf("forget: choose by IDs or by description, not both: %w", memory.ErrInvalid)
	}
	err = b.recording(ctx, b.store.UpdateDurable, func(r *recorder) error {
		out = ForgetResult{Newest: []memory.StoredEvent{}}
		left, err := b.forgetTexts(ctx, r.tx, in, &out)
		if err != nil {
			return err
		}
		var filters []store.EventFilter
		if len(in.IDs) == 0 || len(left.IDs) > 0 {
			if filters, err = b.chosen(ctx, r.tx, left); err != nil {
				return err
			}
		}
		touched := reaches{}
		for _, f := range filters {
			if err := mayForget(ctx, r.tx, f, in); err != nil {
				return err
			}
			reached, err := b.forgetChosen(ctx, r.tx, f, &out)
			if isNotFound(err) && out.Texts > 0 && len(in.IDs) == 0 {
				continue // it had nothing but texts
			}
			if err != nil {
				return err
			}
			touched.add(reached)
		}
		if !in.Apply {
			return errDryRun
		}
		return r.relearnAll(ctx, touched)
	})
	if errors.Is(err, errDryRun) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Applied = true
	if err := errors.Join(b.forgetFiles(ctx), b.sweepBackups(ctx)); err != nil {
		return out, err
	}
	if out.Warning, err = b.tidy(ctx); err != nil {
		return out, err
	}
	if err := b.renewDaily(ctx); err != nil {
		return out, fmt.Errorf("forgotten, but automatic backups in %s may still hold it: %w", b.config.Backups(), err)
	}
	return out, nil
}

// mayForget refuses an agent that would delete what the person said in sessions.
func mayForget(ctx context.Context, tx *store.Tx, f store.EventFilter, in ForgetInput) error {
	if !in.Apply || byUser(in.By) || f.Origin != "" && f.Origin != memory.OriginUser {
		return nil
	}
	f.Origin, f.Limit = memory.OriginUser, 1
	said, err := tx.Events(ctx, f)
	if err == nil && len(said) > 0 {
		err = personsOwn("forget", fmt.Sprintf("part of this (such as %s)", said[0].ID))
	}
	return err
}

// tidy makes deleted bytes unreadable, and says if that has to wait.
func (b *Brain) tidy(ctx context.Context) (warning string, err error) {
	if b.carrying != nil {
		return "", nil
	}
	if err = b.store.Tidy(ctx); errors.Is(err, memory.ErrConflict) {
		return "another process is reading the store, so the deleted bytes stay in its log a little longer", nil
	}
	return "", err
}

// forgetTexts deletes what was remembered: texts by their IDs, all of a project that is forgotten whole. It returns what is
// left to forget.
func (b *Brain) forgetTexts(ctx context.Context, tx *store.Tx, in ForgetInput, out *ForgetResult) (left ForgetInput, err error) {
	left = in
	left.IDs = nil
	for _, id := range in.IDs {
		gone, missing := tx.Crystal(ctx, memory.CrystalID(id))
		if missing == nil && in.Apply && persons(gone.Origin, gone.Text, in.By) {
			return left, personsOwn("forget", "text "+string(id))
		}
		err := tx.DeleteCrystal(ctx, memory.CrystalID(id))
		switch {
		case err == nil:
			out.Texts++
			if missing == nil {
				if err := errors.Join(b.forgetTextInStates(ctx, tx, gone.Crystal), forgetThoughts(ctx, tx, gone.ID)); err != nil {
					return left, err
				}
			}
		case isNotFound(err):
			left.IDs = append(left.IDs, id)
		default:
			return left, err
		}
	}
	if in.Project == "" || in.Session != "" || in.Origin != "" || !in.Since.IsZero() {
		return left, nil
	}
	id, err := b.named(ctx, tx, in.Project)
	if err != nil {
		return left, err
	}
	if in.Apply && !byUser(in.By) {
		return left, personsOwn("forget", "project "+scrub.Line(in.Project))
	}
	n, err := tx.DropTexts(ctx, id)
	if err != nil {
		return left, err
	}
	out.Texts += n
	if _, err := tx.DropGoals(ctx, id); err != nil {
		return left, err
	}
	for _, fact := range []string{pointersFact(id), phasesFact(id), dreamsFact(id), seedFact(id)} {
		if err := tx.SetMeta(ctx, fact, ""); err != nil {
			return left, err
		}
	}
	return left, errors.Join(tx.DropStates(ctx, id, 0), forgetGaps(ctx, tx, id, ""))
}

// chosen turns the input into filters: one per ID, or one that describes.
func (b *Brain) chosen(ctx context.Context, tx *store.Tx, in ForgetInput) (filters []store.EventFilter, err error) {
	for _, id := range in.IDs {
		filters = append(filters, store.EventFilter{ID: id})
	}
	if len(filters) > 0 {
		return filters, nil
	}
	f, err := b.filter(ctx, tx, in.Scope, in.Session)
	f.Origin, f.Since = in.Origin, in.Since
	return []store.EventFilter{f}, err
}

// reaches are what forgotten events reached, by project.
type reaches map[memory.ProjectID]*store.Reach

func (r reaches) add(more reaches) {
	for id, reach := range more {
		if known, ok := r[id]; ok {
			known.Add(reach)
		} else {
			r[id] = reach
		}
	}
}

// relearnAll learns anew what was reached in each project.
func (r *recorder) relearnAll(ctx context.Context, reached reaches) error {
	for _, id := range slices.Sorted(maps.Keys(reached)) {
		if err := r.relearn(ctx, id, reached[id]); err != nil {
			return err
		}
	}
	return nil
}

// forgetChosen forgets what one filter describes and returns what that reached, by the projects it belonged to.
func (b *Brain) forgetChosen(ctx context.Context, tx *store.Tx, f store.EventFilter, out *ForgetResult) (reaches, error) {
	sample := f
	sample.Limit = forgetSample
	newest, err := tx.Events(ctx, sample)
	if err != nil {
		return nil, err
	}
	if len(newest) == 0 && f.ID != "" {
		return nil, fmt.Errorf("forget: event %s: %w", f.ID, memory.ErrNotFound)
	}
	if len(newest) == 0 {
		return nil, fmt.Errorf("forget: events like that: %w", memory.ErrNotFound)
	}
	reached, err := tx.ReachOf(ctx, f)
	if err != nil {
		return nil, err
	}
	words, sessions, err := b.wordsOf(ctx, tx, f)
	if err != nil {
		return nil, err
	}
	gone, kept, err := tx.Forget(ctx, f)
	if err != nil {
		return nil, err
	}
	for _, id := range kept {
		if err := errors.Join(b.restoreIntent(ctx, tx, id), untell(ctx, tx, id), b.restoreTexts(ctx, tx, id)); err != nil {
			return nil, err
		}
	}
	for id := range reached {
		if err := errors.Join(b.forgetInState(ctx, tx, id, words, false), b.forgetDerived(ctx, tx, id, words, sessions)); err != nil {
			return nil, err
		}
	}
	out.Newest = append(out.Newest, newest...)
	out.Add(gone)
	return reached, nil
}

// forgetTextInStates takes a text that was deleted out of the states that tell it.
func (b *Brain) forgetTextInStates(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	piece := strings.HasPrefix(c.Source, adoptedSource)
	if c.Project != 0 {
		return b.forgetInState(ctx, tx, c.Project, c.Text, piece)
	}
	projects, err := tx.Projects(ctx)
	if err != nil {
		return err
	}
	for _, p := range projects {
		if err := b.forgetInState(ctx, tx, p.ID, c.Text, piece); err != nil {
			return err
		}
	}
	return nil
}

// wordsOf is what the events of a filter say, and what was told of their sessions.
func (b *Brain) wordsOf(ctx context.Context, tx *store.Tx, f store.EventFilter) (words string, seen map[memory.SessionID]bool, err error) {
	var said strings.Builder
	seen = map[memory.SessionID]bool{}
	events, err := tx.Events(ctx, f)
	if err != nil {
		return "", seen, err
	}
	for _, e := range events {
		said.WriteString(e.Text + "\n")
		if e.Session == 0 || seen[e.Session] {
			continue
		}
		seen[e.Session] = true
		s, err := tx.Session(ctx, e.Session)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return "", seen, err
		}
		if !s.Told() {
			said.WriteString(s.Happened + "\n" + s.Learned + "\n" + s.Next + "\n")
		}
	}
	return said.String(), seen, nil
}

// forgetDerived deletes goals that came from forgotten sessions, connections to what happened there, and notes that hebb made of
// what was said there.
func (b *Brain) forgetDerived(ctx context.Context, tx *store.Tx, id memory.ProjectID, words string, sessions map[memory.SessionID]bool) error {
	goals, err := tx.Goals(ctx, false, id)
	if err != nil {
		return err
	}
	forgotten := spaced(words)
	for _, g := range goals {
		read := sessions[g.From] || noticedGap(g) // nobody stated it apart from what is forgotten
		if read && quotes(plainWords(g.Title+" . "+g.Text), forgotten) {
			if err := tx.DeleteGoal(ctx, g.ID); err != nil {
				return err
			}
		}
	}
	thoughts, err := tx.Thoughts(ctx, id, time.Time{}, math.MaxInt32)
	if err != nil {
		return err
	}
	for _, t := range thoughts {
		if quotes(plainWords(t.Episode), forgotten) {
			if err := tx.DeleteThought(ctx, t.ID); err != nil {
				return err
			}
		}
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}})
	if err != nil {
		return err
	}
	for _, c := range kept {
		made := c.Source == "MEMORY.md" || hebbsOwn(c.Crystal) || c.Source == "note" && (strings.HasPrefix(c.Text, automatic) || c.Kind == memory.Insight)
		if made && c.Origin != memory.OriginUser && quotes(plainWords(c.Text), forgotten) {
			if err := tx.DeleteCrystal(ctx, c.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// spaced is a text as words between blanks.
func spaced(text string) string { return " " + strings.Join(plainWords(text), " ") + " " }

// Words in a row that stand in both make one text quote the other: so many, or two of which one is long. It is asked only of
// texts that hebb made itself, so rather one too many goes.
const (
	quotedRun  = 5
	quotedLong = 8 // letters of a word that two texts do not share by chance
)

// quotes reports whether a text has words in a row from another, which stands as words between blanks.
func quotes(words []string, other string) bool {
	for i := range words {
		if i+quotedRun <= len(words) && strings.Contains(other, " "+strings.Join(words[i:i+quotedRun], " ")+" ") {
			return true
		}
		if i+1 < len(words) && max(len(words[i]), len(words[i+1])) >= quotedLong && strings.Contains(other, " "+words[i]+" "+words[i+1]+" ") {
			return true
		}
	}
	return false
}

// saidIn reports whether a line that was copied from a person's file is forgotten with another text: with the piece that holds
// it whatever it says of that, with what was said elsewhere only if that says all of it. A word in common is no reason.
func saidIn(line, other string, piece bool) bool {
	words := plainWords(line)
	whole := len(words) > 0 && strings.Contains(other, " "+strings.Join(words, " ")+" ")
	return whole && (piece || len(words) >= quotedRun) || piece && quotes(words, other)
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// forgetInState takes lines out of a project's state that say what is forgotten; piece says that it is part of an adopted file. Earlier states go with it: they may say it too.
func (b *Brain) forgetInState(ctx context.Context, tx *store.Tx, id memory.ProjectID, words string, piece bool) error {
	if strings.TrimSpace(words) != "" {
		if err := errors.Join(forgetGaps(ctx, tx, id, words), b.forgetBackups(ctx, tx, id, words, piece)); err != nil {
			return err
		}
	}
	s, known, err := b.state(ctx, tx, id)
	if err != nil || !known || strings.TrimSpace(words) == "" {
		return err
	}
	changed := false
	forgotten := spaced(words)
	written, err := b.writtenState(ctx, tx, id)
	if err != nil {
		return err
	}
	for section := range workmem.SectionCount {
		var left []string
		for _, item := range workmem.SplitItems(s.Sections[section]) {
			if slices.Contains(workmem.SplitItems(written.Sections[section]), item) && quotes(plainWords(item), forgotten) {
				changed = true
				continue
			}
			left = append(left, item)
		}
		s.Sections[section] = strings.Join(left, "\n")
	}
	if above := workmem.CutSeeds(s.Above, func(line string) bool { return saidIn(line, forgotten, piece) }); above != s.Above {
		s.Above, changed = above, true
	}
	states, err := tx.States(ctx, id)
	if err != nil {
		return err
	}
	if !changed && !slices.ContainsFunc(states, func(s store.StateText) bool { return quotes(plainWords(s.Text), forgotten) }) {
		return nil
	}
	saved, err := b.saveState(ctx, tx, id, s, stateByRules)
	if err != nil {
		return err
	}
	person, err := tx.State(ctx, 0)
	if err != nil {
		return err
	}
	return errors.Join(tx.DropStates(ctx, id, saved), tx.DropStates(ctx, 0, person.ID))
}

// restoreTexts makes findable what is left of a session. What was said beside the forgotten held its words too.
func (b *Brain) restoreTexts(ctx context.Context, tx *store.Tx, id memory.SessionID) error {
	turns, err := tx.Said(ctx, id, math.MaxInt64, math.MaxInt32)
	if err != nil {
		return err
	}
	docs, err := b.turnDocuments(ctx, tx, turns, 0, len(turns))
	if err != nil {
		return err
	}
	if _, err = b.addDocuments(ctx, tx, docs); err != nil {
		return err
	}
	s, err := tx.Session(ctx, id)
	if err != nil || s.Open() { // it is cut into stretches when it closes
		return err
	}
	return b.indexWindows(ctx, tx, s)
}

// untell takes back what rules said of a session: it may have come from the forgotten. They say it anew.
func untell(ctx context.Context, tx *store.Tx, id memory.SessionID) error {
	s, err := tx.Session(ctx, id)
	if err != nil {
		return err
	}
	return tx.SaveSession(ctx, s.Untold())
}

// restoreIntent takes the intent from what is left, for the forgotten prompt may have been its source.
func (b *Brain) restoreIntent(ctx context.Context, tx *store.Tx, id memory.SessionID) error {
	s, err := tx.Session(ctx, id)
	if err != nil || s.IntentByHand {
		return err
	}
	prompt, err := tx.FirstPrompt(ctx, id)
	if err != nil {
		return err
	}
	s.Intent = intent(prompt, b.config.Tuning.Session.IntentLength)
	return tx.SaveSession(ctx, s)
}
