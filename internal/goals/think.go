package goals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// ThinkInput says what to think about.
type ThinkInput struct {
	brain.Scope
	Dry bool `json:"dry,omitempty" flag:"dry-run" about:"keep no connections"`
}

// ThinkResult is what thinking found.
type ThinkResult struct {
	Connections []Connection `json:"connections"` // the strongest first
	Goals       int          `json:"goals"`       // that there were to compare
	Episodes    int          `json:"episodes"`
	Woken       []string     `json:"woken,omitempty"` // goals that had rested and that a connection brought back
}

// Think connects what happened to what matters.
var Think = brain.Operation[ThinkInput, ThinkResult]{
	Name: "think",
	Run: func(ctx context.Context, b *brain.Brain, in ThinkInput) (out ThinkResult, err error) {
		var id memory.ProjectID
		err = b.Store.View(ctx, func(tx *store.Tx) error {
			if id, err = brain.Resolve(ctx, tx, b.Config, in.Scope); err == nil {
				out, err = connect(ctx, b.Config, tx, id)
			}
			return err
		})
		if err == nil && !in.Dry {
			err = out.keep(ctx, b, id)
		}
		return out, err
	},
}

const (
	thinkSessions = 100  // latest ones whose episodes are compared; with 400 fewer connections are right
	thinkNotes    = 400  // latest notes
	ThoughtsMost  = 1000 // latest connections that say what is news
)

// connect compares the episodes of a project with its goals.
func connect(ctx context.Context, conf config.Config, tx *store.Tx, id memory.ProjectID) (out ThinkResult, err error) {
	goals, past, err := thinkable(ctx, tx, id)
	if err != nil || len(goals) == 0 {
		return out, err
	}
	out.Goals = len(goals)
	p, err0 := tx.Project(ctx, id)
	code := statements.CodeOf(conf, p, 0)
	sessions, err1 := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: thinkSessions})
	notes, err2 := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}, Current: true, Living: true, Said: true, Limit: thinkNotes})
	if err := errors.Join(brain.IgnoreNotFound(err0), err1, err2); err != nil {
		return out, err
	}
	var episodes []Episode
	for _, c := range notes {
		if brain.BySomebody(c.Origin) && !brain.HebbsOwn(c.Crystal) && !prose.Withheld(c.Origin, c.Text) {
			noted := memory.Event{ID: memory.EventID(c.ID), At: c.SaidAt, Text: c.Text}
			for _, a := range c.Anchors {
				noted.Touches = append(noted.Touches, memory.Touch{Path: a.Path})
			}
			episodes = append(episodes, NewEpisode(c.Text, goalTerms, noted))
			episodes[len(episodes)-1].Session = c.Session
		}
	}
	for _, s := range sessions {
		stored, err := tx.Events(ctx, store.EventFilter{Session: s.ID})
		if err != nil {
			return out, err
		}
		var events []memory.Event
		for _, e := range slices.Backward(stored) {
			if e.Kind != memory.Prompted && (e.Kind != memory.TurnEnded || e.Subagent == "") || ByPerson(e.Event) {
				if e.Kind == memory.Prompted {
					e.Text = typed.OwnWords(e.Text)
				}
				events = append(events, e.Event)
			}
		}
		for _, e := range Cut(events, goalTerms) {
			e.Session = s.ID
			episodes = append(episodes, e)
		}
	}
	for i := range episodes { // what connects by a file that is gone helps nobody
		episodes[i].Files = slices.DeleteFunc(episodes[i].Files, func(path string) bool { return !code.Has(path) })
	}
	out.Episodes = len(episodes)
	out.Connections = Connect(episodes, goals, tx.Now, func(e Episode, g memory.Goal) bool { return news(past, e, g) })
	return out, nil
}

// thinkable are the goals of a project that thoughts may come to, and the connections that were found.
func thinkable(ctx context.Context, tx *store.Tx, id memory.ProjectID) (goals []memory.Goal, past []store.Thought, err error) {
	goals, err1 := GoalsOf(ctx, tx, id, true)
	past, err2 := tx.Thoughts(ctx, id, time.Time{}, ThoughtsMost)
	p, err3 := tx.Project(ctx, id)
	goals = slices.DeleteFunc(goals, func(g memory.Goal) bool { return Resting(g, p.Clock) || OnlyLeft(g) })
	return goals, past, errors.Join(err1, err2, brain.IgnoreNotFound(err3))
}

