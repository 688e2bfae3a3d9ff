//go:build unix

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/must"
)

// server is the URL of the PostgreSQL server to test on, which a variable names; without one the test is not run.
func server(t *testing.T, variable string) string {
	t.Helper()
	at := os.Getenv(variable)
	if at == "" {
		t.Skip("=== NOT RUN: programs with a PostgreSQL store, for want of a server. Run: scripts/with-postgres go test ./cmd/hebb ===")
	}
	return at
}

var schemas atomic.Int64

// sharedSchema names a schema for a test, which is dropped at its end with those beside it, and opens the server's database.
func sharedSchema(t *testing.T) (schema string, db *sql.DB) {
	t.Helper()
	db = must.Get(sql.Open("pgx", server(t, "HEBB_TEST_POSTGRES")))(t)
	schema = fmt.Sprintf("p%d_%d", os.Getpid(), schemas.Add(1))
	t.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), `DO $$ DECLARE name text; BEGIN
			FOR name IN SELECT nspname FROM pg_namespace WHERE nspname = '`+schema+`' OR nspname LIKE '`+schema+`\_%' LOOP
				EXECUTE 'DROP SCHEMA ' || quote_ident(name) || ' CASCADE';
			END LOOP; END $$`)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Error(err)
		}
	})
	return schema, db
}

// onServer makes the machine's store a schema of a server.
func (m *machine) onServer(at, schema string) {
	m.t.Helper()
	m.write("home/config.toml", fmt.Sprintf("store = %q\nschema = %q\n", at, schema))
}

// lateHooks is how many hooks give up in a run of the tests. HEBB_LATE_HOOKS=1000 is the whole.
func lateHooks(t *testing.T) int {
	t.Helper()
	text := os.Getenv("HEBB_LATE_HOOKS")
	if text == "" {
		return 80
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("HEBB_LATE_HOOKS=%s: want a number", text)
	}
	return n
}

// Hooks that give up while the server works leave the pooler alive. PgBouncer 1.18 ended after some forty of them, by the cancel requests
// that pgx sends by itself and that a process leaves behind when it ends.
func TestHooksThatGiveUpLeaveThePoolerAlive(t *testing.T) {
	pooled := server(t, "HEBB_TEST_PGBOUNCER")
	schema, db := sharedSchema(t)
	m := newMachine(t)
	m.onServer(pooled, schema)
	m.write("home/config.toml", m.read(m.path("home", "config.toml"))+"[tuning.hook]\nstart_wait = 100\n")
	m.ok("remember", "always run the linter before a commit")
	late := lateHooks(t)
	hooks := make(chan int)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range hooks {
				payload := fmt.Sprintf(`{"session_id":"s%d","transcript_path":"/x/projects/y/z.jsonl","cwd":%q,"hook_event_name":"SessionStart","source":"startup"}`,
					i, m.path("repo"))
				if r := m.run(payload, "hook", "claude-code"); r.code != 0 { // between two locks one may be answered
					t.Errorf("hook exits %d: %s%s", r.code, r.stdout, r.stderr)
				}
			}
		})
	}
	const together = 40
	for i := 0; i < late; i += together { // questions wait as long as somebody holds a table
		tx, err := db.BeginTx(t.Context(), nil)
		if err == nil {
			_, err = tx.ExecContext(t.Context(), `LOCK TABLE `+schema+`.project, `+schema+`.session IN ACCESS EXCLUSIVE MODE`)
		}
		if err != nil {
			t.Fatal(err)
		}
		for j := i; j < min(i+together, late); j++ {
			hooks <- j
		}
		if i+together >= late {
			close(hooks)
			all.Wait()
		}
		must.Do(t, tx.Rollback())
	}
	s := m.spool().State()
	t.Logf("%d of %d hooks were late", s.Late.Count, late)
	if s.Late.Count < int64(late)/2 {
		t.Errorf("only %d of %d hooks were late: this proves nothing (%s)", s.Late.Count, late, s.Complaint)
	}
	m.ok("drain") // through the pooler
	if n := len(m.events()); n < late {
		t.Errorf("%d events of %d hooks", n, late)
	}
}

