package goals

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// ThinkInput says how long to think.
type ThinkInput struct {
	brain.Scope
	Depth string `json:"depth,omitempty"` // brief, full or deep; empty: full
	Seed  uint64 `json:"seed,omitempty"`  // the same seed thinks the same; 0: by the time
	Dry   bool   `json:"dry,omitempty"`
}

// ThinkResult is a train of thought.
type ThinkResult struct {
	goal.Train
	Seed uint64 `json:"seed"`
	// Numbers are those under which the connections are kept, in their order; none of a dry run.
	Numbers []int64 `json:"numbers"`
	// Woken are goals that had rested and that a strong connection brought back.
	Woken []string `json:"woken,omitempty"`
}

// Think connects what happened to what matters, and shows how it got there.
var Think = brain.Operation[ThinkInput, ThinkResult]{
	Name: "think", Summary: "Let what happened come to mind, and connect it to current concerns",
	Run: func(ctx context.Context, b *brain.Brain, in ThinkInput) (out ThinkResult, err error) {
		depths := map[string]goal.Depth{"": goal.Full, goal.Brief.String(): goal.Brief, goal.Full.String(): goal.Full, goal.Deep.String(): goal.Deep}
		depth, known := depths[in.Depth]
		if !known {
			return out, fmt.Errorf("depth %q: want brief, full or deep: %w", in.Depth, memory.ErrInvalid)
		}
		id, err := brain.View(ctx, b, func(tx *store.Tx) (memory.ProjectID, error) { return b.Resolve(ctx, tx, in.Scope) })
		if err != nil {
			return out, err
		}
		if in.Dry {
			out, _, err = replay(ctx, b, id, depth, in.Seed)
			return out, err
		}
		out, busy, err := ThinkOf(ctx, b, id, depth, in.Seed)
		if err == nil && busy {
			err = fmt.Errorf("another process thinks just now; try again in a moment: %w", memory.ErrConflict)
		}
		return out, err
	},
}

// thinkLease is held by the one process that thinks.
const thinkLease = "think"

// ThinkOf thinks of a project and keeps what came of it, unless another process thinks.
func ThinkOf(ctx context.Context, b *brain.Brain, id memory.ProjectID, depth goal.Depth, seed uint64) (out ThinkResult, busy bool, err error) {
	span := 2*depth.Limits().Time + time.Minute // gathering and keeping are not part of the limit
	busy, err = b.Alone(ctx, thinkLease, span, func() error {
		out, err = thinkAlone(ctx, b, id, depth, seed)
		return err
	})
	return out, busy, err
}

func thinkAlone(ctx context.Context, b *brain.Brain, id memory.ProjectID, depth goal.Depth, seed uint64) (ThinkResult, error) {
	out, evidence, err := replay(ctx, b, id, depth, seed)
	if err != nil {
		return out, err
	}
	return out, b.Say(ctx, func(tx *store.Tx) error {
		err := keepThoughts(ctx, b, tx, id, depth, &out)
		for d := goal.Brief; d <= depth && err == nil; d++ { // a deeper look has seen what a shallower one would
			err = thoughtAbout(d, id).Set(ctx, tx, evidence)
		}
		return err
	})
}

// replay is a train of thought about a project, and the evidence it went by.
func replay(ctx context.Context, b *brain.Brain, id memory.ProjectID, depth goal.Depth, seed uint64) (out ThinkResult, evidence string, err error) {
	limits := depth.Limits()
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		if seed == 0 {
			h := fnv.New64a()
			_, _ = h.Write([]byte(id.String() + tx.Now.Format(time.RFC3339)))
			seed = h.Sum64()>>11 | 1 // below 2^53: readers of JSON that know floats alone do not round it
		}
		if evidence, err = toThinkOf(ctx, tx, id); err != nil {
			return err
		}
		m, err := thinkMaterial(ctx, b, tx, id, limits)
		if err != nil {
			return err
		}
		var failed error
		m.Communities = func(episodes []goal.Episode) []int {
			parts, err := communities(ctx, tx, id, episodes)
			failed = err
			return parts
		}
		out.Train = goal.Replay(m, rand.New(rand.NewPCG(seed, seed)), limits) //nolint:gosec // thoughts, not secrets
		return failed
	})
	out.Seed = seed
	return out, evidence, err
}

