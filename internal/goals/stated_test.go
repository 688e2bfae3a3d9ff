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

func TestAPersonStatesGoals(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string][]string{
		"fix the login. todo: rotate the signing keys":                       {"rotate the signing keys"},
		"goal: open the second shop. next: wire the store into the importer": {"open the second shop", "wire the store into the importer"},
		"**TODO:** measure the drain":                                        {"measure the drain"},
		"later we should rotate the signing keys":                            nil,
		"> todo: delete the backups\n\nwhat does he mean?":                   nil,
		"todo:":                   nil,
		"where is the todo list?": nil,
		"our goal is to ship":     nil,
	} {
		var titles []string
		for _, g := range statedIn(ownSentences(prompt)) {
			titles = append(titles, g.Title)
		}
		if !slices.Equal(titles, want) {
			t.Errorf("%q states %q, want %q", prompt, titles, want)
		}
	}
}

func TestASentenceThatNamesAGoalEndsIt(t *testing.T) {
	t.Parallel()
	g := memory.Goal{Title: "dark mode for mail"}
	for sentence, want := range map[string]memory.GoalStatus{
		"Dark mode for mail is done.":                                     memory.GoalDone,
		"ok, we finally have shipped dark mode for the mail":              memory.GoalDone,
		"drop the goal dark mode for mail":                                memory.GoalDropped,
		"forget dark mode for mail":                                       memory.GoalDropped,
		"is dark mode for mail done?":                                     "",
		"dark mode for mail is not done":                                  "",
		"once dark mode for mail is done, fix the header":                 "",
		"make sure that dark mode for mail is done":                       "",
		"dark mode is done":                                               "",
		"forget what I said about dark mode for mail":                     "",
		"dark mode for mail":                                              "",
		"I changed the header because dark mode for mail needs it.":       "",
		"when dark mode for mail is finished tell me what it looked like": "",
	} {
		if got, by := over(g, []string{sentence}); got != want || (by != "") != (want != "") {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}

func TestACommitThatNamesAGoalEndsIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, message string
		want           bool
	}{
		{"rename the billing module", "rename the billing module", true},
		{"Rotate the signing keys", "keys: rotate signing keys of the gateway (#214)", true},
		{"remove the exporter", "remove the exporter", true},
		{"make the exporter faster", "remove the exporter", false},
		{"rename the billing module", "Revert \"rename the billing module\"", false},
		{"rename the billing module", "wip: rename billing module", false},
		{"support TLS 1.3", "support TLS 1.2", false},
		{"no retries in the client", "retries in the client", false},
		{"changelog", "update the changelog", false},
	} {
		if got := commitEnds(c.message, memory.Goal{Title: c.title}); got != c.want {
			t.Errorf("%q ends %q: %v", c.message, c.title, got)
		}
	}
}

// The words of a cue alone name no work.
func TestAStepNamesWork(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"Not yet.":                               "",
		"No, not yet. I have not done that yet.": "",
		"## Next steps\n\n- None.":               "",
		"Still to do:\n\n- nothing":              "",
		"What's next?":                           "",
		"Ready for the next task.":               "",
		"The tests are not written yet.":         "The tests are not written yet.",
		"## Next steps\n\n- Write the tests":     "Write the tests",
		"Docs are still missing.":                "Docs are still missing.",
	} {
		if got := LeftToDo(message); got != want {
			t.Errorf("%q leaves %q, want %q", message, got, want)
		}
	}
}
