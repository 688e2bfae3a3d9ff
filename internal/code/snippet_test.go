package code

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const server = `package server

import "context"

// Server listens to
// its clients.
//
// Much more is said here.
type Server struct {
	addr string
	port int
	open bool
}

// Start begins.
func (s *Server) Start(ctx context.Context, addr string) error {
	s.addr = addr
	s.open = true
	return nil
}

func (s *Server) short() {}

//go:noinline
func init() {
	println(1)
	println(2)
	println(3)
}

func init() {
	println(4)
	println(5)
	println(6)
}
`

func named(t *testing.T, all []Snippet, name string, ordinal int) Snippet {
	t.Helper()
	for _, s := range all {
		if s.Name == name {
			if ordinal--; ordinal < 0 {
				return s
			}
		}
	}
	t.Fatalf("no %s in %+v", name, all)
	return Snippet{}
}

func TestASnippetTellsWhatItIs(t *testing.T) {
	all, short := Outline("net/server.go", []byte(server+"\nfunc short() int { return 1 }\n"), minLines)
	if len(all) != 4 || short != 2 {
		t.Fatalf("got %d snippets and %d too short, want 4 and 2: %+v", len(all), short, all)
	}
	start := named(t, all, "Server.Start", 0)
	if start.Kind != "method" || start.Path != "net/server.go" || start.Start != 16 || start.End != 20 {
		t.Errorf("got %+v", start)
	}
	want := "method Server.Start\nStart begins.\nfunc (s *Server) Start(ctx context.Context, addr string) error\n" +
		"s.addr = addr\n\ts.open = true\n\treturn nil\n}"
	if start.Text() != want {
		t.Errorf("got %q, want %q", start.Text(), want)
	}
	if doc := named(t, all, "Server", 0).Doc; doc != "Server listens to its clients." {
		t.Errorf("got %q", doc)
	}
}

func TestCommentsAndSignaturesOfEachLanguage(t *testing.T) {
	for _, c := range []struct{ path, source, doc, signature string }{
		{"a.py", "# above\n@app.route('/x')\ndef f(\n    a,\n    b=1,\n) -> int:\n    r'''Does it.\n\n    Slowly.\n    '''\n    return 1\n",
			"Does it.", "def f( a, b=1, ) -> int:"},
		{"a.py", "# Says\n# this.\n@cached\ndef f(a):\n    b = 1\n    c = 2\n    d = 3\n    return a\n", "Says this.", "def f(a):"},
		{"a.ts", "/**\n * Loads\n * it.\n * @param x one\n */\n@Dec()\nexport class A {\n  a = 1\n  b = 2\n  c = 3\n}\n",
			"Loads it.", "export class A"},
		{"a.js", "/* one line */\nexport const f = async (a) => {\n  1\n  2\n  3\n}\n", "one line", "export const f = async (a) =>"},
		{"a.rs", "/// A thing.\n#[derive(Debug)]\npub struct S<T>\nwhere T: Copy\n{\n    a: T,\n}\n", "A thing.", "pub struct S<T> where T: Copy"},
		{"A.cs", "/// <summary>\n/// Counts.\n/// </summary>\n[Fact]\npublic class A\n{\n int a;\n int b;\n}\n", "Counts.", "public class A"},
		{"a.rb", "x = 1\n\n# Runs.\ndef run(a)\n  1\n  2\n  3\nend\n", "Runs.", "def run(a)"},
		{"a.c", "#define X 1\nint f(void)\n{\n\t1;\n\t2;\n}\n", "", "int f(void)"},
		{"a.c", "int a; /* of a */\nint f(void)\n{\n\t1;\n\t2;\n}\n", "", "int f(void)"},
		{"a.php", "<?php\n# Old style\nfunction f($a)\n{\n  1;\n  2;\n}\n", "Old style", "function f($a)"},
	} {
		all, _ := Outline(c.path, []byte(c.source), minLines)
		if len(all) != 1 || all[0].Doc != c.doc || all[0].Signature != c.signature {
			t.Errorf("%s: got %+v, want doc %q and signature %q", c.path, all, c.doc, c.signature)
		}
	}
}

