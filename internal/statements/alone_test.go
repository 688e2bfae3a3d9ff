package statements_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
)

func TestASentenceStandsAlone(t *testing.T) {
	for sentence, alone := range map[string]bool{
		"never push to main": true,
		"we decided: an event that cannot be spooled goes to a file of its own, we never drop it": true,
		"in this repository commits are signed":                                                   true,
		"deploys take ten minutes, so that we batch them":                                         true,
		"keep it configurable for now":                                                            false,
		"this filter belongs in the context":                                                      false,
		"we keep that page but do not link it":                                                    false,
		"so let us keep only paid orders":                                                         false,
		"do not touch anything else":                                                              false,
		"the same goes for the invoices":                                                          false,
		"":                                                                                        false,
	} {
		if statements.Alone(sentence) != alone {
			t.Errorf("%q: %v", sentence, !alone)
		}
	}
}

// Readers judged lines of starts without knowing how they were made (docs/benchmarks.md). Of what people had said, most of what was useful stands
// alone, and little of what a stranger could not understand.
func TestWhatStandsAloneIsUseful(t *testing.T) {
	told := map[string]int{}
	all := map[string]int{}
	seen := map[string]bool{}
	for row := range strings.Lines(string(must.Get(os.ReadFile(filepath.Join("testdata", "judged-starts.jsonl")))(t))) {
		var judged struct{ By, Section, Line, Verdict string }
		must.Do(t, json.Unmarshal([]byte(row), &judged))
		_, said, is := strings.Cut(strings.TrimSuffix(judged.Line, "”"), "“")
		if !is || judged.By != "rules" || judged.Section != "What holds here" || seen[said] {
			continue
		}
		seen[said] = true
		if all[judged.Verdict]++; statements.Alone(said) {
			told[judged.Verdict]++
		}
	}
	if t.Logf("told %v of %v", told, all); told["useful"]*2 < all["useful"] || told["wrong"]*5 > all["wrong"] {
		t.Errorf("told %v of %v", told, all)
	}
}
