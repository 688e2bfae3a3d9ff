package mcpserver

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

// as is how a client begins that calls itself by a name.
func as(client string) string {
	return strings.Replace(begun, `"name":"t"`, fmt.Sprintf(`"name":%q`, client), 1)
}

// sessionsNow are the sessions of the lab's project, newest first.
func (l *lab) sessionsNow() []memory.Session {
	l.t.Helper()
	var list []memory.Session
	must.Do(l.t, l.server.with(l.t.Context(), func(b *brain.Brain) error {
		if _, err := steward.Run(l.t.Context(), b, steward.Drain, steward.DrainInput{Wait: true}); err != nil {
			return err
		}
		var err error
		list, err = steward.Run(l.t.Context(), b, inspect.Sessions, inspect.SessionsInput{Scope: brain.Scope{Dir: l.dir}})
		return err
	}))
	return list
}

func TestWhatAnUnwatchedAgentDoesBelongsToOneSessionPerConnection(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	work := toolCall(2, "context", `{}`) + toolCall(3, "recall", `{"query":"fix the login"}`) +
		toolCall(4, "record", `{"files":["src/login.go"],"kind":"edit","text":"the redirect"}`) +
		toolCall(5, "working_memory_note", `{"text":"The login redirects twice."}`) +
		toolCall(6, "resolve", `{"error":"`+brokenTest+`","files":["src/cache.go"]}`)
	for id, lines := range l.spoken(as("Zed") + work) {
		if strings.Contains(lines[0], `"isError":true`) || strings.Contains(lines[0], "Warning") {
			t.Errorf("call %s: %s", id, lines[0])
		}
	}
	sessions := l.sessionsNow()
	if len(sessions) != 1 {
		t.Fatalf("sessions %+v", sessions)
	}
	s := sessions[0]
	if s.Agent != "zed" || !strings.HasPrefix(s.AgentSession, desk.UnwatchedRun) || s.Open() || s.CloseReason != memory.ClosedByAgent {
		t.Errorf("session %+v", s)
	}
	var events []memory.StoredEvent
	must.Do(t, l.server.with(t.Context(), func(b *brain.Brain) (err error) {
		events, err = steward.Run(t.Context(), b, inspect.Events, inspect.EventsInput{Scope: brain.Scope{Dir: l.dir}, Session: s.ID.String()})
		return err
	}))
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, strings.TrimSpace(string(e.Kind)+" "+e.Tool))
	}
	slices.Sort(kinds) // calls of one client may overtake each other
	want := "record, resolve, session_start, tool mcp__hebb__recall, tool mcp__hebb__record, tool mcp__hebb__resolve, tool mcp__hebb__working_memory_note"
	if got := strings.Join(kinds, ", "); got != want {
		t.Errorf("recorded %s\nwant %s", got, want)
	}

	// Another connection is another session; its wrap-up is of itself, and one that only looks around has none.
	l.spoken(as("Zed") + toolCall(2, "context", `{}`) + toolCall(3, "stats", `{}`))
	l.spoken(as("Zed") + toolCall(2, "wrapup", `{"happened":"The door is painted.","next":"The wall."}`))
	sessions = l.sessionsNow()
	if len(sessions) != 2 || sessions[0].Happened != "The door is painted." || sessions[0].CloseReason != memory.ClosedByWrapUp || sessions[1].ID != s.ID {
		t.Errorf("sessions %+v", sessions)
	}
}

func TestAnAgentThatHooksWatchHasItsSessionAlready(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	for _, e := range []memory.Event{l.event("one", memory.SessionStarted, "startup"), l.event("one", memory.Prompted, "fix the login")} {
		e.At = start
		l.spooled(e)
	}
	watched := l.sessionsNow()
	if len(watched) != 1 {
		t.Fatalf("sessions %+v", watched)
	}
	client := string(watched[0].Agent)
	l.spoken(as(client+" (MCP client)") + toolCall(2, "record", `{"files":["src/login.go"],"kind":"edit"}`) +
		toolCall(3, "working_memory_note", `{"text":"The login redirects twice."}`))
	if now := l.sessionsNow(); len(now) != 1 || !now[0].Open() {
		t.Errorf("sessions %+v", now)
	}
	// Somebody else has a session of its own, beside it.
	l.spoken(as("goose") + toolCall(2, "wrapup", `{"happened":"Goose was here."}`))
	if now := l.sessionsNow(); len(now) != 2 || now[0].Agent != "goose" || now[0].Happened != "Goose was here." || now[1].Happened != "" {
		t.Errorf("sessions %+v", now)
	}
}

