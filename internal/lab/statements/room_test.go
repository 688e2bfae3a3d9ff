package statements_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// A flood of what agents want kept is refused with a reason, and the next start says so once. The person keeps what they like.
func TestAFloodOfAgentsIsStoppedAndToldOnce(t *testing.T) {
	l := braintest.NewLab(t)
	scope := brain.Scope{Project: l.Place.Project().String()}
	n := 0
	keep := func(by memory.Origin, text string) error {
		n++
		_, err := steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: scope, Text: fmt.Sprintf("%s number %d of street %d", text, n, n*n), Origin: by})
		return err
	}
	flood := func(most int) (kept int) {
		for kept < most {
			if err := keep(memory.OriginAgent, "a printer"); err != nil {
				if !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "tell the user") {
					t.Errorf("refused with %v", err)
				}
				return kept
			}
			kept++
		}
		return kept
	}
	told := func() bool {
		text := braintest.Must(l, answer.StartContext, answer.ContextInput{Scope: scope, Asked: true}).Text
		return strings.Contains(text, "as many as they may")
	}
	l.Observe(l.Prompt("first", "look at the printers"))
	l.Later(time.Minute)
	if kept := flood(60); kept != 50 || !told() {
		t.Errorf("%d were kept in the first session, want 50; told: %t", kept, told())
	}
	if err := keep("", "a shop"); err != nil {
		t.Errorf("the person is refused: %v", err)
	}
	day := 50
	for _, run := range []string{"second", "third", "fourth", "fifth"} {
		l.Later(time.Hour)
		l.Observe(l.Prompt(run, "look at the printers"))
		if run == "second" && told() {
			t.Error("it is told again")
		}
		day += flood(60)
	}
	if day != 200 {
		t.Errorf("%d were kept in a day, want 200", day)
	}
	l.Later(25 * time.Hour)
	if kept := flood(1); kept != 1 {
		t.Error("nothing is kept on the next day")
	}
}

// An agent hands in a few lines, the person a document.
func TestATextOfAnAgentIsShort(t *testing.T) {
	l := braintest.NewLibrary(t)
	long := strings.Repeat("a printer needs toner. ", 500)
	l.Remember(long)
	_, err := steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: long, Origin: memory.OriginAgent})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "has 11 KB and may have 8: split it") {
		t.Errorf("the text of an agent: %v", err)
	}
}
