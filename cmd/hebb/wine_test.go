//go:build linux && wine

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// HEBB_WINDOWS names the hebb.exe that scripts/windows-check has built, for Wine to run in the prefix that it has made. The
// steps follow each other on one machine, as a person would take them.
func TestTheWindowsProgramDoesItsWork(t *testing.T) {
	exe := os.Getenv("HEBB_WINDOWS")
	if exe == "" {
		t.Fatal("HEBB_WINDOWS names no hebb.exe: scripts/windows-check builds it and runs it under Wine")
	}
	w := newWindowsMachine(t, exe)
	for _, step := range []struct {
		name string
		run  func()
	}{
		{"a note with the line ends of Windows is imported", w.windowsLineEnds},
		{"hooks of many processes beside two drains are kept once each", w.hooksAtOnce},
		{"a path is the same file in every spelling of Windows", w.spellings},
		{"a hook starts a drain in the background", w.backgroundDrain},
		{"texts of several processes are kept and found", w.remembersAtOnce},
		{"sleep", w.sleeps},
		{"an agent speaks MCP over stdio", w.mcp},
		{"a backup is restored", w.backupAndRestore},
		{"a session is forgotten", w.forgets},
		{"settings of an agent are wired and set back", w.install},
		{"the doctor finds nothing", w.doctor},
	} {
		ok := t.Run(step.name, func(t *testing.T) {
			w.t = t
			step.run()
		})
		if !ok {
			break // the steps share one memory
		}
	}
}

// windowsMachine is a machine on the drive C: of a Wine prefix.
type windowsMachine struct {
	*machine
	profile string // where Windows keeps what is the user's, as this system names it
	repo    string // the project, as Windows names it
}

