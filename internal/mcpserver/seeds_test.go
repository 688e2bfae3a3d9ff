package mcpserver

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

// An agent that was taught the tools of another memory server calls these with the names it knows.
func TestToolsTakeTheNamesOfOtherMemoryServers(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.worked()

	_, text := l.call("working_memory_note", map[string]any{"note": "the parser never gives a token back", "type": "world_fact", "importance": 0.9})
	if !strings.Contains(text, "Noted as fact") {
		t.Errorf("a note says %q", text)
	}
	l.call("working_memory_note", map[string]any{"note": "the migration took all night", "type": "experience", "importance": 7})
	l.call("working_memory_note", map[string]any{"text": "the logo has rounded corners", "importance": 0})
	l.call("working_memory_note", map[string]any{"text": "releases are tagged on Fridays"})
	scratch := ""
	l.asUser(func(b *brain.Brain, here brain.Scope) error {
		page, err := steward.Run(t.Context(), b, views.ReadPage, views.ReadInput{Scope: here, Name: "scratch"})
		scratch = page.Text
		return err
	})
	for _, want := range []string{
		"(importance: 0.9) (agent): “the parser never gives", "(importance: 1.0) (agent): “the migration took", "(importance: 0.0) (agent): “the logo has",
		"(importance: 0.7) (agent): “releases are",
	} {
		if !strings.Contains(scratch, want) {
			t.Errorf("the notes are\n%s\nwant %s", scratch, want)
		}
	}

	_, text = l.call("end_session", map[string]any{
		"summary": "made the login redirect once", "what_learned": "the session cookie is set twice", "pin_title": "Cookies", "pin_text": "one cookie per session",
		"pin_reason": "it was set twice",
	})
	for _, want := range []string{"made the login redirect once", "the session cookie is set twice", "Proposed as a pin", "one cookie per session", "Remembered as lesson"} {
		if !strings.Contains(text, want) {
			t.Errorf("the session ends with\n%s\nwant %s", text, want)
		}
	}
	l.call("wrapup", map[string]any{"summary": "and tested it"})

	l.call("record", map[string]any{"path": "src/cache.go", "type": "file", "query": "why is the cache cold"})
	l.call("resolve", map[string]any{"error": "panic: cache: no such key 17", "fix_files": []string{"src/cache.go"}})
	if _, text := l.call("error", map[string]any{"error": "panic: cache: no such key 99"}); !strings.Contains(text, "src/cache.go") {
		t.Errorf("the fix is %q", text)
	}
	l.call("predict_next", map[string]any{"current_tool": "Edit"})

	for name, wrong := range map[string]map[string]any{
		"text": {"note": "a", "text": "b"}, "importance": {"text": "a", "importance": "high"}, "kind": {"text": "a", "type": "dream"},
	} {
		if r := l.raw("working_memory_note", wrong); !r.IsError || !strings.Contains(saidIn(r), name) {
			t.Errorf("%v: %s", wrong, saidIn(r))
		}
	}
}

func TestAPinThatIsPinnedAgainWithoutATextKeepsIts(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.worked()
	pin := func(arguments map[string]any) string {
		arguments["title"] = "Deploys"
		_, text := l.call("pin", arguments)
		return text
	}
	pin(map[string]any{"text": "deploys go out on Tuesdays", "reason": "the team is there"})
	if text := pin(map[string]any{}); !strings.Contains(text, "deploys go out on Tuesdays") || !strings.Contains(text, "the team is there") {
		t.Errorf("pinned again it says %q", text)
	}
	if text := pin(map[string]any{"reason": "the on-call is there"}); !strings.Contains(text, "deploys go out on Tuesdays") || !strings.Contains(text, "the on-call is there") {
		t.Errorf("with another reason it says %q", text)
	}

	// The user's own pin stands as well, whoever pins it again.
	own := desk.PinInput{Title: "Deploys", Text: "deploys go out at night", Reason: "nobody is there"}
	for _, text := range []string{own.Text, ""} {
		own.Text = text
		l.asUser(func(b *brain.Brain, here brain.Scope) error {
			own.Scope = here
			kept, err := steward.Run(t.Context(), b, desk.PinText, own)
			if kept.Text != "deploys go out at night" || kept.Origin != memory.OriginUser {
				t.Errorf("the user pins %q: %+v", text, kept)
			}
			return err
		})
	}
	if text := pin(map[string]any{}); !strings.Contains(text, "The user has pinned this already") || !strings.Contains(text, "deploys go out at night") {
		t.Errorf("the agent pins the user's pin: %q", text)
	}
}
