package goals

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func TestAGoalEndsWithTheCodeItNames(t *testing.T) {
	t.Parallel()
	deletes := func(subject string, gone ...string) Turn { return Turn{Commits: []Deed{{Text: subject, Gone: gone}}} }
	for _, c := range []struct {
		name, title string
		turn        Turn
		want        memory.GoalStatus
	}{
		{"its code is gone", "make the exporter faster", deletes("remove the exporter", "src/exporter.java"), memory.GoalDropped},
		{"to be taken away", "remove the exporter", deletes("remove exporter", "src/exporter.java"), memory.GoalDone},
		{"another file", "make the exporter faster", deletes("remove the exporter test", "src/importer.java"), ""},
		{"of many words", "read the table of customers again in the index page", deletes("remove page", "src/index.html"), ""},
		{"nothing is gone", "make the exporter faster", deletes("remove the exporter"), ""},
	} {
		if got, by := Gone(c.title, c.turn, vocab.TextWords); got != c.want || (by != "") != (c.want != "") {
			t.Errorf("%s: %q by %q, want %q", c.name, got, by, c.want)
		}
	}
}

// A sentence that has the words of a goal in a side clause only does not end it, however surely the model says so.
func TestASentenceThatOnlyMentionsAGoalDoesNotEndIt(t *testing.T) {
	t.Parallel()
	const title = "dark mode for mail"
	for sentence, want := range map[string]bool{
		"The mail footer now sets color-scheme, without it dark mode stays white.": true,
		"I changed the header because dark mode for mail needs it.":                true,
		"Once dark mode for mail is in, the header follows.":                       true,
		"Dark mode for mail is done.":                                              false,
		"Without a flag, dark mode for mail is now the default.":                   false,
		"Mail now has a dark mode, because the theme asked for it.":                false,
		"The header is wider now.":                                                 false,
	} {
		if got := onlyMentions(sentence, title, vocab.TextWords); got != want {
			t.Errorf("%q: %v, want %v", sentence, got, want)
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
