package evaluate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// startTrace writes a repository of recorded sessions, one a day: each opens these files, in order;
// those with a star are changed. What day holds a commit is said by commits.
func startTrace(t *testing.T, repo string, sessions [][]string, commits map[int][]string) SessionFiles {
	t.Helper()
	dir := t.TempDir()
	var lines, log []string
	marshal := func(v any) string {
		text := must.Get(json.Marshal(v))(t)
		return string(text)
	}
	for day, files := range sessions {
		start := morning.AddDate(0, 0, day).Unix()
		events := [][]any{{1, "bash", "ls"}}
		for i, f := range files {
			path, changed := strings.CutPrefix(f, "*")
			op := "read"
			if changed {
				op = "edit"
			}
			events = append(events, []any{10 * (i + 1), op, path})
		}
		lines = append(lines, marshal(map[string]any{
			"repo": repo, "session": fmt.Sprintf("%s-%d", repo, day), "agent": "claude-code", "actor": "a", "start": start,
			"prompts": [][]any{{0, "mend the brass till"}}, "events": events,
		}))
		if files, ok := commits[day]; ok {
			c := map[string]any{"hash": fmt.Sprintf("%040x", day+1), "time": start - 3600, "subject": "tidy up"}
			var changes []map[string]string
			for _, f := range files {
				old, path, renamed := strings.Cut(f, ">")
				change := map[string]string{"path": old, "status": "D"}
				if renamed {
					change = map[string]string{"path": path, "status": "R", "old": old}
				}
				changes = append(changes, change)
			}
			c["files"] = changes
			log = append(log, marshal(c))
		}
	}
	pair := SessionFiles{Repo: repo, Commits: filepath.Join(dir, repo+".commits.jsonl"), Sessions: filepath.Join(dir, repo+".sessions.jsonl")}
	for file, text := range map[string][]string{pair.Commits: log, pair.Sessions: lines} {
		must.Do(t, os.WriteFile(file, []byte(strings.Join(text, "\n")), 0o600))
	}
	return pair
}

func startRow(t *testing.T, rows []ContextRow, repo, ranker string) ContextRow {
	t.Helper()
	for _, r := range rows {
		if r.Repo == repo && r.Ranker == ranker {
			return r
		}
	}
	t.Fatalf("no row %s, %s in %v", repo, ranker, rows)
	return ContextRow{}
}

func TestTheStartOfASessionIsMarkedByWhatTheSessionOpens(t *testing.T) {
	t.Parallel()
	shop := startTrace(t, "shop", [][]string{
		{"*a.go", "*a.go", "*a.go", "*b.go", "*b.go"},
		{"*a.go", "*a.go"},
		{"a.go", "new.go"},             // half of it is known
		{"b.go", "moved.go", "new.go"}, // a.go has moved meanwhile
		{"new.go", "far/away.go"},      // new.go is deleted: nobody can name it
	}, map[int][]string{3: {"a.go>moved.go"}, 4: {"new.go"}})
	mill := startTrace(t, "mill", [][]string{{"x.go"}, {"x.go"}, {"y.go"}, {"x.go"}, {}}, nil)
	rows := must.Get(StartCoverage(t.Context(), Input{
		Sessions: []SessionFiles{shop, mill}, Tuning: tuning.Default(),
	}))(t)
	for _, c := range []struct {
		repo, ranker     string
		sessions, opened int
		named            int
		coverage, hit    float64
	}{
		{"shop", startRecent, 3, 7, 4, 50, 66.67}, // 1 of 2, 3 of 3, 0 of 2
		{"shop", startFrequent, 3, 7, 4, 50, 66.67},
		{"shop", startFiles, 3, 7, 3, 38.89, 66.67}, // moved.go had another name when it was opened
		{"mill", startRecent, 2, 2, 1, 50, 50},      // a session that opens nothing is not counted
		{Macro, startRecent, 5, 9, 5, 50, 58.34},
	} {
		got := startRow(t, rows, c.repo, c.ranker)
		want := ContextRow{Bench: "context", Repo: c.repo, Ranker: c.ranker, Sessions: c.sessions, Opened: c.opened, Named: c.named, Coverage: c.coverage, Hit: c.hit, Tokens: got.Tokens}
		if got != want {
			t.Errorf("%s, %s:\n got %+v\nwant %+v", c.repo, c.ranker, got, want)
		}
	}
	if whole, files := startRow(t, rows, "shop", startWhole), startRow(t, rows, "shop", startFiles); whole.Tokens <= files.Tokens || files.Tokens <= 0 {
		t.Errorf("the whole start takes %v tokens, its files %v", whole.Tokens, files.Tokens)
	}
}

func TestAPathIsNamedOnlyWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, path string
		want       bool
	}{
		{"a.go", "a.go", true},
		{"src/a.go [2.4] — Exports: x", "src/a.go", true},
		{"src/a.go [2.4]", "a.go", false},
		{"a.go.orig", "a.go", false},
		{"a.gone", "a.go", false},
		{"it changed a.go.", "a.go", true},
		{"it changed a.go. Then more.", "a.go", true},
		{"  clusters: {a.go, b.go} {c.go, d.go}", "b.go", true},
		{"xa.go a.go", "a.go", true},
		{"äa.go", "a.go", false},
		{"cmd/{main.go,serve.go} x", "cmd/serve.go", true},
		{"cmd/{main.go, serve.go}", "cmd/main.go", true},
		{"cmd/{main.go,serve.go}", "serve.go", false},
		{"cmd/{main.go,\nserve.go}", "cmd/serve.go", false},
		{"", "a.go", false},
	} {
		if got := names(SpelledOut(c.text), c.path); got != c.want {
			t.Errorf("%q names %q: %v, want %v", c.text, c.path, got, c.want)
		}
	}
}
