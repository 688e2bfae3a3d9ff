package memory_test

import (
	"reflect"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestFileSourceRoundTrip(t *testing.T) {
	for _, c := range []struct {
		source memory.FileSource
		text   string
		label  string
	}{
		{memory.FileSource{File: "CLAUDE.md", Readers: []memory.Agent{"claude-code", "copilot"}}, "CLAUDE.md (read by claude-code, copilot)", "CLAUDE.md"},
		{
			memory.FileSource{File: "~/.claude/projects/a (b)/memory/x.md", By: "claude-code", Readers: []memory.Agent{"claude-code"}},
			"~/.claude/projects/a (b)/memory/x.md (noted by claude-code; read by claude-code)", "Claude noted",
		},
		{memory.FileSource{File: "web.mdc", For: "src/**/*.ts, *.css", Readers: []memory.Agent{"cursor"}}, "web.mdc (for src/**/*.ts, *.css; read by cursor)", "web.mdc"},
		{memory.FileSource{File: "notes.md", By: "kilo"}, "notes.md (noted by kilo)", "Kilo noted"},
		{memory.FileSource{File: "a (b).md"}, "a (b).md ()", "a (b).md"},
	} {
		if got := c.source.String(); got != c.text {
			t.Errorf("got %q, want %q", got, c.text)
		}
		kept := memory.Crystal{Origin: memory.OriginFile, Source: c.text}
		got, ok := kept.FileSource()
		if !ok || !reflect.DeepEqual(got, c.source) || got.Label() != c.label {
			t.Errorf("%q: got %+v with label %q, want %+v with label %q", c.text, got, got.Label(), c.source, c.label)
		}
	}
	if _, ok := (memory.Crystal{Origin: memory.OriginUser, Source: "CLAUDE.md (read by codex)"}).FileSource(); ok {
		t.Error("what a person said has the source of a file")
	}
}
