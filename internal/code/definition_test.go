package code

import (
	"bytes"
	"flag"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write what is found as what is expected")

func outlineText(path string, source []byte) string {
	var text strings.Builder
	for _, d := range Definitions(path, source) {
		fmt.Fprintf(&text, "%d-%d\t%s\t%s\n", d.Start, d.End, d.Kind, d.Name)
	}
	return text.String()
}

// The fixtures hold what scanners stumble over; the expected outlines beside them were read line by line.
func TestDefinitionsAndTheirLines(t *testing.T) {
	for _, path := range fixtures(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			source := must.Get(os.ReadFile(path))(t)
			golden := path + ".outline"
			path = strings.TrimSuffix(path, ".src")
			got := outlineText(path, source)
			if *update {
				must.Do(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want := must.Get(os.ReadFile(golden))(t)
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			windows := strings.ReplaceAll(string(source), "\n", "\r\n")
			if got := outlineText(path, []byte(windows)); got != string(want) {
				t.Errorf("with line ends of Windows: got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func fixtures(t testing.TB) []string {
	t.Helper()
	paths := must.Get(filepath.Glob(filepath.Join("testdata", "*.*")))(t)
	var found []string
	for _, p := range paths {
		if LanguageOf(strings.TrimSuffix(p, ".src")) != Unknown { // gofmt refuses broken Go
			found = append(found, p)
		}
	}
	if len(found) < 15 {
		t.Fatalf("only %d fixtures", len(found))
	}
	return found
}

// Go's parser is the truth about Go: the sources of this repository must come out as their syntax trees have them.
func TestGoAgreesWithItsSyntaxTree(t *testing.T) {
	files := 0
	for _, path := range goSources(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
		if err != nil {
			continue // somebody is writing it
		}
		files++
		var want []string
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				want = append(want, fmt.Sprintf("%d-%d %s", set.Position(n.Pos()).Line, set.Position(n.End()).Line, n.Name.Name))
				return false
			case *ast.FuncLit:
				return false
			case *ast.TypeSpec:
				want = append(want, fmt.Sprintf("%d-%d %s", set.Position(n.Pos()).Line, set.Position(n.End()).Line, n.Name.Name))
			}
			return true
		})
		var got []string
		for _, d := range Definitions(path, source) {
			got = append(got, fmt.Sprintf("%d-%d %s", d.Start, d.End, d.Name[strings.LastIndexByte(d.Name, '.')+1:]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if files < 50 {
		t.Errorf("only %d files", files)
	}
}

func goSources(t testing.TB) []string {
	t.Helper()
	var found []string
	must.Do(t, filepath.WalkDir(filepath.Join("..", "..", "internal"), func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(name, ".go") {
			found = append(found, name)
		}
		return nil
	}))
	return found
}

// check holds for every text, sensible or not.
func check(t *testing.T, path string, source []byte) {
	t.Helper()
	before := 0
	for _, d := range Definitions(path, source) {
		switch {
		case d.From < before || d.From >= d.To || d.To > len(source) || d.Body < d.From || d.Body > d.To:
			t.Fatalf("%s: out of order or bounds: %+v of %d bytes", path, d, len(source))
		case d.Start < 1 || d.End < d.Start || d.End > 1+bytes.Count(source, []byte("\n")):
			t.Fatalf("%s: lines %+v", path, d)
		case d.Name == "" || len(d.Name) > wholeNameLimit || d.Kind == "" || !utf8.ValidString(d.Name):
			t.Fatalf("%s: name %+v", path, d)
		}
		before = d.From
	}
}

// Every beginning and every piece of the fixtures is a broken file of its kind.
func TestBrokenFilesYieldWhatCanBeRecognised(t *testing.T) {
	for _, path := range fixtures(t) {
		source := must.Get(os.ReadFile(path))(t)
		for _, other := range fixtures(t) { // and read as another language
			check(t, strings.TrimSuffix(other, ".src"), source)
		}
		for i := range source {
			check(t, strings.TrimSuffix(path, ".src"), source[:i])
			if i%7 == 0 {
				check(t, strings.TrimSuffix(path, ".src"), source[i:])
			}
		}
	}
}

// Code inside strings that never ends must not be followed again and again.
func TestStringsInStringsComeToAnEnd(t *testing.T) {
	for _, path := range []string{"a.kt", "a.swift", "a.cs", "a.ts"} {
		for _, piece := range []string{`"${`, `"\(`, `$"{`, "`${", `"${"`, "`${\"", `${""`, `$"{"{`} {
			check(t, path, []byte("val x = \""+strings.Repeat(piece, 20000)))
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, path := range fixtures(f) {
		source := must.Get(os.ReadFile(path))(f)
		f.Add(filepath.Base(strings.TrimSuffix(path, ".src")), source)
	}
	for _, source := range sources(f) {
		path, _, _ := strings.Cut(source.Name, " ")
		f.Add(path, source.Data)
	}
	f.Fuzz(func(t *testing.T, path string, source []byte) {
		check(t, path, source)
	})
}
