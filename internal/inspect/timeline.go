package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
)

// MomentKind says what sort of thing happened.
type MomentKind string

const (
	SleepMoment     MomentKind = "sleep"
	DreamMoment     MomentKind = "dream"
	SessionMoment   MomentKind = "session"
	CommitsMoment   MomentKind = "commits"   // of one day
	ResolvedMoment  MomentKind = "resolved"  // an error was traced to what fixed it
	ErrorMoment     MomentKind = "error"     // an error without a known fix, at its last time
	OnPurposeMoment MomentKind = "forgotten" // on request
	ThoughtMoment   MomentKind = "thought"   // thinking found a connection to a goal
)

// Reasons of a sleep, besides sleep.SleptAsked.
const (
	SleptAfterWork = "close"
	SleptIdle      = "idle"
)

// TimelineInput chooses moments.
type TimelineInput struct {
	brain.Scope `flag:"all"`
	Since       time.Time `json:"since,omitzero" flag:"since" about:"only after this"`
	Limit       int       `json:"limit,omitempty" flag:"limit,n"`
	// Zone decides where a day ends; nil is UTC.
	Zone *time.Location `json:"-"`
}

// Moment is one thing that happened. Sleeps and forgetting on purpose are about all projects.
type Moment struct {
	At      time.Time          `json:"at"`
	Kind    MomentKind         `json:"kind"`
	Project memory.ProjectID   `json:"project,omitzero"`
	Sleep   *sleep.SleepReport `json:"sleep,omitempty"`
	Dream   *state.DreamRecord `json:"dream,omitempty"`
	Session *SessionWork       `json:"session,omitempty"`
	Commits int64              `json:"commits,omitempty"`
	// Text is the subject of the day's latest commit, the error, or the goal of the strongest thought.
	Text  string   `json:"text,omitempty"`
	Files []string `json:"files,omitempty"` // that fixed it
	Times int64    `json:"times,omitempty"` // that the error occurred
	// Thoughts are the connections of one run of thinking, the strongest first.
	Thoughts []store.Thought `json:"thoughts,omitempty"`
	Events   int64           `json:"events,omitempty"`
}

// SessionWork is a session with its files and commits.
type SessionWork struct {
	memory.Session
	Files   int64 `json:"files"`   // read or changed
	Commits int64 `json:"commits"` // made in the project meanwhile
}

// Timeline lists what happened, newest first.
var Timeline = reading("timeline", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in TimelineInput) ([]Moment, error) {
	return timeline(ctx, b.Config, ranking.NewQuery(b, tx), tx, in)
})

func timeline(ctx context.Context, c config.Config, query *ranking.Query, tx *store.Tx, in TimelineInput) ([]Moment, error) {
	id, err := brain.Resolve(ctx, tx, c, in.Scope)
	if err != nil {
		return nil, err
	}
	t := collector{query: query, tx: tx, project: id, in: in, moments: []Moment{}}
	if t.in.Zone == nil {
		t.in.Zone = time.UTC
	}
	for _, part := range []func(context.Context) error{t.sleeps, t.dreams, t.sessions, t.commits, t.resolved, t.unresolved, t.onPurpose, t.thoughts} {
		if err := part(ctx); err != nil {
			return nil, fmt.Errorf("timeline: %w", err)
		}
	}
	slices.SortStableFunc(t.moments, func(x, y Moment) int { return y.At.Compare(x.At) })
	if in.Limit > 0 && len(t.moments) > in.Limit {
		t.moments = t.moments[:in.Limit]
	}
	return t.moments, nil
}

// collector collects moments, of each kind up to the limit.
type collector struct {
	query   *ranking.Query
	tx      *store.Tx
	project memory.ProjectID
	in      TimelineInput
	moments []Moment
}

// sleeps adds those that changed something or were asked for. Most automatic sleeps change nothing.
func (t *collector) sleeps(ctx context.Context) error {
	records, err := t.tx.Sleeps(ctx, t.in.Since, sleep.SleepsKept)
	if err != nil {
		return err
	}
	for _, r := range records {
		report, err := readReport(r)
		if err != nil {
			return err
		}
		if report.Changed() || r.Why == sleep.SleptAsked || len(report.Took) == 0 {
			t.moments = append(t.moments, Moment{At: r.At, Kind: SleepMoment, Sleep: &report})
		}
	}
	return nil
}

func (t *collector) dreams(ctx context.Context) error {
	ids := []memory.ProjectID{t.project}
	if t.project == 0 {
		projects, err := t.tx.Projects(ctx)
		if err != nil {
			return err
		}
		for _, p := range projects {
			ids = append(ids, p.ID)
		}
	}
	for _, id := range ids {
		list, err := state.DreamsFact(id).Get(ctx, t.tx)
		if err != nil {
			return err
		}
		for _, one := range list {
			if !one.At.Before(t.in.Since) {
				t.moments = append(t.moments, Moment{At: one.At, Kind: DreamMoment, Project: id, Dream: &one})
			}
		}
	}
	return nil
}

// readReport reads the report of a sleep. An interrupted one has only its start.
func readReport(r store.SleepRecord) (out sleep.SleepReport, err error) {
	if err := json.Unmarshal([]byte(r.Report), &out); err != nil {
		return out, fmt.Errorf("sleep %d: %w: %w", r.ID, memory.ErrDamaged, err)
	}
	out.ID, out.At, out.Why = r.ID, r.At, r.Why
	return out, nil
}

