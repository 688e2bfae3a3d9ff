package evaluate

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestPromptsAreMarkedByWhatTheSessionOpensAfterThem(t *testing.T) {
	t.Parallel()
	var days [][]string
	for day := range 14 {
		days = append(days, []string{"till.go", []string{"door.go", "lamp.go"}[day%2]})
	}
	in := PromptsInput{Input: Input{Sessions: []SessionFiles{startTrace(t, "shop", days, nil)}, Tuning: tuning.Default()}}
	in.Tuning.Hook.Precision = 0.05 // all three are shown
	rows := must.Get(Prompts(t.Context(), in))(t)
	var first, stated PromptRow
	for _, r := range rows {
		if r.Repo == Micro && r.Prompt == "first" {
			first = r
		}
		if r.Repo == Micro && strings.HasPrefix(r.Prompt, "stated") {
			stated.Lines, stated.Right = stated.Lines+r.Lines, stated.Right+r.Right
		}
	}
	want := PromptRow{Bench: "prompts", Repo: Micro, Prompt: "first", Asked: 4, Answered: 4, Lines: 12, Right: 8, Share: 100, Precise: 66.67}
	if first != want || stated.Lines != want.Lines || stated.Right != want.Right {
		t.Errorf("%+v, want %+v; of the stated lines %d of %d", first, want, stated.Right, stated.Lines)
	}
}
