package brain

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

const (
	moodsKept = 500              // that a sparkline is drawn from
	moodFresh = 15 * time.Minute // what happened longer ago is heard of, not felt
)

// moodFact is how it was when it was last moved, and moodAutoFact when a note was last made by itself, unix milliseconds. A shared store
// has those of each person.
func (b *Brain) moodFact() store.Fact[string] {
	return store.NewFact[string]("mood").About(b.pageKey(""))
}

func (b *Brain) moodAutoFact() store.Fact[int64] {
	return store.NewFact[int64]("mood/auto").About(b.pageKey(""))
}

// feelEvent lets an event move the mood. Only what happens now is felt: history that is learned is not.
func (b *Brain) feelEvent(ctx context.Context, tx *store.Tx, e memory.StoredEvent) error {
	if e.Session == 0 && e.Kind != memory.Committed || tx.Now.Sub(e.At) > moodFresh {
		return nil
	}
	var felt []workmem.MoodEvent
	about := e.Text
	switch e.Kind {
	case memory.Prompted:
		if e.Subagent == "" {
			felt = workmem.RecogniseMood(e.Text, e.Origin)
		}
	case memory.TurnEnded:
		felt = workmem.RecogniseMood(e.Text, memory.OriginAgent)
	case memory.ToolFailed:
		felt = workmem.OfOutcome(true, false, false, false)
		about, _, _ = strings.Cut(e.Input, "\n")
	case memory.Committed: // while somebody works: history that is learned moves nothing
		open, err := tx.Sessions(ctx, store.SessionFilter{Project: e.Project, Open: true, Limit: 1})
		if err != nil {
			return err
		}
		if len(open) > 0 && !e.At.Before(open[0].OpenedAt) {
			felt = workmem.OfOutcome(false, true, false, false)
		}
	case memory.Resolved:
		felt = workmem.OfOutcome(false, false, false, true)
	}
	if len(felt) == 0 {
		return nil
	}
	return b.feel(ctx, tx, e.Project, e.At, about, felt...)
}

// feel moves the mood, and notes by itself what lifted it high.
func (b *Brain) feel(ctx context.Context, tx *store.Tx, project memory.ProjectID, at time.Time, about string, felt ...workmem.MoodEvent) error {
	before, err := b.mood(ctx, tx)
	if err != nil {
		return err
	}
	after := before.Feel(at, felt...)
	if err := b.moodFact().Set(ctx, tx, after.Encode()); err != nil {
		return err
	}
	why := make([]string, len(felt))
	for i, f := range felt {
		why[i] = string(f)
	}
	now := after.Now(at)
	if err := tx.AddMood(ctx, store.Mood{At: now.At, Reward: now.Reward, Stress: now.Stress, Bond: now.Bond, Why: strings.Join(why, ", ")}, moodsKept); err != nil {
		return err
	}
	last, err := b.moodAutoFact().Get(ctx, tx)
	if err != nil {
		return err
	}
	text, noted := workmem.AutoNote(before, after, about, time.UnixMilli(last), at)
	if !noted {
		return nil
	}
	if err := b.moodAutoFact().Set(ctx, tx, at.UnixMilli()); err != nil {
		return err
	}
	_, err = b.note(ctx, tx, project, NoteInput{Text: text, Importance: FeltImportance, Kind: memory.Episode, Origin: memory.OriginAgent, Felt: why}, at)
	return err
}

// FeltImportance is the importance of a note about a strong feeling, as designed.
const FeltImportance = 0.8

// valenceOf is how good or bad events feel to somebody at rest: the reward they bring less the stress, -1 to 1.
func valenceOf(at time.Time, felt []string) (float64, error) {
	rest := workmem.Mood{}.Now(at)
	moved := rest
	for _, name := range felt {
		event, err := workmem.ParseMoodEvent(name)
		if err != nil {
			return 0, err
		}
		moved = moved.Feel(at, event)
	}
	return max(-1, min((moved.Reward-rest.Reward)-(moved.Stress-rest.Stress), 1)), nil
}

// mood is how it was when it was last moved.
func (b *Brain) mood(ctx context.Context, tx *store.Tx) (workmem.Mood, error) {
	text, err := b.moodFact().Get(ctx, tx)
	if err != nil {
		return workmem.Mood{}, err
	}
	return workmem.ParseMood(text)
}

// MoodResult is how the work feels.
type MoodResult struct {
	Words     string              `json:"words"`
	Attention string              `json:"attention"`
	Levels    []workmem.MoodLevel `json:"levels"`
	// History are the levels after the latest events, oldest first.
	History []MoodMoment `json:"history"`
}

// MoodMoment is a mood after an event.
type MoodMoment struct {
	At     time.Time `json:"at"`
	Reward float64   `json:"reward"`
	Stress float64   `json:"stress"`
	Bond   float64   `json:"bond"`
	Why    string    `json:"why"`
}

// MoodNow says how the work feels.
var MoodNow = Operation[ListInput, MoodResult]{
	Name: "mood", Summary: "Tell how the work feels, and what moved it",
	Run: func(ctx context.Context, b *Brain, in ListInput) (MoodResult, error) {
		return viewed(ctx, b, func(tx *store.Tx) (out MoodResult, err error) {
			m, err := b.mood(ctx, tx)
			if err != nil {
				return out, err
			}
			m = m.Now(tx.Now)
			out = MoodResult{Words: m.Words(), Attention: m.Attention(), Levels: m.Levels(), History: []MoodMoment{}}
			moods, err := tx.Moods(ctx, max(in.Limit, 1))
			for i := len(moods) - 1; i >= 0; i-- {
				one := moods[i]
				out.History = append(out.History, MoodMoment{one.At, one.Reward, one.Stress, one.Bond, one.Why})
			}
			return out, err
		})
	},
}

// FeelInput is a signal of the user's own.
type FeelInput struct {
	Scope
	Event string `json:"event"` // reward, friction and the others
	About string `json:"about,omitempty"`

	Origin memory.Origin `json:"origin,omitempty"` // of what is said about it; empty: the user
}

// Feel lets a person say how it went.
var Feel = neverBusy(Operation[FeelInput, MoodResult]{
	Name: "feel", Summary: "Say how it went: a reward or a friction",
	Run: func(ctx context.Context, b *Brain, in FeelInput) (out MoodResult, err error) {
		event, err := workmem.ParseMoodEvent(in.Event)
		if err != nil {
			return out, err
		}
		_, err = updated(ctx, b, func(tx *store.Tx) (struct{}, error) {
			id, err := b.resolve(ctx, tx, in.Scope)
			if err != nil {
				return struct{}{}, err
			}
			_, err = tx.Project(ctx, id)
			if err != nil && !isNotFound(err) {
				return struct{}{}, err
			}
			if in.About != "" {
				if isNotFound(err) {
					return struct{}{}, fmt.Errorf("nothing is known of this project yet, so nothing can be said of it (hebb init): %w", memory.ErrNotFound)
				}
				_, err := b.note(ctx, tx, id, NoteInput{Text: in.About, Kind: memory.Lesson, Importance: FeltImportance, Origin: in.Origin, Felt: []string{in.Event}}, tx.Now)
				if err != nil {
					return struct{}{}, err
				}
			}
			if isNotFound(err) {
				id = 0
			}
			return struct{}{}, b.feel(ctx, tx, id, tx.Now, in.About, event)
		})
		if err != nil {
			return out, err
		}
		return MoodNow.Run(ctx, b, ListInput{Limit: 1})
	},
}, func(in FeelInput) string { return in.About })
