package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/replay"
)

// GoalsInput says before which sessions somebody thinks.
type GoalsInput struct {
	Files  []SessionFiles
	Tuning tuning.Tuning
	Options
}

// GoalsRow is one line of that benchmark: whether what thinking found was of use to the session that followed.
type GoalsRow struct {
	Bench      string  `json:"bench"`
	Repo       string  `json:"repo"`        // micro: all moments alike; macro: all repositories alike
	Moments    int     `json:"moments"`     // before a session
	Connected  int     `json:"connected"`   // moments with a connection of an episode to the goal of another session
	Hit        float64 `json:"hit"`         // of these, the first connection shares a file with the next session, percent
	Recent     float64 `json:"recent"`      // the latest episode does, at the same moments
	Chance     float64 `json:"chance"`      // an episode drawn blindly does
	LiftRecent float64 `json:"lift_recent"` // hit / recent
	LiftChance float64 `json:"lift_chance"` // hit / chance
}

const (
	goalsWarmUp   = 10  // sessions that only teach
	goalsTitle    = 100 // characters of a first prompt that are the title of its goal
	goalsSessions = 100 // latest sessions whose episodes hebb goals think compares
)

// Thinking replays the sessions of repositories and lets a memory think before each from the eleventh on: of the sessions
// that were over by then, with a goal for the first prompt of each. It looks whether the first connection leads to an episode
// that shares a file with the session that follows.
func Thinking(ctx context.Context, in GoalsInput) ([]GoalsRow, error) {
	step, err := in.beginSessions(ctx, nil, in.Files)
	if err != nil {
		return nil, err
	}
	var all []thinkSeries
	for _, pair := range in.Files {
		recorded, err := readRecording(pair)
		if err != nil {
			return nil, err
		}
		t := newThinker(pair.Repo, recorded.sessions)
		starts := recorded.happenings(sessionCalls{start: t.start, step: step})
		if err := replay.Run(ctx, inOrder(starts), in.afterWarmUp(goalsWarmUp)); err != nil {
			return nil, err
		}
		all = append(all, t.series)
	}
	return goalsRows(all), nil
}

// lived is a session as goals and episodes are made of it.
type lived struct {
	start, end time.Time
	goal       memory.Goal
	stated     bool // its first prompt says enough to be a goal
	episodes   []goals.Episode
	opened     replay.FileSet
}

// thinker is a memory of one repository that thinks before sessions.
type thinker struct {
	lived  []lived // by their start
	series thinkSeries
}

// thinkSeries are the marks of one repository.
type thinkSeries struct {
	repo  string
	marks []thinkMark
}

// thinkMark is what became of thinking at one moment.
type thinkMark struct {
	connected, hit, recent bool
	chance                 float64
}

func newThinker(repo string, sessions []AgentSession) *thinker {
	t := &thinker{series: thinkSeries{repo: repo}}
	for i, s := range sessions {
		t.lived = append(t.lived, live(fmt.Sprintf("%s-%d", repo, i), memory.SessionID(i+1), s))
	}
	return t
}

// live cuts a session into episodes and makes its first prompt a goal, by the terms that hebb goes by.
func live(id string, session memory.SessionID, s AgentSession) lived {
	l := lived{start: s.Start, end: s.End(), opened: replay.FileSet{}}
	var happened []memory.Event
	for _, p := range s.Prompts {
		happened = append(happened, memory.Event{Kind: memory.Prompted, At: p.At, Text: p.Text})
	}
	for _, e := range s.Opens() {
		touch := memory.Touch{Path: memory.EscapePath(e.Target), Kind: memory.Read}
		if e.Changes() {
			touch.Kind = memory.Edit
		}
		l.opened[touch.Path] = true
		happened = append(happened, memory.Event{Kind: memory.ToolUsed, At: e.At, Touches: []memory.Touch{touch}})
	}
	slices.SortStableFunc(happened, func(a, b memory.Event) int { return a.At.Compare(b.At) })
	for i := range happened {
		happened[i].ID = memory.EventID(fmt.Sprintf("%s-%d", id, i))
	}
	l.episodes = goals.Cut(happened, vocab.TextWords)
	for i := range l.episodes {
		l.episodes[i].Session = session
	}
	if len(s.Prompts) == 0 {
		return l
	}
	prompt := s.Prompts[0].Text
	title := []rune(strings.Join(strings.Fields(prompt), " "))
	l.goal = memory.Goal{
		ID: memory.GoalID(id), Kind: memory.GoalAim, Title: string(title[:min(len(title), goalsTitle)]), Text: prompt, Status: memory.GoalActive,
		Tractability: 1, From: session, CreatedAt: l.start, TouchedAt: l.end, Concepts: goals.Concepts(vocab.TextWords(prompt), goals.ConceptsMost),
	}
	for path := range l.opened {
		l.goal.Links.Files = append(l.goal.Links.Files, path)
	}
	slices.Sort(l.goal.Links.Files)
	const tooFew = 3 // words: "go on" is no goal
	l.stated = len(l.goal.Concepts) >= tooFew
	return l
}