func newWindowsMachine(t *testing.T, exe string) *windowsMachine {
	t.Helper()
	drive := filepath.Join(os.Getenv("WINEPREFIX"), "drive_c")
	profiles, err := filepath.Glob(filepath.Join(drive, "users", "*", "AppData"))
	if err != nil || len(profiles) != 1 {
		t.Fatalf("want the profile of one user in the Wine prefix, got %v, %v", profiles, err)
	}
	profile := filepath.Dir(profiles[0])
	dir := filepath.Join(profile, "Änne Lee") // a blank and a letter that is none of ASCII
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	folder := `C:\users\` + filepath.Base(profile) + `\Änne Lee`
	w := &windowsMachine{machine: newMachineIn(t, dir), profile: profile, repo: folder + `\repo`}
	w.windows = exe
	w.env = append(w.env, "HEBB_HOME="+folder+`\home`)
	for _, name := range []string{"WINEPREFIX", "WINEDEBUG", "WINEDLLOVERRIDES", "LC_ALL"} {
		w.env = append(w.env, name+"="+os.Getenv(name))
	}
	w.write("home/config.toml", talkative)
	w.git("init", "-q")
	w.write("repo/src/login.go", "package shop\n\nfunc Login() {}\n")
	return w
}

// read is a payload about a file of the project, whose name a shell of Windows would show so.
func (w *windowsMachine) read(session, call, file string) string {
	payload, err := json.Marshal(map[string]any{
		"session_id": session, "cwd": w.repo, "hook_event_name": "PostToolUse", "tool_name": "Read",
		"tool_input": map[string]string{"file_path": file}, "tool_response": map[string]any{}, "tool_use_id": call,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(payload)
}

// touched counts how often each file of the project was read in a session.
func (w *windowsMachine) touched(session string) map[string]int {
	w.t.Helper()
	files := map[string]int{}
	for _, e := range w.events() {
		for _, touch := range e.Touches {
			if e.AgentSession == session && touch.Kind == memory.Read {
				files[touch.Path]++
			}
		}
	}
	return files
}

// waiting lists the parts of the spool that hold events.
func (w *windowsMachine) waiting() (names []string) {
	w.t.Helper()
	entries, err := os.ReadDir(w.path("home/spool"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "inbox" || strings.HasSuffix(e.Name(), ".sealed") {
			names = append(names, e.Name())
		}
	}
	return names
}

// together runs all of them at once.
func together(all ...func()) {
	var wait sync.WaitGroup
	for _, one := range all {
		wait.Go(one)
	}
	wait.Wait()
}

func (w *windowsMachine) hooksAtOnce() {
	w.ok("drain") // Wine starts its own services with the first process, which takes seconds: a hook ends after 4.5
	const rounds, each = 5, 6
	want := map[string]int{}
	for round := range rounds {
		all := []func(){func() { w.ok("drain") }, func() { w.ok("drain") }}
		for i := range each {
			call := fmt.Sprintf("%d-%d", round, i)
			want["src/"+call+".go"] = 1
			all = append(all, func() { w.hook(w.read("storm", call, w.repo+`\src\`+call+`.go`)) })
		}
		together(all...)
	}
	w.ok("drain")
	if got := w.touched("storm"); !maps.Equal(got, want) {
		w.t.Errorf("%d hooks left %v, want each of %v once", rounds*each, got, slices.Sorted(maps.Keys(want)))
	}
	if left := w.waiting(); len(left) > 0 {
		w.t.Errorf("left in the spool: %v", left)
	}
}

func (w *windowsMachine) spellings() {
	other := "c" + strings.ToUpper(w.repo[1:len(w.repo)-len("repo")]) + "repo"
	for i, file := range []string{
		w.repo + `\src\login.go`, strings.ReplaceAll(w.repo, `\`, "/") + "/src/login.go", other + `\src\login.go`, `src\login.go`,
	} {
		w.hook(w.read("spellings", fmt.Sprint(i), file))
	}
	if got, want := w.touched("spellings"), (map[string]int{"src/login.go": 4}); !maps.Equal(got, want) {
		w.t.Errorf("got %v, want %v", got, want)
	}
	if list := w.ok("projects"); strings.Count(list, " repo ") != 1 {
		w.t.Errorf("want one project:\n%s", list)
	}
}

func (w *windowsMachine) backgroundDrain() {
	background := *w.machine
	background.env = append(slices.Clone(w.env), "HEBB_BACKGROUND=1")
	background.hook(fmt.Sprintf(`{"session_id":"background","cwd":%q,"hook_event_name":"SessionEnd","reason":"exit"}`, w.repo))
	ctx, cancel := context.WithTimeout(context.Background(), generous)
	defer cancel()
	for len(w.waiting()) > 0 && ctx.Err() == nil {
		w.ok("version") // a process is pause enough
	}
	if left := w.waiting(); len(left) > 0 {
		w.t.Errorf("left in the spool: %v", left)
	}
	ended := func(e memory.StoredEvent) bool {
		return e.AgentSession == "background" && e.Kind == memory.SessionEnded
	}
	if !slices.ContainsFunc(w.events(), ended) {
		w.t.Error("the event is not in the store")
	}
}

func (w *windowsMachine) remembersAtOnce() {
	var all []func()
	for i := range 4 {
		all = append(all, func() { w.ok("remember", fmt.Sprintf("Price list %d is in ¢ – straße %d", i, i)) })
	}
	all = append(all, func() { w.hook(w.read("beside", "1", w.repo+`\src\login.go`)) })
	together(all...)
	for i := range 4 {
		w.finds(fmt.Sprintf("price list %d", i), fmt.Sprintf("Price list %d is in ¢ – straße %d\n", i, i))
	}
	if got := w.touched("beside"); got["src/login.go"] != 1 {
		w.t.Errorf("the hook beside them left %v", got)
	}
}

// finds searches for words and wants a text among what is found.
func (w *windowsMachine) finds(words, text string) {
	w.t.Helper()
	if got := w.ok("search", words); !strings.Contains(got, text) {
		w.t.Errorf("search %s: want %q in\n%s", words, text, got)
	}
}

func (w *windowsMachine) windowsLineEnds() {
	w.ok("note", "the flaky test needs TZ=UTC")
	scratch := w.path("home/vault/projects/repo/scratch.md")
	text, err := os.ReadFile(scratch)
	if err != nil {
		w.t.Fatal(err)
	}
	edited := strings.ReplaceAll(string(text)+"zebras graze behind the gateway\n", "\n", "\r\n")
	if err := os.WriteFile(scratch, []byte(edited), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.ok("state")
	w.finds("zebras", "zebras graze behind the gateway\n")
	text, err = os.ReadFile(scratch)
	if err != nil || strings.Count(string(text), "zebras") != 1 || strings.Count(string(text), "flaky") != 1 {
		w.t.Errorf("scratch.md: %v:\n%s", err, text)
	}
}

func (w *windowsMachine) sleeps() {
	w.ok("sleep")
	w.ok("dream")
	w.finds("zebras", "zebras graze behind the gateway\n")
}

func (w *windowsMachine) mcp() {
	call := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}` + "\n"
	r := w.run(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},`+
		`"clientInfo":{"name":"t","version":"1"}}}`+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		fmt.Sprintf(call, 2, "remember", `{"text":"sessions live in cookies","kind":"decision"}`)+
		fmt.Sprintf(call, 3, "memory_search", `{"query":"zebras"}`), "mcp")
	if r.code != 0 || r.stderr != "" || strings.Count(r.stdout, "\n") != 3 || strings.Contains(r.stdout, `"isError":true`) ||
		!strings.Contains(r.stdout, `"serverInfo":{"name":"hebb"`) || !strings.Contains(r.stdout, "zebras graze") {
		w.t.Errorf("hebb mcp exits %d: %s%s", r.code, r.stdout, r.stderr)
	}
	w.finds("cookies", "sessions live in cookies\n")
}

func (w *windowsMachine) backupAndRestore() {
	var copied struct {
		File string `json:"file"`
	}
	if text := w.ok("backup", "--json"); json.Unmarshal([]byte(text), &copied) != nil || !strings.HasPrefix(copied.File, `C:\`) {
		w.t.Fatalf("backup: %s", text)
	}
	w.ok("remember", "made after the backup: quokkas")
	w.ok("restore", copied.File, "--yes")
	if got := w.ok("search", "quokkas"); strings.Contains(got, "made after the backup") {
		w.t.Errorf("the restored memory knows what came after the backup:\n%s", got)
	}
	w.finds("cookies", "sessions live in cookies\n")
}

func (w *windowsMachine) forgets() {
	var session memory.SessionID
	for _, e := range w.events() {
		if e.AgentSession == "spellings" {
			session = e.Session
		}
	}
	w.ok("forget", "--session", session.String(), "--yes")
	if got := w.touched("spellings"); len(got) > 0 {
		w.t.Errorf("still known: %v", got)
	}
	if got := w.touched("storm"); len(got) == 0 {
		w.t.Error("another session was forgotten")
	}
}

func (w *windowsMachine) install() {
	settings := filepath.Join(w.profile, ".claude", "settings.json")
	const before = "{\r\n  \"model\": \"opus\"\r\n}\r\n"
	if err := os.Mkdir(filepath.Dir(settings), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte(before), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.ok("install", "claude-code")
	wired, err := os.ReadFile(settings)
	if err != nil || !strings.Contains(string(wired), "hook claude-code") || !strings.Contains(string(wired), "opus") {
		w.t.Errorf("wired: %v: %s", err, wired)
	}
	w.ok("uninstall", "claude-code")
	if after, err := os.ReadFile(settings); err != nil || string(after) != before {
		w.t.Errorf("after uninstall: %v: %q, want %q", err, after, before)
	}
}

func (w *windowsMachine) doctor() {
	r := w.run("", "doctor")
	if r.code != 0 || strings.Contains(r.stdout, "lost events") || !strings.Contains(r.stdout, "rows match their hashes") {
		w.t.Errorf("doctor exits %d:\n%s%s", r.code, r.stdout, r.stderr)
	}
	if left := w.waiting(); len(left) > 0 {
		w.t.Errorf("left in the spool: %v", left)
	}
}
