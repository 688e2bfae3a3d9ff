package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// GoalsRow is one line of that benchmark: whether what thinking found was of use to the session
// that followed.
type GoalsRow struct {
	Bench     string  `json:"bench"`
	Repo      string  `json:"repo"`      // micro: all moments alike
	Moments   int     `json:"moments"`   // before a session
	Connected int     `json:"connected"` // moments with a connection of an episode to the goal of another session
	Hit       float64 `json:"hit"`       // of these, the first connection shares a file with the next session, percent
	Recent    float64 `json:"recent"`    // the latest episode does, at the same moments
	Chance    float64 `json:"chance"`    // an episode drawn blindly does
}

const (
	goalsWarmUp   = 10  // sessions that only teach
	goalsTitle    = 100 // characters of a first prompt that are the title of its goal
	goalsSessions = 100 // latest sessions whose episodes hebb goals think compares
)

// Thinking replays the sessions of repositories and lets a memory think before each from the
// eleventh on: of the sessions that were over by then, with a goal for the first prompt of each. It
// looks whether the first connection leads to an episode that shares a file with the session that
// follows.
func Thinking(ctx context.Context, in Input) ([]GoalsRow, error) {
	var rows []GoalsRow
	total := GoalsRow{Bench: "goals", Repo: Micro}
	for _, pair := range in.Sessions {
		recorded, err := ReadRecording(pair)
		if err != nil {
			return nil, err
		}
		t := newThinker(pair.Repo, recorded.Sessions)
		starts := recorded.happenings(sessionCalls{start: t.start})
		if err := replay.Run(ctx, inOrder(starts), in.afterWarmUp(goalsWarmUp)); err != nil {
			return nil, err
		}
		total.add(t.row)
		rows = append(rows, t.row.divided())
	}
	if len(rows) > 1 {
		rows = append(rows, total.divided())
	}
	return rows, nil
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
	lived []lived  // by their start
	row   GoalsRow // sums
}

func newThinker(repo string, sessions []AgentSession) *thinker {
	t := &thinker{row: GoalsRow{Bench: "goals", Repo: repo}}
	for i, s := range sessions {
		t.lived = append(t.lived, live(fmt.Sprintf("%s-%d", repo, i), memory.SessionID(i+1), s))
	}
	return t
}

// live cuts a session into episodes and makes its first prompt a goal, by the terms that hebb goes
// by.
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
		ID: memory.GoalID(id), Kind: memory.GoalAim, Title: string(title[:min(len(title), goalsTitle)]), Text: prompt,
		Status: memory.GoalActive, Tractability: 1, From: session, CreatedAt: l.start, TouchedAt: l.end,
		Concepts: goals.Concepts(vocab.TextWords(prompt), goals.ConceptsMost),
	}
	for path := range l.opened {
		l.goal.Links.Files = append(l.goal.Links.Files, path)
	}
	slices.Sort(l.goal.Links.Files)
	const tooFew = 3 // words: "go on" is no goal
	l.stated = len(l.goal.Concepts) >= tooFew
	return l
}

// past is what there is to think of before a session: the latest sessions that were over, in the
// order of their starts.
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

// examine lets the memory think before a session. One that opens nothing is not counted: nothing
// could be of use to it.
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
	t.row.Moments++
	found := goals.Connect(episodes, wanted, t.lived[next].start, anyPair)
	if len(found) == 0 {
		return
	}
	latest := episodes[0]
	for _, e := range episodes {
		if !e.At.Before(latest.At) {
			latest = e
		}
		t.row.Chance += 100 * oneIf(shares(e)) / float64(len(episodes))
	}
	t.row.Connected++
	t.row.Hit += 100 * oneIf(shares(found[0].Episode))
	t.row.Recent += 100 * oneIf(shares(latest))
}

// anyPair wants every episode for every goal.
func anyPair(goals.Episode, memory.Goal) bool { return true }

func (r *GoalsRow) add(o GoalsRow) {
	r.Moments, r.Connected = r.Moments+o.Moments, r.Connected+o.Connected
	r.Hit, r.Recent, r.Chance = r.Hit+o.Hit, r.Recent+o.Recent, r.Chance+o.Chance
}

// divided makes means of sums.
func (r GoalsRow) divided() GoalsRow {
	n := float64(max(r.Connected, 1))
	r.Hit, r.Recent, r.Chance = twoDecimals(r.Hit/n), twoDecimals(r.Recent/n), twoDecimals(r.Chance/n)
	return r
}