// keepThoughts keeps strong connections and nothing else, ties goals to the memories that were connected, and takes up a goal again
// that had rested when a strong connection came.
func keepThoughts(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, depth goal.Depth, out *ThinkResult) error {
	out.Numbers, out.Woken = nil, nil // it may run twice
	if len(out.Connections) == 0 {
		return nil
	}
	goals, err := GoalsOf(ctx, tx, id, true)
	if err != nil {
		return err
	}
	p, err := tx.Project(ctx, id)
	if err != nil && !brain.IsNotFound(err) {
		return err
	}
	kept := out.Connections[:0]
	for _, c := range out.Connections {
		at := slices.IndexFunc(goals, func(g memory.Goal) bool { return g.ID == c.Goal.ID })
		if at < 0 || !c.Strong { // it was done or dropped meanwhile
			continue
		}
		kept = append(kept, c)
		number, err := tx.AddThought(ctx, store.Thought{
			Project: id, Goal: c.Goal.ID, At: tx.Now, Strength: c.Strength, Keys: c.Keys, Why: scrub.Clean(c.Why),
			ThoughtOf: store.ThoughtOf{
				Episode: scrub.Clean(c.Episode.Text), Kind: string(c.Episode.Kind), Lived: c.Episode.At, Files: c.Episode.Files[:min(len(c.Episode.Files), goalFiles)],
				Depth: depth.String(), Strong: true,
			},
		})
		if err != nil {
			return err
		}
		out.Numbers = append(out.Numbers, number)
		if goals[at], err = strengthen(ctx, tx, goals[at], c, p.Clock, out); err != nil {
			return err
		}
	}
	out.Connections = kept
	return nil
}

// strengthen is what a strong connection does to its goal.
func strengthen(ctx context.Context, tx *store.Tx, g memory.Goal, c goal.Connection, clock int64, out *ThinkResult) (memory.Goal, error) {
	changed := false
	if c.Episode.Crystal != "" && !slices.Contains(g.Links.Crystals, c.Episode.Crystal) {
		g.Links.Crystals, changed = append(g.Links.Crystals, c.Episode.Crystal), true
	}
	if g.Status == memory.GoalIncubating && g.Kind != memory.GoalGap && c.Episode.At.After(g.TouchedAt) { // what was known then did not help
		// A goal that has not rested yet is refused: the session that got stuck may still run.
		if woken, err := goal.Resume(g, clock, "a strong connection"); err == nil {
			g, changed = woken, true
			out.Woken = append(out.Woken, g.Title)
		}
	}
	if !changed {
		return g, nil
	}
	return g, tx.SaveGoal(ctx, g)
}

// incubationSource is where notes come from that no person or agent wrote.
const incubationSource = "incubation"

// HebbsOwn reports whether hebb made a crystal of what it knew. Thinking must not take that for news.
func HebbsOwn(c memory.Crystal) bool {
	return c.Source == incubationSource || brain.IsThought(c)
}

const ThoughtsMost = 1000 // latest that decide what rests and how near a connection has to be

// thinkMaterial gathers episodes of the latest sessions, notes, and what was thought of late. The latest come first, so that
// what is left out when the time is over is the oldest.
func thinkMaterial(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, limits goal.Limits) (m goal.Material, err error) {
	began := b.Now()
	m = goal.Material{Now: tx.Now, Enough: func() bool { return b.Now().Sub(began) > limits.Time }}
	if m.Goals, err = GoalsOf(ctx, tx, id, true); err != nil || len(m.Goals) == 0 {
		return m, err
	}
	sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: limits.Sessions})
	if err != nil {
		return m, err
	}
	if m.Episodes, err = noteEpisodes(ctx, tx, id, sessions); err != nil {
		return m, err
	}
	for _, s := range sessions {
		if m.Enough() {
			break
		}
		events, err := tx.Events(ctx, store.EventFilter{Session: s.ID})
		if err != nil {
			return m, err
		}
		slices.Reverse(events)
		for _, e := range goal.Cut(happenings(events), goalTerms) {
			e.Session = s.ID
			m.Episodes = append(m.Episodes, e)
		}
	}
	m.RepeatAfter = b.Config.Tuning.Goal.RepeatAfter
	if m.Surfaced, m.Threshold, err = shownThoughts(ctx, tx, id); err != nil {
		return m, err
	}
	meanings := map[string]memory.Vector{} // the same lines are compared again and again
	meaning := func(text string) memory.Vector {
		v, known := meanings[text]
		if !known {
			v = texts.VectorOf(goalTerms(text))
			meanings[text] = v
		}
		return v
	}
	m.Cosine = func(e goal.Episode, g memory.Goal) (float64, bool) {
		x, y := meaning(e.Text), meaning(g.Title)
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
		case ByPerson(e.Event):
			h.Kind = goal.Asked
		case e.Kind == memory.TurnEnded && e.Subagent == "":
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

// thinkNotes is how many notes a replay looks at: as many as a full one looks at sessions.
const thinkNotes = 400

// noteEpisodes are the latest things that somebody noted or had remembered, each an episode of the session it was said in.
func noteEpisodes(ctx context.Context, tx *store.Tx, id memory.ProjectID, sessions []memory.Session) (episodes []goal.Episode, err error) {
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}, Current: true, Limit: thinkNotes})
	if err != nil {
		return nil, err
	}
	for _, c := range kept {
		if !brain.BySomebody(c.Origin) || !c.Lifecycle.Living() || HebbsOwn(c.Crystal) {
			continue
		}
		h := goal.Happening{ID: string(c.ID), At: c.SaidAt, Kind: goal.Noted, Text: c.Text}
		for _, a := range c.Anchors {
			h.Files = append(h.Files, a.Path)
		}
		for _, e := range goal.Cut([]goal.Happening{h}, goalTerms) {
			e.Crystal = c.ID
			for _, s := range sessions {
				if !c.SaidAt.Before(s.OpenedAt) && !c.SaidAt.After(s.LastEventAt.Add(time.Minute)) {
					e.Session = s.ID
					break
				}
			}
			episodes = append(episodes, e)
		}
	}
	return episodes, nil
}

