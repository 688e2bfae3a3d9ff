package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func listing(t *testing.T, l *lab) (*mcp.ListToolsResult, []byte) {
	t.Helper()
	list := must.Get(l.client.ListTools(t.Context(), nil))(t)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must.Do(t, e.Encode(list))
	return list, bytes.TrimSpace(b.Bytes())
}

func TestTheSmallSetIsSmall(t *testing.T) {
	t.Parallel()
	list, raw := listing(t, newLab(t, false))
	if len(list.Tools) > 8 || len(raw) > 4096 {
		t.Errorf("%d tools in %d bytes: want at most 8 in 4096", len(list.Tools), len(raw))
	}
	t.Logf("%d tools in %d bytes", len(list.Tools), len(raw))
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "context error memory_search pin recall remember resolve wrapup" {
		t.Errorf("the small set is %s", got)
	}
}

func TestEveryToolSaysWhenToUseIt(t *testing.T) {
	t.Parallel()
	list, raw := listing(t, newLab(t, true))
	if bytes.Contains(raw, []byte(`"null"`)) {
		t.Error("a schema has a type that may be null")
	}
	for _, tool := range list.Tools {
		if n := len(strings.Fields(tool.Description)); n > 60 || n < 6 {
			t.Errorf("%s is described in %d words", tool.Name, n)
		}
		a := tool.Annotations
		if a == nil || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v: the world of a memory is closed", tool.Name, a)
			continue
		}
		if !a.ReadOnlyHint && a.DestructiveHint == nil {
			t.Errorf("%s does not say whether it destroys", tool.Name)
		}
		destroys := a.DestructiveHint != nil && *a.DestructiveHint
		if want := slices.Contains([]string{"forget", "memories", "unpin", "decay"}, tool.Name) || strings.HasPrefix(tool.Name, "delete_"); destroys != want {
			t.Errorf("%s: destructive is %t", tool.Name, destroys)
		}
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for _, where := range []string{"project", "dir"} {
			if _, ok := properties[where]; !ok {
				t.Errorf("%s takes no %s", tool.Name, where)
			}
		}
	}
}

func TestAToolThatIsNotListedIsAccepted(t *testing.T) {
	t.Parallel()
	if all := offered(true); len(all) != 12 {
		t.Errorf("%d tools are listed, want 12", len(all))
	}
	l := newLab(t, false)
	l.worked()
	if text := l.call("stats", nil); !strings.Contains(text, "file") {
		t.Errorf("stats says %q", text)
	}
	if _, err := l.client.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such_tool"}); err == nil {
		t.Error("a tool that no set has was answered")
	}
	l.wants(l.refused("recall", map[string]any{"query": "x", "project": "other"}), "argument project is not known")
}

func TestWrongArgumentsNameTheField(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      []string
	}{
		{"recall", nil, []string{"recall: argument query is missing", "open"}},
		{"recall", map[string]any{"query": 5}, []string{"argument query: want a text, got 5"}},
		{"recall", map[string]any{"query": "a", "limit": -1}, []string{"argument limit: want a whole number of 0 or more, got -1"}},
		{"recall", map[string]any{"query": "a", "limit": "ten"}, []string{`argument limit: want a whole number of 0 or more, got "ten"`}},
		{"recall", map[string]any{"query": "a", "limit": 1.5}, []string{"argument limit"}},
		{"recall", map[string]any{"open": "a.go"}, []string{"argument open: want a list of texts"}},
		{"recall", map[string]any{"open": []any{"a.go", " "}}, []string{"argument open[1] is empty"}},
		{"recall", map[string]any{"querry": "a"}, []string{"argument querry is not known: want query, open, limit"}},
		{"memory_search", map[string]any{"query": ""}, []string{"argument query is missing: say what to look for, or give the id"}},
		{"memory_search", map[string]any{"query": nil}, []string{"argument query is missing"}},
		{"context", map[string]any{"mode": "huge"}, []string{"argument mode", "full, warm, continue, micro"}},
		{"error", map[string]any{"error": "it does not work"}, []string{"give the line that names it"}},
		{"resolve", map[string]any{"error": brokenTest, "files": []any{}}, []string{"argument files is an empty list"}},
		{"resolve", map[string]any{"error": brokenTest, "files": []any{"src/none.go"}}, []string{"src/none.go", "no such file"}},
		{"resolve", map[string]any{"error": brokenTest, "files": []any{"/etc/passwd"}}, []string{"/etc/passwd", "outside the project"}},
		{"pin", map[string]any{"title": "x", "everywhere": "yes"}, []string{`argument everywhere: want true or false, got "yes"`}},
		{"wrapup", map[string]any{"notes": "x"}, []string{"argument notes: want an object"}},
		{"wrapup", map[string]any{"notes": map[string]any{"a.go": ""}}, []string{"argument notes", "a.go"}},
		{"wrapup", map[string]any{"next": "Much."}, []string{"no session"}},
		{"forget", nil, []string{"say what: ids, session, origin or since"}},
		{"forget", map[string]any{"ids": []any{"?"}}, []string{"argument ids"}},
		{"forget", map[string]any{"ids": []any{"2sz3xexvgm43e8ts38yysh55xa"}, "since": "2d"}, []string{"choose by ids alone"}},
		{"forget", map[string]any{"since": "soon"}, []string{`argument since is "soon"`, "2d"}},
		{"memories", map[string]any{"id": "2sz3"}, []string{"argument id needs an action: show, edit"}},
		{"memories", map[string]any{"action": "reject"}, []string{"argument id is missing: action list gives the IDs"}},
		{"memories", map[string]any{"action": "edit", "id": "2sz3"}, []string{"argument text is missing"}},
		{"memories", map[string]any{"action": "show", "id": "2sz3"}, []string{`no text has the ID "2sz3"`}},
		{"memories", map[string]any{"action": "burn"}, []string{"argument action", "list, show, edit"}},
		{"memories", map[string]any{"kinds": []any{"rumour"}}, []string{`kind "rumour": want one of`}},
		{"memories", map[string]any{"older": "soon"}, []string{`argument older is "soon"`, "2d"}},
	} {
		l.wants(l.refused(c.tool, c.arguments), append(c.want, c.tool+":")...)
	}
}

func TestMomentsAreReadAsPeopleGiveThem(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"2026-11-01": "2026-11-01 00:00 UTC", "2026-11-01T10:30:00+01:00": "2026-11-01 09:30 UTC", "2d": "2026-11-13 09:00 UTC",
		"90m": "2026-11-15 07:30 UTC", "": "",
	} {
		if got, err := moment("since", given, start); err != nil || when(got) != want {
			t.Errorf("%q is %s, %v: want %s", given, when(got), err, want)
		}
	}
	for _, wrong := range []string{"-2d", "tomorrow", "2026-13-01", "-1h"} {
		if _, err := moment("since", wrong, start); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func FuzzArgumentsNeverPanic(f *testing.F) {
	f.Add(`{"anything":[{"name":"a"}],"limit":3}`)
	f.Add(`[1]`)
	f.Add(`{"notes":{"a":"b"},"open":[null]}`)
	fields := []field{
		{name: "limit", kind: number}, {name: "open", kind: list}, {name: "notes", kind: mapping}, {name: "anything", kind: anything},
		{name: "query", kind: text, oneOf: []string{"x"}}, {name: "yes", kind: flag},
	}
	type everything struct {
		Limit    int
		Open     []string
		Notes    map[string]string
		Anything any
		Query    string
		Yes      bool
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var out everything
		if err := decode(json.RawMessage(raw), fields, &out); err != nil && !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v", raw, err)
		}
	})
}
