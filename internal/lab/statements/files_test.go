package statements_test

import (
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// What is kept of the files of agents follows the files, and what the person decided outlasts them.
func TestLinesOfFilesAreKeptInStep(t *testing.T) {
	const tabs, mocks, lint = "Indent with tabs", "Never mock the database", "Run the linter before each commit"
	l := braintest.NewLab(t)
	l.See(1, l.Worked("a run", 0, "a.go")...)
	id := l.Place.Project()
	keep := func(fingerprint string, texts ...string) {
		t.Helper()
		var lines []statements.FileLine
		for _, text := range texts {
			lines = append(lines, statements.FileLine{Source: memory.FileSource{File: "CLAUDE.md", Readers: []memory.Agent{"claude-code"}}, Text: text, At: l.Clock})
		}
		must.Do(t, l.Store.UpdateDurable(t.Context(), func(tx *store.Tx) error {
			_, err := statements.KeepFiles(t.Context(), tx, id, lines, fingerprint)
			return err
		}))
	}
	shown := func(to memory.Agent) (texts []string) {
		t.Helper()
		must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
			_, rules, err := statements.InFiles(t.Context(), tx, id, to)
			for _, c := range rules {
				texts = append(texts, c.Text)
			}
			return err
		}))
		slices.Sort(texts)
		return texts
	}
	expect := func(when string, want ...string) {
		t.Helper()
		if got := shown("codex"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
		if got := shown("claude-code"); len(got) > 0 {
			t.Errorf("%s: its reader is shown %q", when, got)
		}
	}
	idOf := func(text string) string {
		t.Helper()
		for _, c := range l.Crystals() {
			if c.Text == text && c.Origin == memory.OriginFile {
				return string(c.ID)
			}
		}
		t.Fatalf("no line %q", text)
		return ""
	}
	judge := func(in statements.VerdictInput) {
		t.Helper()
		braintest.Must(l, statements.GiveVerdict, in)
	}

	keep("1", tabs, mocks, lint)
	expect("read", tabs, mocks, lint)
	keep("", tabs)
	expect("a file cannot be read for now", tabs, mocks, lint)
	keep("2", tabs, lint)
	expect("a line is gone", tabs, lint)
	keep("3", tabs, mocks, lint)
	expect("and back", tabs, mocks, lint)

	judge(statements.VerdictInput{Memory: idOf(mocks), Verdict: statements.VerdictNever})
	expect("put away", tabs, lint)
	keep("4", tabs)
	keep("5", tabs, mocks, lint)
	expect("put away, gone and back", tabs, lint)
	judge(statements.VerdictInput{Memory: idOf(mocks), Undo: true})
	expect("taken back", tabs, mocks, lint)

	judge(statements.VerdictInput{Memory: idOf(tabs), Verdict: statements.VerdictWrong})
	keep("6", lint)
	keep("7", tabs, lint, mocks)
	expect("rejected, gone and back", mocks, lint)

	braintest.Must(l, statements.Remember, statements.RememberInput{Scope: brain.Scope{Project: id.String()}, Text: lint, Kind: memory.Rule, Origin: memory.OriginImport})
	expect("another tool says the same", mocks, lint)
	braintest.Must(l, statements.Remember, statements.RememberInput{Scope: brain.Scope{Project: id.String()}, Text: lint, Kind: memory.Rule})
	expect("the person says the same", mocks)
	keep("8", lint, mocks)
	expect("the person has said the same", mocks)
}
