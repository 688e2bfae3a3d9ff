package answer_test

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
)

func TestLinesThatShowMemoriesAreNumbered(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(1, l.Worked("run", 0, "a.go")...)
	for _, text := range []string{"use tabs for indentation", "never push to main"} {
		braintest.Must(l, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: text, Kind: memory.Rule})
	}
	ofNumber := func(n string) memory.CrystalID {
		return braintest.Must(l, statements.WhyCrystal, statements.ProvenanceInput{ID: n}).ID
	}
	told := braintest.Must(l, answer.Told, answer.ToldInput{Scope: l.Scope(), Numbered: true})
	if len(told.Lines) != 2 {
		t.Fatalf("told %+v", told)
	}
	rest := told.Text
	for i, line := range told.Lines {
		_, after, found := strings.Cut(rest, line.Shown+"\n")
		if rest = after; !found || !strings.Contains(line.Shown, line.Text) || ofNumber([]string{"1", "2"}[i]) != line.ID {
			t.Errorf("line %d %+v of %s", i+1, line, told.Text)
		}
	}
	braintest.Must(l, statements.Judge, statements.JudgeInput{ID: "1"})
	if now := braintest.Must(l, answer.Told, answer.ToldInput{Scope: l.Scope()}); len(now.Lines) != 1 || now.Lines[0].ID != told.Lines[1].ID {
		t.Errorf("after the first was dropped: %+v", now.Lines)
	}
	if ofNumber("2") != told.Lines[1].ID { // what nobody saw changes no number
		t.Error("the numbers of the list are others")
	}
}
