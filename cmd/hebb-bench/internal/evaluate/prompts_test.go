package evaluate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	in := PromptsInput{Input: Input{Sessions: []SessionFiles{recorded(t, "shop", days)}, Tuning: tuning.Default()}}
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

// recorded writes a repository of recorded sessions, one a day: each opens these files, in order.
func recorded(t *testing.T, repo string, sessions [][]string) SessionFiles {
	t.Helper()
	dir := t.TempDir()
	var lines []string
	for day, files := range sessions {
		events := [][]any{{1, "bash", "ls"}}
		for i, f := range files {
			events = append(events, []any{10 * (i + 1), "read", f})
		}
		lines = append(lines, string(must.Get(json.Marshal(map[string]any{
			"repo": repo, "session": fmt.Sprintf("%s-%d", repo, day), "agent": "claude-code", "actor": "a", "start": morning.AddDate(0, 0, day).Unix(),
			"prompts": [][]any{{0, "mend the brass till"}}, "events": events,
		}))(t)))
	}
	pair := SessionFiles{Repo: repo, Commits: filepath.Join(dir, repo+".commits.jsonl"), Sessions: filepath.Join(dir, repo+".sessions.jsonl")}
	for file, text := range map[string][]string{pair.Commits: nil, pair.Sessions: lines} {
		must.Do(t, os.WriteFile(file, []byte(strings.Join(text, "\n")), 0o600))
	}
	return pair
}
