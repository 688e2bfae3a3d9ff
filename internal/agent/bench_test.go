package agent

import (
	"bytes"
	"testing"

	"github.com/hebb-memory/hebb/internal/tuning"
)

// BenchmarkDecodeClaude is what the hook of the agent that calls most often pays for its payload.
func BenchmarkDecodeClaude(b *testing.B) {
	for _, file := range []string{"PostToolUse-Read.json", "PostToolUse-Bash-editdiff.json", "UserPromptSubmit.json"} {
		source := []byte(readFile(b, "testdata/claude-code-2.1.325/"+file))
		b.Run(file, func(b *testing.B) {
			limits := tuning.Default().Capture
			b.ReportAllocs()
			for b.Loop() {
				if _, ok, err := Decode(ClaudeCode, bytes.NewReader(source), nothing, limits, megabyte); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}
