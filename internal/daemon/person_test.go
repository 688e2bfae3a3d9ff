package daemon

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
)

// A command that fails, an edit and the same command that passes teach what fixed it, without a word of its output.
func TestWhatMadeACommandPassIsLearned(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "price.go", "sub/a.go").start()
	began := time.Now()
	send := func(r Ran) {
		t.Helper()
		r.Dir, r.Began, began = w.file("sub"), began, began.Add(time.Millisecond)
		must.Do(t, w.watcher.Ran(t.Context(), r))
	}
	send(Ran{Command: "go test ./price", Status: 1})
	w.write("price.go", "the fix\n")
	for wait(w, w.seen).Tool != "edit" {
	}
	send(Ran{Command: "go test ./price"})
	w.stop()
	w.drain()
	fixes := braintest.Must(w.Lab, ranking.Fixes, ranking.FixesInput{Scope: brain.Scope{Dir: w.dir}, Error: "error: command failed: cd sub && go test ./price"})
	if len(fixes.Fixes) != 1 || fixes.Fixes[0].Path != "price.go" {
		t.Errorf("fixes %+v", fixes.Fixes)
	}
	for _, e := range w.Events() {
		if e.Agent == memory.AgentPerson && (e.AgentSession != began.Local().Format(time.DateOnly) || e.Origin != memory.OriginTool) {
			t.Errorf("event %+v", e)
		}
	}
}

func TestCommandsAreScrubbedAndOnlyThoseOfTheWorkAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go")
	send := func(dir, command string, status int) {
		t.Helper()
		must.Do(t, w.watcher.Ran(t.Context(), Ran{Dir: dir, Command: command, Status: status, Began: time.Now()}))
	}
	send(w.dir, "ls -l", 0)
	send(w.dir, "git status", 0)
	send(w.dir, "mkae test", 127)
	send(w.dir, "make test", 130)     // Ctrl-C
	send(t.TempDir(), "make test", 2) // no known project
	send("/", "make test", 2)         // likewise
	if s := w.watcher.Status(); s.Commands != 0 {
		t.Errorf("status %+v", s)
	}
	send(w.dir, "TOKEN=ghp_012345678901234567890123456789abcdef make test", 2)
	e := wait(w, w.seen)
	if strings.Contains(e.Input+e.Text, "ghp_") || !strings.HasSuffix(e.Input, "make test") || e.Kind != memory.ToolFailed {
		t.Errorf("event %+v", e)
	}
	must.Get(w.Config.Pause(w.place.Project(), true))(t)
	send(w.dir, "make test", 2)
	if s := w.watcher.Status(); s.Commands != 1 {
		t.Errorf("status %+v", s)
	}
}

func TestTheShellReportsOverHTTP(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go")
	for body, want := range map[string]int{
		`{"dir":"` + w.dir + `","command":"make test","status":2,"began":"2026-11-18T10:00:00Z"}`: http.StatusOK,
		`{"dir":"sub","command":"make test"}`:                                                     http.StatusBadRequest,
		`{"dir":`:                                                                                 http.StatusBadRequest,
	} {
		got := httptest.NewRecorder()
		w.watcher.ServeHTTP(got, httptest.NewRequest(http.MethodPost, "/shell", strings.NewReader(body)))
		if got.Code != want {
			t.Errorf("%s: %d %s", body, got.Code, got.Body)
		}
	}
	if e := wait(w, w.seen); e.Input != "make test" {
		t.Errorf("event %+v", e)
	}
}

// What a person did is no agent's session: it is neither handed over nor wrapped up, and nothing is said of it.
func TestASessionOfThePersonIsNoAgents(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "a.go").start()
	w.write("a.go", "an edit\n")
	w.edited("a.go")
	w.stop()
	w.drain()
	scope := brain.Scope{Dir: w.dir}
	latest := braintest.Must(w.Lab, record.Intent, record.IntentInput{SessionInput: record.SessionInput{Scope: scope}})
	if latest.Agent != "claude-code" {
		t.Errorf("the latest session is %+v", latest)
	}
	tried := braintest.Must(w.Lab, answer.Try, answer.TryInput{Scope: scope, Text: "change a.go"})
	if tried.Agent != "claude-code" {
		t.Errorf("a prompt is tried as %s", tried.Agent)
	}
	w.Clock = w.Clock.Add(24 * time.Hour)
	w.drain()
	for _, s := range w.Sessions() {
		if s.Agent == memory.AgentPerson && (s.Open() || s.Happened != "" || s.Events != 1) {
			t.Errorf("session %+v", s)
		}
	}
}
