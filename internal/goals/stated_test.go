package goals

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func TestWhatASessionLeftBecomesGoals(t *testing.T) {
	t.Parallel()
	next := "Next:\n- Wire the store into the importer\n- Close the file on error\n- and 3 more\n\nnothing\n* " +
		strings.Repeat("Measure the drain. ", 3) + "Then compare what it costs with what the old one did, on every machine that we have at hand.\n"
	var titles []string
	for _, c := range FromNext(next, vocab.Words) {
		titles = append(titles, c.Title)
		if c.Kind != memory.GoalNext {
			t.Errorf("%+v", c)
		}
	}
	want := []string{
		"Wire the store into the importer", "Close the file on error", "Measure the drain",
		"Then compare what it costs with what the old one did, on every machine that we have at hand",
	}
	if !slices.Equal(titles, want) {
		t.Errorf("%q", titles)
	}
	if found := FromNext("- No retries on 404\n- Done page layout", vocab.Words); len(found) != 2 {
		t.Errorf("%+v", found)
	}
	for _, none := range []string{"", "none", "- Nothing.", "n/a", "No open points.", "- and 3 more"} {
		if found := FromNext(none, vocab.Words); len(found) != 0 {
			t.Errorf("%q: %+v", none, found)
		}
	}
}

func TestALongTitleIsCutAfterAClauseAndItsTextKept(t *testing.T) {
	t.Parallel()
	for long, title := range map[string]string{
		"replace " + strings.Repeat("parsers ", 20) + "everywhere":                                                                      "parsers…",
		"later we should rotate the signing keys of the gateway and of the mirror, once the new release of the vault is out and tested": "of the mirror…",
	} {
		found, ok := Step(long, vocab.Words)
		if !ok || found.Text != long || !strings.HasSuffix(found.Title, title) || utf8.RuneCountInString(found.Title) > 100 {
			t.Errorf("%q: %+v", long, found)
		}
	}
}

func FuzzFromNext(f *testing.F) {
	f.Add("Next:\r\n- wire\u2028 the store\n## TODO\n1) a b\nWe’ll İstanbul the tests LATER, (later) later")
	f.Add("we should x\xff y z later")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range FromNext(text, vocab.Words) {
			if n := utf8.RuneCountInString(c.Title); n == 0 || n > 100 || !utf8.ValidString(c.Title) || strings.ContainsAny(c.Title, "\n\r") {
				t.Fatalf("title %q", c.Title)
			}
			if len(c.Concepts) == 0 || c.Text == "" || !slices.Contains(memory.GoalKinds, c.Kind) {
				t.Fatalf("%+v", c)
			}
		}
	})
}
