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
