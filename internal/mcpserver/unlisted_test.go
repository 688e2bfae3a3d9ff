package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// Each name that an agent knows from another memory server answers, with the arguments of that server.
func TestToolsTakeTheNamesOfOtherMemoryServers(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.worked()
	l.call("pin", map[string]any{"title": "Money is in cents", "text": "All amounts are int64 cents."})
	l.accepted("Money is in cents")
	l.call("pin", map[string]any{"title": "Cents", "text": "All amounts are floats."})
	type arguments = map[string]any
	entity := arguments{"name": "Ada", "entityType": "person", "observations": []any{"likes tea", "is away in May"}}
	relation := arguments{"from": "Ada", "to": "billing", "relationType": "owns"}
	tried := map[string]bool{}
	for _, c := range []struct {
		name      string
		arguments arguments
		want      []string
	}{
		{"create_entities", arguments{"entities": []any{entity}}, []string{`"entityType":"person"`}},
		{"create_relations", arguments{"relations": []any{relation}}, []string{`"to":"billing"`}}, // billing is made
		{"add_observations", arguments{"observations": []any{arguments{"entityName": "Ada", "contents": []any{"likes tea", "codes"}}}}, []string{`"addedObservations":["codes"]`}},
		{"delete_observations", arguments{"deletions": []any{arguments{"entityName": "Ada", "observations": []any{"is away in May"}}}}, []string{`"removed":1`}},
		{"read_graph", nil, []string{`"observations":["likes tea","codes"]`, `"relationType":"owns"`}},
		{"search_nodes", arguments{"query": "tea"}, []string{`"name":"Ada"`}},
		{"open_nodes", arguments{"names": []any{"billing"}}, []string{`"name":"billing"`}},
		{"delete_relations", arguments{"relations": []any{relation}}, []string{`"removed":1`}},
		{"delete_entities", arguments{"entityNames": []any{"billing"}}, []string{`"removed":1`}},
		{"bootstrap", arguments{"workspace": "shop"}, []string{"Money is in cents", "(mode full"}},
		{"bootstrap", arguments{"mode": "micro"}, []string{"(mode micro"}},
		{"recall", arguments{"query": "login redirect", "token_budget": 500, "type": "file"}, []string{"src/login.go"}},
		{"predict_next", arguments{"current_tool": "Edit"}, []string{`"tool":"Edit"`}},
		{"stats", nil, []string{`"name":"shop"`, `"sessions":3`}},
		{"pins", nil, []string{"Money is in cents"}},
		{"note_file", arguments{"path": "src/login.go", "note": "half moved to cookies"}, []string{`"note_by":"agent"`}},
		{"heat", arguments{"cold": true, "limit": 3}, []string{`"path":"src/login.go"`, "half moved to cookies"}},
		{"read_identity", nil, []string{`"name":"soul"`}},
		{"read_identity", arguments{"name": "pinned"}, []string{"Money is in cents"}},
		{"read_identity", arguments{"name": "memory"}, []string{`"name":"memory"`}},
		{"read_identity", arguments{"name": "summary"}, []string{"login redirect"}},
		{"procedure", nil, []string{`"procedures":[]`}},
		{"error", arguments{"error": brokenTest, "query": "the cache"}, []string{"nil map"}},
		{"resolve", arguments{"error": brokenTest, "fix_files": []any{"src/cache.go"}, "context": "the cache"}, []string{"src/cache.go"}},
		{"working_memory_note", arguments{"note": "the parser never gives a token back", "type": "world_fact", "importance": 0.9}, []string{`"kind":"fact"`, `"origin":"agent"`, `"importance":0.9`}},
		{"search", arguments{"query": "token parser"}, []string{"never gives a token back"}},
		{"record", arguments{"path": "src/cache.go", "type": "file", "query": "why is the cache cold"}, []string{`"kind":"read"`, `"origin":"agent"`, "why is the cache cold"}},
		{"record", arguments{"files": []any{"src/login.go"}, "kind": "edit"}, []string{`"path":"src/login.go"`}},
		{"wrapup", arguments{"summary": "the cache is warm", "what_learned": "maps need make"}, []string{"Happened: “the cache is warm”", "Learned: “maps need make”"}},
		{
			"end_session", arguments{"summary": "the cache is tested", "pin_title": "Cookies", "pin_text": "one cookie per session", "pin_reason": "it was set twice"},
			[]string{`"happened":"the cache is tested"`, `"title":"Cookies"`},
		},
		{"recent", arguments{"limit": 1}, []string{"the cache is tested"}},
		{"unpin", arguments{"title": "cents"}, []string{"All amounts are floats."}},
		{"goal_add", arguments{"title": "Move the login to cookies", "files": []any{"src/login.go"}}, []string{`"origin":"agent"`}},
		{"goal_progress", arguments{"goal": "cookies", "progress": 0.4}, []string{`"progress":0.4`}},
		{"next", arguments{"limit": 2}, []string{"Move the login to cookies"}},
		{"goal_progress", arguments{"goal": "cookies", "status": "blocked"}, []string{`"progress":0.4`, `"status":"blocked"`}},
		{"think", nil, []string{`"connections":`}},
		{"decay", arguments{"dry_run": true}, []string{`"dry":true`}},
		{"dream_begin", nil, []string{"old_state"}},
		{"dream_commit", arguments{"state": "I am a pirate now."}, []string{"refused"}},
	} {
		tried[c.name] = true
		l.wants(l.call(c.name, c.arguments), c.want...)
	}
	for _, u := range accepted() {
		if !tried[u.name] {
			t.Errorf("%s was not tried", u.name)
		}
	}
}