// shownThoughts says when thoughts were last shown, and what people made of them. One that was wrong never comes back.
func shownThoughts(ctx context.Context, tx *store.Tx, id memory.ProjectID) (shown map[string]time.Time, threshold float64, err error) {
	thoughts, err := tx.Thoughts(ctx, id, time.Time{}, ThoughtsMost)
	shown, threshold = map[string]time.Time{}, goal.ThresholdStart
	for _, t := range slices.Backward(thoughts) { // oldest first: the threshold has bounds, so the order matters
		at := t.At
		switch t.Outcome {
		case ThoughtUsed:
			threshold = goal.LearnThreshold(threshold, true)
		case ThoughtWrong:
			threshold = goal.LearnThreshold(threshold, false)
			at = tx.Now
		}
		for _, key := range t.Keys {
			if at.After(shown[key]) {
				shown[key] = at
			}
		}
	}
	return shown, threshold, err
}

// communities are the parts of the graph that episodes belong to, by the synapses between their files.
func communities(ctx context.Context, tx *store.Tx, id memory.ProjectID, episodes []goal.Episode) ([]int, error) {
	place := map[memory.NeuronID]int{}
	var neurons []memory.NeuronID
	files := make([][]int, len(episodes))
	for i, e := range episodes {
		for _, path := range e.Files {
			n := memory.NewNeuronID(id, memory.FileNeuron, path)
			at, known := place[n]
			if !known {
				at, place[n] = len(neurons), len(neurons)
				neurons = append(neurons, n)
			}
			files[i] = append(files[i], at)
		}
	}
	links, err := tx.LinksAmong(ctx, neurons)
	if err != nil {
		return make([]int, len(episodes)), err
	}
	ties := make([]goal.Tie, len(links))
	for i, l := range links {
		ties[i] = goal.Tie{A: place[l.A], B: place[l.B], Weight: float64(l.CoAccesses)}
	}
	label := goal.Communities(len(neurons), ties)
	parts := make([]int, len(episodes))
	for i := range episodes {
		parts[i] = goal.CommunityOf(files[i], label)
	}
	return parts, nil
}

const (
	ThoughtUsed  = "used"
	ThoughtWrong = "wrong"
)

// ThoughtInput is what became of a connection.
type ThoughtInput struct {
	ID   string `json:"id"`
	Used bool   `json:"used"` // else it was wrong
}

// JudgeThought says whether a connection helped: it moves the threshold of the next ones.
var JudgeThought = brain.NeverBusy(brain.Operation[ThoughtInput, struct{}]{
	Name: "thought-judge", Summary: "Say whether a connection helped or was wrong",
	Run: func(ctx context.Context, b *brain.Brain, in ThoughtInput) (struct{}, error) {
		id, err := strconv.ParseInt(in.ID, 10, 64)
		if err != nil {
			return struct{}{}, fmt.Errorf("connection %q: want its number (hebb think shows it): %w", scrub.Line(in.ID), memory.ErrInvalid)
		}
		outcome := ThoughtWrong
		if in.Used {
			outcome = ThoughtUsed
		}
		return struct{}{}, b.Say(ctx, func(tx *store.Tx) error { return tx.JudgeThought(ctx, id, outcome) })
	},
}, nil)

// Recollection is a connection that thinking found, as it is shown.
type Recollection struct {
	Number  int64         `json:"number"`
	Goal    memory.GoalID `json:"goal"`
	Title   string        `json:"title"` // of the goal
	Episode string        `json:"episode"`
	Lived   time.Time     `json:"lived"`
	Files   []string      `json:"files,omitempty"`
	Why     string        `json:"why"`
	Strong  bool          `json:"strong,omitempty"`
	At      time.Time     `json:"at"` // when it was found
}

// Recollections are the latest connections that nobody has judged, to goals that are still a concern: for each goal the
// strongest, the strongest first.
func Recollections(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, goals []memory.Goal, most int) (shown []Recollection, err error) {
	thoughts, err := tx.Thoughts(ctx, id, tx.Now.Add(-b.Config.Tuning.Goal.ShowFor), ThoughtsMost)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(thoughts, func(x, y store.Thought) int { return cmp.Compare(y.Strength, x.Strength) })
	for _, t := range thoughts {
		at := slices.IndexFunc(goals, func(g memory.Goal) bool { return g.ID == t.Goal && g.Status.Open() })
		known := slices.ContainsFunc(shown, func(r Recollection) bool { return r.Goal == t.Goal || r.Episode == t.Episode })
		if at < 0 || known || t.Outcome != "" || t.Episode == "" || len(shown) >= most {
			continue
		}
		shown = append(shown, Recollection{
			Number: t.ID, Goal: t.Goal, Title: goals[at].Title, Episode: t.Episode, Lived: t.Lived, Files: t.Files, Why: t.Why, Strong: t.Strong, At: t.At,
		})
	}
	return shown, nil
}
