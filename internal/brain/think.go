package brain

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// ThinkInput says how long to think.
type ThinkInput struct {
	Scope
	Depth string `json:"depth,omitempty"` // brief, full or deep; empty: full
	Seed  uint64 `json:"seed,omitempty"`  // the same seed thinks the same; 0: by the time
	Dry   bool   `json:"dry,omitempty"`
}

// ThinkResult is a train of thought.
type ThinkResult struct {
	goal.Train
	Seed  uint64 `json:"seed"`
	Notes int    `json:"notes"` // strong connections that were noted
	// Numbers are those under which the connections are kept, in their order; none of a dry run.
	Numbers []int64 `json:"numbers"`
}

// Think connects what happened to what matters, and shows how it got there.
var Think = Operation[ThinkInput, ThinkResult]{
	Name: "think", Summary: "Let what happened come to mind, and connect it to current concerns",
	Run: func(ctx context.Context, b *Brain, in ThinkInput) (out ThinkResult, err error) {
		depths := map[string]goal.Depth{"": goal.Full, goal.Brief.String(): goal.Brief, goal.Full.String(): goal.Full, goal.Deep.String(): goal.Deep}
		depth, known := depths[in.Depth]
		if !known {
			return out, fmt.Errorf("depth %q: want brief, full or deep: %w", in.Depth, memory.ErrInvalid)
		}
		rules := goal.NewRules(b.config.Tuning.Goal)
		var id memory.ProjectID
		err = b.store.View(ctx, func(tx *store.Tx) error {
			if id, err = b.resolve(ctx, tx, in.Scope); err != nil {
				return err
			}
			if in.Seed == 0 {
				h := fnv.New64a()
				_, _ = h.Write([]byte(id.String() + tx.Now.Format(time.RFC3339)))
				in.Seed = h.Sum64() | 1
			}
			m, err := b.thinkMaterial(ctx, tx, id)
			if err != nil {
				return err
			}
			out.Train = rules.Replay(m, rand.New(rand.NewPCG(in.Seed, in.Seed)), rules.Limits(depth)) //nolint:gosec // thoughts, not secrets
			return nil
		})
		out.Seed = in.Seed
		if err != nil || in.Dry || len(out.Connections) == 0 {
			return out, err
		}
		_, err = updated(ctx, b, func(tx *store.Tx) (struct{}, error) {
			out.Notes, out.Numbers = 0, nil // it may run twice
			for _, c := range out.Connections {
				number, err := tx.AddThought(ctx, store.Thought{Project: id, Goal: c.Goal.ID, At: tx.Now, Strength: c.Strength, Keys: c.Keys, Why: scrub.Clean(c.Why)})
				if err != nil {
					return struct{}{}, err
				}
				out.Numbers = append(out.Numbers, number)
				if !c.Strong {
					continue
				}
				text := fmt.Sprintf("%s may help with %q: %s", scrub.Line(c.Episode.Text), c.Goal.Title, scrub.Line(c.Why))
				if _, err := b.note(ctx, tx, id, NoteInput{Text: text, Kind: memory.Insight, Origin: memory.OriginAgent}, tx.Now); err != nil {
					return struct{}{}, err
				}
				out.Notes++
			}
			return struct{}{}, nil
		})
		return out, err
	},
}

const (
	thinkSessions = 400 // latest ones whose episodes come to mind
	thoughtsMost  = 1000
)

// thinkMaterial gathers episodes of the latest sessions and what was thought of late.
func (b *Brain) thinkMaterial(ctx context.Context, tx *store.Tx, id memory.ProjectID) (m goal.Material, err error) {
	rules := goal.NewRules(b.config.Tuning.Goal)
	m = goal.Material{Now: tx.Now, Surfaced: map[string]time.Time{}}
	if m.Goals, err = b.goalsOf(ctx, tx, id, true); err != nil {
		return m, err
	}
	sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: thinkSessions})
	if err != nil {
		return m, err
	}
	for _, s := range sessions {
		events, err := tx.Events(ctx, store.EventFilter{Session: s.ID})
		if err != nil {
			return m, err
		}
		slices.Reverse(events)
		m.Episodes = append(m.Episodes, rules.Cut(happenings(events), goalTerms)...)
	}
	shown, err := tx.Thoughts(ctx, id, time.Time{}, thoughtsMost)
	if err != nil {
		return m, err
	}
	for _, t := range shown {
		for _, key := range t.Keys {
			if t.At.After(m.Surfaced[key]) {
				m.Surfaced[key] = t.At
			}
		}
		switch t.Outcome {
		case thoughtUsed:
			m.Threshold = m.Threshold.Learn(true, b.config.Tuning.Goal)
		case thoughtWrong:
			m.Threshold = m.Threshold.Learn(false, b.config.Tuning.Goal)
		}
	}
	m.Cosine = func(e goal.Episode, g memory.Goal) (float64, bool) {
		x, y := directionOf(goalTerms(e.Text)), directionOf(goalTerms(g.Title))
		return x.Cos(y), x != nil && y != nil
	}
	return m, nil
}

// happenings are the events of a session as episodes are cut from them.
func happenings(events []memory.StoredEvent) (list []goal.Happening) {
	for _, e := range events {
		h := goal.Happening{ID: string(e.ID), At: e.At, Text: e.Text, Failed: e.Kind == memory.ToolFailed}
		changed := false
		for _, t := range e.Touches {
			h.Files = append(h.Files, t.Path)
			changed = changed || t.Kind == memory.Edit
		}
		if e.ResultBytes != nil {
			h.Bytes = *e.ResultBytes
		}
		switch {
		case e.Kind == memory.Prompted:
			h.Kind = goal.Asked
		case e.Kind == memory.TurnEnded:
			h.Kind = goal.Answered
		case e.Kind == memory.Recorded:
			h.Kind = goal.Noted
		case e.Kind != memory.ToolUsed && e.Kind != memory.ToolFailed:
			continue
		case changed:
			h.Kind = goal.Changed
		case len(h.Files) > 0:
			h.Kind = goal.Read
		default:
			h.Kind = goal.Ran
			h.Name, _, _ = strings.Cut(e.Input, "\n")
		}
		list = append(list, h)
	}
	return list
}

const (
	thoughtUsed  = "used"
	thoughtWrong = "wrong"
)

// ThoughtInput is what became of a connection.
type ThoughtInput struct {
	ID   string `json:"id"`
	Used bool   `json:"used"` // else it was wrong
}

// JudgeThought says whether a connection helped: it moves the threshold of the next ones.
var JudgeThought = Operation[ThoughtInput, struct{}]{
	Name: "thought-judge", Summary: "Say whether a connection helped or was wrong",
	Run: func(ctx context.Context, b *Brain, in ThoughtInput) (struct{}, error) {
		id, err := strconv.ParseInt(in.ID, 10, 64)
		if err != nil {
			return struct{}{}, fmt.Errorf("connection %q: want its number (hebb think shows it): %w", scrub.Line(in.ID), memory.ErrInvalid)
		}
		outcome := thoughtWrong
		if in.Used {
			outcome = thoughtUsed
		}
		return updated(ctx, b, func(tx *store.Tx) (struct{}, error) { return struct{}{}, tx.JudgeThought(ctx, id, outcome) })
	},
}