// news reports whether an episode is new to a goal: it came after the last connection of the goal and, if the goal rests, after the work
// that got stuck. What was connected once does not come back.
func news(past []store.Thought, e Episode, g memory.Goal) bool {
	return (g.Status != memory.GoalIncubating || e.At.After(g.TouchedAt)) && !slices.ContainsFunc(past, func(t store.Thought) bool {
		return slices.Contains(t.Keys, e.ID) || t.Goal == g.ID && e.At.Before(t.At)
	})
}

// keep keeps connections that no other process has kept meanwhile, and takes up goals again that had rested.
func (out *ThinkResult) keep(ctx context.Context, b *brain.Brain, id memory.ProjectID) error {
	return b.Say(ctx, func(tx *store.Tx) error {
		goals, past, err := thinkable(ctx, tx, id)
		if err != nil {
			return err
		}
		var kept []Connection
		out.Woken = nil
		for _, c := range out.Connections {
			at := slices.IndexFunc(goals, func(g memory.Goal) bool { return g.ID == c.Goal.ID })
			if at < 0 || !news(past, c.Episode, goals[at]) {
				continue
			}
			c.Number, err = tx.AddThought(ctx, store.Thought{
				Project: id, Goal: c.Goal.ID, At: tx.Now, Strength: c.Strength, Keys: []string{c.Episode.ID}, Why: scrub.Clean(c.Why),
				ThoughtOf: store.ThoughtOf{Episode: scrub.Clean(c.Episode.Text), Lived: c.Episode.At, Files: c.Episode.Files[:min(len(c.Episode.Files), goalFiles)]},
			})
			if g := goals[at]; err == nil && g.Status == memory.GoalIncubating && g.Kind != memory.GoalGap {
				out.Woken = append(out.Woken, g.Title)
				err = store.Goals.Keep(ctx, tx, Wake(g))
			}
			if err != nil {
				return err
			}
			kept = append(kept, c)
		}
		out.Connections = kept
		return thoughtAt(id).Set(ctx, tx, tx.Now)
	})
}

// thoughtAt is when a project was last thought of.
func thoughtAt(id memory.ProjectID) store.Fact[time.Time] {
	return store.NewFact[time.Time]("think").Of(id)
}

// ThinkingReport counts what thinking in the background found.
type ThinkingReport struct {
	Projects    int `json:"projects,omitempty"` // that were thought of
	Connections int `json:"connections,omitempty"`
}

const (
	thinkLately = 24 * time.Hour  // a project worked in since is thought about unasked: a day of work
	thinkIdle   = 5 * time.Minute // without work, before thoughts come; as designed
)

// ThinkIfNew thinks of a project if somebody has worked there or stated a goal since it was last thought of, and nobody has worked there
// for so long.
func ThinkIfNew(ctx context.Context, b *brain.Brain, id memory.ProjectID, idle time.Duration, report *ThinkingReport) error {
	out, err := brain.View(ctx, b.Store, func(tx *store.Tx) (out ThinkResult, err error) {
		_, worked, err1 := tx.LatestWork(ctx, id)
		goals, err2 := GoalsOf(ctx, tx, id, true)
		last, err3 := thoughtAt(id).Get(ctx, tx)
		fresh := worked.After(last) || slices.ContainsFunc(goals, func(g memory.Goal) bool { return g.CreatedAt.After(last) })
		if fresh && tx.Now.Sub(worked) >= idle {
			out, err = connect(ctx, b.Config, tx, id)
		}
		return out, errors.Join(err, err1, err2, err3)
	})
	if err == nil && out.Goals > 0 {
		err = out.keep(ctx, b, id)
		report.Projects++
		report.Connections += len(out.Connections)
	}
	if err != nil {
		err = fmt.Errorf("think of %s: %w", id, err)
	}
	return err
}

