package foreign

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// seed gives every text of testdata to a fuzz target.
func seed(f *testing.F) {
	f.Helper()
	must.Do(f, filepath.WalkDir("testdata", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(name, "golden") || strings.Contains(name, "fuzz") {
			return err
		}
		text, err := os.ReadFile(name)
		f.Add(text)
		return err
	}))
	for _, text := range []string{
		"", "\xef\xbb\xbf", "---\n", "---\n---\n", "---\na: [\"b, c\", 'd''e'\nf: >\n  g\n---\n# x", "[[", "[[a|b#c]]", "```\n# x\n", "- [a](b) c", "- [[a]]",
		"{}", `{"type":"entity"}`, `{"entities":{"a":{"observations":[{}]}}}`, "<!-- hebb {} -->\n", "a\x00b", "\r\r\n", "#tag #1 #é/b",
	} {
		f.Add([]byte(text))
	}
}

// proper fails on what must never come out of a reader, whatever went in.
func proper(t *testing.T, m Memory) {
	t.Helper()
	text := func(s string) {
		if s == "" || clean(s) != s || !utf8.ValidString(s) {
			t.Errorf("not a clean text: %q", s)
		}
	}
	for _, c := range m.Crystals {
		text(c.Text)
		text(c.Source)
		if c.Origin != memory.OriginImport || !slices.Contains(memory.CrystalKinds, c.Kind) || c.Importance < 0 || c.Importance > 1 || c.Accesses < 0 {
			t.Errorf("not a proper crystal: %+v", c)
		}
	}
	for _, e := range m.Entities {
		text(e.Name)
		for _, o := range e.Observations {
			text(o.Text)
		}
	}
	for _, r := range m.Relations {
		text(r.From)
		text(r.To)
		text(r.Type)
	}
}

func FuzzLines(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "memory.jsonl")
		must.Do(t, os.WriteFile(file, data, 0o600))
		for _, format := range []Format{MCPMemory, Howell} {
			if m, err := Read(context.Background(), format, file, Options{}); err == nil {
				proper(t, m)
			}
		}
	})
}

func FuzzNotes(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		body, err := noteText("x.md", strings.NewReader(string(data)))
		if err != nil {
			return
		}
		n := note{name: "2026-01-02.md", said: touched}
		n.front, n.body = cutFront(clean(body))
		for _, format := range []Format{Markdown, Howell} {
			r := newReading(context.Background(), format, Options{})
			v := newVault(r)
			switch format {
			case Markdown:
				v.note(n)
			case Howell:
				r.pins(n)
				r.howellSessions(n)
			}
			v.connect()
			if r.err != nil {
				t.Fatalf("%s: %v", format, r.err)
			}
			proper(t, r.finish())
		}
	})
}
