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
		for _, format := range []Format{MCPMemory, Beads, Howell} {
			if m, err := Read(context.Background(), format, file, Options{}); err == nil {
				proper(t, m)
			}
		}
		_, _ = Detect(file)
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
		for _, format := range []Format{Markdown, BasicMemory, Memsearch, Howell} {
			r := newReading(context.Background(), format, Options{})
			v := newVault(r)
			switch format {
			case Markdown:
				v.note(n)
				r.exported(n)
			case BasicMemory:
				r.basicNote(v, n)
			case Memsearch:
				r.memsearchDay(n, touched)
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

func FuzzExport(f *testing.F) {
	f.Add("a", "b", "c")
	f.Add("- x\n\n## Relations", "[[a|b]] `c", `<!\--`)
	f.Add("\n# x", "---", "  y\n z")
	f.Fuzz(func(t *testing.T, text, said, name string) {
		text, said, name = clean(text), oneLine(said), oneLine(name)
		if text == "" || said == "" || name == "" {
			return
		}
		dir := t.TempDir()
		export(t, dir, Memory{
			Crystals: []memory.Crystal{{Kind: memory.Lesson, Text: text, Source: "s"}},
			Entities: []memory.Entity{{Name: name, Type: "t", Observations: []memory.Observation{{Text: said}}}},
		})
		m := read(t, Markdown, dir, Options{})
		if len(m.Crystals) == 0 || !strings.HasPrefix(text, m.Crystals[0].Text) {
			t.Errorf("%q came back as %+v", text, m.Crystals)
		}
		if len(m.Entities) != 1 || m.Entities[0].Name != name || !strings.HasPrefix(said, m.Entities[0].Observations[0].Text) {
			t.Errorf("%q: %q came back as %+v", name, said, m.Entities)
		}
	})
}
