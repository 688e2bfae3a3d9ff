package agent

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// titles are the agents as people call them.
var titles = map[memory.Agent]string{
	ClaudeCode: "Claude Code", Codex: "Codex", Gemini: "Gemini CLI", Cursor: "Cursor", Copilot: "Copilot CLI", Cline: "Cline",
	OpenCode: "OpenCode", Kilo: "Kilo Code", OpenClaw: "OpenClaw", VSCode: "VS Code", Qwen: "Qwen Code", Kimi: "Kimi Code", Pi: "Pi",
}

// The table in the documents says which agent receives something at which moment: what Answer
// answers. What comes after a compaction is the start of a session once more, of which there is a
// payload.
func TestTheTableOfMomentsIsTrue(t *testing.T) {
	text := strings.ReplaceAll(readFile(t, filepath.Join("..", "..", "docs", "agents", "README.md")), "\r\n", "\n")
	_, rest, _ := strings.Cut(text, "<!-- moments:begin -->\n")
	table, _, found := strings.Cut(rest, "<!-- moments:end -->\n")
	rows := map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[cells[0]] = cells[1:]
	}
	if !found || len(rows) != len(Known())+2 {
		t.Fatalf("%d rows for %d agents", len(rows), len(Known()))
	}
	moments := []memory.EventKind{memory.SessionStarted, memory.Prompted, memory.ToolPlanned, memory.ToolFailed, memory.Compacted, memory.SubagentBegan}
	for _, name := range Known() {
		row := rows[titles[name]]
		if len(row) != len(moments) {
			t.Errorf("%s: %q", name, row)
			continue
		}
		for i, kind := range moments {
			_, err := Answer(name, kind, "x", "")
			receives := err == nil || kind == memory.SessionStarted && StartsAtPrompt(name)
			if kind == memory.Compacted {
				receives = goesOn(t, name)
			}
			if says := !strings.HasPrefix(row[i], "no: "); says != receives {
				t.Errorf("%s, %s: the table says %q, Answer %v", name, kind, row[i], err)
			}
		}
	}
}

// goesOn reports whether a payload of the agent says that a session goes on after a compaction, and
// is answered, or the next prompt is answered in its place.
func goesOn(t *testing.T, name memory.Agent) bool {
	t.Helper()
	for _, file := range payloadsOf(t, name) {
		seen, ok, err := Decode(name, strings.NewReader(readFile(t, file)), nothing, tuning.Default().Capture, megabyte)
		compacted := seen.Answered && seen.Event.Kind == memory.SessionStarted && seen.Event.Input == "compact"
		if err == nil && ok && (compacted || seen.Event.Kind == memory.Compacting && StartsAtPrompt(name)) {
			return true
		}
	}
	return false
}
