package agent

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// The end of a transcript, recorded from 0.166.0 while its hook ran, says how a command ended. In
// it call_2 exits with 3, and call_3 prints such a line about itself and exits with 0.
func TestTheTranscriptOfCodexSaysHowACommandEnded(t *testing.T) {
	whole := readFile(t, "testdata/codex-0.166.0/_rollout-end.jsonl")
	for _, c := range []struct {
		name, call, log string
		want            memory.EventKind
	}{
		{"failed", "call_2", whole, memory.ToolFailed},
		{"failed, and read from within a line", "call_2", whole[200:], memory.ToolFailed},
		{"succeeded", "call_3", whole, memory.ToolUsed},
		{"not there yet", "call_4", whole, memory.ToolUsed},
		{"cut off before its code", "call_2", whole[:strings.Index(whole, `,"exit_code":3`)+10], memory.ToolUsed},
		{"empty", "call_2", "", memory.ToolUsed},
		{"no lines", "call_2", "\n\n\n", memory.ToolUsed},
	} {
		payload := strings.Replace(readFile(t, "testdata/codex-0.166.0/PostToolUse-Bash.json"), "call_01794702901554859625001", c.call, 1)
		seen, ok, err := Decode(Codex, strings.NewReader(payload), nothing, tuning.Default().Capture, megabyte)
		if !ok || err != nil || !strings.HasSuffix(seen.Log, ".jsonl") {
			t.Fatalf("%+v, %v", seen, err)
		}
		used := seen.Event
		seen.Ended([]byte(c.log))
		if e := seen.Event; e.Kind != c.want || seen.Answered != (c.want == memory.ToolFailed) || e.Input != used.Input || *e.ResultBytes != *used.ResultBytes {
			t.Errorf("%s: %+v, answered %t", c.name, e, seen.Answered)
		}
		if e := seen.Event; c.want == memory.ToolFailed && (e.ID == used.ID || e.ID == "" || len(e.Touches) > 0 || !strings.HasPrefix(e.Text, "package main")) {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}
