package desk

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

const (
	MoodsKept = 500              // that a sparkline is drawn from
	moodFresh = 15 * time.Minute // what happened longer ago moves nothing
	moodLasts = 4 * time.Hour    // after which nothing is left of what moved it: four half-lives and more
)

// MoodFact is the mood after the last event that moved it. A shared store has those of each person.
func MoodFact(b *brain.Brain) store.Fact[statements.Mood] {
	return store.NewFact[statements.Mood]("mood").About(b.PageKey(""))
}

// FeelEvent lets an event move the mood: what the person says, and an error that is fixed. Commands fail all day long and say nothing of
// how the person feels. Only what happens now counts: history that is learned does not.
func FeelEvent(ctx context.Context, b *brain.Brain, tx *store.Tx, e memory.StoredEvent) error {
	if e.Session == 0 && e.Kind != memory.Resolved || tx.Now.Sub(e.At) > moodFresh {
		return nil
	}
	var felt []statements.MoodEvent
	for _, s := range moving(e) {
		felt = append(felt, s.Event)
	}
	if e.Kind == memory.Resolved || e.Kind == memory.ToolUsed && shell.IsTool(e.Tool) {
		fixed, err := tx.Fixed(ctx, e.Project, e.At, MoodsKept)
		if err != nil {
			return err
		}
		switch known := slices.ContainsFunc(fixed, func(f store.Fixed) bool { return f.Event == e.ID }); {
		case known && e.Kind == memory.Resolved: // somebody says so
			felt = append(felt, statements.MoodAchievement)
		case known:
			felt = append(felt, statements.MoodProgress)
		}
	}
	if len(felt) == 0 {
		return nil
	}
	return MoveMood(ctx, b, tx, e.At, felt...)
}

// moving are the words of an event that move the mood: those of a person.
func moving(e memory.StoredEvent) []statements.Felt {
	if e.Kind != memory.Prompted || e.Subagent != "" || e.Origin != memory.OriginUser {
		return nil
	}
	return statements.Recognise(typed.OwnWords(e.Text))
}

// MoveMood moves the mood.
func MoveMood(ctx context.Context, b *brain.Brain, tx *store.Tx, at time.Time, felt ...statements.MoodEvent) error {
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
	return tx.AddMood(ctx, store.Mood{At: at, Reward: after.Reward, Stress: after.Stress, Bond: after.Bond, Why: strings.Join(why, ", ")}, MoodsKept)
}

// FeltImportance is the importance of a note about a strong feeling, as designed.
const FeltImportance = 0.8

// Mood is the mood after the last event that moved it; at rest before the first.
func Mood(ctx context.Context, b *brain.Brain, tx *store.Tx) (statements.Mood, error) {
	m, err := MoodFact(b).Get(ctx, tx)
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
	// Causes are what moved it to where it is, the latest first.
	Causes []MoodCause `json:"causes,omitzero"`
}

// MoodCause is something that moved the mood.
type MoodCause struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`           // reward, error and the others
	Said  string    `json:"said,omitempty"`  // in the words of the person
	Fixed string    `json:"fixed,omitempty"` // an error
}

// MoodInput asks how the work feels.
type MoodInput struct {
	Why bool `json:"why,omitempty"` // with what moved it
}

// MoodNow says how the work feels.
var MoodNow = brain.Operation[MoodInput, MoodResult]{
	Name: "mood",
	Run: func(ctx context.Context, b *brain.Brain, in MoodInput) (MoodResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out MoodResult, err error) {
			m, err := Mood(ctx, b, tx)
			if err != nil {
				return out, err
			}
			m = m.Now(tx.Now)
			out = MoodResult{Words: m.Words(), Effect: m.Manner().String(), Levels: m.Levels(), History: []store.Mood{}}
			moods, err := tx.Moods(ctx, MoodsKept)
			out.History = append(out.History, moods...)
			slices.Reverse(out.History)
			if err == nil && in.Why {
				out.Causes, err = moodCauses(ctx, tx, moods)
			}
			return out, err
		})
	},
}

// moodCauses says of the latest moods what moved them there, read again from the events of that time: sentences of the person and errors that
// were fixed. What has no event was said with hebb state mood reward or hebb state mood friction.
func moodCauses(ctx context.Context, tx *store.Tx, moods []store.Mood) (causes []MoodCause, err error) {
	since := tx.Now.Add(-moodLasts)
	prompts, err := tx.Events(ctx, store.EventFilter{Kind: memory.Prompted, Since: since})
	if err != nil {
		return nil, err
	}
	fixed, err := tx.Fixed(ctx, 0, since, MoodsKept)
	if err != nil {
		return nil, err
	}
	causes = []MoodCause{}
	for _, m := range moods {
		if m.At.Before(since) {
			break
		}
		known := len(causes)
		for _, e := range prompts {
			for _, s := range moving(e) {
				if e.At.Equal(m.At) {
					causes = append(causes, MoodCause{At: m.At, Event: string(s.Event), Said: brain.AsData(s.Words)})
				}
			}
		}
		for _, f := range fixed {
			if f.At.Equal(m.At) {
				causes = append(causes, MoodCause{At: m.At, Event: m.Why, Fixed: brain.AsData(fault.Message(f.Error))})
			}
		}
		if len(causes) == known {
			causes = append(causes, MoodCause{At: m.At, Event: m.Why})
		}
	}
	return causes, nil
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
			return struct{}{}, MoveMood(ctx, b, tx, tx.Now, event)
		})
		if err != nil {
			return out, err
		}
		return MoodNow.Run(ctx, b, MoodInput{})
	},
}, func(FeelInput) string { return "" })
