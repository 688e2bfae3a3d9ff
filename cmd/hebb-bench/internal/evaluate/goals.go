package evaluate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"

	"github.com/hebb-memory/hebb/internal/replay"
)

// GoalsInput says before which sessions somebody thinks.
type GoalsInput struct {
	Files  []SessionFiles
	Tuning tuning.Tuning
	Options
}

// GoalsRow is one line of that benchmark: whether what a replay brought to mind was of use to the session that followed.
type GoalsRow struct {
	Bench      string  `json:"bench"`
	Repo       string  `json:"repo"` // micro: all replays alike; macro: all repositories alike
	Depth      string  `json:"depth"`
	Replays    int     `json:"replays"`
	Connected  int     `json:"connected"`   // replays with a connection of an episode to the goal of another session
	Hit        float64 `json:"hit"`         // of these, the first connection shares a file with the next session, percent
	Recent     float64 `json:"recent"`      // the latest episode does, at the same moments
	Chance     float64 `json:"chance"`      // an episode drawn blindly does
	LiftRecent float64 `json:"lift_recent"` // hit / recent
	LiftChance float64 `json:"lift_chance"` // hit / chance
	Shown      int     `json:"shown"`       // connections of a memory that remembers what it has shown
	Repeats    int     `json:"repeats"`     // of these, shown less than six hours before
}

const (
	goalsWarmUp = 10            // sessions that only teach
	goalsSeeds  = 3             // replays before each session
	goalsTitle  = 100           // characters of a first prompt that are the title of its goal
	goalsThinks = 3             // replays before each session of the memory that remembers, an hour apart
	goalsRepeat = 6 * time.Hour // in which nothing may be shown twice

	// goalsReadBytes is what one reading of a file counts: recordings do not say it. Two make a deep read.
	goalsReadBytes = 2500
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
		t := newThinker(pair.Repo, in.Tuning.Goal, recorded.sessions)
		starts := recorded.happenings(sessionCalls{start: t.start, step: step})
		if err := replay.Run(ctx, inOrder(starts), in.afterWarmUp(goalsWarmUp)); err != nil {
			return nil, err
		}
		all = append(all, t.series...)
	}
	return goalsRows(all), nil
}

// lived is a session as goals and episodes are made of it.
type lived struct {
	start, end time.Time
	goal       memory.Goal
	stated     bool // its first prompt says enough to be a goal
	episodes   []goal.Episode
	opened     replay.FileSet
}

// thinker is a memory of one repository that thinks before sessions.
type thinker struct {
	tuning  tuning.Goal
	lived   []lived               // by their start
	meaning map[string]meaningful // of an episode or goal
	series  []thinkSeries         // one for each depth
}

type meaningful struct {
	vector memory.Vector
	known  bool
}

// thinkSeries are the marks of one depth in one repository.
type thinkSeries struct {
	repo           string
	depth          goal.Depth
	marks          []thinkMark
	shown, repeats int
	last           map[string]time.Time // when a thought was last shown
}

// thinkMark is what became of one replay.
type thinkMark struct {
	connected, hit, recent bool
	chance                 float64
}

func newThinker(repo string, t tuning.Goal, sessions []AgentSession) *thinker {
	th := &thinker{tuning: t, meaning: map[string]meaningful{}}
	for i, s := range sessions {
		th.lived = append(th.lived, th.live(fmt.Sprintf("%s-%d", repo, i), memory.SessionID(i+1), s))
	}
	for _, depth := range []goal.Depth{goal.Brief, goal.Full, goal.Deep} {
		th.series = append(th.series, thinkSeries{repo: repo, depth: depth, last: map[string]time.Time{}})
	}
	return th
}