// While the server is away, whatever a person or an agent says is taken, by both doors; once it is back, all of it is stored once.
func TestWhatIsSaidIsTakenWhileTheServerIsAway(t *testing.T) {
	schema, db := sharedSchema(t)
	m := newMachine(t)
	gate := braintest.NewGate(t, server(t, "HEBB_TEST_POSTGRES"))
	m.onServer(gate.URL+"&connect_timeout=1", schema)
	m.ok("remember", "there is a store")
	call, end := m.mcp()
	if facts, failed := call("remember", `{"text":"there is a server"}`); failed {
		t.Fatal(facts)
	}
	want := map[string]int{}
	for name, fail := range map[string]func(){
		"down": gate.Close, "dies": func() { gate.Fail(braintest.Dies, 9) }, "silent": func() { gate.Fail(braintest.FallsQuiet, 9) },
	} {
		for door, said := range map[string][][2]string{
			"command": {{"remember", "remember %q"}, {"note", "note %q"}, {"pin", "pin %q"}, {"goal", "goals add %q"}},
			"agent": {
				{"remember", `{"text":%q}`}, {"working_memory_note", `{"text":%q}`}, {"pin", `{"title":%q}`}, {"goal_add", `{"title":%q}`},
			},
		} {
			for _, s := range said {
				text := fmt.Sprintf("%s said by %s, %s", s[0], door, name)
				want[text] = 1
				fail()
				if door == "agent" {
					if facts, failed := call(s[0], fmt.Sprintf(s[1], text)); failed {
						t.Errorf("%s: %s", text, facts)
					}
				} else {
					before, _, _ := strings.Cut(s[1], " %q")
					m.ok(append(strings.Fields(before), text)...)
				}
				gate.Restart()
			}
		}
	}
	end()
	m.ok("drain")
	if s := m.spool().State(); s.Said != 0 || s.SaidRejected != 0 {
		t.Errorf("after the drain %+v", s)
	}
	for text := range want {
		var n int
		err := db.QueryRowContext(t.Context(), `SELECT (SELECT COUNT(*) FROM `+schema+`.audit a JOIN `+schema+`.crystal c ON c.id = a.crystal_id
			JOIN `+schema+`.document d ON d.id = c.document_id WHERE d.text = $1) + (SELECT COUNT(*) FROM `+schema+`.goal WHERE data LIKE $2)`,
			text, `%"`+text+`"%`).Scan(&n)
		if err != nil || n != 1 {
			t.Errorf("%q was stored %d times, %v", text, n, err)
		}
	}
}

// Two people with one server and one schema have a memory each: neither is shown, finds, lists, exports or deletes what is the other's.
func TestTwoPeopleOfOneServerHaveAMemoryEach(t *testing.T) {
	for _, variable := range []string{"HEBB_TEST_POSTGRES", "HEBB_TEST_PGBOUNCER"} {
		t.Run(variable, func(t *testing.T) { twoPeople(t, server(t, variable)) })
	}
}

func twoPeople(t *testing.T, at string) {
	schema, _ := sharedSchema(t)
	ada, bob := newMachine(t), newMachine(t)
	ada.onServer(at, schema)
	bob.onServer(at, schema)
	bob.write("repo/a.go", "package a\n")
	const private = "Ada looks for another job in Zanzibar"
	ada.ok("remember", "--everywhere", private)
	ada.ok("pin", "--everywhere", private+" (pinned)")
	ada.ok("goals", "add", "--everywhere", private+" (goal)")
	var known []struct{ ID string }
	if err := json.Unmarshal([]byte(ada.ok("memories", "--json")), &known); err != nil || len(known) == 0 {
		t.Fatalf("Ada's memories: %v, %v", known, err)
	}
	sessions := 0
	start := func(m *machine) string {
		sessions++
		r := m.run(fmt.Sprintf(`{"session_id":"s%d","transcript_path":"/x/projects/y/z.jsonl","cwd":%q,"hook_event_name":"SessionStart","source":"startup"}`,
			sessions, m.path("repo")), "hook", "claude-code")
		return r.stdout + r.stderr
	}
	seen, looked := 0, 0
	look := func(what, text string) {
		looked++
		if strings.Contains(text, "Zanzibar") {
			seen++
			t.Errorf("%s shows what is Ada's: %s", what, text)
		}
	}
	look("a start before anything is Bob's", start(bob))
	bob.ok("remember", "--everywhere", "Bob uses tabs")
	for _, command := range []string{
		"memories", "memories --all", "search another job", "pins", "pins --all", "goals", "goals --all", "context", "status", "doctor",
		"projects", "recent", "state",
	} {
		r := bob.run("", strings.Fields(command)...)
		look("hebb "+command, r.stdout+r.stderr)
	}
	bob.ok("export", bob.path("export"))
	look("an export", bob.read(bob.path("export")))
	look("a start", start(bob))
	call, end := bob.mcp()
	facts, _ := call("memory_search", `{"query":"another job"}`)
	look("memory_search", facts)
	end()
	t.Logf("%d of %d ways show Bob what is Ada's", seen, looked)
	if !strings.Contains(start(bob), "Bob uses tabs") {
		t.Error("Bob is not shown what is Bob's")
	}
	for _, one := range known {
		if r := bob.run("", "memories", "forget", one.ID, "--yes"); r.code != 3 {
			t.Errorf("Bob forgets what is Ada's: %d, %s%s", r.code, r.stdout, r.stderr)
		}
	}
	_ = start(ada) // from now on her project is known
	ada.ok("drain")
	if text := start(ada); !strings.Contains(text, "Zanzibar") || strings.Contains(text, "tabs") {
		t.Errorf("Ada is shown\n%s", text)
	}
	// Another machine of hers, on purpose.
	other := newMachine(t)
	other.onServer(at, schema)
	owner := strings.TrimSpace(ada.read(ada.path("home", "owner")))
	other.write("home/config.toml", other.read(other.path("home", "config.toml"))+fmt.Sprintf("owner = %q\n", owner))
	if text := other.ok("search", "another job"); !strings.Contains(text, "Zanzibar") {
		t.Errorf("Ada's other machine finds\n%s", text)
	}
	if !strings.Contains(bob.run("", "doctor").stdout, "others in this database") {
		t.Error("the doctor does not say that there are others")
	}
}