// An agent sets nothing in the input of an operation but its arguments, whatever it calls them.
func TestACallThatIsNotListedIsTheAgents(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.worked()
	l.asUser(func(b *brain.Brain, here brain.Scope) error {
		_, err := steward.Run(t.Context(), b, desk.PinText, desk.PinInput{Scope: here, Title: "Deploys", Text: "deploys go out at night"})
		if err != nil {
			return err
		}
		_, err = steward.Run(t.Context(), b, texts.CreateEntities, texts.EntitiesInput{
			GraphInput: texts.GraphInput{Scope: here}, Entities: []texts.Entity{{Name: "Ada", Observations: []string{"likes tea"}}},
		})
		return err
	})
	for _, c := range []struct {
		name      string
		arguments map[string]any
		want      string
	}{
		{"working_memory_note", map[string]any{"text": "a", "origin": "user"}, "argument origin is not known: want text, kind, importance, everywhere"},
		{"working_memory_note", map[string]any{"text": "a", "ORIGIN": "user"}, "argument ORIGIN is not known"},
		{"working_memory_note", map[string]any{"text": "a", "type": "procedure"}, `argument kind is "procedure": want one of fact`},
		{"working_memory_note", map[string]any{"text": "a", "importance": "high"}, "importance"},
		{"working_memory_note", map[string]any{"text": "a", "note": "b"}, "argument note is not known"}, // neither is lost unseen
		{"working_memory_note", nil, "there is nothing to note"},
		{"record", map[string]any{"path": "a.go", "files": []any{"b.go"}, "kind": "edit"}, "argument path is not known"},
		{"record", map[string]any{"path": "a.go", "kind": "burn"}, "want edit, read or mention"},
		{"decay", map[string]any{"yes": true}, "argument yes is not known: want dry"},
		{"pins", map[string]any{"name": "scratch"}, "argument name is not known"},
		{"read_identity", map[string]any{"name": "diary"}, "want one of soul"},
		{"unpin", map[string]any{"title": "deploys"}, "is the user's"},
		{"unpin", map[string]any{"title": "nothing"}, `pin "nothing"`},
		{"delete_entities", map[string]any{"entityNames": []any{"Ada"}}, `what is said of "Ada"`},
		{"add_observations", map[string]any{"observations": []any{map[string]any{"entityName": "none", "contents": []any{"x"}}}}, "none"},
		{"create_entities", map[string]any{"entities": "x"}, "entities"},
	} {
		l.wants(l.refused(c.name, c.arguments), c.name+":", c.want)
	}
}

// The answer of an operation is JSON on one line whose texts hide and end nothing.
func TestAnAnswerInJSONIsCleaned(t *testing.T) {
	t.Parallel()
	secret := "token=ghp_0123456789abcdefghijABCDEFGHIJ012345"
	a := must.Get(asJSON(map[string]any{"a\u202e": []any{"b\x1b\u202e\r\n</data>", 7, true, nil}, "c": secret}))(t)
	var back map[string]any
	if err := json.Unmarshal(a.text, &back); err != nil || len(back) != 2 {
		t.Fatalf("%s: %v", a.text, err)
	}
	if text := string(a.text); strings.ContainsAny(text, "<>\n\r\x1b\u202e") || strings.Contains(text, "ghp_0123") || !strings.Contains(text, ",7,true,null]") {
		t.Errorf("it is %q", text)
	}
}

func TestAPinThatIsPinnedAgainWithoutATextKeepsIts(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.worked()
	pin := func(arguments map[string]any) string {
		arguments["title"] = "Deploys"
		text := l.call("pin", arguments)
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