// live cuts a session into episodes and makes its first prompt a goal, by the terms and meanings that hebb goes by.
func (t *thinker) live(id string, session memory.SessionID, s AgentSession) lived {
	l := lived{start: s.Start, end: s.End(), opened: replay.FileSet{}}
	var happened []goal.Happening
	for _, p := range s.Prompts {
		happened = append(happened, goal.Happening{Kind: goal.Asked, At: p.At, Text: p.Text})
	}
	for _, e := range s.Opens() {
		l.opened[memory.EscapePath(e.Target)] = true
		h := goal.Happening{Kind: goal.Read, At: e.At, Files: []string{memory.EscapePath(e.Target)}, Bytes: goalsReadBytes}
		if e.Changes() {
			h.Kind, h.Bytes = goal.Changed, 0
		}
		happened = append(happened, h)
	}
	slices.SortStableFunc(happened, func(a, b goal.Happening) int { return a.At.Compare(b.At) })
	for i := range happened {
		happened[i].ID = fmt.Sprintf("%s-%d", id, i)
	}
	l.episodes = goal.Cut(happened, recall.TextWords)
	for i := range l.episodes {
		l.episodes[i].Session = session
		t.remember(l.episodes[i].ID, l.episodes[i].Text)
	}
	if len(s.Prompts) == 0 {
		return l
	}
	prompt := s.Prompts[0].Text
	title := []rune(strings.Join(strings.Fields(prompt), " "))
	l.goal = memory.Goal{
		ID: memory.GoalID(id), Kind: memory.GoalAim, Title: string(title[:min(len(title), goalsTitle)]), Text: prompt, Status: memory.GoalActive,
		Tractability: 1, From: session, CreatedAt: l.start, TouchedAt: l.end, Concepts: goal.Concepts(recall.TextWords(prompt), goal.ConceptsMost),
	}
	for path := range l.opened {
		l.goal.Links.Files = append(l.goal.Links.Files, path)
	}
	slices.Sort(l.goal.Links.Files)
	const tooFew = 3 // words: "go on" is no goal
	l.stated = len(l.goal.Concepts) >= tooFew
	t.remember(id, l.goal.Title)
	return l
}

func (t *thinker) remember(id, text string) {
	v := embedding.General(recall.TextWords(text))
	t.meaning[id] = meaningful{v, v != nil}
}

// past is what there is to think of before a session: the latest sessions that were over, in the order of their starts.
func (t *thinker) past(next, sessions int) (m goal.Material) {
	m = goal.Material{Now: t.lived[next].start, Cosine: func(e goal.Episode, g memory.Goal) (float64, bool) {
		a, b := t.meaning[e.ID], t.meaning[string(g.ID)]
		if !a.known || !b.known {
			return 0, false
		}
		return a.vector.Cos(b.vector), true
	}}
	var over []lived
	for _, l := range t.lived[:next] {
		if l.end.Before(m.Now) {
			over = append(over, l)
		}
	}
	for _, l := range over[max(len(over)-sessions, 0):] {
		m.Episodes = append(m.Episodes, l.episodes...)
		if l.stated {
			m.Goals = append(m.Goals, l.goal)
		}
	}
	return m
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
	shares := func(e goal.Episode) bool {
		return slices.ContainsFunc(e.Files, func(path string) bool { return t.lived[next].opened[path] })
	}
	for i := range t.series {
		s := &t.series[i]
		m := t.past(next, s.depth.Limits().Sessions)
		if len(m.Episodes) == 0 || len(m.Goals) == 0 {
			continue
		}
		usual := thinkMark{}
		latest := m.Episodes[0]
		for _, e := range m.Episodes {
			if !e.At.Before(latest.At) {
				latest = e
			}
			usual.chance += 100 * oneIf(shares(e)) / float64(len(m.Episodes))
		}
		usual.recent = shares(latest)
		for seed := range uint64(goalsSeeds) {
			mark := usual
			if found := t.think(m, seed, s.depth); len(found) > 0 {
				mark.connected, mark.hit = true, shares(found[0].Episode)
			}
			s.marks = append(s.marks, mark)
		}
		t.thinkAgain(m, s)
	}
}

func (t *thinker) think(m goal.Material, seed uint64, depth goal.Depth) []goal.Connection {
	random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // thoughts, not secrets
	return goal.Replay(m, random, depth.Limits()).Connections
}

