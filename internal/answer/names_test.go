package answer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Files that sessions keep opening come first, the more so of late, and what was changed before what was read.
func TestFilesOpenedLatelyAreThoseThatSessionsComeBackTo(t *testing.T) {
	t.Parallel()
	read := func(path string, ago ...int) (opened []OpenedFile) {
		for _, n := range ago {
			opened = append(opened, OpenedFile{Path: path, Ago: n})
		}
		return opened
	}
	for name, c := range map[string]struct {
		opened []OpenedFile
		want   []string
	}{
		"a fresh project":          {nil, nil},
		"the latest first":         {slices.Concat(read("old.go", 2), read("b.go", 0), read("a.go", 1)), []string{"b.go", "a.go", "old.go"}},
		"twice before once":        {slices.Concat(read("new.go", 0), read("a.go", 3, 5), read("once.go", 5)), []string{"a.go", "new.go", "once.go"}},
		"long ago counts little":   {slices.Concat(read("a.go", 18, 19, 20), read("new.go", 0)), []string{"new.go", "a.go"}},
		"changed before read":      {append(read("a.go", 0), OpenedFile{"b.go", 1, true}), []string{"b.go", "a.go"}},
		"of equals by their names": {slices.Concat(read("b.go", 0), read("a.go", 0)), []string{"a.go", "b.go"}},
	} {
		if got := OpenedLately(c.opened); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestNamesOfOneFolderStandTogether(t *testing.T) {
	t.Parallel()
	paths := []string{"cmd/a.go", "README.md", "internal/x/deep.go", "cmd/b.go", "go.mod", "cmd/c.go", "cmd/odd{,}.go"}
	for most, want := range map[int][]string{
		1000: {"cmd/{a.go,b.go,c.go}", "README.md", "internal/x/deep.go", "go.mod", "cmd/odd{,}.go"},
		30:   {"cmd/{a.go,b.go}", "README.md"},
		9:    {"cmd/a.go"},
		7:    {"go.mod"}, // the first that fits
		3:    {},
	} {
		if got := NameLines(paths, most); !slices.Equal(got, want) {
			t.Errorf("%d bytes: %q, want %q", most, got, want)
		}
	}
}

func TestNamesKeepToTheirRoomAndAreAllReadable(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "src", "größe", "x{y", "b,c", "deep", "long-name-of-something"}
	for range 2000 {
		var paths []string
		for range r.IntN(20) {
			var path []string
			for range 1 + r.IntN(3) {
				path = append(path, parts[r.IntN(len(parts))])
			}
			paths = append(paths, strings.Join(path, "/"))
		}
		slices.Sort(paths)
		paths = slices.Compact(paths)
		r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		most := r.IntN(200)
		lines := NameLines(paths, most)
		if size := len(strings.Join(lines, "\n")) + 1; len(lines) > 0 && size > most {
			t.Fatalf("%d bytes of %d: %q", size, most, lines)
		}
		for _, line := range lines {
			dir, list, grouped := strings.Cut(strings.TrimSuffix(line, "}"), "{")
			if !grouped || slices.Contains(paths, line) {
				if !slices.Contains(paths, line) {
					t.Fatalf("%q is none of %q", line, paths)
				}
				continue
			}
			for name := range strings.SplitSeq(list, ",") {
				if !slices.Contains(paths, dir+name) {
					t.Fatalf("%q of %q is none of %q", name, line, paths)
				}
			}
		}
	}
}
