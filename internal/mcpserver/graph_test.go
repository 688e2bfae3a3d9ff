package mcpserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// step is one call of the reference memory server, with what it answered.
type step struct {
	Tool       string          `json:"tool"`
	Arguments  map[string]any  `json:"arguments"`
	Text       string          `json:"text"`
	Structured json.RawMessage `json:"structured"`
}

// The file was recorded from @modelcontextprotocol/server-memory 2026.8.31: each call with the answer it gave.
func TestTheGraphTakesThePlaceOfTheReferenceServer(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "server-memory.json"))
	if err != nil {
		t.Fatal(err)
	}
	var steps []step
	if err := json.Unmarshal(raw, &steps); err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	l := newLab(t, true)
	for i, s := range steps {
		tried[s.Tool] = true
		facts, text := l.call(s.Tool, s.Arguments)
		if text != s.Text {
			t.Errorf("step %d, %s %v says\n%s\nthe reference server says\n%s", i, s.Tool, s.Arguments, text, s.Text)
		}
		var want map[string]any
		if err := json.Unmarshal(s.Structured, &want); err != nil {
			t.Fatal(err)
		}
		got, _ := json.Marshal(facts)
		expected, _ := json.Marshal(want)
		if string(got) != string(expected) {
			t.Errorf("step %d, %s %v answers\n%s\nthe reference server answers\n%s", i, s.Tool, s.Arguments, got, expected)
		}
	}
	for _, g := range graphTools() {
		if !tried[g.name] {
			t.Errorf("%s is not in the recording", g.name)
		}
	}
}

// A relation may come before what it leads to: the name is kept alone, and its creation later says what it is.
func TestARelationToANameThatNobodySpokeOfIsTaken(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.call("create_entities", map[string]any{"entities": []any{map[string]any{"name": "A", "entityType": "t", "observations": []any{"one"}}}})
	relation := map[string]any{"relations": []any{map[string]any{"from": "A", "to": "B", "relationType": "knows"}}}
	for _, want := range []int{1, 0} { // as the reference server answers: what is new
		if facts, _ := l.call("create_relations", relation); len(facts["relations"].([]any)) != want {
			t.Errorf("create_relations: %v, want %d", facts, want)
		}
	}
	if facts, _ := l.call("create_entities", map[string]any{"entities": []any{
		map[string]any{"name": "B", "entityType": "person", "observations": []any{"likes tea"}},
	}}); len(facts["entities"].([]any)) != 1 {
		t.Errorf("create_entities: %v", facts)
	}
	_, text := l.call("read_graph", nil)
	l.wants(text, `"entityType": "person"`, "likes tea", `"relationType": "knows"`)
	err := l.server.with(t.Context(), func(b *brain.Brain) error {
		found, err := steward.Run(t.Context(), b, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: l.dir}, Query: "likes tea"})
		if err == nil && (len(found.Found) == 0 || found.Found[0].Origin != memory.OriginAgent) {
			t.Errorf("found %+v", found.Found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheGraphHasTheSchemasOfTheReferenceServer(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "server-memory-tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	var theirs struct {
		Tools []struct {
			Name         string
			InputSchema  map[string]any
			OutputSchema map[string]any
			Annotations  map[string]any
		}
	}
	if err := json.Unmarshal(raw, &theirs); err != nil {
		t.Fatal(err)
	}
	ours := map[string]map[string]any{}
	for _, g := range graphTools() {
		tool := g.described()
		b, _ := json.Marshal(tool)
		var one map[string]any
		if err := json.Unmarshal(b, &one); err != nil {
			t.Fatal(err)
		}
		ours[tool.Name] = one
	}
	for _, their := range theirs.Tools {
		our := ours[their.Name]
		if our == nil {
			t.Errorf("%s is missing", their.Name)
			continue
		}
		for _, c := range []struct {
			what string
			our  any
			want map[string]any
		}{{"takes", our["inputSchema"], their.InputSchema}, {"answers", our["outputSchema"], their.OutputSchema}} {
			for _, missing := range lacking(c.want, c.our, "") {
				t.Errorf("%s %s: %s", their.Name, c.what, missing)
			}
		}
		for hint, want := range their.Annotations {
			if got := our["annotations"].(map[string]any)[hint]; got != want && !(hint == "destructiveHint" && want == false && got == nil) {
				t.Errorf("%s: %s is %v, the reference server says %v", their.Name, hint, got, want)
			}
		}
	}
}

// lacking lists what of a schema another one does not have. Words about it may differ, and so may what tools add.
func lacking(want, got any, at string) (missing []string) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return []string{at + " is missing"}
		}
		for name, value := range w {
			switch name {
			case "description", "$schema", "additionalProperties", "execution":
			default:
				missing = append(missing, lacking(value, g[name], at+"/"+name)...)
			}
		}
	case []any:
		g, _ := got.([]any)
		for _, one := range w {
			found := false
			for _, other := range g {
				found = found || other == one
			}
			if !found {
				missing = append(missing, at+" lacks a value")
			}
		}
	default:
		if want != got {
			missing = append(missing, at+" differs")
		}
	}
	return missing
}
