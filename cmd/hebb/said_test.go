//go:build unix

package main

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/store"
)

// lockStore takes the store's write lock with a connection of its own, as a writer that never ends.
func (m *machine) lockStore() (release func()) {
	m.t.Helper()
	db, err := sql.Open("sqlite", m.path("home", "hebb.db"))
	if err != nil {
		m.t.Fatal(err)
	}
	conn, err := db.Conn(m.t.Context())
	if err == nil {
		_, err = conn.ExecContext(m.t.Context(), "BEGIN IMMEDIATE")
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		_, err := conn.ExecContext(m.t.Context(), "ROLLBACK")
		if err := errors.Join(err, conn.Close(), db.Close()); err != nil {
			m.t.Error(err)
		}
	})
}

// impatient makes commands give up quickly on a store that another process is writing to.
func (m *machine) impatient() { m.write("home/config.toml", "[tuning.store]\nbusy_timeout = 100\n") }

// taken runs a command and holds it to have put what it says into the spool.
func (m *machine) taken(args ...string) {
	m.t.Helper()
	var out brain.Taken
	if text := m.ok(append(args, "--json")...); json.Unmarshal([]byte(text), &out) != nil || !out.Waiting || out.ID == "" {
		m.t.Errorf("hebb %s prints %s", strings.Join(args, " "), text)
	}
}

// found counts how often a search finds a text, and how many of these wait.
func (m *machine) found(text string) (all, waiting int) {
	m.t.Helper()
	var out struct {
		Found []struct {
			Text    string
			Waiting bool
		}
	}
	if err := json.Unmarshal([]byte(m.ok("search", "--json", text)), &out); err != nil {
		m.t.Error(err)
	}
	for _, f := range out.Found {
		if strings.Contains(f.Text, text) {
			all++
			if f.Waiting {
				waiting++
			}
		}
	}
	return all, waiting
}

// mcp starts a server and returns how to call its tools.
func (m *machine) mcp() (call func(tool, arguments string) (facts string, failed bool), end func()) {
	m.t.Helper()
	cmd := m.command("mcp", "--tools", "all")
	stdin := must.Get(cmd.StdinPipe())(m.t)
	stdout := must.Get(cmd.StdoutPipe())(m.t)
	must.Do(m.t, cmd.Start())
	answers := bufio.NewScanner(stdout)
	answers.Buffer(nil, 1<<20)
	ask := func(line string) string {
		must.Get(io.WriteString(stdin, line+"\n"))(m.t)
		if !strings.Contains(line, `"id"`) {
			return ""
		}
		if !answers.Scan() {
			m.t.Fatalf("no answer to %s: %v", line, answers.Err())
		}
		return answers.Text()
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Zed","version":"1"}}}`)
	ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	call = func(tool, arguments string) (string, bool) {
		var answer struct {
			Result struct {
				IsError bool            `json:"isError"`
				Content json.RawMessage `json:"content"`
			} `json:"result"`
		}
		text := ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			m.t.Fatalf("%s: %v: %s", tool, err, text)
		}
		return string(answer.Result.Content), answer.Result.IsError
	}
	return call, func() {
		if err := errors.Join(stdin.Close(), cmd.Wait()); err != nil {
			m.t.Errorf("mcp: %v", err)
		}
	}
}

