package diary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

var monday = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

// lived is a world with two commits, a session that failed, changed a file and passed, and one that
// failed and changed another.
func lived(t *testing.T) *world {
	t.Helper()
	w := must.Get(newWorld(t.Context(), filepath.Join(t.TempDir(), "work"), []evaluate.Commit{
		{Hash: "1", At: monday, Subject: "Begin", Files: []evaluate.Change{{Path: "a.go", Status: 'A'}, {Path: "b.go", Status: 'A'}, {Path: "old.go", Status: 'A'}, {Path: "never.go", Status: 'A'}}},
		{Hash: "2", At: monday.Add(time.Hour), Subject: "Move the old one", Files: []evaluate.Change{{Path: "new.go", Old: "old.go", Status: 'R'}, {Path: "b.go", Status: 'D'}}},
	}))(t)
	must.Do(t, w.until(t.Context(), monday))
	w.said("Use tabs, never spaces. Then look at https://example.org/x and fix it.")
	w.ran("go test ./...", &missing{file: "a.go", symbol: "aConfig"})
	for _, name := range []string{"a.go", "b.go", "old.go"} {
		must.Do(t, w.touch(name, name == "a.go", monday))
	}
	w.ran("go test ./...", nil)
	w.failures = nil // the next session
	w.ran("go vet ./...", &missing{file: "c.go", symbol: "cState"})
	must.Do(t, w.touch("c.go", true, monday))
	must.Do(t, w.until(t.Context(), monday.Add(2*time.Hour)))
	return w
}

func TestLinesAreHeldAgainstWhatHappened(t *testing.T) {
	w := lived(t)
	for text, rule := range map[string]string{
		"Goals|- “make it fast” may be helped by: “continue to make it fast” (3 Nov)": "it restates its goal",
		"Goals|- “make it fast” may be helped by: “profile the parser first” (3 Nov)": "",
		"Files in mind|a.go":           "",
		"Files in mind|new.go":         "", // it has another name now
		"Files in mind|{old.go, a.go}": "the file is gone",
		"Files in mind|b.go":           "the file is gone",
		"Files in mind|never.go":       "nobody opened or named the file",
		"Changed since then|- new.go: commit “Move the old one”":                         "",
		"Changed since then|- new.go: 2 commits, the latest “Move the old one”":          "",
		"Changed since then|- a.go: Move the old one":                                    "no such commit changed the file",
		"What holds here|- user, 16 Nov: “Use tabs, never spaces”":                       "",
		"What holds here|- user, 16 Nov: “look at ‹url› and fix it”":                     "",
		"What holds here|- user, 16 Nov: “Use spaces, never tabs”":                       "the user never wrote that",
		"Emerging Skills|- run `go vet ./...` before a commit":                           "the command never passed",
		"Emerging Skills|- run `go test ./...` before a commit":                          "",
		"Where it was left|- 16 Nov: changed b.go and old.go; they were there that day.": "",
	} {
		title, one, _ := strings.Cut(text, "|")
		lines := linesOf("start", "hebb remembers of this project:\n### "+title+"\n"+one+"\n")
		if len(lines) != 1 {
			t.Fatalf("%q: %d lines", text, len(lines))
		}
		if got := w.judge(lines[0]); got != rule {
			t.Errorf("%q: %q, want %q", text, got, rule)
		}
	}
	for file, rule := range map[string]string{"a.go": "", "c.go": "no pass followed the change"} {
		if got := w.judge(line{mechanism: fixLines, text: file + " fixed this error", file: file, symbol: map[string]string{"a.go": "aConfig", "c.go": "cState"}[file]}); got != rule {
			t.Errorf("%s fixed it: %q, want %q", file, got, rule)
		}
	}
}

func TestACheckHasFailedIfCodeIsChangedInTheSameTurn(t *testing.T) {
	at := func(minutes int) time.Time { return monday.Add(time.Duration(minutes) * time.Minute) }
	s := evaluate.AgentSession{
		Start: monday, Prompts: []evaluate.Prompt{{At: at(0)}, {At: at(10)}},
		Events: []evaluate.SessionEvent{
			{At: at(1), Op: "bash", Target: "go test"}, {At: at(2), Op: "edit", Target: "README.md"}, {At: at(3), Op: "edit", Target: "x/a.go"},
			{At: at(4), Op: "bash", Target: "go test"}, {At: at(5), Op: "bash", Target: "git status"}, {At: at(11), Op: "edit", Target: "x/a.go"},
		},
	}
	for event, want := range map[int]string{0: "x/a.go", 3: "", 4: ""} {
		command, failed := outcome(s, event)
		got := ""
		if failed != nil {
			got = failed.file
		}
		if got != want || event == 0 && command != "go test ./..." {
			t.Errorf("event %d: %s failed in %q, want %q", event, command, got, want)
		}
	}
}

// The first sessions of a real set are lived, and nothing that is shown is false.
func TestARealLifeSaysNothingFalse(t *testing.T) {
	dir := os.Getenv("HEBB_BENCH")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "..", "shared", "bench")
	}
	file := filepath.Join(dir, "sessions", "context-evaluator.sessions.jsonl.gz")
	if _, err := os.Stat(file); err != nil {
		t.Skipf("NOT TESTED on real sessions: %v; set HEBB_BENCH to the folder that holds sessions/", err)
	}
	t.Setenv("HEBB_HOME", t.TempDir())
	files := must.Get(evaluate.PairSessionFiles([]string{file}))(t)
	lives := must.Get(Replay(t.Context(), Input{Files: files, Most: 8, Tuning: tuning.Default()}))(t)
	life := lives[0]
	for _, f := range life.False {
		t.Errorf("session %d, %s, %s: %s: %s", f.Session, f.Mechanism, f.Where, f.Rule, f.Line)
	}
	if life.Total.Sessions != 8 || life.Total.Starts < 2 {
		t.Errorf("total %+v: starts say nothing", life.Total)
	}
	if life.Total.Thinking > 5 || life.Total.Failing > 5 {
		t.Errorf("thinking %.1f %%, failing %.1f %% of what starts show, want 5 at most", life.Total.Thinking, life.Total.Failing)
	}
}
