package transfer

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// writtenGap is a search of a project that found no answer. Other gaps follow from what else is in the file.
type writtenGap struct {
	Project memory.ProjectID `json:"project"`
	dream.Gap
}

// passing goes through what comes and goes and cannot be found out again: moods, thoughts about goals, and searches in vain. Each
// comes oldest first.
func passing(ctx context.Context, tx *store.Tx, ids []memory.ProjectID, each func(line) error) error {
	moods, err := tx.Moods(ctx, desk.MoodsKept)
	if err != nil {
		return err
	}
	for _, m := range slices.Backward(moods) {
		if err := each(line{Type: moodLine, Mood: &desk.MoodMoment{At: m.At, Reward: m.Reward, Stress: m.Stress, Bond: m.Bond, Why: m.Why}}); err != nil {
			return err
		}
	}
	thoughts, err := tx.Thoughts(ctx, 0, time.Time{}, math.MaxInt32)
	if err != nil {
		return err
	}
	for _, one := range slices.Backward(thoughts) {
		one.ID = 0 // it gets a number of its own
		if err := each(line{Type: thoughtLine, Thought: &one}); err != nil {
			return err
		}
	}
	for _, id := range ids {
		gaps, err := goals.AskedInVain(ctx, tx, id)
		if err != nil {
			return err
		}
		for _, g := range gaps {
			if err := each(line{Type: gapLine, Gap: &writtenGap{id, g}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// mood takes a moment over once. How others felt is not how it is here.
func (t *taker) mood(ctx context.Context, m desk.MoodMoment) error {
	if !t.mine {
		return nil
	}
	at := momentOf(m.At, t.tx.Now)
	one := store.Mood{At: at, Reward: m.Reward, Stress: m.Stress, Bond: m.Bond, Why: scrub.Line(scrub.Clean(m.Why))}
	known, err := t.tx.Moods(ctx, desk.MoodsKept)
	if err != nil || slices.ContainsFunc(known, func(k store.Mood) bool { return k.At.Equal(one.At) && k.Why == one.Why }) {
		return err
	}
	now, err := desk.Mood(ctx, t.brain, t.tx)
	if err == nil && !one.At.Before(now.At) { // it goes on from here
		latest := workmem.Mood{Reward: one.Reward, Stress: one.Stress, Bond: one.Bond, At: one.At}
		err = desk.MoodFact(t.brain).Set(ctx, t.tx, latest)
	}
	return errors.Join(err, t.tx.AddMood(ctx, one, desk.MoodsKept))
}

// thought takes a connection to a goal over, once: what was shown and what came of it decides what is shown next.
func (t *taker) thought(ctx context.Context, one store.Thought) error {
	if !t.mine {
		return nil
	}
	goals, err := t.tx.Goals(ctx, false, one.Project, 0)
	if err != nil || !slices.ContainsFunc(goals, func(g memory.Goal) bool { return g.ID == one.Goal }) {
		return err // the goal is gone here
	}
	one.At = momentOf(one.At, t.tx.Now)
	line := func(s string) string { return scrub.Line(scrub.Clean(s)) }
	one.Why, one.Episode, one.Kind, one.Depth = line(one.Why), line(one.Episode), line(one.Kind), line(one.Depth)
	for _, list := range [][]string{one.Keys, one.Files} {
		for i := range list {
			list[i] = line(list[i])
		}
	}
	known, err := t.tx.Thoughts(ctx, one.Project, one.At, math.MaxInt32)
	if err != nil || slices.ContainsFunc(known, func(k store.Thought) bool {
		return k.Goal == one.Goal && k.At.Equal(one.At) && strings.Join(k.Keys, "\n") == strings.Join(one.Keys, "\n")
	}) {
		return err
	}
	_, err = t.tx.AddThought(ctx, one)
	return err
}

// gap takes a search in vain over that is not remembered here.
func (t *taker) gap(ctx context.Context, g writtenGap) error {
	if !t.mine {
		return nil
	}
	g.Text, g.At = scrub.Line(scrub.Clean(g.Text)), momentOf(g.At, t.tx.Now)
	list, err := goals.AskedInVain(ctx, t.tx, g.Project)
	if err != nil || len(dream.Hit(list, g.Text, recall.TextWords)) < len(list) {
		return err // it was asked here too
	}
	return goals.SaveAsked(ctx, t.tx, g.Project, append(list, g.Gap))
}
