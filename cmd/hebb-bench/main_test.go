package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// run calls the program and returns what it printed.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	t.Setenv("HEBB_HOME", t.TempDir())
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestWrongUseIsRefused(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.sessions.jsonl")
	for _, c := range []struct{ args, want string }{
		{"replay", "name a history"},
		{"replay " + none, "none.sessions.jsonl"},
		{"sessions " + none, "none.sessions.jsonl"},
		{"ablate " + none, "none.sessions.jsonl"},
		{"recall --runs 0", "--runs must be 1 or more"},
		{"drain --events 0", "--events must be 1 or more"},
		{"context --speed --quality", "not both"},
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
	if out, err := run(t, "drain", "--events", "5"); err != nil || !strings.Contains(out, "EVENTS/S") || strings.Count(out, "\n") != 4 {
		t.Errorf("%v:\n%s", err, out)
	}
	if out, err := run(t, "drain", "--events", "5", "--json"); err != nil || !strings.HasPrefix(out, `{"bench":"drain"`) || strings.Count(out, "\n") != 3 {
		t.Errorf("%v:\n%s", err, out)
	}
	if got, want := table([]string{"CASE", "N>"}, [][]string{{"a", "10"}, {"größer", "5"}}), "  CASE     N\n  a       10\n  größer   5\n"; got != want {
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
