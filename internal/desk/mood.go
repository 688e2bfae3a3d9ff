package desk

import (
	"context"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	MoodsKept = 500              // that a sparkline is drawn from
	moodFresh = 15 * time.Minute // what happened longer ago moves nothing
)

// MoodFact is the mood after the last event that moved it. A shared store has those of each person.
var MoodFact = store.NewFact[statements.Mood]("mood")

// FeelEvent lets an error that is fixed move the mood. Commands fail all day long and say nothing of how the person feels. Only what
// happens now counts: history that is learned does not.
func FeelEvent(ctx context.Context, tx *store.Tx, e memory.StoredEvent) error {
	if e.Session == 0 && e.Kind != memory.Resolved || tx.Now.Sub(e.At) > moodFresh || e.Agent == memory.AgentPerson {
		return nil
	}
	felt := statements.MoodProgress
	if e.Kind == memory.Resolved { // somebody says so
		felt = statements.MoodAchievement
	} else if e.Kind != memory.ToolUsed || !shell.IsTool(e.Tool) {
		return nil
	}
	fixed, err := tx.Fixed(ctx, e.Project, e.At, MoodsKept)
	if err != nil || !slices.ContainsFunc(fixed, func(f store.Fixed) bool { return f.Event == e.ID }) {
		return err
	}
	return MoveMood(ctx, tx, e.At, felt)
}

// MoveMood moves the mood.
func MoveMood(ctx context.Context, tx *store.Tx, at time.Time, felt statements.MoodEvent) error {
	before, err := Mood(ctx, tx)
	if err != nil {
		return err
	}
	after := before.Feel(at, felt)
	if err := MoodFact.Set(ctx, tx, after); err != nil {
		return err
	}
	return tx.AddMood(ctx, store.Mood{At: at, Reward: after.Reward, Stress: after.Stress, Bond: after.Bond, Why: string(felt)}, MoodsKept)
}

// FeltImportance is the importance of a note about a strong feeling, as designed.
const FeltImportance = 0.8

// Mood is the mood after the last event that moved it; at rest before the first.
func Mood(ctx context.Context, tx *store.Tx) (statements.Mood, error) {
	m, err := MoodFact.Get(ctx, tx)
	if m == (statements.Mood{}) {
		m = statements.RestingMood(time.Time{})
	}
	return m, err
}

// MoodResult is how the work feels.
type MoodResult struct {
	Words string `json:"words"`
	// Effect says what it changes in what is shown; empty: nothing.
	Effect string                 `json:"effect,omitempty"`
	Levels []statements.MoodLevel `json:"levels"`
	// History are the levels after the latest events, oldest first.
	History []store.Mood `json:"history"`
}

// MoodNow says how the work feels.
var MoodNow = brain.Operation[struct{}, MoodResult]{
	Name: "mood",
	Run: func(ctx context.Context, b *brain.Brain, _ struct{}) (MoodResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out MoodResult, err error) {
			m, err := Mood(ctx, tx)
			if err != nil {
				return out, err
			}
			m = m.Now(tx.Now)
			out = MoodResult{Words: m.Words(), Effect: m.Manner().String(), Levels: m.Levels(), History: []store.Mood{}}
			moods, err := tx.Moods(ctx, MoodsKept)
			out.History = append(out.History, moods...)
			slices.Reverse(out.History)
			return out, err
		})
	},
}

// FeelInput is a signal of the user's own.
type FeelInput struct {
	Event string `json:"event"` // reward, friction and the others
}

// Feel lets a person say how it went.
var Feel = brain.NeverBusy(brain.Operation[FeelInput, MoodResult]{
	Name: "feel",
	Run: func(ctx context.Context, b *brain.Brain, in FeelInput) (out MoodResult, err error) {
		event, err := statements.ParseMoodEvent(in.Event)
		if err != nil {
			return out, err
		}
		_, err = brain.Update(ctx, b, func(tx *store.Tx) (struct{}, error) {
			return struct{}{}, MoveMood(ctx, tx, tx.Now, event)
		})
		if err != nil {
			return out, err
		}
		return MoodNow.Run(ctx, b, struct{}{})
	},
}, func(FeelInput) string { return "" })