// thinkAgain thinks several times in a row, remembers what was shown, and counts what comes back too soon.
func (t *thinker) thinkAgain(m goal.Material, s *thinkSeries) {
	start := m.Now
	for i := range goalsThinks {
		m.RepeatAfter, m.Now, m.Surfaced = t.tuning.RepeatAfter, start.Add(time.Duration(i-goalsThinks+1)*time.Hour), s.last
		found := t.think(m, uint64(i), s.depth)
		for _, c := range found {
			s.shown++
			if slices.ContainsFunc(c.Keys, func(key string) bool {
				at, before := s.last[key]
				return before && m.Now.Sub(at) < goalsRepeat
			}) {
				s.repeats++
			}
		}
		for _, c := range found { // after counting: one train may hold one episode against several goals
			for _, key := range c.Keys {
				s.last[key] = m.Now
			}
		}
	}
}

// goalsRows are the rows of each repository, of all replays and of all repositories.
func goalsRows(all []thinkSeries) (rows []GoalsRow) {
	several := false
	for _, s := range all {
		several = several || s.repo != all[0].repo
		rows = append(rows, goalsRow(s))
	}
	if !several {
		return rows
	}
	var macro []GoalsRow
	for _, depth := range []goal.Depth{goal.Brief, goal.Full, goal.Deep} {
		together, mean, repos := thinkSeries{repo: Micro, depth: depth}, GoalsRow{}, 0.0
		for _, s := range all {
			if s.depth != depth {
				continue
			}
			together.marks = append(together.marks, s.marks...)
			together.shown, together.repeats = together.shown+s.shown, together.repeats+s.repeats
			if row := goalsRow(s); row.Connected > 0 { // without a connection there is no share of them
				mean.Hit, mean.Recent, mean.Chance, repos = mean.Hit+row.Hit, mean.Recent+row.Recent, mean.Chance+row.Chance, repos+1
			}
		}
		row := goalsRow(together)
		rows = append(rows, row)
		repos = max(repos, 1)
		row.Repo, row.Hit, row.Recent, row.Chance = Macro, twoDecimals(mean.Hit/repos), twoDecimals(mean.Recent/repos), twoDecimals(mean.Chance/repos)
		macro = append(macro, row.lifted())
	}
	return append(rows, macro...)
}

