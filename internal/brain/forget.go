package brain

import (
	"context"
	"errors"
	"fmt"
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

// errDryRun rolls back a transaction that only counts.
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
	var chosen forgetting
	err = b.store.View(ctx, func(tx *store.Tx) error {
		out, chosen, err = b.choose(ctx, tx, in)
		return err
	})
	if err != nil || !in.Apply {
		return out, err
	}
	if err := b.beginForgetting(ctx, &chosen); err != nil {
		return out, err
	}
	if err := b.forgetNow(ctx, chosen); err != nil {
		return out, fmt.Errorf("forget: not finished, the next hebb command goes on: %w", err)
	}
	out.Applied = true
	if err := b.learnAnew(ctx); err != nil {
		return out, err
	}
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

// choose finds what is to be forgotten, and counts it by reading.
func (b *Brain) choose(ctx context.Context, tx *store.Tx, in ForgetInput) (out ForgetResult, chosen forgetting, err error) {
	out.Newest = []memory.StoredEvent{}
	var f store.EventFilter
	for _, id := range in.IDs {
		known, err := tx.Crystal(ctx, memory.CrystalID(id))
		switch {
		case err == nil && in.Apply && persons(known.Origin, known.Text, in.By):
			return out, chosen, personsOwn("forget", "text "+string(id))
		case err == nil:
			chosen.Crystals = union(chosen.Crystals, memory.CrystalID(id))
		case isNotFound(err):
			f.IDs = union(f.IDs, id)
		default:
			return out, chosen, err
		}
	}
	out.Texts = int64(len(chosen.Crystals))
	if len(in.IDs) > 0 && len(f.IDs) == 0 {
		return out, chosen, nil
	}
	if len(in.IDs) == 0 {
		if f, err = b.filter(ctx, tx, in.Scope, in.Session); err != nil {
			return out, chosen, err
		}
		f.Origin, f.Since = in.Origin, in.Since
	}
	if in.Project != "" && in.Session == "" && in.Origin == "" && in.Since.IsZero() {
		if chosen.Texts, err = b.named(ctx, tx, in.Project); err == nil {
			out.Texts, err = tx.CountTexts(ctx, chosen.Texts)
		}
		if err == nil && in.Apply && !byUser(in.By) {
			err = personsOwn("forget", "project "+scrub.Line(in.Project))
		}
		if err != nil {
			return out, chosen, err
		}
	}
	if err := mayForget(ctx, tx, f, in); err != nil {
		return out, chosen, err
	}
	err = b.chooseEvents(ctx, tx, f, &out, &chosen)
	if isNotFound(err) && out.Texts > 0 && len(in.IDs) == 0 {
		err = nil // the project has nothing but texts
	}
	return out, chosen, err
}

// chooseEvents counts and shows the events that a filter chooses.
func (b *Brain) chooseEvents(ctx context.Context, tx *store.Tx, f store.EventFilter, out *ForgetResult, chosen *forgetting) (err error) {
	sample := f
	if len(f.IDs) == 0 {
		sample.Limit = forgetSample
	}
	if out.Newest, err = tx.Events(ctx, sample); err != nil {
		return err
	}
	for _, id := range f.IDs {
		if !slices.ContainsFunc(out.Newest, func(e memory.StoredEvent) bool { return e.ID == id }) {
			return fmt.Errorf("forget: event %s: %w", id, memory.ErrNotFound)
		}
	}
	if len(out.Newest) == 0 {
		out.Newest = []memory.StoredEvent{}
		return fmt.Errorf("forget: events like that: %w", memory.ErrNotFound)
	}
	if out.Forgotten, err = tx.CountForgotten(ctx, f, chosen.Texts != 0); err != nil {
		return err
	}
	chosen.Events = []store.EventFilter{f}
	return chosen.addPlaces(ctx, tx, f)
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
