package goals_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

// What the person states is a goal. What they put off in passing, what an agent says could be done, and an error that was left, are not.
func TestGoalsComeFromWhatThePersonStates(t *testing.T) {
	l := braintest.NewLab(t)
	said := l.Of("one", l.Event(memory.TurnEnded, 4))
	said.Origin, said.Text = memory.OriginAgent, "The login works again. We can drop the old cookie in a follow-up.\n\nStill to do: rename the cookie."
	failed := l.Of("one", l.Event(memory.ToolFailed, 3))
	failed.Tool, failed.Input, failed.Text = "Bash", "go test ./...", braintest.Fault
	l.See(6, l.Asked("one", "fix the login. Later we should move the cookie. todo: rotate the signing keys of the gateway", 1), l.Touched("one", memory.Edit, 2, "auth/keys.go"),
		failed, said, l.Of("one", l.Event(memory.SessionEnded, 5)))
	add := func(title string) goals.GoalResult {
		t.Helper()
		return must.Get(steward.Run(t.Context(), l.Brain, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: title}))(t)
	}
	if again := add("Rotate the signing keys of the gateway"); !again.Known {
		t.Errorf("kept twice: %+v", again)
	}
	if got := l.GoalTitles(); len(got) != 1 || got[0] != "rotate the signing keys of the gateway" {
		t.Fatalf("goals: %q", got)
	}
	add("Write the manual for the till")
	if n := len(l.GoalTitles()); n != 2 {
		t.Errorf("%d goals: %q", n, l.GoalTitles())
	}
	next, err := steward.Run(t.Context(), l.Brain, goals.NextUp, brain.ListInput{Scope: l.Scope(), Limit: 1})
	if err != nil || len(next.Next) != 1 || len(next.Next[0].Priority.Reasons) != 4 {
		t.Errorf("%+v, %v", next, err)
	}
	if start := l.Begin(answer.ContextInput{}).Text; !strings.Contains(start, "### Goals") || !strings.Contains(start, "Write the manual for the till") {
		t.Errorf("a session is not shown:\n%s", start)
	}
	done, err := steward.Run(t.Context(), l.Brain, goals.ChangeGoal, goals.GoalChange{Scope: l.Scope(), Goal: "manual", Status: memory.GoalDone, Progress: -1})
	if err != nil || done.Progress != 1 || len(l.GoalTitles()) != 1 {
		t.Errorf("%+v, %v, %q", done, err, l.GoalTitles())
	}
	if _, err := steward.Run(t.Context(), l.Brain, goals.ChangeGoal, goals.GoalChange{Scope: l.Scope(), Goal: "no such thing", Progress: -1}); !brain.IsNotFound(err) {
		t.Errorf("unknown: %v", err)
	}
}

// A step that was put off and of which nobody spoke since is not carried along for ever; one that is taken up again or spoken of is.
func TestAStepThatNobodyMentionsFades(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Wants(goals.GoalInput{Title: "Tidy the import of old orders", Kind: memory.GoalNext, Origin: memory.OriginAgent})
	l.Wants(goals.GoalInput{Title: "Rotate the signing keys", Kind: memory.GoalNext})
	l.Wants(goals.GoalInput{Title: "Open the second shop"})
	const day = 24 * 60.0
	l.On(400)
	if titles := l.GoalTitles(); len(titles) != 3 {
		t.Errorf("nobody worked, and they are gone: %q", titles)
	}
	l.On(59)
	l.WorkedOn()
	if titles := l.GoalTitles(); len(titles) != 3 {
		t.Errorf("too soon: %q", titles)
	}
	l.On(61)
	l.WorkedOn()
	if titles := l.GoalTitles(); len(titles) != 1 || titles[0] != "Open the second shop" {
		t.Errorf("after two months: %q", titles)
	}
	braintest.Must(l, goals.ChangeGoal, goals.GoalChange{Scope: l.Scope(), Goal: "old orders", Status: memory.GoalActive, Progress: -1})
	l.See(62*day, l.Asked("late", "how do I rotate the signing keys", 62*day-1))
	if titles := l.GoalTitles(); len(titles) != 3 {
		t.Errorf("taken up again, and spoken of: %q", titles)
	}
}

