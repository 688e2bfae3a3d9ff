package said

import (
	"testing"
	"testing/fstest"

	"github.com/hebb-memory/hebb/internal/relevance"
)

func tinyFolder() fstest.MapFS {
	return fstest.MapFS{
		"pairs.jsonl": {Data: []byte(`{"id": "a:1:0#0", "repo": "a", "kind": "rule", "said": "migrations need a rollback script", "later": "add a migration for the invoices table"}
{"id": "a:1:1#0", "repo": "a", "kind": "later", "said": "the parser rewrite waits until spring", "later": "the parser is slow, rewrite its hot loop", "revised": "start the parser rewrite now"}
{"id": "b:1:0#0", "repo": "b", "kind": "fact", "said": "staging is reset every sunday", "later": "load the demo accounts into staging"}
`)},
		"neutral.jsonl": {Data: []byte(`{"id": "a:1:2", "text": "yes please"}
{"id": "b:1:2", "text": "what does this error mean"}
`)},
	}
}

func TestEachPairIsAChoiceWithAndWithoutWhatItNeeds(t *testing.T) {
	list, err := ReadArrivals(tinyFolder())
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, a := range list {
		count[a.sort]++
		if len(a.statements) < relevance.Crowd-1 || a.own > 2 || len(a.pairs) != len(a.statements) {
			t.Errorf("%q has %d statements, %d of them its own, and %d pairs", a.text, len(a.statements), a.own, len(a.pairs))
		}
		if (a.sort == laterPrompt) != (a.right >= 0) {
			t.Errorf("%s %q needs statement %d", a.sort, a.text, a.right)
		}
	}
	if count[laterPrompt] != 3 || count[unmetPrompt] != 3 || count[neutralPrompt] != 2 {
		t.Errorf("prompts %v", count)
	}
}

func TestRelevanceIsLearned(t *testing.T) {
	list, err := ReadArrivals(tinyFolder())
	if err != nil {
		t.Fatal(err)
	}
	m, err := TrainRelevance(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		choices, need := m.Judge(a.prompt, a.statements[:a.own], a.statements[a.own:])
		switch a.sort {
		case laterPrompt:
			if choices[0].Index != a.right {
				t.Errorf("%q needs %d, chosen is %+v", a.text, a.right, choices)
			}
		case neutralPrompt:
			if need > 0.5 {
				t.Errorf("%q needs something with %v", a.text, need)
			}
		}
	}
}

func TestShows(t *testing.T) {
	for _, c := range []struct {
		text, said string
		want       bool
	}{
		{"- user, 3 Nov: “migrations need a rollback script”\n", "migrations need a rollback script", true},
		{"- user, 3 Nov: “migrations need a rollback”\n- rollback script (80 %)", "migrations need a rollback script", true},
		{"- user, 3 Nov: “migrations are fun”\n", "migrations need a rollback script", false},
		{"", "migrations need a rollback script", false},
	} {
		if got := shows(c.text, c.said); got != c.want {
			t.Errorf("shows(%q, %q) = %v", c.text, c.said, got)
		}
	}
}