func TestClientsAreCalledByTheNameOfTheirAgent(t *testing.T) {
	t.Parallel()
	for client, want := range map[string]memory.Agent{
		"claude-code": "claude-code", "codex-mcp-client": "codex", "gemini-cli-mcp-client": "gemini", "Visual Studio Code": "vscode",
		"Cline": "cline", "cursor-vscode": "cursor", "Zed": "zed", "goose": "goose", "": "mcp", "…": "mcp",
		"An Agent\x1b[2J with a very long name that goes on and on": "an-agent-2j-with-a-very-long-name-that-g", "auto": "auto",
	} {
		if got := agentOf(client); got != want {
			t.Errorf("%q is %q, want %q", client, got, want)
		}
	}
}

// A writer in the way is waited for once. The calls that follow go on without a session until it is likely to be gone.
func TestAWriterInTheWayHoldsUpOneCallOnly(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.server.Config.Tuning.Store.BusyTimeout = time.Millisecond
	l.server.Now = func() time.Time { return l.clock } // it stands still
	l.server.visit = newVisit()
	asked := func(query string) (text string) {
		l.clock = l.clock.Add(time.Second)
		text = l.call("recall", map[string]any{"query": query})
		return text
	}
	recorded := func(query string) bool {
		var events []memory.StoredEvent
		must.Do(t, l.server.with(t.Context(), func(b *brain.Brain) (err error) {
			events, err = steward.Run(t.Context(), b, inspect.Events, inspect.EventsInput{Scope: brain.Scope{Dir: l.dir}})
			return err
		}))
		return slices.ContainsFunc(events, func(e memory.StoredEvent) bool { return e.Input == query })
	}
	asked("the first question")
	db := must.Get(sql.Open("sqlite", l.config.Database()))(t)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	must.Get(db.ExecContext(t.Context(), `BEGIN IMMEDIATE`))(t)
	if text := asked("the question beside a writer"); !strings.Contains(text, "could not be put into a session") {
		t.Errorf("nothing was in the way:\n%s", text)
	}
	must.Get(db.ExecContext(t.Context(), `ROLLBACK`))(t)
	if text := asked("the next question"); strings.Contains(text, "could not be put into a session") || !strings.Contains(text, "was writing a moment ago") {
		t.Errorf("it was tried at once again:\n%s", text)
	}
	l.clock = l.clock.Add(crowdedFor)
	asked("the question afterwards")
	for query, want := range map[string]bool{
		"the first question": true, "the question beside a writer": false, "the next question": false, "the question afterwards": true,
	} {
		if recorded(query) != want {
			t.Errorf("%s: recorded %v, want %v", query, !want, want)
		}
	}
}

func TestAPausedProjectIsNotWatchedThroughTools(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.spoken(as("Zed") + toolCall(2, "recall", `{"query":"before"}`))
	before := len(l.sessionsNow())
	pause := func(on bool) {
		must.Do(t, l.server.with(t.Context(), func(b *brain.Brain) error {
			_, err := steward.Run(t.Context(), b, desk.PauseProject, desk.PauseInput{Scope: brain.Scope{Dir: l.dir}, Pause: on})
			return err
		}))
	}
	pause(true)
	said := l.spoken(as("Zed") + toolCall(2, "recall", `{"query":"a secret plan"}`) + toolCall(3, "working_memory_note", `{"text":"Kept all the same."}`))
	if got := len(l.sessionsNow()); before != 1 || got != before || !strings.Contains(said["3"][0], "Kept all the same.") {
		t.Errorf("%d sessions, then %d; %s", before, got, said["3"])
	}
	pause(false)
	l.spoken(as("Zed") + toolCall(2, "recall", `{"query":"after"}`))
	if got := len(l.sessionsNow()); got != before+1 {
		t.Errorf("%d sessions after the pause", got)
	}
}
