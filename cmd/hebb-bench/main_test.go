package main

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// run calls the program and returns what it printed.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	t.Setenv("HEBB_HOME", t.TempDir())
	t.Setenv("HEBB_BENCH", t.TempDir())
	var out bytes.Buffer
	a := &app{stdout: &out}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestWrongUseIsRefused(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.sessions.jsonl")
	for _, c := range []struct{ args, want string }{
		{"replay", "set HEBB_BENCH"},
		{"replay " + none, "none.sessions.jsonl"},
		{"sessions " + none, "none.sessions.jsonl"},
		{"ablate " + none, "none.sessions.jsonl"},
		{"recall --runs 0", "--runs must be 1 or more"},
		{"drain --events 0", "--events must be 1 or more"},
		{"conversations --set songs", `no set "songs"`},
		{"replay --without luck " + filepath.Dir(none), `no kind of evidence is called "luck"`},
		{"nonsense", "unknown command"},
	} {
		if out, err := run(t, strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("hebb-bench %s: %v, want %q; printed %s", c.args, err, c.want, out)
		}
	}
}

func TestRowsAreATableOrLinesOfJSON(t *testing.T) {
	if out, err := run(t, "drain", "--events", "5"); err != nil || !strings.Contains(out, "EVENTS PER S") || strings.Count(out, "\n") != 4 {
		t.Errorf("%v:\n%s", err, out)
	}
	if out, err := run(t, "drain", "--events", "5", "--json"); err != nil || !strings.HasPrefix(out, `{"bench":"drain"`) || strings.Count(out, "\n") != 3 {
		t.Errorf("%v:\n%s", err, out)
	}
	type row struct {
		Bench string  `json:"bench"`
		Case  string  `json:"case"`
		N     int     `json:"n"`
		Share float64 `json:"share_of_all" show:"%.2f"`
		Some  float64 `json:"some,omitempty"`
		None  int     `json:"none,omitempty"`
	}
	got := table(reflect.ValueOf([]row{{"x", "a", 12345, .5, 0, 0}, {"x", "größer", 5, 1, 2, 0}}))
	want := "  CASE         N  SHARE OF ALL  SOME\n" +
		"  a       12 345          0.50\n" +
		"  größer       5          1.00   2.0\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTheMeasuredProgramIsTheOneThatIsNamed(t *testing.T) {
	here, err := (&app{hebb: "hebb"}).program()
	if want, _ := filepath.Abs("hebb"); here != want || err != nil {
		t.Errorf("%s, %v, want %s", here, err, want)
	}
	t.Setenv("PATH", t.TempDir())
	if found, err := (&app{}).program(); err == nil || !strings.Contains(err.Error(), "--hebb") {
		t.Errorf("without a hebb anywhere: %s, %v", found, err)
	}
}