// past is what there is to think of before a session: the latest sessions that were over, in the order of their starts.
func (t *thinker) past(next int) (episodes []goals.Episode, wanted []memory.Goal) {
	var over []lived
	for _, l := range t.lived[:next] {
		if l.end.Before(t.lived[next].start) {
			over = append(over, l)
		}
	}
	for _, l := range over[max(len(over)-goalsSessions, 0):] {
		episodes = append(episodes, l.episodes...)
		if l.stated {
			wanted = append(wanted, l.goal)
		}
	}
	return episodes, wanted
}

func (t *thinker) start(_ context.Context, s AgentSession) error {
	t.examine(s.number)
	return nil
}

// examine lets the memory think before a session. One that opens nothing is not counted: nothing could be of use to it.
func (t *thinker) examine(next int) {
	if len(t.lived[next].opened) == 0 {
		return
	}
	shares := func(e goals.Episode) bool {
		return slices.ContainsFunc(e.Files, func(path string) bool { return t.lived[next].opened[path] })
	}
	episodes, wanted := t.past(next)
	if len(episodes) == 0 || len(wanted) == 0 {
		return
	}
	mark := thinkMark{}
	latest := episodes[0]
	for _, e := range episodes {
		if !e.At.Before(latest.At) {
			latest = e
		}
		mark.chance += 100 * oneIf(shares(e)) / float64(len(episodes))
	}
	mark.recent = shares(latest)
	if found := goals.Connect(episodes, wanted, t.lived[next].start, anyPair); len(found) > 0 {
		mark.connected, mark.hit = true, shares(found[0].Episode)
	}
	t.series.marks = append(t.series.marks, mark)
}

// anyPair wants every episode for every goal.
func anyPair(goals.Episode, memory.Goal) bool { return true }

// goalsRows are the rows of each repository, of all replays and of all repositories.
func goalsRows(all []thinkSeries) (rows []GoalsRow) {
	for _, s := range all {
		rows = append(rows, goalsRow(s))
	}
	if len(all) < 2 {
		return rows
	}
	together, mean, repos := thinkSeries{repo: Micro}, GoalsRow{}, 0.0
	for i, s := range all {
		together.marks = append(together.marks, s.marks...)
		if row := rows[i]; row.Connected > 0 { // without a connection there is no share of them
			mean.Hit, mean.Recent, mean.Chance, repos = mean.Hit+row.Hit, mean.Recent+row.Recent, mean.Chance+row.Chance, repos+1
		}
	}
	macro := goalsRow(together)
	rows = append(rows, macro)
	repos = max(repos, 1)
	macro.Repo, macro.Hit, macro.Recent, macro.Chance = Macro, twoDecimals(mean.Hit/repos), twoDecimals(mean.Recent/repos), twoDecimals(mean.Chance/repos)
	return append(rows, macro.lifted())
}

func goalsRow(s thinkSeries) GoalsRow {
	row := GoalsRow{Bench: "goals", Repo: s.repo, Moments: len(s.marks)}
	for _, m := range s.marks {
		if m.connected {
			row.Connected++
			row.Hit, row.Recent, row.Chance = row.Hit+100*oneIf(m.hit), row.Recent+100*oneIf(m.recent), row.Chance+m.chance
		}
	}
	n := float64(max(row.Connected, 1))
	row.Hit, row.Recent, row.Chance = twoDecimals(row.Hit/n), twoDecimals(row.Recent/n), twoDecimals(row.Chance/n)
	return row.lifted()
}

// lifted says how many times as often a connection is right as the latest episode, and as chance.
func (r GoalsRow) lifted() GoalsRow {
	r.LiftRecent, r.LiftChance = 0, 0
	if r.Recent > 0 {
		r.LiftRecent = twoDecimals(r.Hit / r.Recent)
	}
	if r.Chance > 0 {
		r.LiftChance = twoDecimals(r.Hit / r.Chance)
	}
	return r
}

// GoalsSpeedInput says how to measure what thinking costs.
type GoalsSpeedInput struct {
	Episodes, Goals int
	Runs            int // of each row
	Tuning          tuning.Tuning
	Clock           Clock
}

// GoalsSpeedRow is one line of that benchmark.
type GoalsSpeedRow struct {
	Bench    string  `json:"bench"`
	What     string  `json:"what"`
	Episodes int     `json:"episodes"`
	Goals    int     `json:"goals"`
	N        int     `json:"n"`
	P50      float64 `json:"p50_ms"`
	P95      float64 `json:"p95_ms"`
}

