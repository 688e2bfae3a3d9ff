package desk

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/mood"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

const (
	MoodsKept = 500              // that a sparkline is drawn from
	moodFresh = 15 * time.Minute // what happened longer ago moves nothing
)

// MoodFact is the mood after the last event that moved it. A shared store has those of each person.
func MoodFact(b *brain.Brain) store.Fact[workmem.Mood] {
	return store.NewFact[workmem.Mood]("mood").About(b.PageKey(""))
}

// FeelEvent lets an event move the mood: what the person says, and an error that is fixed. Commands fail all day long and say nothing of
// how the person feels. Only what happens now counts: history that is learned does not.
func FeelEvent(ctx context.Context, b *brain.Brain, tx *store.Tx, e memory.StoredEvent) error {
	if e.Session == 0 && e.Kind != memory.Resolved || tx.Now.Sub(e.At) > moodFresh {
		return nil
	}
	var felt []workmem.MoodEvent
	switch {
	case e.Kind == memory.Prompted && e.Subagent == "" && e.Origin == memory.OriginUser:
		felt = mood.Recognise(e.Text)
	case e.Kind == memory.Resolved:
		felt = []workmem.MoodEvent{workmem.MoodAchievement}
	}
	if len(felt) == 0 {
		return nil
	}
	return MoveMood(ctx, b, tx, e.At, felt...)
}

// MoveMood moves the mood.
func MoveMood(ctx context.Context, b *brain.Brain, tx *store.Tx, at time.Time, felt ...workmem.MoodEvent) error {
	before, err := Mood(ctx, b, tx)
	if err != nil {
		return err
	}
	after := before.Feel(at, felt...)
	if err := MoodFact(b).Set(ctx, tx, after); err != nil {
		return err
	}
	why := make([]string, len(felt))
	for i, f := range felt {
		why[i] = string(f)
	}
	now := after.Now(at)
	return tx.AddMood(ctx, store.Mood{At: now.At, Reward: now.Reward, Stress: now.Stress, Bond: now.Bond, Why: strings.Join(why, ", ")}, MoodsKept)
}

// FeltImportance is the importance of a note about a strong feeling, as designed.
const FeltImportance = 0.8

// Mood is the mood after the last event that moved it; at rest before the first.
func Mood(ctx context.Context, b *brain.Brain, tx *store.Tx) (workmem.Mood, error) {
	m, err := MoodFact(b).Get(ctx, tx)
	if m == (workmem.Mood{}) {
		m = workmem.RestingMood(time.Time{})
	}
	return m, err
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
var MoodNow = brain.Operation[brain.ListInput, MoodResult]{
	Name: "mood", Summary: "Tell how the work feels, and what moved it",
	Run: func(ctx context.Context, b *brain.Brain, in brain.ListInput) (MoodResult, error) {
		return brain.View(ctx, b, func(tx *store.Tx) (out MoodResult, err error) {
			m, err := Mood(ctx, b, tx)
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
	brain.Scope
	Event string `json:"event"` // reward, friction and the others
	About string `json:"about,omitempty"`

	Origin memory.Origin `json:"origin,omitempty"` // of what is said about it; empty: the user
}

// Feel lets a person say how it went.
var Feel = brain.NeverBusy(brain.Operation[FeelInput, MoodResult]{
	Name: "feel", Summary: "Say how it went: a reward or a friction",
	Run: func(ctx context.Context, b *brain.Brain, in FeelInput) (out MoodResult, err error) {
		event, err := workmem.ParseMoodEvent(in.Event)
		if err != nil {
			return out, err
		}
		_, err = brain.Update(ctx, b, func(tx *store.Tx) (struct{}, error) {
			id, err := b.Resolve(ctx, tx, in.Scope)
			if err != nil {
				return struct{}{}, err
			}
			_, err = tx.Project(ctx, id)
			if err != nil && !brain.IsNotFound(err) {
				return struct{}{}, err
			}
			if in.About != "" {
				if brain.IsNotFound(err) {
					return struct{}{}, fmt.Errorf("nothing is known of this project yet, so nothing can be said of it (hebb init): %w", memory.ErrNotFound)
				}
				_, err := statements.Note(ctx, b, tx, id, statements.NoteInput{Text: in.About, Kind: memory.Lesson, Importance: FeltImportance, Origin: in.Origin, Felt: []string{in.Event}}, tx.Now)
				if err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, MoveMood(ctx, b, tx, tx.Now, event)
		})
		if err != nil {
			return out, err
		}
		return MoodNow.Run(ctx, b, brain.ListInput{Limit: 1})
	},
}, func(in FeelInput) string { return in.About })
