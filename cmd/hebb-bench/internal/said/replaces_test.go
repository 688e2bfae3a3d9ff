package said

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hebb-memory/hebb/internal/statements"
)

func TestReadRevisions(t *testing.T) { // not at the same time as others: texts are prepared once for all
	set := folder(
		`{"id":"r:s:0","text":"ports start at 9000, always"}`+"\n"+`{"id":"r:s:1","text":"we write tests in go"}`+"\n",
		`{"id":"r:s:0","keep":[{"quote":"ports start at 9000","kind":"rule","worth":3}]}`+"\n"+
			`{"id":"r:s:1","keep":[{"quote":"we write tests in go","kind":"rule","worth":2}]}`+"\n",
	)
	if list, err := ReadRevisions(set); err != nil || list != nil || JudgeRevisions(list) != nil {
		t.Errorf("a folder without pairs has %d choices: %v", len(list), err)
	}
	set["pairs.jsonl"] = &fstest.MapFile{Data: []byte(
		`{"id":"r:s:0#0","repo":"r","said":"ports start at 9000, always","told":"Ports begin at 9000.","revised":"ports start at 7000 now"}` + "\n" +
			`{"id":"r:s:9#0","repo":"r","said":"call the tool hammer","told":"The tool is called hammer."}` + "\n",
	)}
	list, err := ReadRevisions(set)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, c := range list {
		count[c.sort]++
		switch c.sort {
		case amongPairs:
			if c.count != 2 || c.right != 0 {
				t.Errorf("%d among %d statements of pairs", c.right, c.count)
			}
		case amongAll: // the quote that the pair was made from is not there twice
			if c.count != 3 || c.right < 0 {
				t.Errorf("%d among %d statements", c.right, c.count)
			}
		default:
			if c.right >= 0 {
				t.Errorf("%s: %d", c.sort, c.right)
			}
		}
	}
	if count[ordinary] != 2 || count[amongPairs] != 1 || count[amongAll] != 1 {
		t.Errorf("%v", count)
	}
	set["pairs.jsonl"] = &fstest.MapFile{Data: []byte("{\n")}
	if _, err := ReadRevisions(set); err == nil || !strings.Contains(err.Error(), "pairs.jsonl:1") {
		t.Errorf("a broken line is read: %v", err)
	}
}

func TestRevisedRow(t *testing.T) {
	t.Parallel()
	all := []chosen{
		{&choice{sort: amongPairs, right: 1}, 1, 0.9}, {&choice{sort: amongPairs, right: 1}, 0, 0.8}, {&choice{sort: amongPairs, right: 1}, 1, 0.1},
		{&choice{sort: amongPairs, right: 2}, 0, 0.1}, {&choice{sort: amongAll, right: 3}, 3, 0.7}, {&choice{sort: ordinary, right: -1}, 0, 0.6},
		{&choice{sort: ordinary, right: -1}, 0, 0.4}, {&choice{sort: ordinary, right: -1}, -1, 0.9}, {&choice{sort: amongFew, right: 1}, 1, 0.9},
	}
	got := revisedRow("x", all, 0.75, 0.35)
	want := RevisedRow{
		Bench: "revised", Model: "x", Recall: 0.25, Likely: 0.25, Wrong: 1, AllLikely: 1, OrdinaryLikely: 2, Of: 3, Sure: 0.75, Perhaps: 0.35, N: 4,
	}
	if got != want {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// A model learned from the pairs of a few projects tells a revision from an addition, in a project that it does not know.
func TestLearnChoice(t *testing.T) {
	list := slices.DeleteFunc(slices.Clone(inventedPairs()), func(c *choice) bool { return c.group > "made-up-13" || c.sort == amongAll })
	m, err := learnChoice(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	var said pool
	for _, text := range []string{"trains leave from platform 4", "tickets are printed on blue paper", "the conductor speaks dutch", "seats have numbers"} {
		said.add(text)
	}
	index, changed := m.Choose(prepare("trains no longer leave from platform 4, it is platform 7 now"), said.said)
	_, added := m.Choose(prepare("trains have a bicycle compartment"), said.said)
	if index != 0 || changed < 2*added {
		t.Errorf("%d is replaced with %.2f, an addition replaces something with %.2f", index, changed, added)
	}
	if again, err := learnChoice(t.Context(), list); err != nil || !slices.Equal(again.None, m.None) {
		t.Errorf("the same pairs make two models: %v", err)
	}
	if len(m.Pair) != statements.PairFeatures {
		t.Errorf("%d weights", len(m.Pair))
	}
}