func goalsRow(s thinkSeries) GoalsRow {
	row := GoalsRow{Bench: "goals", Repo: s.repo, Depth: s.depth.String(), Replays: len(s.marks), Shown: s.shown, Repeats: s.repeats}
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

// GoalsSpeedInput says how to measure what a replay costs.
type GoalsSpeedInput struct {
	Episodes, Goals int
	Runs            int // replays per row
	Tuning          tuning.Tuning
	Clock           Clock
}

// GoalsSpeedRow is one line of that benchmark.
type GoalsSpeedRow struct {
	Bench    string  `json:"bench"`
	Depth    string  `json:"depth"`
	Episodes int     `json:"episodes"`
	Goals    int     `json:"goals"`
	N        int     `json:"n"`
	P50      float64 `json:"p50_ms"`
	P95      float64 `json:"p95_ms"`
}

// GoalsSpeed measures replays of each depth among so many episodes and goals, meanings found out at each comparison, and, once,
// what it takes to compare the words of each pair.
func GoalsSpeed(ctx context.Context, in GoalsSpeedInput) (rows []GoalsSpeedRow, err error) {
	m := goalsCrowd(in.Episodes, in.Goals, in.Clock())
	for _, depth := range []goal.Depth{goal.Brief, goal.Full, goal.Deep} {
		var took []time.Duration
		for i := range in.Runs {
			if err := ctx.Err(); err != nil {
				return rows, err
			}
			random := rand.New(rand.NewPCG(uint64(i), 1)) //nolint:gosec // thoughts, not secrets
			began := in.Clock()
			goal.Replay(m, random, depth.Limits())
			took = append(took, in.Clock().Sub(began))
		}
		slices.Sort(took)
		rows = append(rows, GoalsSpeedRow{
			Bench: "goals speed", Depth: depth.String(), Episodes: in.Episodes, Goals: in.Goals, N: len(took),
			P50: milliseconds(percentile(took, .5)), P95: milliseconds(percentile(took, .95)),
		})
	}
	began := in.Clock()
	for _, e := range m.Episodes {
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		for _, g := range m.Goals {
			goal.Likeness(e.Concepts, g.Concepts)
		}
	}
	naive := milliseconds(in.Clock().Sub(began))
	rows = append(rows, GoalsSpeedRow{Bench: "goals speed", Depth: "naive", Episodes: in.Episodes, Goals: in.Goals, N: 1, P50: naive, P95: naive})
	stored, err := in.stored(ctx, m)
	return append(rows, stored), err
}

// stored measures a full replay as `hebb think` does it, on a store with as many texts as episodes: gathering them, meanings and
// the graph, and keeping what came of it.
func (in GoalsSpeedInput) stored(ctx context.Context, m goal.Material) (row GoalsSpeedRow, err error) {
	row = GoalsSpeedRow{Bench: "goals speed", Depth: "full, stored", Episodes: in.Episodes, Goals: in.Goals, N: in.Runs}
	text := TextScaleInput{Tuning: in.Tuning, Clock: in.Clock}
	err = text.opened(ctx, func(_ config.Config, place memory.Place, b *brain.Brain) error {
		scope := brain.Scope{Dir: place.Root}
		for _, e := range m.Episodes {
			if _, err := steward.Run(ctx, b, statements.Remember, statements.RememberInput{Scope: scope, Text: e.Text}); err != nil {
				return err
			}
		}
		for _, g := range m.Goals {
			if _, err := steward.Run(ctx, b, goals.AddGoal, goals.GoalInput{Scope: scope, Title: g.Title, Files: g.Links.Files}); err != nil {
				return err
			}
		}
		var took []time.Duration
		for i := range in.Runs {
			began := in.Clock()
			out, err := steward.Run(ctx, b, goals.Think, goals.ThinkInput{Scope: scope, Seed: uint64(i + 1)})
			if err != nil {
				return err
			}
			if len(out.Steps) == 0 {
				return fmt.Errorf("nothing came to mind: %s", out.Ended)
			}
			took = append(took, in.Clock().Sub(began))
		}
		slices.Sort(took)
		row.P50, row.P95 = milliseconds(percentile(took, .5)), milliseconds(percentile(took, .95))
		return nil
	})
	return row, err
}

const (
	crowdDays  = 90   // over which episodes and goals lie
	crowdFiles = 2000 // that they are about
	crowdParts = 40   // of the graph
)

// goalsCrowd is a large memory: episodes and goals of some words, half of them of one topic, and a file or two.
func goalsCrowd(episodes, goals int, now time.Time) goal.Material {
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
	m := goal.Material{
		Now: now,
		Cosine: func(e goal.Episode, g memory.Goal) (float64, bool) {
			a, b := embedding.General(recall.TextWords(e.Text)), embedding.General(recall.TextWords(g.Title))
			return a.Cos(b), a != nil && b != nil
		},
		Communities: func(episodes []goal.Episode) []int {
			parts := make([]int, len(episodes))
			for i, e := range episodes {
				parts[i] = len(e.Text) % crowdParts
			}
			return parts
		},
	}
	for i := range episodes {
		e := goal.Episode{ID: fmt.Sprint("e", i), At: past(), Kind: goal.Exchange, Text: text(16), Files: []string{file()}}
		e.Concepts = goal.Concepts(recall.TextWords(e.Text+" "+e.Files[0]), len(e.Text))
		m.Episodes = append(m.Episodes, e)
	}
	for i := range goals {
		g := memory.Goal{
			ID: memory.GoalID(fmt.Sprint("g", i)), Kind: memory.GoalAim, Title: text(8), Status: memory.GoalActive, Tractability: 1, CreatedAt: past(),
			Links: memory.GoalLinks{Files: []string{file(), file()}},
		}
		g.Concepts = goal.Concepts(recall.TextWords(g.Title), len(g.Title))
		m.Goals = append(m.Goals, g)
	}
	return m
}
