package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// tree reads all files of a repository.
func tree(t testing.TB, dir string) (map[string]File, Tree) {
	t.Helper()
	files := map[string]File{}
	last := ""
	here := memory.Place{Root: memory.EscapePath(filepath.ToSlash(dir))}
	met, err := ReadTree(context.Background(), here, func(f File) error {
		if _, again := files[f.Path]; again || last != "" && f.Path < last && !strings.Contains(f.Path+last, `\`) {
			t.Errorf("%q after %q", f.Path, last)
		}
		files[f.Path], last = f, f.Path
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if met.Files != len(files) {
		t.Errorf("says %d files, gave %d", met.Files, len(files))
	}
	return files, met
}

// pairs writes files of one stem as "a = b".
func pairs(files map[string]File) []string {
	var out []string
	for path, f := range files {
		for _, other := range f.Alike {
			out = append(out, path+" = "+other)
		}
	}
	slices.Sort(out)
	return out
}

func TestFilesOfOneStemAreRelated(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"parser.go", "parser_test.go", "ui/Button.tsx", "ui/Button.css", "ui/Button.test.tsx", "go.sum", "go.mod"} {
		r.write(name, "")
	}
	r.git("add", "-A")
	files, _ := tree(t, r.dir)
	want := []string{
		"parser.go = parser_test.go", "ui/Button.css = ui/Button.test.tsx", "ui/Button.css = ui/Button.tsx",
		"ui/Button.test.tsx = ui/Button.tsx",
	}
	if got := pairs(files); !slices.Equal(got, want) {
		t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestATreeIsReadAsItIsNow(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "package a\nfunc Old() {}\n")
	r.write("gone.go", "package a\n")
	r.write("README.md", "# Title\n")
	r.write(".gitignore", "ignored.go\n")
	r.write("ignored.go", "package a\n")
	r.git("add", "-A")
	r.write("a.go", "package a\nfunc New() {}\n")
	r.write("untracked.go", "package a\n")
	r.remove("gone.go")
	files, met := tree(t, r.dir)
	if got := files["a.go"].Names; !slices.Equal(got, []string{"New"}) {
		t.Errorf("names %q", got)
	}
	if got := files["README.md"].Names; !slices.Equal(got, []string{"Title"}) {
		t.Errorf("headings %q", got)
	}
	if len(files) != 3 || met.Skipped != 1 || met.Beyond != 0 {
		t.Errorf("got %v, %+v", files, met)
	}
}

func TestWhatIsNoTextIsPassedOver(t *testing.T) {
	r := newRepo(t)
	r.write("zero.go", "package a\x00func A() {}\n")
	r.write("late.txt", strings.Repeat("x", glance)+"\x00")
	r.write("logo.png", "no picture at all")
	r.write("vendor/x.go", "package x\n")
	r.write("go.sum", "x\n")
	r.write("empty.go", "")
	r.write("huge.go", "package a\nfunc First() {}\n"+strings.Repeat("// x\n", fileLimit)+"func Last() {}\n")
	r.write("line.js", "var x = '"+strings.Repeat("y", fileLimit)+"'\nfunction no() {}")
	r.git("add", "-A")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",lib")
	files, met := tree(t, r.dir)
	if len(files) != 4 || met.Skipped != 5 {
		t.Errorf("got %d files, %+v", len(files), met)
	}
	if got := files["huge.go"].Names; !slices.Equal(got, []string{"First"}) {
		t.Errorf("of a huge file: %q", got)
	}
	if got, known := files["line.js"]; !known || got.Names != nil {
		t.Errorf("of one line: %q", got.Names)
	}
}

func TestAwkwardNamesSurvive(t *testing.T) {
	r := newRepo(t)
	r.write("new\nline.ts", "export class A {}\n")
	r.write(`back\slash.go`, "package a\nfunc B() {}\n")
	r.write("100644 x\t.go", "package a\nfunc C() {}\n")
	r.git("add", "-A")
	files, _ := tree(t, r.dir)
	for path, name := range map[string]string{"new\nline.ts": "A", `back\\slash.go`: "B", "100644 x\t.go": "C"} {
		if got := files[path].Names; !slices.Equal(got, []string{name}) {
			t.Errorf("%q defines %q", path, got)
		}
	}
}

func TestAConflictListsAFileOnce(t *testing.T) {
	r := newRepo(t)
	r.commit("base", nil, "a.go")
	r.git("switch", "-q", "-c", "side")
	r.commit("side", nil, "a.go")
	r.git("switch", "-q", "main")
	r.commit("main", nil, "a.go")
	blob := r.git("rev-parse", "HEAD:a.go")
	r.git("rm", "-q", "--cached", "a.go")
	var stages strings.Builder
	for stage := 1; stage <= 3; stage++ {
		fmt.Fprintf(&stages, "100644 %s %d\ta.go\n", blob, stage)
	}
	r.run(strings.NewReader(stages.String()), nil, "update-index", "--index-info")
	if files, _ := tree(t, r.dir); len(files) != 1 {
		t.Errorf("got %v", files)
	}
}

func TestReadTreeReportsItsErrors(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "")
	r.write("b.go", "")
	r.git("add", "-A")
	none := func(File) error { return nil }
	for name, root := range map[string]string{"no repository": t.TempDir(), "no folder": filepath.Join(r.dir, "gone")} {
		if _, err := (Git{Root: root}).readTree(context.Background(), none); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadTree(context.Background(), memory.Place{Root: `\y`}, none); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a root that is no path: %v", err)
	}
	stop, calls := errors.New("enough"), 0
	_, err := Git{Root: r.dir}.readTree(context.Background(), func(File) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("stopped: %d calls, %v", calls, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	_, err = Git{Root: r.dir}.readTree(ctx, func(File) error { cancel(stop); return nil })
	if !errors.Is(err, stop) {
		t.Errorf("cancelled on the way: %v", err)
	}
	if _, err = (Git{Root: r.dir}).readTree(ctx, none); !errors.Is(err, stop) {
		t.Errorf("cancelled before: %v", err)
	}
}

func TestTheIndexIsReadWithCare(t *testing.T) {
	const facts = "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\t"
	for _, c := range []struct {
		name, in string
		want     []string
		skipped  int
		err      error
	}{
		{"nothing", "", nil, 0, nil},
		{"files", facts + "a\x00" + facts + "b c\x00", []string{"a", "b c"}, 0, nil},
		{"names that lead elsewhere", facts + "../a\x00" + facts + "/b\x00" + facts + "\x00", nil, 3, nil},
		{"an endless name", facts + strings.Repeat("x", 2*fieldLimit) + "\x00" + facts + "b\x00", []string{"b"}, 1, nil},
		{"no entry", "hello\x00", nil, 0, memory.ErrDamaged},
		{"an end inside", facts + "a", nil, 0, io.ErrUnexpectedEOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			var met Tree
			got, err := readIndex(strings.NewReader(c.in), &met)
			if !slices.Equal(got, c.want) || met.Skipped != c.skipped || !errors.Is(err, c.err) {
				t.Errorf("got %q, %+v, %v", got, met, err)
			}
		})
	}
}

func TestATreeWithoutBoundIsCut(t *testing.T) {
	var met Tree
	const facts = "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\tf\x00"
	got, err := readIndex(io.LimitReader(repeat(facts), int64(len(facts)*(treeFiles+10))), &met)
	if err != nil || len(got) != treeFiles || met.Beyond != 10 {
		t.Errorf("kept %d, %+v, %v", len(got), met, err)
	}
}

// A checkout that was emptied, or a sparse one: the index names files that are not there.
func TestFilesThatAreNotThereAreSkipped(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "a/b/c.go", "d.go")
	if err := os.RemoveAll(filepath.Join(r.dir, "a")); err != nil {
		t.Fatal(err)
	}
	if files, met := tree(t, r.dir); len(files) != 1 || met.Skipped != 1 {
		t.Errorf("got %v, %+v", files, met)
	}
}

func TestFilesAreThoseThatGitDoesNotIgnore(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "*.log\nbuild/\n")
	for _, name := range []string{"a.go", "x y/ü.go", "new.go", "no.log", "build/out.go", "deep/er/b.go"} {
		r.write(name, "package a\n")
	}
	r.git("add", "a.go", "x y", "deep")
	if err := os.Remove(filepath.Join(r.dir, "a.go")); err != nil {
		t.Fatal(err)
	}
	files, err := Git{Root: r.dir}.Files(context.Background())
	if want := []string{".gitignore", "a.go", "deep/er/b.go", "new.go", "x y/ü.go"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("got %q, %v, want %q", files, err, want)
	}
	files, err = Git{Root: filepath.Join(r.dir, "deep")}.Files(context.Background())
	if err != nil || !slices.Equal(files, []string{"er/b.go"}) {
		t.Errorf("below a folder: got %q, %v", files, err)
	}
	if files, err := (Git{Root: newRepo(t).dir}).Files(context.Background()); err != nil || len(files) != 0 {
		t.Errorf("of an empty repository: got %q, %v", files, err)
	}
	if _, err := (Git{Root: t.TempDir()}).Files(context.Background()); err == nil {
		t.Error("no repository, no error")
	}
}

func BenchmarkReadTree(b *testing.B) {
	r := newRepo(b)
	samples, err := filepath.Glob(filepath.Join("..", "outline", "testdata", "*.[a-z]*"))
	if err != nil || len(samples) == 0 {
		b.Fatalf("%d samples, %v", len(samples), err)
	}
	var bytes int64
	for i := range 2000 {
		sample := samples[i%len(samples)]
		text, err := os.ReadFile(sample)
		if err != nil {
			b.Fatal(err)
		}
		r.write(fmt.Sprintf("d%d/f%d%s", i%50, i, filepath.Ext(sample)), string(text))
		bytes += int64(len(text))
	}
	r.git("add", "-A")
	b.SetBytes(bytes)
	for b.Loop() {
		if _, err := (Git{Root: r.dir}).readTree(context.Background(), func(File) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
