package memory_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

var update = flag.Bool("update", false, "write docs/memories.md")

// docs/memories.md is made of the table of kinds: go test ./internal/memory -update.
func TestThePageOfKindsIsMadeOfTheirTable(t *testing.T) {
	t.Parallel()
	const page, marks = "../../docs/memories.md", "<!-- kinds -->"
	statements, others := "| kind | what it is |\n|---|---|\n", "| kind | what it is | one for each | about | columns that say something else |\n|---|---|---|---|---|\n"
	for _, k := range memory.Kinds {
		if k.Kind.Statement() {
			statements += fmt.Sprintf("| `%s` | %s |\n", k.Kind, k.Is)
		} else {
			others += fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", k.Kind, k.Is, k.By, k.About, k.Holds)
		}
	}
	text := string(must.Get(os.ReadFile(page))(t))
	before, _, _ := strings.Cut(text, marks)
	want := before + marks + "\n\n" + statements + "\n" + others
	if *update {
		must.Do(t, os.WriteFile(page, []byte(want), 0o644)) //nolint:gosec // a page of the repository
	} else if text != want {
		t.Error("docs/memories.md is not what the table of kinds says: go test ./internal/memory -update")
	}
}