// While another process holds the write lock all the time, whatever a person or an agent says is taken and found, and bad input is
// refused as ever. Once the lock is free, all of it is stored once, as of when it was said.
func TestOperationsAreSpooledWhileTheStoreIsLocked(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.impatient()
	m.write("repo/a.go", "package a\n")
	m.ok("remember", "there is a store")
	m.ok("pin", "An old rule")
	m.ok("knowledge", "add", "Ada", "--type", "person")
	release := m.lockStore()
	defer release()

	m.taken("remember", "the gateway times out after nine seconds", "--file", "a.go")
	m.taken("note", "the flaky test wants a fixed zone")
	m.taken("pin", "Money is in cents", "all amounts are whole numbers")
	m.taken("unpin", "an old rule")
	m.taken("unpin", "money") // it waits itself
	m.taken("wrapup", "--happened", "moved invoices to the ledger", "--learned", "ledgers balance at midnight")
	m.taken("goals", "add", "ship the importer")
	m.taken("goals", "done", "importer")
	m.taken("note-file", "a.go", "half moved")
	m.taken("record", "a.go", "--kind", "edit", "--text", "renamed the parser")
	m.taken("knowledge", "add", "Ada", "--observe", "reviews every migration")
	if out := m.run("", "intent"); out.code != 3 { // it only reads: there is no session yet
		t.Errorf("intent exits %d: %s%s", out.code, out.stdout, out.stderr)
	}
	m.taken("friction", "the linter is slow")
	m.taken("ledger", "add", "3", "--note", "sold a skill for parsing")

	for args, code := range map[string]int{
		"remember|  ": 2, "remember|x|--kind|banana": 2, "remember|x|--project|nowhere": 3, "remember|x|--file|missing.go": 3,
		"note|x|--project|nowhere": 3, "goals|add|x|--project|nowhere": 3,
	} {
		if r := m.run("", strings.Split(args, "|")...); r.code != code || r.stdout != "" {
			t.Errorf("%s exits %d, want %d: %s%s", args, r.code, code, r.stdout, r.stderr)
		}
	}

	call, end := m.mcp()
	for tool, arguments := range map[string]string{
		"remember": `{"text":"tokens move to cookies"}`, "working_memory_note": `{"text":"the header stays until May"}`,
		"pin": `{"title":"Never push to main"}`, "goal_add": `{"title":"retire the old header"}`,
		"create_entities":  `{"entities":[{"name":"billing","entityType":"service","observations":["runs on three nodes"]}]}`,
		"add_observations": `{"observations":[{"entityName":"Ada","contents":["is away in August"]}]}`,
		"create_relations": `{"relations":[{"from":"billing","to":"Ada","relationType":"belongs to"}]}`,
		"record":           `{"files":["a.go"],"kind":"read","text":"read it by hand"}`,
		"wrapup":           `{"happened":"talked about cookies","learned":"cookies expire quietly"}`,
	} {
		if facts, failed := call(tool, arguments); failed || !strings.Contains(facts, "Taken: the store is busy") {
			t.Errorf("%s answers %s", tool, facts)
		}
	}
	if facts, _ := call("memory_search", `{"query":"tokens move to cookies"}`); !strings.Contains(facts, "waits to be stored") {
		t.Errorf("search finds no waiting text: %s", facts)
	}
	if facts, failed := call("remember", `{"text":""}`); !failed {
		t.Errorf("an empty text is answered with %s", facts)
	}
	end()

	said := []string{
		"the gateway times out after nine seconds", "the flaky test wants a fixed zone", "the linter is slow", "tokens move to cookies",
		"the header stays until May", "ledgers balance at midnight", "cookies expire quietly",
	}
	for _, text := range said {
		if all, waiting := m.found(text); all != 1 || waiting != 1 {
			t.Errorf("%q is found %d times, %d of them waiting", text, all, waiting)
		}
	}
	if waiting := len(m.spool().Waiting()); waiting != 24 {
		t.Errorf("%d records wait", waiting)
	}

	release()
	m.ok("drain")
	if s := m.spool().State(); s.Said != 0 || s.SaidRejected != 0 {
		t.Errorf("after the drain %+v", s)
	}
	texts := m.texts()
	for _, text := range append(said, "Money is in cents: all amounts are whole numbers", "Never push to main") {
		if texts[text] != 1 {
			t.Errorf("%q is in the store %d times", text, texts[text])
		}
	}
	for _, text := range said {
		if all, waiting := m.found(text); all != 1 || waiting != 0 {
			t.Errorf("afterwards %q is found %d times, %d of them waiting", text, all, waiting)
		}
	}
	for command, want := range map[string]string{
		"pins --waiting": "Never push to main", "goals": "retire the old header", "knowledge": "reviews every migration", "ledger": "sold a skill",
		"events --all": "renamed the parser", "recent": "moved invoices to the ledger",
	} {
		if out := m.ok(strings.Fields(command)...); !strings.Contains(out, want) {
			t.Errorf("hebb %s shows no %q:\n%s", command, want, out)
		}
	}
	m.healthy()
}

// A store that must be migrated first cannot even be opened while somebody writes to it. What is said is taken all the same.
func TestOperationsAreSpooledWhileTheStoreCannotBeOpened(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.impatient()
	m.ok("remember", "there is a store")
	db := m.path("home", "hebb.db")
	must.Do(t, change(db, fmt.Sprintf("PRAGMA user_version = %d", len(store.Migrations())-1)))
	release := m.lockStore()
	defer release()
	m.taken("remember", "said during a migration")
	if r := m.run("", "projects"); r.code != 1 || !strings.Contains(r.stderr, "busy") {
		t.Errorf("projects exits %d: %s%s", r.code, r.stdout, r.stderr)
	}
	release()
	must.Do(t, change(db, fmt.Sprintf("PRAGMA user_version = %d", len(store.Migrations()))))
	if all, waiting := m.found("said during a migration"); all != 1 || waiting != 0 {
		t.Errorf("it is found %d times, %d of them waiting", all, waiting)
	}
}

// remembers is how many texts a run of the tests remembers beside other work. HEBB_REMEMBERS=200 is the whole.
func remembers(t *testing.T) int {
	t.Helper()
	text := os.Getenv("HEBB_REMEMBERS")
	if text == "" {
		return 40
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("HEBB_REMEMBERS=%s: want a number", text)
	}
	return n
}

