package evaluate

import (
	"bytes"
	"compress/gzip"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// twoCommits has a blank line between them.
const twoCommits = `{"hash":"c1","time":100,"author":"x","bot":false,"subject":"begin",` +
	`"files":[{"path":"a.go","status":"A","added":1,"deleted":0}]}` + "\n\n" +
	`{"hash":"c2","time":200,"bot":true,"subject":"move",` +
	`"files":[{"path":"b.go","status":"R","old":"a.go","added":null,"deleted":null}]}` + "\n"

func write(t *testing.T, name, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if strings.HasSuffix(name, ".gz") {
		content = packed(t, content)
	}
	must.Do(t, os.WriteFile(file, []byte(content), 0o600))
	return file
}

func packed(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	must.Get(z.Write([]byte(content)))(t)
	must.Do(t, z.Close())
	return b.String()
}

func TestCommitsAreReadPlainAndPacked(t *testing.T) {
	want := []Commit{
		{Hash: "c1", At: time.Unix(100, 0).UTC(), Subject: "begin", Files: []Change{{Path: "a.go", Status: 'A'}}, FileCount: 1},
		{Hash: "c2", At: time.Unix(200, 0).UTC(), Bot: true, Subject: "move", Files: []Change{{Path: "b.go", Status: 'R', Old: "a.go"}}, FileCount: 1},
	}
	for _, name := range []string{"flask.jsonl", "flask.jsonl.gz"} {
		file := write(t, name, twoCommits)
		if got, err := collect(ReadCommits(file)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if repo := RepoOf(file); repo != "flask" {
			t.Errorf("%s is about %q", name, repo)
		}
	}
}

func TestErrorsNameFileAndLine(t *testing.T) {
	cut := packed(t, strings.Repeat(twoCommits, 50))
	session := `{"session":"s1","start":5,"prompts":[[0,"hello"]],"events":`
	for _, c := range []struct{ name, content, want string }{
		{"broken.jsonl", twoCommits + `{"hash":`, "broken.jsonl:4: unexpected end"}, // line 2 is blank
		{"broken.jsonl.gz", twoCommits + `{"hash":`, "broken.jsonl.gz:4: unexpected end"},
		{"nameless.jsonl", `{"subject":"x"}`, "nameless.jsonl:1: a commit without hash"},
		{"rename.jsonl", `{"hash":"c1","files":[{"path":"a","status":"R"}]}`, "rename.jsonl:1: commit c1: file 1 lacks"},
		{"cut.jsonl", cut[:len(cut)-9], "unexpected EOF"},
		{"head.jsonl", "\x1f\x8b", "head.jsonl: "},
		{"nameless.sessions.jsonl", `{"start":5}`, "nameless.sessions.jsonl:1: a session without name"},
		{"event.sessions.jsonl", session + `[[1,"read"]]}`, "event.sessions.jsonl:1: session s1, event 1: 2 fields"},
		{"prompt.sessions.jsonl", `{"session":"s1","prompts":[[0]]}`, "prompt.sessions.jsonl:1: session s1, prompt 1: 1"},
		{"type.sessions.jsonl", session + `[[1,"read",7]]}`, "type.sessions.jsonl:1: session s1, event 1: json"},
		{"time.sessions.jsonl", session + `[["1","read","a"]]}`, "time.sessions.jsonl:1: session s1, event 1: json"},
	} {
		file := write(t, c.name, c.content)
		_, err := collect(ReadCommits(file))
		if strings.Contains(c.name, "sessions") {
			_, err = collect(ReadSessions(file))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := collect(ReadCommits(filepath.Join(t.TempDir(), "none.jsonl"))); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestSessionsAreRead(t *testing.T) {
	line := `{"repo":"o/r","session":"s1","agent":"Codex","actor":"x","start":1000,"prompts":[[0,"first"],[60,"second"]],` +
		`"events":[[5,"bash","go test"],[10,"read","a.go"],[20,"grep","b.go"],[70,"edit","a.go"],[80,"write","c.go"]]}`
	sessions, err := collect(ReadSessions(write(t, "x.sessions.jsonl.gz", line)))
	if err != nil || len(sessions) != 1 {
		t.Fatal(sessions, err)
	}
	s := sessions[0]
	at := func(seconds int64) time.Time { return time.Unix(1000+seconds, 0).UTC() }
	if s.ID != "s1" || s.Repo != "o/r" || s.Agent != "Codex" || s.Actor != "x" || !s.Start.Equal(at(0)) ||
		!s.End().Equal(at(80)) {
		t.Errorf("%+v", s)
	}
	opens := []SessionEvent{{at(10), "read", "a.go"}, {at(70), "edit", "a.go"}, {at(80), "write", "c.go"}}
	if got := s.Opens(); !reflect.DeepEqual(got, opens) {
		t.Errorf("opens %+v, want %+v", got, opens)
	}
	for seconds, want := range map[int64]string{-1: "", 0: "first", 59: "first", 60: "second", 90: "second"} {
		if got := s.PromptAt(at(seconds)); got != want {
			t.Errorf("prompt at %d s is %q, want %q", seconds, got, want)
		}
	}
}

func TestSessionFilesArePaired(t *testing.T) {
	pair := SessionFiles{"x.y", "dir/x.y.commits.jsonl.gz", "dir/x.y.sessions.jsonl.gz"}
	got, err := PairSessionFiles([]string{pair.Sessions, pair.Commits, "z.commits.jsonl"})
	want := []SessionFiles{pair, {"z", "z.commits.jsonl", "z.sessions.jsonl"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := PairSessionFiles([]string{"x.jsonl"}); err == nil {
		t.Errorf("%+v", got)
	}
}