func (t *collector) sessions(ctx context.Context) error {
	sessions, err := t.tx.Sessions(ctx, store.SessionFilter{Project: t.project, Limit: t.in.Limit})
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if s.LastEventAt.Before(t.in.Since) {
			return nil // the rest is older
		}
		work := SessionWork{Session: s}
		if work.Files, work.Commits, err = t.tx.Work(ctx, s); err != nil {
			return err
		}
		t.moments = append(t.moments, Moment{At: s.LastEventAt, Kind: SessionMoment, Project: s.Project, Session: &work})
	}
	return nil
}

// commits adds the commits of each day as one moment, at the time of the latest.
func (t *collector) commits(ctx context.Context) error {
	var days []Moment
	today := 0 // index of the first moment of the day being read
	err := t.tx.WalkCommits(ctx, t.project, t.in.Since, func(c store.Commit) bool {
		if len(days) > 0 && !t.sameDay(days[len(days)-1].At, c.At) {
			if t.in.Limit > 0 && len(days) >= t.in.Limit {
				return false
			}
			today = len(days)
		}
		i := slices.IndexFunc(days[today:], func(m Moment) bool { return m.Project == c.Project })
		if i < 0 {
			days = append(days, Moment{At: c.At, Kind: CommitsMoment, Project: c.Project, Text: c.Subject})
			i = len(days) - 1 - today
		}
		days[today+i].Commits++
		return true
	})
	t.moments = append(t.moments, days...)
	return err
}

func (t *collector) sameDay(one, other time.Time) bool {
	return one.In(t.in.Zone).Format(time.DateOnly) == other.In(t.in.Zone).Format(time.DateOnly)
}

func (t *collector) resolved(ctx context.Context) error {
	events, err := t.tx.Events(ctx, store.EventFilter{Project: t.project, Kind: memory.Resolved, Since: t.in.Since, Limit: t.in.Limit})
	for _, e := range events {
		m := Moment{At: e.At, Kind: ResolvedMoment, Project: e.Project, Text: e.Text}
		for _, touch := range e.Touches {
			m.Files = append(m.Files, touch.Path)
		}
		t.moments = append(t.moments, m)
	}
	return err
}

// unresolved adds errors without a known fix, each once.
func (t *collector) unresolved(ctx context.Context) error {
	met, err := t.tx.Neurons(ctx, store.NeuronFilter{Project: t.project, Kind: memory.ErrorNeuron, Order: store.ByLatest})
	if err != nil {
		return err
	}
	added := 0
	for _, e := range met {
		if e.LastAt.Before(t.in.Since) || t.in.Limit > 0 && added >= t.in.Limit {
			return nil // the rest is older
		}
		fixes, err := t.query.FixesOf(ctx, e.ID)
		if err != nil {
			return err
		}
		if e.Gone || len(fixes) > 0 {
			continue
		}
		added++
		t.moments = append(t.moments, Moment{At: e.LastAt, Kind: ErrorMoment, Project: e.Project, Text: fault.Message(e.Key), Times: e.Accesses})
	}
	return nil
}

// onPurpose adds forgetting on request. What a sleep forgot for the size budget is part of the
// sleep.
func (t *collector) onPurpose(ctx context.Context) error {
	deeds, err := t.tx.ForgottenOnPurpose(ctx, t.in.Since, t.in.Limit)
	for _, d := range deeds {
		bySleep := func(m Moment) bool {
			after := d.At.Sub(m.At)
			return m.Sleep != nil && m.Sleep.Budget != nil && after >= 0 && after < sleep.LeaseTime
		}
		if !slices.ContainsFunc(t.moments, bySleep) {
			t.moments = append(t.moments, Moment{At: d.At, Kind: OnPurposeMoment, Events: d.Events})
		}
	}
	return err
}

// thoughts adds each run of thinking that found connections, which all have the same time, as one
// moment.
func (t *collector) thoughts(ctx context.Context) error {
	found, err := t.tx.Thoughts(ctx, t.project, t.in.Since, goals.ThoughtsMost)
	if err != nil {
		return err
	}
	titles := map[memory.GoalID]string{}
	var runs []Moment
	for _, one := range found {
		last := len(runs) - 1
		if last < 0 || !runs[last].At.Equal(one.At) || runs[last].Project != one.Project {
			runs = append(runs, Moment{At: one.At, Kind: ThoughtMoment, Project: one.Project})
			last++
		}
		runs[last].Thoughts = append(runs[last].Thoughts, one)
	}
	for i := range runs {
		if t.in.Limit > 0 && i >= t.in.Limit {
			runs = runs[:i]
			break
		}
		m := &runs[i]
		slices.SortStableFunc(m.Thoughts, func(x, y store.Thought) int { return cmp.Compare(y.Strength, x.Strength) })
		first := m.Thoughts[0]
		if _, known := titles[first.Goal]; !known {
			goals, err := t.tx.Goals(ctx, false, m.Project, 0)
			if err != nil {
				return err
			}
			for _, g := range goals {
				titles[g.ID] = g.Title
			}
		}
		m.Text = titles[first.Goal]
	}
	t.moments = append(t.moments, runs...)
	return nil
}

// lastSleep is the report of the latest sleep, nil before the first.
func lastSleep(ctx context.Context, tx *store.Tx) (*sleep.SleepReport, error) {
	records, err := tx.Sleeps(ctx, time.Time{}, 1)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	report, err := readReport(records[0])
	return &report, err
}
