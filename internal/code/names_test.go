package code

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/rogpeppe/go-internal/txtar"
)

// sources are pieces of real-looking code, each named by its path and the names that it defines.
func sources(t testing.TB) []txtar.File {
	t.Helper()
	archive := must.Get(txtar.ParseFile(filepath.Join("testdata", "names", "names.txtar")))(t)
	return archive.Files
}

func TestNamesOfEachLanguage(t *testing.T) {
	for _, source := range sources(t) {
		path, want, _ := strings.Cut(source.Name, " ")
		if got := strings.Join(Names(path, source.Data), "|"); got != want {
			t.Errorf("%s\n got %s\nwant %s", path, got, want)
		}
		windows := bytes.ReplaceAll(source.Data, []byte("\n"), []byte("\r\n"))
		if got := strings.Join(Names(path, windows), "|"); got != want {
			t.Errorf("%s with the line ends of Windows\n got %s\nwant %s", path, got, want)
		}
	}
	for path, source := range map[string]string{"a.txt": "func main() {}\nclass A {}", "a.go": ""} {
		if got := Names(path, []byte(source)); len(got) > 0 {
			t.Errorf("%s has the names %q", path, got)
		}
	}
}

func TestNamesAreFewShortAndText(t *testing.T) {
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, "func F%d() {}\nfunc F%d() {}\n", i, i)
	}
	got := Names("a.go", []byte(many.String()))
	if len(got) != namesLimit || got[0] != "F0" || got[79] != "F79" {
		t.Errorf("%d names: %q", len(got), got)
	}
	odd := "func " + strings.Repeat("x", nameLimit+1) + "() {}\nfunc \xff\xfe() {}\nfunc ü() {}\n"
	if got := Names("a.go", []byte(odd)); !slices.Equal(got, []string{"ü"}) {
		t.Errorf("got %q", got)
	}
	got = Names("a.md", []byte("# a\xffb"+strings.Repeat("é", nameLimit)))
	if len(got) != 1 || len(got[0]) > nameLimit || !utf8.ValidString(got[0]) {
		t.Errorf("got %q", got)
	}
}

// One mistake about a string or bracket must not cost the rest of the file.
func TestTheOutlineRecovers(t *testing.T) {
	for _, c := range []struct{ name, path, source, want string }{
		{"an apostrophe in JSX", "a.jsx", "function A() {\n  return (<p>Don't (worry</p>)\n}\nexport function B() {}", "A B"},
		{"a bracket that is never shut", "a.go", "func A() {\n\tx((\n}\n\nfunc B() {}\n", "A B"},
		{"a bracket too many", "a.ts", "}}}\nfunction A() {}\n)))\nclass B {}", "A B"},
		{"a string that is never shut", "a.go", "var x = \"abc\nfunc B() {}\n", "B"},
		{"a branch of the preprocessor", "a.c", "#if X\nint f(int a) {\n#else\nint f(void) {\n#endif\n}\nint g(void) {}\n", "f g"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Names(c.path, []byte(c.source)), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzNames(f *testing.F) {
	for _, source := range sources(f) {
		path, _, _ := strings.Cut(source.Name, " ")
		f.Add(path, string(source.Data))
	}
	f.Add("a.h", "#\n0")
	f.Fuzz(func(t *testing.T, path, source string) {
		names := Names(path, []byte(source))
		if len(names) > namesLimit {
			t.Fatalf("%d names", len(names))
		}
		for i, n := range names {
			if n == "" || len(n) > nameLimit || !utf8.ValidString(n) || slices.Contains(names[:i], n) {
				t.Fatalf("name %q of %q", n, names)
			}
		}
	})
}
