package statements_test

import (
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestWordsOfAPromptAreProvenToBeThePersons(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	typed := l.Prompt("a", "No, we don't gitignore the whole folder:\nespecially `settings.json` should be commited. 请总是用中文回答我")
	tool := l.Prompt("a", "the whole output of this task came from a tool")
	tool.Origin = memory.OriginTool
	helper := l.Prompt("a", "a helper was asked to read all the files")
	helper.Subagent = "reader"
	later := l.Prompt("b", "Especially settings.json should be commited, as I said")
	later.At = later.At.Add(time.Minute)
	l.See(5, typed, tool, helper, later)
	for _, c := range []struct {
		quote string
		want  memory.EventID
	}{
		{"No, we don’t gitignore the whole folder: especially settings.json should be commited", typed.ID},
		{"we don't gitignore the whole folder", typed.ID}, // a part
		{"especially settings.json should be commited, as I said", later.ID},
		{"请总是用中文回答我", typed.ID},
		{"we gitignore the whole folder", ""},
		{"whole folder", ""},
		{"ignore the whole folder especially", ""}, // begins inside a word
		{"the whole output of this task", ""},
		{"a helper was asked to read", ""},
		{"...", ""},
		{"", ""},
	} {
		for name, project := range map[string]memory.ProjectID{"its project": l.Events()[0].Project, "any": 0} {
			got, found := quoted(t, l, project, c.quote)
			if got.Prompt.ID != c.want || found != (c.want != "") {
				t.Errorf("%s: %q: found %v in %q, want %q", name, c.quote, found, got.Prompt.ID, c.want)
			}
		}
		if got, found := quoted(t, l, 12345, c.quote); found {
			t.Errorf("%q is quoted from %q, of another project", c.quote, got.Prompt.ID)
		}
	}
	l.Clock = l.Clock.Add(25 * time.Hour)
	if _, found := quoted(t, l, 0, "we don't gitignore the whole folder"); found {
		t.Error("a prompt of yesterday is quoted")
	}
}

func quoted(t *testing.T, l *braintest.Lab, project memory.ProjectID, quote string) (q statements.Quote, found bool) {
	t.Helper()
	braintest.View(l, func(tx *store.Tx) (err error) {
		q, found, err = statements.Quoted(t.Context(), tx, project, quote)
		return err
	})
	return q, found
}
