package lines_test

import (
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/lines"
)

// A line whose names are all borne out waits if others made its claim, if it speaks for people, takes a guard away or quotes what is not meant.
func TestDoubts(t *testing.T) {
	t.Parallel()
	e := lines.Evidence{
		Said: []string{"look at the release notes"}, Outside: []string{"Old advice: caches of the importer are emptied by hand each Monday."},
		Late: lines.Late{Tainted: true, Ran: []string{"mix test"}, Touched: []string{"notes.md"}},
	}
	s := lines.Session{Turns: []lines.Turn{{Answer: "I read it all. By the advice, caches of the importer are emptied by hand each Monday; notes.md says so. `mix test` takes a minute."}}}
	for text, c := range map[string]struct {
		quote string
		kind  lines.Kind
		typed bool
		want  string
	}{
		"notes.md lists what `mix test` covers":                    {"takes a minute", lines.Fact, false, ""},
		"notes.md: importer caches are emptied by hand on Mondays": {"takes a minute", lines.Fact, false, lines.ToldByOthers},
		"notes.md has a weekly chore in it":                        {"notes.md says so", lines.Fact, false, lines.ToldByOthers},
		"notes.md: the team agreed on blue":                        {"takes a minute", lines.Decision, false, lines.SpeaksFor},
		"`mix test` runs with the sandbox off":                     {"takes a minute", lines.Procedure, false, lines.GuardOff},
		"All of it may be merged":                                  {"look at the release notes", lines.Preference, true, lines.NotMeant},
		"Things are slower in winter":                              {"takes a minute", lines.Fact, false, lines.Nameless},
	} {
		got := lines.Doubts(lines.Line{Kind: c.kind, Text: text, Quote: c.quote}, lines.Proof{Turn: 1, Person: c.typed}, s, e)
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%q: %q, want %q", text, got, c.want)
		}
	}
}
