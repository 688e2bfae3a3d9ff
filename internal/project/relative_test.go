package project

import (
	"math/rand"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// scene is a checkout with links in and out of it:
//
//	app/src/a.go  app/inner -> src  app/outer -> ../elsewhere  app/secret -> ../elsewhere/key  app/deep -> src/x/y
//	alias -> app  elsewhere/key
func scene(t testing.TB) (base string, place memory.Place) {
	t.Helper()
	base = tempDir(t)
	app := repository(t, base, "app")
	write(t, filepath.Join(base, "elsewhere", "key"), "k")
	folder(t, app, "src", "x", "y")
	link(t, "src", filepath.Join(app, "inner"))
	link(t, filepath.Join("..", "elsewhere"), filepath.Join(app, "outer"))
	link(t, filepath.Join("..", "elsewhere", "key"), filepath.Join(app, "secret"))
	link(t, filepath.Join("src", "x", "y"), filepath.Join(app, "deep"))
	link(t, app, filepath.Join(base, "alias"))
	place = must.Get(Resolve(app))(t)
	return base, place
}

func TestRelativeGivesEachFileOneKey(t *testing.T) {
	base, place := scene(t)
	for _, c := range []struct {
		name, path string
		want       string // a leading / means below base
	}{
		{"a file", "app/src/a.go", "src/a.go"},
		{"a file that does not exist yet", "app/new/b.go", "new/b.go"},
		{"through a symlinked checkout", "alias/src/a.go", "src/a.go"},
		{"a missing file through a symlinked checkout", "alias/new/deeper/b.go", "new/deeper/b.go"},
		{"through a symlinked folder inside", "app/inner/a.go", "src/a.go"},
		{"a link to a file outside keeps its own name", "app/secret", "secret"},
		{"a link to a folder is named, not followed", "app/inner", "inner"},
		{"a link to a folder with a slash behind it", "app/inner/", "inner"},
		{"a folder linked to the outside", "app/outer/key", "/elsewhere/key"},
		{"a file beside the checkout", "elsewhere/key", "/elsewhere/key"},
		{"a neighbour whose name begins alike", "app2/a.go", "/app2/a.go"},
		{"dots that stay inside", "app/src/../src/./a.go", "src/a.go"},
		{"dots that leave", "app/src/../../.ssh/authorized_keys", "/.ssh/authorized_keys"},
		{"dots that leave over a missing folder", "app/none/../../elsewhere/key", "/elsewhere/key"},
		{"dots that leave and come back", "app/../app/src/a.go", "src/a.go"},
		{"dots after a link, really outside", "app/outer/../src/a.go", "/src/a.go"},
		{"dots after a link, outside by the letters", "app/deep/../../../app/src", "/app/app/src"},
		{"dots over a missing folder into a link", "app/none/../inner/a.go", "src/a.go"},
		{"the root itself", "app", "."},
		{"the root with a dot", "app/.", "."},
		{"a folder's own dots", "app/src/..", "."},
		{"a name that begins with dots", "app/..x", "..x"},
		{"a newline", "app/new\nline", "new\nline"},
		{"a backslash", `app/a\b`, `a\\b`},
		{"composed é", "app/caf\u00e9.go", "caf\u00e9.go"},
		{"decomposed é is another file", "app/cafe\u0301.go", "cafe\u0301.go"},
		{"a byte that is no text", "app/\xff.go", `\xff.go`},
		{"another one is another file", "app/\xfe.go", `\xfe.go`},
		{"a long name", "app/" + strings.Repeat("é", 200), strings.Repeat("é", 200)},
		{"a zero byte", "app/a\x00b", `a\x00b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if strings.HasPrefix(want, "/") {
				want = text(base + want)
			}
			if got := Relative(place, base+"/"+c.path); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestRelativeCountsARelativePathFromTheRoot(t *testing.T) {
	base, place := scene(t)
	for path, want := range map[string]string{
		"src/a.go":         "src/a.go",
		"./inner/a.go":     "src/a.go",
		"../elsewhere/key": text(filepath.Join(base, "elsewhere", "key")),
		"":                 "",
	} {
		if got := Relative(place, path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

func TestRelativeWorksFromAnyPlace(t *testing.T) {
	for _, c := range []struct {
		name       string
		root, path string
		want       string
	}{
		{"the top of the disk has no file outside", "/", "/etc/none", "etc/none"},
		{"a root nobody resolved offers no way up", "", "../../x", "x"},
		{"a root that is no path", "..", "../../x", "x"},
		{"a root with a broken escape", `/no\where`, "/no/b", "/no/b"},
		{"a root that is gone", "/no/such/root", "/no/such/root/a", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Relative(memory.Place{Root: c.root}, c.path); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// hostile draws paths from the pieces that break path code.
type hostile string

func (hostile) Generate(r *rand.Rand, size int) reflect.Value {
	pieces := []string{
		"..", ".", "/", "//", `\`, `\x`, `\xff`, "app", "alias", "inner", "outer", "secret", "deep", "src", "a.go", "none",
		"\xff", "\xfe", "\x00", "\n", "é", "e\u0301", " ", "C:", "~", strings.Repeat("n", 300),
	}
	var b strings.Builder
	for range r.Intn(size + 1) {
		b.WriteString(pieces[r.Intn(len(pieces))])
		if r.Intn(2) == 0 {
			b.WriteByte('/')
		}
	}
	return reflect.ValueOf(hostile(b.String()))
}

func TestAKeyNeverLeadsUpAndComesBackByteForByte(t *testing.T) {
	base, place := scene(t)
	property := func(tail hostile, absolute bool) bool {
		path := string(tail)
		if absolute {
			path = base + "/" + path
		}
		key := Relative(place, path)
		raw, err := memory.UnescapePath(key)
		ok := err == nil && memory.EscapePath(raw) == key && key != ".." && !strings.HasPrefix(key, "../") &&
			!strings.Contains(key, "/../") && !strings.HasSuffix(key, "/..")
		if ok && path != "" && !strings.HasSuffix(strings.TrimRight(path, "/"), ".") {
			// The file a key names has that key.
			again := raw
			if !filepath.IsAbs(again) {
				again = filepath.Join(native(place.Root), again)
			}
			ok = Relative(place, again) == key
		}
		if !ok {
			t.Logf("Relative(%q) = %q", path, key)
		}
		return ok
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 3000, Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
}

func TestAnEndlessPathCostsLittle(t *testing.T) {
	base, place := scene(t)
	path := base + "/app/" + strings.Repeat("x/", 100_000) + "f"
	if got := Relative(place, path); !strings.HasPrefix(got, "x/x/") || !strings.HasSuffix(got, "x/f") {
		t.Errorf("got %d bytes", len(got))
	}
}