// GoalsSpeed measures comparing so many episodes with so many goals, and hebb goals think on a store with as many texts.
func GoalsSpeed(ctx context.Context, in GoalsSpeedInput) (rows []GoalsSpeedRow, err error) {
	now := in.Clock()
	episodes, wanted := goalsCrowd(in.Episodes, in.Goals, now)
	compare, err := in.timed(ctx, "compare", func() error {
		goals.Connect(episodes, wanted, now, anyPair)
		return nil
	})
	if err != nil {
		return nil, err
	}
	stored, err := in.stored(ctx, episodes, wanted)
	return []GoalsSpeedRow{compare, stored}, err
}

// timed runs something as often as was asked for.
func (in GoalsSpeedInput) timed(ctx context.Context, what string, run func() error) (GoalsSpeedRow, error) {
	var took []time.Duration
	for range in.Runs {
		began := in.Clock()
		if err := errors.Join(ctx.Err(), run()); err != nil {
			return GoalsSpeedRow{}, err
		}
		took = append(took, in.Clock().Sub(began))
	}
	slices.Sort(took)
	return GoalsSpeedRow{
		Bench: "goals speed", What: what, Episodes: in.Episodes, Goals: in.Goals, N: len(took), P50: milliseconds(percentile(took, .5)), P95: milliseconds(percentile(took, .95)),
	}, nil
}

// stored measures `hebb goals think` on a store with as many texts as episodes: gathering the latest, comparing, and keeping what came of it.
func (in GoalsSpeedInput) stored(ctx context.Context, episodes []goals.Episode, wanted []memory.Goal) (row GoalsSpeedRow, err error) {
	text := TextScaleInput{Tuning: in.Tuning, Clock: in.Clock}
	err = text.opened(ctx, func(_ config.Config, place memory.Place, b *brain.Brain) error {
		scope := brain.Scope{Dir: place.Root}
		for _, e := range episodes {
			if _, err := steward.Run(ctx, b, statements.Remember, statements.RememberInput{Scope: scope, Text: e.Text}); err != nil {
				return err
			}
		}
		for _, g := range wanted {
			if _, err := steward.Run(ctx, b, goals.AddGoal, goals.GoalInput{Scope: scope, Title: g.Title, Files: g.Links.Files}); err != nil {
				return err
			}
		}
		row, err = in.timed(ctx, "hebb goals think", func() error {
			out, err := steward.Run(ctx, b, goals.Think, goals.ThinkInput{Scope: scope})
			if err == nil && out.Episodes == 0 {
				err = errors.New("there is nothing to think of")
			}
			return err
		})
		return err
	})
	return row, err
}

const (
	crowdDays  = 90   // over which episodes and goals lie
	crowdFiles = 2000 // that they are about
)

// goalsCrowd is a large memory: episodes and goals of some words, half of them of one topic, and a file or two.
func goalsCrowd(episodes, wants int, now time.Time) (lived []goals.Episode, wanted []memory.Goal) {
	random := rand.New(rand.NewPCG(3, 14)) //nolint:gosec // made-up data
	text := func(words int) string {
		topic := random.IntN(len(largeWords))
		said := make([]string, words)
		for i := range said {
			const near = 10 // words that one topic has
			if said[i] = largeWords[random.IntN(len(largeWords))]; i%2 == 0 {
				said[i] = largeWords[(topic+random.IntN(near))%len(largeWords)]
			}
		}
		return strings.Join(said, " ")
	}
	past := func() time.Time { return now.Add(-time.Duration(random.IntN(crowdDays*24)) * time.Hour) }
	file := func() string {
		n := random.IntN(crowdFiles)
		return fmt.Sprintf("%s/%s%d.go", largeWords[n%len(largeWords)], largeWords[n*7%len(largeWords)], n)
	}
	for i := range episodes {
		e := goals.Episode{ID: fmt.Sprint("e", i), At: past(), Text: text(16), Files: []string{file()}}
		e.Concepts = goals.Concepts(vocab.TextWords(e.Text+" "+e.Files[0]), len(e.Text))
		lived = append(lived, e)
	}
	for i := range wants {
		g := memory.Goal{
			ID: memory.GoalID(fmt.Sprint("g", i)), Kind: memory.GoalAim, Title: text(8), Status: memory.GoalActive, Tractability: 1, CreatedAt: past(),
			Links: memory.GoalLinks{Files: []string{file(), file()}},
		}
		g.Concepts = goals.Concepts(vocab.TextWords(g.Title), len(g.Title))
		wanted = append(wanted, g)
	}
	return lived, wanted
}
