package answer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestALineIsToldAtTheCallThatItIsAbout(t *testing.T) {
	t.Parallel()
	l := newSite(t)
	about := func(kind memory.CrystalKind, text string, aside bool, when ...string) {
		line(t, l.Lab, kind, text, memory.Line{Quote: "as the session says", Turn: 1, Seen: 1, When: when, Aside: aside})
	}
	about(memory.Cause, "Migrations hang while the dev server holds the lock of schema.sql", false, "schema.sql")
	about(memory.Cause, "Old clients read users.go's second field by position", true, "api/users.go")
	about(memory.Procedure, "One test runs with `make check NAME`; `make check` alone takes ten minutes", false, "make check")
	about(memory.Preference, "The guide is written by hand", false, "docs")
	about(memory.State, "The index page is half written", false, "web/index.md")
	for k := range 40 {
		l.happened(fmt.Sprint("docs ", k), "@docs/guide.md", "ls docs")
	}
	l.Later(time.Hour)
	for _, c := range []struct{ what, got, want string }{
		{"an edit of the file", l.edits("run", "src/db/schema.sql").Text, "Migrations hang"},
		{"once", l.edits("run", "src/db/schema.sql").Text, ""},
		{"a line that gave way", l.edits("run", "src/api/users.go").Text, "second field"},
		{"a common trigger", l.edits("run", "docs/index.md").Text, ""},
		{"a command that does as the line says", l.runs("run", "make check | tail").Text, ""},
		{"a command that names it", l.runs("third", "psql -f src/db/schema.sql").Text, "Migrations hang"},
		{"what is half done", l.edits("third", "web/index.md").Text, ""},
		{"another word", l.runs("third", "psql -f src/db/schema.sqlite").Text, ""},
	} {
		if (c.got == "") != (c.want == "") || !strings.Contains(c.got, c.want) {
			t.Errorf("%s: told %q, want %q", c.what, c.got, c.want)
		}
	}
}