// While other processes sleep, dream, import and forget without a pause, every text that is said is acknowledged, found at once,
// and in the end stored once.
func TestRememberNeverFailsBesideSleepDreamImportAndForget(t *testing.T) {
	m := newMachine(t)
	m.impatient()
	m.inMind()
	m.spoolEvents("run", 400)
	m.ok("drain")
	m.ok("export", m.path("export"))
	over := make(chan struct{})
	var others sync.WaitGroup
	rounds := make([]int, 4)
	for i, args := range [][]string{
		{"sleep"}, {"dream", "--force"}, {"import", m.path("export")}, {"forget", "--session", "run", "--yes"},
	} {
		others.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				_ = m.finish(m.command(args...), nil) // whether it may work is no matter here
				rounds[i]++
			}
		})
	}
	count, taken := remembers(t), 0
	text := func(i int) string {
		return fmt.Sprintf("fact number n%04d is about the %s", i, []string{"gateway", "importer", "ledger"}[i%3])
	}
	for i := range count {
		if strings.Contains(m.ok("remember", text(i)), "Taken") {
			taken++
		}
		if all, _ := m.found(text(i)); all != 1 {
			t.Errorf("%q is found %d times at once", text(i), all)
		}
	}
	close(over)
	others.Wait()
	m.ok("drain")
	texts := m.texts()
	for i := range count {
		if texts[text(i)] != 1 {
			t.Errorf("%q is in the store %d times", text(i), texts[text(i)])
		}
	}
	if s := m.spool().State(); s.Said != 0 || s.SaidRejected != 0 {
		t.Errorf("after the drain %+v", s)
	}
	t.Logf("%d of %d waited in the spool; %v rounds of sleep, dream, import, forget beside them", taken, count, rounds)
	m.healthy()
}

// spoolEvents leaves so many events of one session in the spool.
func (m *machine) spoolEvents(session string, n int) {
	m.t.Helper()
	for i := range n {
		e := m.event(fmt.Sprintf("%s-%d", session, i))
		e.AgentSession = session
		must.Do(m.t, m.spool().Append(e))
	}
}

// waitingNotes leaves n texts in the spool of a machine whose store is locked.
func (m *machine) waitingNotes(n int) (texts []string) {
	m.t.Helper()
	release := m.lockStore()
	defer release()
	for i := range n {
		texts = append(texts, fmt.Sprintf("waiting text number %d", i))
		m.taken("remember", texts[i])
	}
	return texts
}

// A drain is killed at every step while it stores what waited. The next one leaves each text in the store once.
func TestADrainKilledAtAnyStepStoresWhatWaitedOnce(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.impatient()
	m.ok("remember", "there is a store")
	texts := m.waitingNotes(2)
	killed, _ := m.killAt([]string{"home"}, []string{"drain"}, func(steps []string) (list []int) {
		if n := strings.Count(strings.Join(steps, "\n"), "remove said in"); n != len(texts) {
			t.Fatalf("%d records are carried out among\n%s", n, strings.Join(steps, "\n"))
		}
		for i, step := range steps {
			if strings.Contains(step, "CarryOutSaid") { // the others are of other tests
				list = append(list, i)
			}
		}
		return list
	}, func(what string) {
		m.ok("drain")
		found := m.texts()
		for _, text := range texts {
			if found[text] != 1 {
				t.Errorf("%s: %q is there %d times", what, text, found[text])
			}
		}
		if twice := m.rows(`SELECT crystal_id FROM audit GROUP BY crystal_id HAVING COUNT(*) > 1`); len(twice) > 0 {
			t.Errorf("%s: %v was said twice", what, twice)
		}
		if s := m.spool().State(); s.Said != 0 || s.SaidRejected != 0 {
			t.Errorf("%s: %+v", what, s)
		}
	})
	if killed < 3*len(texts) {
		t.Errorf("killed at %d steps only: before and after each commit, and before each removal", killed)
	}
}

// What the store refuses when its turn comes is set aside with the reason, and doctor shows it.
func TestWhatTheStoreRefusesIsShownByTheDoctor(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.impatient()
	m.write("repo/a.go", "package a\n")
	m.ok("remember", "there is a store")
	release := m.lockStore()
	defer release()
	m.taken("remember", "it speaks of a file", "--file", "a.go")
	must.Do(t, m.spool().KeepSaid(spool.Said{ID: "01zzzzzzzzzzzzzzzzzzzzzzzz", Operation: "from the future", Text: "words of tomorrow"}))
	must.Do(t, os.Remove(m.path("repo", "a.go")))
	release()
	m.ok("drain")
	if s := m.spool().State(); s.Said != 0 || s.SaidRejected != 2 {
		t.Errorf("after the drain %+v", s)
	}
	doctor := m.run("", "doctor").stdout
	for _, want := range []string{"it speaks of a file", "a.go is not in", "words of tomorrow", "knows no operation"} {
		if !strings.Contains(doctor, want) {
			t.Errorf("doctor does not show %q:\n%s", want, doctor)
		}
	}
}
