package mcpserver

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// prompted is what the person types now.
func (l *lab) prompted(text string) {
	l.t.Helper()
	typed := l.event("one", memory.Prompted, text)
	typed.At, typed.Origin = l.now(), memory.OriginUser
	l.spooled(typed)
}

func TestAgentsCorrectMemoriesWithTheWordOfTheUser(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.worked()
	var said statements.RememberResult
	l.asUser(func(b *brain.Brain, scope brain.Scope) (err error) {
		said, err = steward.Run(t.Context(), b, statements.Remember, statements.RememberInput{Scope: scope, Text: "retention is thirty days", Kind: memory.Rule})
		return err
	})
	act := func(action, id string, more ...string) map[string]any {
		arguments := map[string]any{"action": action, "id": id}
		for i := 0; i < len(more); i += 2 {
			arguments[more[i]] = more[i+1]
		}
		return arguments
	}
	id := string(said.ID)
	text := l.call("memories", nil)
	l.wants(text, id, "rule · from user: retention is thirty days")
	text = l.call("memories", act("show", id))
	l.wants(text, "by user", "retention is thirty days")
	for _, action := range []string{"confirm", "reject", "forget", "edit"} {
		for _, quote := range []string{"", "please drop it now"} {
			text := l.call("memories", act(action, id, "text", "retention is over", "quote", quote))
			l.wants(text, "Proposed of rule", "Nothing has changed", "hebb memories --waiting")
		}
	}
	text = l.call("memories", map[string]any{"waiting": true})
	l.wants(text, "from user, proposed to forget: retention is thirty days", "from agent, proposed to replace: “retention is over”")
	text = l.call("memories", map[string]any{"kinds": []any{"rule"}})
	l.wants(text, "from user: retention is thirty days")
	if strings.Contains(text, "over") {
		t.Errorf("a proposal is listed as what holds:\n%s", text)
	}

	l.prompted("That is wrong: retention is fourteen days. Please correct that rule.")
	text = l.call("memories", act("reject", id, "quote", "retention is fourteen days"))
	l.wants(text, "only a part of the sentence")
	text = l.call("memories", act("edit", id, "text", "retention is fourteen days", "quote", "That is wrong: retention is fourteen days."))
	l.wants(text, "Remembered as rule", "Takes the place of: "+id)
	edited := idIn(text)
	text = l.call("memories", map[string]any{"history": true, "kinds": []any{"rule"}})
	l.wants(text, "from user: That is wrong: retention is fourteen days.", "from user, superseded: retention is thirty days")

	l.prompted("no, get rid of the retention rule")
	text = l.call("memories", act("reject", edited, "quote", "No, get rid of the retention rule."))
	l.wants(text, "Rejected; it stays as history: rule")
	l.wants(l.refused("remember", map[string]any{"text": "That is wrong, retention is fourteen days."}), "the user has rejected this as memory "+edited)
	if text = l.call("memories", map[string]any{"kinds": []any{"rule"}}); !strings.Contains(text, "Nothing like that is remembered here.") {
		t.Errorf("still there:\n%s", text)
	}
	text = l.call("memories", act("forget", edited, "quote", "no, get rid of the retention rule"))
	l.wants(text, "Forgotten for good")
	l.wants(l.refused("memories", act("show", edited)), "no text has the ID")

	// An agent's own notes need nobody's word.
	text = l.call("remember", map[string]any{"text": "the cache is warmed at noon"})
	own := idIn(text)
	text = l.call("memories", act("edit", own, "text", "the cache is warmed at one"))
	l.wants(text, "Remembered as fact")
	text = l.call("memories", map[string]any{"origin": "agent"})
	l.wants(text, "from agent: “the cache is warmed at one”")
}