// What a commit ended is said at the next start and not again, with what shows it; it can be taken back. What the person says ends it too.
func TestWhatEndsIsSaidOnce(t *testing.T) {
	l := braintest.NewLab(t)
	const title = "rename the billing module"
	l.See(2, l.Asked("one", "todo: "+title, 1), l.Of("one", l.Event(memory.SessionEnded, 2)))
	start := func() string { return l.Begin(answer.ContextInput{}).Text }
	if !strings.Contains(start(), title) {
		t.Errorf("what was stated is not told:\n%s", start())
	}
	commit := l.Event(memory.Committed, 12)
	commit.Agent, commit.AgentSession, commit.Text = "git", "", "billing: rename the module"
	l.See(14, l.Asked("two", "go on", 11), commit, l.Of("two", l.Event(memory.SessionEnded, 13)))
	const line = "done since: “" + title + "”, hebb gathers from “billing: rename the module”"
	if text := start(); !strings.Contains(text, line) {
		t.Errorf("not said:\n%s", text)
	}
	l.See(24, l.Asked("three", "print the version", 21), l.Of("three", l.Event(memory.SessionEnded, 23)))
	if text := start(); strings.Contains(text, "done since") {
		t.Errorf("said twice:\n%s", text)
	}
	again := braintest.Must(l, goals.ChangeGoal, goals.GoalChange{Scope: l.Scope(), Goal: "billing", Status: memory.GoalActive, Progress: -1})
	if again.Status != memory.GoalActive || again.Progress != 0 || again.ClosedIn != 0 || !strings.Contains(start(), title) {
		t.Errorf("taken back: %+v", again)
	}
	l.See(34, l.Asked("four", "please print it. Drop the rename of the billing module.", 31), l.Of("four", l.Event(memory.SessionEnded, 33)))
	if text := start(); !strings.Contains(text, "dropped since: “"+title) {
		t.Errorf("dropped:\n%s", text)
	}
}

// What an agent planned and did not do is told as its words, after the person's, a little of it and not for long.
func TestStepsThatAgentsLeaveArePassing(t *testing.T) {
	l := braintest.NewLab(t)
	plan := func(run string, minutes float64, steps string) memory.Event {
		e := l.Of(run, l.Event(memory.ToolUsed, minutes))
		e.Tool, e.Text = "todowrite", steps
		return e
	}
	session := func(run string, minutes float64, events ...memory.Event) {
		t.Helper()
		l.See(minutes+9, append(append([]memory.Event{l.Asked(run, "work on the shop", minutes)}, events...), l.Of(run, l.Event(memory.SessionEnded, minutes+8)))...)
	}
	things := strings.Fields("invoice basket voucher stock supplier delivery tax refund newsletter")
	for i, thing := range things {
		steps := ""
		for _, verb := range strings.Fields("sort print archive validate export translate") {
			steps += "pending: write " + thing + verb + "\n"
		}
		session(thing, float64(20*i), plan(thing, float64(20*i)+1, strings.TrimSpace(steps)))
		if n := len(l.GoalTitles()); n != min(5*(i+1), 10) {
			t.Fatalf("after %d sessions %d steps: %q", i+1, n, l.GoalTitles())
		}
	}
	if titles := l.GoalTitles(); !strings.Contains(strings.Join(titles, "|"), "newslettersort") || strings.Contains(strings.Join(titles, "|"), "translate") {
		t.Errorf("not the first ones of the latest: %q", titles)
	}
	l.Wants(goals.GoalInput{Title: "Open the second shop"})
	l.Wants(goals.GoalInput{Title: "Count the shelves", Origin: memory.OriginAgent}) // there is room
	start := l.Begin(answer.ContextInput{}).Text
	if _, own, _ := strings.Cut(start, "Open the second shop"); strings.Count(start, "“write ") != 1 || !strings.Contains(own, "- agent, 15 Nov: “write newsletter") {
		t.Errorf("a start:\n%s", start)
	}
	if shown := l.Answer("neutral", "print the version"); strings.Contains(shown.Text, "newsletter") {
		t.Errorf("a prompt about something else:\n%s", shown.Text)
	}
	// What helpers plan, and what came from elsewhere, is no plan of the agent.
	helper, foreign := plan("other", 301, "pending: greet the helpers"), plan("other", 302, "pending: greet the strangers")
	helper.Subagent, foreign.Origin = "helper", memory.OriginImport
	session("other", 300, helper, foreign)
	// A later session does one, a prompt names one, and the others fade.
	session("later", 400, plan("later", 401, "completed: write newslettersort\ncompleted: mend the door"))
	session("spoken", 500, l.Asked("spoken", "how far did we write newsletterprint?", 501))
	if titles := strings.Join(l.GoalTitles(), "|"); strings.Contains(titles, "newslettersort") || strings.Contains(titles, "door") || strings.Contains(titles, "greet the") {
		t.Errorf("after it was done: %q", titles)
	}
	if start := l.Begin(answer.ContextInput{}).Text; strings.Contains(start, "done since") {
		t.Errorf("what an agent ticks off is no news:\n%s", start)
	}
	l.On(16)
	l.WorkedOn()
	if titles := strings.Join(l.GoalTitles(), "|"); strings.Count(titles, "write ") != 1 || !strings.Contains(titles, "write newsletterprint") {
		t.Errorf("after two weeks: %q", titles)
	}
}
