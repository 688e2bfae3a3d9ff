package code

import (
	"context"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDocumentsAreKnownByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"README.md": true, "readme": true, "docs/adr/0009-one-outline.md": true, "doc/guide.rst": true, "CHANGELOG": true, "CHANGES.txt": true, "docs/notes.txt": true,
		"CLAUDE.md": true, "AGENTS.md": true, "GEMINI.md": true, ".cursor/rules/style.mdc": true, ".cursorrules": true, ".github/copilot-instructions.md": true,
		"packages/web/README.md": true, "guide.adoc": true,
		"main.go": false, "requirements.txt": false, "docs/requirements.txt": false, "CMakeLists.txt": false, "node_modules/x/README.md": false,
		"vendor/y/README.md": false, "pkg/testdata/page.md": false, "LICENSE.md": false, "LICENSE": false, "": false, "data.json": false, "Makefile": false,
	} {
		if IsDocument(name) != want {
			t.Errorf("%q: %v, want %v", name, !want, want)
		}
	}
}

// outlined writes sections as name:first-last=text.
func outlined(name, text string) (got []string) {
	for _, s := range Sections(name, []byte(text)) {
		got = append(got, fmt.Sprintf("%s:%d-%d=%s", s.Name, s.Start, s.End, strings.ReplaceAll(s.Opening, "\n", "|")))
	}
	return got
}

func TestADocumentIsCutAtItsHeadings(t *testing.T) {
	for _, c := range []struct {
		name, path, text string
		want             []string
	}{
		{"markdown", "a.md", "before\n\n# Parser\n\n## Decision\n\nWe write our own.\n\n```\n# no heading\n```\n\n## Why\nIt is fast.\n", []string{
			"a.md:1-1=before", "Parser › Decision:5-11=We write our own.||```|# no heading|```", "Parser › Why:13-14=It is fast.",
		}},
		{"underlined", "a.md", "Parser\n======\n\nFast.\n\nWhy\n---\n\n- small\n---\nend\n", []string{"Parser:1-4=Fast.", "Parser › Why:6-11=- small|---|end"}},
		{"front matter", "a.mdc", "---\ndescription: rules\n---\nUse tabs.\n", []string{"a.mdc:1-4=Use tabs."}},
		{"a table is no heading", "a.md", "# T\n\nfile | what\n---|---\na | b\n", []string{"T:1-5=file | what|---|---|a | b"}},
		{"restructured text", "a.rst", "Guide\n*****\n\nHello.\n\nSetup\n+++++\n\nRun it.\n", []string{"Guide:1-4=Hello.", "Guide › Setup:6-9=Run it."}},
		{"asciidoc", "a.adoc", "= Guide\n\nHello.\n\n== Setup\n\nRun it.\n", []string{"Guide:1-3=Hello.", "Guide › Setup:5-7=Run it."}},
		{"the same heading twice", "a.md", "# A\none\n# A\ntwo\n", []string{"A:1-2=one", "A:3-4=two"}},
		{"no text", "a.md", "# A\n\n## B\n\n", nil},
		{"empty", "a.md", "", nil},
		{"carriage returns", "a.md", "# A\r\n\r\none\r\n", []string{"A:1-3=one"}},
	} {
		if got := outlined(c.path, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q\nwant %q", c.name, got, c.want)
		}
	}
	ids := map[ID]bool{}
	for _, s := range Sections("a.md", []byte("# A\none\n# A\ntwo\n# B\nthree\n")) {
		ids[s.ID] = true
	}
	if len(ids) != 3 {
		t.Errorf("%d IDs of three sections", len(ids))
	}
}

func TestALongSectionIsCutBetweenParagraphs(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Long\n\n")
	for i := range 60 {
		fmt.Fprintf(&b, "Paragraph %d %s\n\n", i, strings.Repeat("word ", 30))
	}
	found := Sections("a.md", []byte(b.String()))
	if len(found) < 4 {
		t.Fatalf("%d sections", len(found))
	}
	next, line := 0, 1
	for _, s := range found {
		if len(s.Opening) > 2*sectionLength || s.Name != "Long" || s.Start != line {
			t.Errorf("%s at %d of %d bytes, want line %d", s.Name, s.Start, len(s.Opening), line)
		}
		line = s.End + 2 // after a blank line
		for paragraph := range strings.SplitSeq(s.Opening, "\n\n") {
			if !strings.HasPrefix(paragraph, fmt.Sprintf("Paragraph %d ", next)) {
				t.Fatalf("%q, want paragraph %d", paragraph[:20], next)
			}
			next++
		}
	}
	if next != 60 {
		t.Errorf("%d paragraphs", next)
	}
	if huge := Sections("a.md", []byte("# A\n"+strings.Repeat("line of text\n", 100_000))); len(huge) == 0 || len(huge) > documentLimit/sectionLength+1 {
		t.Errorf("%d sections of a huge document", len(huge))
	}
}

func TestDocumentsAreLimited(t *testing.T) {
	dir := t.TempDir()
	for i := range documentFiles + 20 {
		folder := filepath.Join(dir, "deep", "deeper")
		if i < 30 {
			folder = dir
		}
		must.Do(t, os.MkdirAll(folder, 0o755))
		must.Do(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("d%d.md", i)), []byte("# A\ntext\n"), 0o600))
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"), 0o600))
	read := map[string]bool{}
	met, err := Walk(context.Background(), dir, Options{Documents: true}, nil, func(f File) error { read[f.Path] = true; return nil })
	if err != nil || len(read) != documentFiles || met.Skipped[Beyond] != 20 || !read["d0.md"] || !read["d29.md"] || read["main.go"] {
		t.Errorf("%d read, %v, %v", len(read), met, err)
	}
}

func FuzzSectionsNeverPanic(f *testing.F) {
	f.Add("a.md", "# A\n\ntext\n---\n```\n")
	f.Add("a.rst", "A\n===\n\n==\n=\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		last := 0
		for _, s := range Sections(name, []byte(text)) {
			if s.Start <= last || s.End < s.Start || s.Opening == "" {
				t.Fatalf("section %d-%d after %d", s.Start, s.End, last)
			}
			last = s.End
		}
	})
}
