package vocab

import (
	"slices"
	"strings"
	"testing"
)

func TestFilesAsPeopleNameThem(t *testing.T) {
	for text, want := range map[string]string{
		"fix density.py:41 please":                               "density.py",
		"see /home/u/x/_stats/density.py.":                       "/home/u/x/_stats/density.py",
		"look at @src/tok.go, and (src/auth.go:12)":              "src/tok.go src/auth.go",
		"error in ./lib/a.ts:12:3: unexpected":                   "lib/a.ts",
		"https://example.com/a.html is down":                     "",
		"open `pkg/b.go#L12-L20`":                                "pkg/b.go",
		"Program.cs(14): error":                                  "Program.cs",
		"in BUGS and the Makefile it says":                       "BUGS Makefile",
		`C:\work\src\main.rs fails`:                              "C:/work/src/main.rs",
		"app.auth.session raises":                                "app.auth.session app/auth/session.py app/auth.py app/auth/session.java app/auth.java app/auth/session.kt app/auth.kt",
		"we run v1.26.3 and i like it. Done":                     "v1.26.3 Done",
		`File "/srv/app/views.py", line 20, in get; at (x.js:1)`: "File /srv/app/views.py x.js",
	} {
		if got := strings.Join(FileNames(text, 64), " "); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
	var trace []string
	for i := range 300 {
		trace = append(trace, "at lib/"+strings.Repeat("x", i%90+1)+".js:1")
	}
	if got := FileNames(strings.Join(trace, "\n"), 64); len(got) != 64 || !slices.Contains(got, "lib/x.js") {
		t.Errorf("%d names", len(got))
	}
}
