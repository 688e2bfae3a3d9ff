package answer_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
)

func TestWhatIsToldNamesTheMemoriesThatItShows(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(1, l.Worked("run", 0, "a.go")...)
	for _, text := range []string{"use tabs for indentation", "never push to main"} {
		braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: text, Kind: memory.Rule})
	}
	told := braintest.Must(l, answer.Told, answer.ToldInput{Scope: l.Scope()})
	if len(told.Lines) != 2 {
		t.Fatalf("told %+v", told)
	}
	rest := told.Text
	for i, line := range told.Lines {
		_, after, found := strings.Cut(rest, line.Shown+"\n")
		if rest = after; !found || !strings.Contains(line.Shown, line.Text) {
			t.Errorf("line %d %+v of %s", i+1, line, told.Text)
		}
	}
	braintest.Must(l, statements.Judge, statements.JudgeInput{ID: string(told.Lines[0].ID)})
	if now := braintest.Must(l, answer.Told, answer.ToldInput{Scope: l.Scope()}); len(now.Lines) != 1 || now.Lines[0].ID != told.Lines[1].ID {
		t.Errorf("after the first was dropped: %+v", now.Lines)
	}
}
