package goals

import (
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func TestAPlanIsWhatItsCallsLeave(t *testing.T) {
	for name, c := range map[string]struct {
		calls      []string
		open, done string
	}{
		"nothing":                      {nil, "", ""},
		"a list":                       {[]string{"pending: write it\nin_progress: test it: all\ncompleted: plan it"}, "write it|test it: all", "plan it"},
		"a later list takes its place": {[]string{"pending: a\ncompleted: b\npending: c", "completed: a\npending: d"}, "d", "b|a"},
		"an empty list":                {[]string{"pending: a\ncompleted: b", ""}, "", "b"},
		"given up":                     {[]string{"cancelled: a\ndeleted: b\nblocked: c"}, "c", ""},
		"opened again":                 {[]string{"completed: a", "pending: a"}, "a", ""},
		"numbered":                     {[]string{"#1 : a", "#2 : b", "#3 : c", "#1 in_progress:", "#1 completed:", "#3 deleted:"}, "b", "a"},
		"another text":                 {[]string{"#1 : a", "#1 : the a", "#1 completed:"}, "", "the a"},
		"the same text twice":          {[]string{"#1 : a", "#2 : a", "#2 completed:"}, "a", "a"},
		"created unseen":               {[]string{"#7 completed:", "#8 pending:"}, "", ""},
		"no number in the answer":      {[]string{"# : a", "# : b"}, "", ""},
	} {
		p := PlanOf(c.calls)
		list := func(lines string) string { return strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "|") }
		if list(p.Open) != c.open || list(p.Done) != c.done {
			t.Errorf("%s: open %q, done %q, want %q and %q", name, p.Open, p.Done, c.open, c.done)
		}
	}
}

func TestAPlanEndsTheStepsOfAgents(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	steps := func(text string) []memory.Goal { return FromNext(text, vocab.Words) }
	s := memory.Session{ID: 7, Project: 3, OpenedAt: at(10), LastEventAt: at(12)}
	left := steps("rotate the signing keys")[0]
	left.Project, left.Origin, left.From, left.CreatedAt = 3, memory.OriginAgent, 5, at(8)
	const done, other = "rotate signing keys", "write the manual"
	for i, c := range []struct {
		done, next string
		goal       func(*memory.Goal)
		session    func(*memory.Session)
		want       memory.GoalStatus
	}{
		{done: done, want: memory.GoalDone},
		{done: other, next: other}, // of another session: it may still be wanted
		{next: done},
		{done: done, goal: func(g *memory.Goal) { g.MentionedAt = at(9) }, want: memory.GoalDone},
		{done: done, goal: func(g *memory.Goal) { g.Origin = memory.OriginUser }}, // only the person ends it
		{done: done, goal: func(g *memory.Goal) { g.CreatedAt = at(11) }},         // left while this session ran
		{done: done, goal: func(g *memory.Goal) { g.TouchedAt = at(11) }},         // taken back
		{next: other, goal: func(g *memory.Goal) { g.From = 7 }, want: memory.GoalDropped},
		{next: done, goal: func(g *memory.Goal) { g.From = 7 }},
		{next: other, goal: func(g *memory.Goal) { g.From, g.MentionedAt = 7, at(9) }}, // the person spoke of it
		{next: other, goal: func(g *memory.Goal) { g.From = 7 }, session: func(s *memory.Session) { s.SummaryBy = memory.OriginAgent }},
		{done: done, goal: func(g *memory.Goal) { g.From, g.CreatedAt = 7, at(11) }, want: memory.GoalDone},
	} {
		g, session := left, s
		if c.goal != nil {
			c.goal(&g)
		}
		if c.session != nil {
			c.session(&session)
		}
		if got := planEnds(session, g, steps(c.done), steps(c.next)); got != c.want {
			t.Errorf("%d, done %q, next %q: %q, want %q", i, c.done, c.next, got, c.want)
		}
	}
}
