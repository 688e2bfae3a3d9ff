package answer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
)

// moved is a lab with the work of some weeks: rules, two goals about one file, files that a prompt names, an error and what fixed it. Then the
// person says something.
func moved(t *testing.T, says ...string) *braintest.Lab {
	t.Helper()
	l := braintest.NewHintLab(t)
	commit := []string{"parser: fix the lexer"}
	for i := range 8 {
		commit = append(commit, fmt.Sprintf("parser/lexer%d.go", i))
	}
	l.Commits(commit)
	for i := range 40 {
		text := fmt.Sprintf("Rule %d: errors of module %c%c%d are wrapped with the name of the operation and the path of the file", i, 'a'+i%26, 'b'+i%20, i)
		braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: text, Kind: memory.Rule})
	}
	for _, title := range []string{"Make the lexer faster", "Report the column of a bad token"} {
		braintest.Must(l, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: title, Files: []string{"parser/lexer1.go"}})
	}
	ran := func(kind memory.EventKind, minute float64, text string) memory.Event {
		e := l.Event(kind, minute)
		e.AgentSession, e.Tool, e.Input, e.Text = "earlier", "Bash", "go test ./...", text
		return e
	}
	l.See(6, ran(memory.ToolFailed, 5, braintest.Fault), l.Touch("earlier", 5.1, memory.Edit, "parser/lexer7.go"), ran(memory.ToolUsed, 5.2, ""))
	l.See(500, l.Of("earlier", l.Event(memory.SessionEnded, 500)))
	for i, text := range says {
		l.See(501+float64(i), l.Asked("today", text, 501+float64(i)))
	}
	l.See(510, l.Of("today", l.Event(memory.SessionEnded, 510)))
	return l
}

func TestTheMoodChangesWhatIsShown(t *testing.T) {
	const title = "### Errors that were fixed here\n"
	type shown struct {
		start  string
		prompt answer.Shown
		why    desk.MoodResult
	}
	look := func(says ...string) (s shown) {
		l := moved(t, says...)
		s.start = braintest.Must(l, answer.StartContext, answer.ContextInput{Scope: l.Scope(), Mode: "warm"}).Text
		s.prompt = l.Answer("next", braintest.Task)
		s.why = braintest.Must(l, desk.MoodNow, desk.MoodInput{Why: true})
		return s
	}
	calm := look()
	stressed := look("That's wrong again. Please hurry!", "still broken")
	energized := look("Perfect, that fixed it!", "great work")

	if strings.Contains(calm.start, "mood") || strings.Contains(calm.start, title) || strings.Contains(calm.start, "connects it") {
		t.Errorf("calm:\n%s", calm.start)
	}
	if calm.why.Effect != "" || len(calm.why.Causes) != 0 {
		t.Errorf("calm: %+v", calm.why)
	}

	rules := func(s shown) int { return strings.Count(s.start, "“Rule ") }
	if rules(calm) != 12 || rules(stressed) != 9 || !strings.Contains(calm.start, "- 28 more: hebb memories\n") {
		t.Errorf("calm: %d statements, stressed: %d\n%s", rules(calm), rules(stressed), calm.start)
	}
	fix := title + "- “panic: runtime error: index out of range [‹n›] with length ‹n›”: parser/lexer7.go fixed this error in one session (15 Nov)\n"
	if at := strings.Index(stressed.start, fix); at < 0 || at > strings.Index(stressed.start, "### What holds here") {
		t.Errorf("stressed: fixes do not come first:\n%s", stressed.start)
	}
	if !strings.Contains(stressed.start, "- the mood is stressed: things went wrong lately, so fewer lines are shown") {
		t.Errorf("stressed: nobody says why:\n%s", stressed.start)
	}
	if len(calm.prompt.Lines) != 3 || len(stressed.prompt.Lines) != 2 || len(energized.prompt.Lines) != 3 {
		t.Errorf("at the prompt: calm\n%s\nstressed\n%s\nenergized\n%s", calm.prompt.Text, stressed.prompt.Text, energized.prompt.Text)
	}

	connected := "“Report the column of a bad token” (parser/lexer1.go connects it with “Make the lexer faster”)"
	if !strings.Contains(energized.start, connected) || !strings.Contains(energized.start, "- the mood is energized") || strings.Contains(energized.start, title) {
		t.Errorf("energized:\n%s", energized.start)
	}
}

func TestWhySaysWhatMovedTheMood(t *testing.T) {
	l := moved(t, "That's wrong again. Please hurry!", "add a test", "still broken")
	causes := func() (list []string) {
		for _, c := range braintest.Must(l, desk.MoodNow, desk.MoodInput{Why: true}).Causes {
			list = append(list, strings.TrimSpace(c.Event+" "+c.Said+c.Fixed))
		}
		return list
	}
	braintest.Must(l, desk.Feel, desk.FeelInput{Event: "friction"})
	braintest.Same(t, "because", causes(), "error", "error still broken", "error That's wrong again", "urgency Please hurry")

	// An error that is fixed lifts the mood, and a command that fails or passes moves nothing.
	run := func(kind memory.EventKind, line, text string) {
		e := l.Event(kind, 0)
		e.At, e.AgentSession, e.Tool, e.Input, e.Text = l.Clock, "today 2", "Bash", line, text
		l.See(l.Clock.Sub(braintest.Start).Minutes()+1, e)
	}
	run(memory.ToolFailed, "go test ./...", braintest.Fault)
	run(memory.ToolUsed, "go vet ./...", "")
	braintest.Same(t, "after a failure", causes(), "error", "error still broken", "error That's wrong again", "urgency Please hurry")
	l.See(l.Clock.Sub(braintest.Start).Minutes()+1, l.Touch("today 2", l.Clock.Sub(braintest.Start).Minutes(), memory.Edit, "parser/lexer2.go"))
	run(memory.ToolUsed, "go test ./...", "")
	if got := causes(); len(got) != 5 || got[0] != "progress panic: runtime error: index out of range [‹n›] with length ‹n›" {
		t.Errorf("after the fix: %q", got)
	}

	// Hours later nothing of it is left.
	l.Clock = l.Clock.Add(5 * time.Hour)
	braintest.Same(t, "hours later", causes())
}
