package answer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// remembers keeps statements as `hebb remember` does.
func remembers(l *braintest.Lab, in ...statements.RememberInput) (kept []statements.RememberResult) {
	l.T.Helper()
	for _, one := range in {
		one.Scope = brain.Scope{Project: l.Event(memory.Prompted, 0).Place.Project().String()}
		result := must.Get(steward.Run(l.T.Context(), l.Brain, statements.Remember, one))(l.T)
		kept = append(kept, result)
		l.Later(time.Second)
	}
	return kept
}

const (
	mailRule   = "emails to customers go out through the queue worker, never from a request handler"
	mailPrompt = "let the request handler send emails to customers when their order is shipped"
)

// shop is a project in which a few things hold.
func shop(t *testing.T) (*braintest.Lab, []statements.RememberResult) {
	l := braintest.NewParserLab(t)
	return l, remembers(l,
		statements.RememberInput{Kind: memory.Rule, Text: mailRule},
		statements.RememberInput{Kind: memory.Decision, Text: "prices are stored as integer cents"},
		statements.RememberInput{Kind: memory.Preference, Text: "show me the diff before you commit"},
		statements.RememberInput{Kind: memory.Fact, Text: "staging runs on the machine in the basement"},
	)
}

func memories(s answer.Shown) (list []memory.Suggestion) {
	for _, l := range s.Lines {
		if l.Offer == memory.OfferMemory {
			list = append(list, l)
		}
	}
	return list
}

func TestAPromptIsShownWhatWasSaidAboutIt(t *testing.T) {
	l, kept := shop(t)
	out := l.Answer("run", mailPrompt)
	lines := memories(out)
	if len(lines) == 0 || len(lines) > 3 || lines[0].Crystal != kept[0].ID || lines[0].Moment != memory.AtPrompt {
		t.Fatalf("lines %+v", lines)
	}
	if want := "- user, 15 Nov: “" + mailRule + "”\n"; !strings.Contains(out.Text, want) {
		t.Errorf("shown:\n%swant %s", out.Text, want)
	}
	if again := memories(l.Answer("run", mailPrompt+", please")); len(again) > 0 && again[0].Crystal == kept[0].ID {
		t.Errorf("the same session is shown it again: %+v", again)
	}
	if other := memories(l.Answer("other", mailPrompt)); len(other) == 0 {
		t.Error("another session is not shown it")
	}
}

func TestAPromptIsNotShownWhatNoLongerHolds(t *testing.T) {
	l, kept := shop(t)
	remembers(l, statements.RememberInput{Kind: memory.Rule, Text: "emails to customers are sent at once by the request handler now", Replaces: []string{string(kept[0].ID)}})
	out := l.Answer("run", mailPrompt)
	if strings.Contains(out.Text, mailRule) || !strings.Contains(out.Text, "at once by the request handler") {
		t.Errorf("shown:\n%s", out.Text)
	}
}

func TestWhatAnAgentNotedIsShownAsItsNote(t *testing.T) {
	l := braintest.NewParserLab(t)
	remembers(l, statements.RememberInput{Kind: memory.Lesson, Text: mailRule, Origin: memory.OriginAgent})
	if out := l.Answer("run", mailPrompt); !strings.Contains(out.Text, "- agent, 15 Nov: “"+mailRule+"”") {
		t.Errorf("shown:\n%s", out.Text)
	}
}

func TestWhatHoldsEverywhereIsShownInAnyProject(t *testing.T) {
	l := braintest.NewParserLab(t)
	remembers(l, statements.RememberInput{Kind: memory.Rule, Text: mailRule, Everywhere: true})
	if out := l.Answer("run", mailPrompt); !strings.Contains(out.Text, mailRule) {
		t.Errorf("shown:\n%s", out.Text)
	}
}

func TestWhatOtherToolsSayIsNotShownWithPrompts(t *testing.T) {
	l := braintest.NewParserLab(t)
	remembers(l, statements.RememberInput{Kind: memory.Rule, Text: mailRule, Origin: memory.OriginWeb})
	if out := l.Answer("run", mailPrompt); len(memories(out)) > 0 {
		t.Errorf("shown:\n%s", out.Text)
	}
}

func TestTasklessPromptsAreShownNoFiles(t *testing.T) {
	l := braintest.NewParserLab(t)
	l.Commits([]string{"go: go on", "go.mod"}, []string{"make it faster", "parser/faster.go"}, []string{"go: make go faster", "go.mod", "parser/faster.go"})
	for i, text := range []string{"go on", "make it faster"} {
		if out := l.Answer(fmt.Sprint("run", i), text); len(out.Lines) > 0 {
			t.Errorf("%q is answered with\n%s", text, out.Text)
		}
	}
	if out := l.Answer("task", "make the lexer faster"); len(out.Lines) == 0 {
		t.Error("a task is not answered")
	}
}
