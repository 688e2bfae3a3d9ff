package workmem

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A file that no session has opened lately is not worth a line; those that sessions open again come first, then the latest.
func TestFilesOpenedLatelyAreThoseThatSessionsComeBackTo(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 40 {
		many = append(many, fmt.Sprintf("%02d.go", i))
	}
	for name, c := range map[string]struct {
		sessions [][]string // the last first
		want     []string
	}{
		"a fresh project":        {nil, nil},
		"the latest first":       {[][]string{{"b.go"}, {"a.go"}, {"old.go"}}, []string{"b.go", "a.go", "old.go"}},
		"again after a while":    {[][]string{{"new.go"}, {}, {}, {"a.go"}, {}, {}, {}, {"a.go", "once.go"}}, []string{"a.go", "new.go", "once.go"}},
		"too long ago":           {[][]string{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {"a.go"}}, nil},
		"more often comes first": {[][]string{{"c.go"}, {}, {"a.go", "b.go"}, {"b.go", "a.go"}, {"b.go"}}, []string{"b.go", "a.go", "c.go"}},
		"no more than two dozen": {[][]string{many}, many[:StartFiles]},
	} {
		if got := OpenedLately(c.sessions); !slices.Equal(got, c.want) {
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