// ThinkBetween thinks of projects in which a task has just ended, and of those in which nobody has worked for some minutes. One
// project that cannot be thought of holds up no other.
func ThinkBetween(ctx context.Context, b *brain.Brain, ended []memory.ProjectID) (report ThinkingReport, err error) {
	projects, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.ProjectID, error) { return Lately(ctx, tx) })
	for _, id := range projects {
		idle := thinkIdle
		if slices.Contains(ended, id) {
			idle = 0
		}
		err = errors.Join(err, ThinkIfNew(ctx, b, id, idle, &report))
	}
	return report, err
}

// Lately are the projects that were worked in lately.
func Lately(ctx context.Context, tx *store.Tx) (ids []memory.ProjectID, err error) {
	projects, err := tx.Projects(ctx)
	for _, p := range projects {
		if tx.Now.Sub(p.LastAt) < thinkLately {
			ids = append(ids, p.ID)
		}
	}
	return ids, err
}

// ByPerson reports whether an event is a prompt that a person wrote.
func ByPerson(e memory.Event) bool {
	return e.Kind == memory.Prompted && e.Origin == memory.OriginUser && e.Subagent == "" && !record.IsCommand(strings.TrimSpace(e.Text))
}

const (
	ThoughtUsed  = "used"
	ThoughtWrong = "wrong"
)

// ThoughtInput is what became of a connection.
type ThoughtInput struct {
	ID   string `json:"id" arg:"1"`
	Used bool   `json:"used"` // else it was wrong
}

// JudgeThought says whether a connection helped. It is not shown again then.
var JudgeThought = brain.NeverBusy(brain.Operation[ThoughtInput, struct{}]{
	Name: "thought-judge",
	Run: func(ctx context.Context, b *brain.Brain, in ThoughtInput) (struct{}, error) {
		id, err := strconv.ParseInt(in.ID, 10, 64)
		if err != nil {
			return struct{}{}, fmt.Errorf("connection %q: want its number (hebb goals think shows it): %w", scrub.Line(in.ID), memory.ErrInvalid)
		}
		outcome := ThoughtWrong
		if in.Used {
			outcome = ThoughtUsed
		}
		return struct{}{}, b.Say(ctx, func(tx *store.Tx) error { return tx.JudgeThought(ctx, id, outcome) })
	},
}, nil)

// Recollection is a connection that was kept, with the title of its goal.
type Recollection struct {
	Title string `json:"title"`
	store.Thought
}

// Recollections are the latest connections that nobody has judged, to goals that are still a concern, the strongest first.
func Recollections(ctx context.Context, c config.Config, tx *store.Tx, id memory.ProjectID, goals []memory.Goal) (shown []Recollection, err error) {
	thoughts, err := tx.Thoughts(ctx, id, tx.Now.Add(-c.Tuning.Goal.ShowFor), ThoughtsMost)
	slices.SortStableFunc(thoughts, func(x, y store.Thought) int { return cmp.Compare(y.Strength, x.Strength) })
	for _, t := range thoughts {
		at := slices.IndexFunc(goals, func(g memory.Goal) bool { return g.ID == t.Goal && g.Status.Open() })
		if at < 0 || t.Outcome != "" || t.Episode == "" || len(shown) == ThoughtsShown {
			continue
		}
		holds, failed := stillHolds(ctx, c, tx, t)
		if err = errors.Join(err, failed); holds {
			shown = append(shown, Recollection{goals[at].Title, t})
		}
	}
	return shown, err
}

// stillHolds reports whether what a connection was made of was not taken back, and names no file that is gone.
func stillHolds(ctx context.Context, conf config.Config, tx *store.Tx, t store.Thought) (bool, error) {
	p, err := tx.Project(ctx, t.Project)
	if err != nil {
		return false, brain.IgnoreNotFound(err)
	}
	code := statements.CodeOf(conf, p, 0)
	gone, err := code.GoneIn(ctx, tx, p.ID, t.Episode+" "+t.Why)
	if err != nil || len(gone) > 0 || len(t.Files) > 0 && !slices.ContainsFunc(t.Files, code.Has) {
		return false, err
	}
	for _, key := range t.Keys {
		c, err := tx.Crystal(ctx, memory.CrystalID(key))
		if err == nil && !c.ValidTo.IsZero() {
			return false, nil
		}
		if err := brain.IgnoreNotFound(err); err != nil { // most are events
			return false, err
		}
	}
	return true, nil
}
