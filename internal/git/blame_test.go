package git

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNoRepositoryMakesItsLinesThePersons tries what a repository controls: mails, attributes, ends and marks of lines.
func TestNoRepositoryMakesItsLinesThePersons(t *testing.T) {
	t.Parallel()
	const me, ada = "grace@example.org", "ada@example.org"
	for name, c := range map[string]struct {
		me, mail, attributes, committed string
		raw                             bool   // committed as it is, before the attributes
		onDisk                          string // "": as git checks it out
		want                            []bool
	}{
		"another's":                  {me: me, mail: ada, committed: "one\ntwo\n", want: []bool{true, true}},
		"the person's":               {me: me, mail: "Grace@Example.org", committed: "one\n", want: []bool{false}},
		"the person adds a line":     {me: me, mail: ada, committed: "one\n", onDisk: "zero\none\n", want: []bool{false, true}},
		"a mail like git's own mark": {me: me, mail: "not.committed.yet", committed: "one\n", want: []bool{true}},
		"no mail and no settings":    {mail: "", committed: "one\n", want: []bool{true}},
		"no mail":                    {me: me, mail: "", committed: "one\n", want: []bool{true}},
		"no settings and a new line": {mail: "", committed: "one\n", onDisk: "one\ntwo\n", want: []bool{true, false}},
		"a keyword that git expands": {me: me, mail: ada, attributes: "ident", committed: "one $Id$\n", want: []bool{true}},
		"expanded before":            {me: me, mail: ada, attributes: "ident", committed: "one $Id: x $\n", raw: true, want: []bool{true}},
		"ends git would change":      {me: me, mail: ada, attributes: "text", committed: "one\r\ntwo\r\n", raw: true, want: []bool{true, true}},
		"a mark of byte order":       {me: me, mail: ada, committed: "\uFEFFone\n", want: []bool{true}},
		"the mark taken away":        {me: me, mail: ada, committed: "\uFEFFone\ntwo\n", onDisk: "one\ntwo\n", want: []bool{true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			if c.me != "" {
				r.git("config", "user.email", c.me)
			}
			attributes := "CLAUDE.md " + c.attributes + "\n"
			if c.attributes != "" && !c.raw {
				r.write(".gitattributes", attributes)
			}
			r.write("CLAUDE.md", c.committed)
			r.commit("rules", []string{"GIT_AUTHOR_EMAIL=" + c.mail})
			if c.raw {
				r.write(".gitattributes", attributes)
				r.git("add", ".gitattributes")
				r.git("commit", "-q", "-m", "attributes")
			}
			file := filepath.Join(r.dir, "CLAUDE.md")
			must.Do(t, os.Remove(file))
			r.git("checkout", "-q", "--", "CLAUDE.md")
			if c.onDisk != "" {
				r.write("CLAUDE.md", c.onDisk)
			}
			text := must.Get(os.ReadFile(file))(t)
			got := must.Get(ByOthers(t.Context(), file, string(text)))(t)
			if !slices.Equal(got, c.want) {
				t.Errorf("others wrote %v of %q, want %v", got, text, c.want)
			}
		})
	}
}

func TestLinesOfAFileRenamedAndNotCommittedStayTheirWriters(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.git("config", "user.email", "grace@example.org")
	r.write("CLAUDE.md", proseOf("rule", 20))
	r.commit("rules", []string{"GIT_AUTHOR_EMAIL=ada@example.org"})
	r.write("sub/x", "x\n")
	r.git("mv", "CLAUDE.md", "sub/AGENTS.md")
	text := proseOf("rule", 20) + "mine\n"
	r.write("sub/AGENTS.md", text)
	got := must.Get(ByOthers(t.Context(), filepath.Join(r.dir, "sub", "AGENTS.md"), text))(t)
	want := append(slices.Repeat([]bool{true}, strings.Count(text, "\n")-1), false)
	if !slices.Equal(got, want) {
		t.Errorf("others wrote %v, want %v", got, want)
	}
}
