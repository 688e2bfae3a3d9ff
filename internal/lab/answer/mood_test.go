package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
)

// moved is a lab with the work of some weeks: rules, two goals about one file, files that a prompt names, an error and what fixed it. Then the
// person says how it went.
func moved(t *testing.T, feels ...string) *braintest.Lab {
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
	for _, event := range feels {
		braintest.Must(l, desk.Feel, desk.FeelInput{Event: event})
	}
	return l
}

func TestTheMoodChangesWhatIsShown(t *testing.T) {
	const title = "### Errors that were fixed here\n"
	type shown struct {
		start  string
		prompt answer.Shown
		why    desk.MoodResult
	}
	look := func(feels ...string) (s shown) {
		l := moved(t, feels...)
		s.start = braintest.Must(l, answer.StartContext, answer.ContextInput{Scope: l.Scope(), Mode: "warm"}).Text
		s.prompt = l.Answer("next", braintest.Task)
		s.why = braintest.Must(l, desk.MoodNow, struct{}{})
		return s
	}
	calm := look()
	stressed := look("friction", "friction", "friction")
	energized := look("reward", "reward", "reward")

	if strings.Contains(calm.start, "mood") || strings.Contains(calm.start, title) || strings.Contains(calm.start, "connects it") {
		t.Errorf("calm:\n%s", calm.start)
	}
	if calm.why.Effect != "" {
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
	for _, s := range []shown{stressed, energized} { // hebb state mood shows it, and nothing else
		if strings.Contains(s.start, "mood") || s.why.Effect == "" {
			t.Errorf("a start speaks of the mood, %q:\n%s", s.why.Effect, s.start)
		}
	}
	if len(calm.prompt.Lines) != 3 || len(stressed.prompt.Lines) != 2 || len(energized.prompt.Lines) != 3 {
		t.Errorf("at the prompt: calm\n%s\nstressed\n%s\nenergized\n%s", calm.prompt.Text, stressed.prompt.Text, energized.prompt.Text)
	}

	connected := "“Report the column of a bad token” (parser/lexer1.go connects it with “Make the lexer faster”)"
	if !strings.Contains(energized.start, connected) || strings.Contains(energized.start, title) {
		t.Errorf("energized:\n%s", energized.start)
	}
}

// An error that is fixed lifts the mood; a prompt, and a command that fails or passes, move nothing.
func TestAFixedErrorMovesTheMood(t *testing.T) {
	l := moved(t)
	moods := func() int { return len(braintest.Must(l, desk.MoodNow, struct{}{}).History) }
	before := moods()
	run := func(kind memory.EventKind, line, text string) {
		e := l.Event(kind, 0)
		e.At, e.AgentSession, e.Tool, e.Input, e.Text = l.Clock, "today 2", "Bash", line, text
		l.See(l.Clock.Sub(braintest.Start).Minutes()+1, e)
	}
	l.See(511, l.Asked("today 2", "That's wrong again. Please hurry!", 511))
	run(memory.ToolFailed, "go test ./...", braintest.Fault)
	run(memory.ToolUsed, "go vet ./...", "")
	if got := moods(); got != before {
		t.Errorf("a failure moved the mood: %d, then %d", before, got)
	}
	l.See(l.Clock.Sub(braintest.Start).Minutes()+1, l.Touch("today 2", l.Clock.Sub(braintest.Start).Minutes(), memory.Edit, "parser/lexer2.go"))
	run(memory.ToolUsed, "go test ./...", "")
	list := braintest.Must(l, desk.MoodNow, struct{}{}).History
	if len(list) != before+1 || list[before].Why != "progress" {
		t.Errorf("after the fix: %+v", list)
	}
}