func TestAnIDOutlivesWhatHappensAroundIt(t *testing.T) {
	before, _ := Outline("a.go", []byte(server), minLines)
	moved := strings.Replace(server, "import", "// one line\n// and another\n\nimport", 1)
	moved = strings.Replace(moved, "func (s *Server) short() {}", "func (s *Server) short() {\n\tprintln(1)\n\tprintln(2)\n\tprintln(3)\n}", 1)
	after, _ := Outline("a.go", []byte(moved), minLines)
	for _, c := range []struct {
		name    string
		ordinal int
	}{{"Server", 0}, {"Server.Start", 0}, {"init", 0}, {"init", 1}} {
		a, b := named(t, before, c.name, c.ordinal), named(t, after, c.name, c.ordinal)
		if a.ID != b.ID || a.Text() != b.Text() || a.Start == b.Start {
			t.Errorf("%s: %+v became %+v", c.name, a, b)
		}
	}
	changed, _ := Outline("a.go", []byte(strings.Replace(server, "s.open = true", "s.open = false", 1)), minLines)
	for _, b := range before {
		for _, a := range changed {
			if a.ID == b.ID && (a.Text() == b.Text()) == (a.Name == "Server.Start") {
				t.Errorf("%s: %q became %q", a.Name, b.Text(), a.Text())
			}
		}
	}
	ids := map[ID]bool{}
	other, _ := Outline("b.go", []byte(server), minLines)
	for _, s := range append(before, other...) {
		if ids[s.ID] {
			t.Errorf("%s of %s has the ID of another", s.Name, s.Path)
		}
		ids[s.ID] = true
	}
	windows, _ := Outline("a.go", []byte(strings.ReplaceAll(server, "\n", "\r\n")), minLines)
	for i, s := range windows {
		if s != before[i] {
			t.Errorf("with line ends of Windows %+v is %+v", before[i], s)
		}
	}
}

func TestASymbolIsKnownByItsTextAlone(t *testing.T) {
	at := func(source, symbol string) int64 {
		t.Helper()
		hash, ok := SymbolHash("a.go", []byte(source), symbol)
		if !ok {
			t.Fatalf("no %s", symbol)
		}
		return hash
	}
	before := at(server, "Server.Start")
	for _, spelling := range []string{"Start", "(*Server).Start", "Server.Start()", "Server::Start", "`Server.Start`", "Server#Start"} {
		if at(server, spelling) != before {
			t.Errorf("%s is another", spelling)
		}
	}
	if at("package server\n\n\n\n"+strings.TrimPrefix(server, "package server\n"), "Start") != before {
		t.Error("moving it changed it")
	}
	if at(strings.Replace(server, "= true", "= false", 1), "Start") == before {
		t.Error("changing it did not")
	}
	if at(server, "short") == 0 {
		t.Error("a short one has no hash")
	}
	if at(strings.Replace(server, "println(6)", "println(7)", 1), "init") == at(server, "init") {
		t.Error("the second of a name does not count")
	}
	for _, symbol := range []string{"", "Stop", "tart", "Other.Start", "()"} {
		if _, ok := SymbolHash("a.go", []byte(server), symbol); ok {
			t.Errorf("%q is known", symbol)
		}
	}
}

func TestTextsAreCutBetweenRunes(t *testing.T) {
	long := "// " + strings.Repeat("é ", 500) + "\nfunc f(" + strings.Repeat("ü, ", 500) + " int) {\n" + strings.Repeat("\tprintln(\"ö\")\n", 500) + "}\n"
	all, _ := Outline("a.go", []byte("package a\n\n"+long), minLines)
	if len(all) != 1 {
		t.Fatalf("got %+v", all)
	}
	s := all[0]
	if len(s.Doc) > docLength || len(s.Signature) > signatureLength || len(s.Opening) > openingLength {
		t.Errorf("got %d, %d and %d bytes", len(s.Doc), len(s.Signature), len(s.Opening))
	}
	if s.Doc == "" || strings.ToValidUTF8(s.Text(), "") != s.Text() || !strings.HasSuffix(s.Opening, `println("ö")`) {
		t.Errorf("got %q", s.Text())
	}
}

func FuzzOutline(f *testing.F) {
	samples := must.Get(filepath.Glob(filepath.Join("testdata", "*.*")))(f)
	for _, s := range samples {
		text := must.Get(os.ReadFile(s))(f)
		f.Add(filepath.Base(strings.TrimSuffix(s, ".src")), text, "Server.Start")
	}
	f.Fuzz(func(t *testing.T, path string, source []byte, symbol string) {
		SymbolHash(path, source, symbol)
		ids, before := map[ID]bool{}, 0
		found, _ := Outline(path, source, minLines)
		for _, s := range found {
			switch {
			case ids[s.ID]:
				t.Fatalf("twice: %+v", s)
			case s.Start < before || s.End-s.Start+1 < minLines:
				t.Fatalf("lines of %+v", s)
			case !utf8.ValidString(s.Text()) || len(s.Doc) > docLength || len(s.Signature) > signatureLength:
				t.Fatalf("text of %+v", s)
			}
			ids[s.ID], before = true, s.Start
		}
	})
}
