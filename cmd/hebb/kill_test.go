//go:build unix

package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// Texts of a person in MEMORY.md that no dream may touch.
const (
	wordsAbove = "My own words above, which hebb leaves alone.\r\n\tAlso this.\n\n"
	wordsBelow = "\nMy own words below; no newline ends them"
	// agentLine is what an agent that dreams adds. It becomes a memory, so that it may fade one day.
	agentLine = "The agent tells of the gateway in its own words"
)

func (m *machine) vault(name string) string { return m.path("home", "vault", "projects", "repo", name) }

func (m *machine) read(name string) string {
	m.t.Helper()
	text := must.Get(os.ReadFile(name))(m.t)
	return string(text)
}

// edit changes a file as an editor does that writes in place.
func (m *machine) edit(name string, change func(string) string) {
	m.t.Helper()
	before := m.read(name)
	after := change(before)
	if after == before {
		m.t.Fatalf("nothing was changed in %s", name)
	}
	must.Do(m.t, os.WriteFile(name, []byte(after), 0o600))
}

// inMind gives a machine six notes that were dreamt of, a MEMORY.md with words of a person around hebb's, two more notes that wait,
// and a line that a person wrote into scratch.md. It returns what must never be lost.
func (m *machine) inMind() (notes []string) {
	m.t.Helper()
	for _, text := range []string{
		"the gateway times out after nine seconds", "invoices are rounded half up", "Bruno owns the importer", "releases are cut on Thursdays",
		"the staging cluster has four nodes", "backups run at four in the morning",
	} {
		m.ok("note", text)
		notes = append(notes, text)
	}
	m.ok("dream", "--force")
	m.edit(m.vault("MEMORY.md"), func(s string) string { return wordsAbove + s + wordsBelow })
	m.ok("doctor", "--fix")
	for _, text := range []string{"prices are kept in cents", "the till prints in German"} {
		m.ok("note", text)
		notes = append(notes, text)
	}
	m.edit(m.vault("scratch.md"), func(s string) string { return s + "a person wrote this by hand\n" })
	return append(notes, "a person wrote this by hand")
}

// texts are the texts of all memories, and how often each is there.
func (m *machine) texts() map[string]int {
	m.t.Helper()
	found := map[string]int{}
	for _, text := range m.rows(`SELECT text FROM memory WHERE document_id IS NOT NULL`) {
		found[text]++
	}
	return found
}

// later is this memory in this process, an hour from now: what a killed process had taken for itself is free again.
func (m *machine) later(do func(b *brain.Brain, scope brain.Scope)) {
	m.t.Helper()
	b := must.Get(steward.Open(m.t.Context(), m.config(), hence))(m.t)
	do(b, brain.Scope{Dir: m.path("repo")})
	must.Do(m.t, b.Close())
}

func hence() time.Time { return time.Now().Add(time.Hour) }

// survived holds a memory to its promises after a process was killed. memoryFile is MEMORY.md before the process began.
func (m *machine) survived(what, memoryFile string, notes []string) {
	m.t.Helper()
	memoryFile, now := sheet.Bare(memoryFile), sheet.Bare(m.read(m.vault("MEMORY.md"))) // states have no marks
	m.later(func(b *brain.Brain, scope brain.Scope) {
		states, err := steward.Run(m.t.Context(), b, state.States, scope)
		if err != nil {
			m.t.Fatalf("%s: %v", what, err)
		}
		whole := now == memoryFile || now == states.Now
		for _, one := range states.Kept {
			whole = whole || now == one.Text
		}
		if !whole {
			m.t.Errorf("%s: MEMORY.md is neither the old nor a new state:\n%s", what, now)
		}
		if _, err := steward.Run(m.t.Context(), b, state.Dream, state.DreamInput{Scope: scope, Force: true}); err != nil {
			m.t.Errorf("%s: the next dream: %v", what, err)
		}
		if states, err = steward.Run(m.t.Context(), b, state.States, scope); err != nil || states.Notes != 0 {
			m.t.Errorf("%s: %d notes wait after the next dream, %v", what, states.Notes, err)
		}
		for _, text := range notes {
			found, err := steward.Run(m.t.Context(), b, answer.SearchTexts, texts.SearchInput{Scope: scope, Query: text, Limit: 5})
			n := 0
			for _, f := range found.Found {
				if f.Crystal != nil && f.Text == text {
					n++
				}
			}
			if err != nil || n != 1 {
				m.t.Errorf("%s: search finds %q %d times, %v", what, text, n, err)
			}
			if strings.Count(states.Now, text) != 1 {
				m.t.Errorf("%s: the state has %q %d times:\n%s", what, text, strings.Count(states.Now, text), states.Now)
			}
		}
	})
	for text, n := range m.texts() {
		if n != 1 || !slices.Contains(notes, text) && text != agentLine {
			m.t.Errorf("%s: %q is there %d times", what, text, n)
		}
	}
	after := m.read(m.vault("MEMORY.md"))
	if !strings.HasPrefix(after, wordsAbove) || !strings.HasSuffix(after, wordsBelow) {
		m.t.Errorf("%s: a person's words are not what they were:\n%s", what, after)
	}
	for _, f := range inspect.Doctor(m.t.Context(), m.config(), hence, nil, inspect.DoctorInput{Fix: true}) {
		if f.Level == inspect.Fail || f.Name == "files" && f.Level != inspect.Fine {
			m.t.Errorf("%s: doctor: %+v", what, f)
		}
	}
}

// buildDying builds a hebb that lists its steps, or kills itself at one of them; once for all tests.
func buildDying(t *testing.T) string {
	t.Helper()
	return must.Get(dyingProgram())(t)
}

var dyingProgram = sync.OnceValues(func() (string, error) {
	dying := program + "-dying"
	build := exec.Command("go", "build", "-tags", "failpoint", "-ldflags=-s -w", "-o", dying, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return dying, nil
})

// killAt runs a command to its end, which passes some steps; choose says at which of them it is killed, each time with the folders
// as they were before. verify is called after each kill, and the first failure ends the test. It returns how often the
// command was killed and how often it did not come to the step.
func (m *machine) killAt(folders, args []string, choose func(steps []string) []int, verify func(what string)) (killed, missed int) {
	m.t.Helper()
	dying := buildDying(m.t)
	for _, folder := range folders {
		m.copy(folder, folder+".kept")
	}
	cmd := m.start(dying, args...)
	cmd.Env = append(cmd.Env, "HEBB_STEPS="+m.path("steps"))
	if r := m.finish(cmd, nil); r.code != 0 {
		m.t.Fatalf("exits %d: %s%s", r.code, r.stdout, r.stderr)
	}
	steps := strings.Split(strings.TrimSpace(m.read(m.path("steps"))), "\n")
	for _, i := range choose(steps) {
		for _, folder := range folders {
			m.copy(folder+".kept", folder)
		}
		cmd := m.start(dying, args...)
		cmd.Env = append(cmd.Env, "HEBB_DIE_AT="+strconv.Itoa(i+1))
		what := fmt.Sprintf("killed at step %d (%s)", i+1, steps[i])
		switch err := cmd.Run(); {
		case err == nil:
			missed++
		case cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
			killed++
		default:
			m.t.Fatalf("%s: %v", what, err)
		}
		if verify(what); m.t.Failed() {
			m.t.Fatal(what)
		}
	}
	m.t.Logf("killed at %d of %d steps", killed, len(steps))
	return killed, missed
}

// passes wants a step for each of these beginnings.
func passes(t *testing.T, steps, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.ContainsFunc(steps, func(step string) bool { return strings.HasPrefix(step, w) }) {
			t.Fatalf("no step %q among\n%s", w, strings.Join(steps, "\n"))
		}
	}
}

// someOf are one in four of the steps at which a process is killed.
func someOf(t *testing.T, steps []int) (list []int) {
	t.Helper()
	for _, i := range must.Part(t, len(steps), 4) {
		list = append(list, steps[i])
	}
	return list
}

// writing are the steps without those before which nothing was written since the step before.
func writing(steps []string) (list []int) {
	for i, step := range steps {
		if i == 0 || !strings.HasPrefix(step, "look") || !strings.HasPrefix(steps[i-1], "look") {
			list = append(list, i)
		}
	}
	return list
}

// A process is killed at any step it passes: transactions before and after their commit, and each movement of a file. Whatever
// the step, no note is lost or reported twice, and MEMORY.md is the old one or the new one.
func TestAProcessKilledAtAnyStepLosesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		note string   // said by the command
		pass []string // steps that must be among those at which it is killed
	}{
		{"note", []string{"note", "the printer needs a new drum"}, "the printer needs a new drum", []string{
			"commit in brain.Say < record.Recording", "committed in brain.Say < record.Recording",
			"committed in record.Recording < views.files.importEdit",
			"rename in views.files.refresh < views.files.refreshAll < brain.AloneFor < brain.Alone < views.files.refreshIn < views.RefreshViews",
		}},
		{"dream", []string{"dream", "--force"}, "", []string{
			"commit in record.Recording < state.dreamer.render", "committed in record.Recording < state.dreamer.render", "rename in views.files.refresh",
			"committed in views.files.written",
		}},
		{"agent", []string{"dream", "--commit", "../agent.md"}, "", []string{
			"commit in record.Recording < state.dreamer.commit", "commit in record.Recording < state.dreamer.render < brain.AloneFor < brain.Alone < state.dreamer.rendered < state.dreamer.commit", "rename in views.files.refresh",
		}},
		{"restore", []string{"state", "restore", "2", "--yes"}, "", []string{"commit in brain.Say", "rename in views.files.refresh"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			notes := m.inMind()
			before := m.read(m.vault("MEMORY.md"))
			m.write("agent.md", agentState(t, before))
			_, missed := m.killAt([]string{"home"}, c.args, func(steps []string) []int {
				passes(t, steps, c.pass)
				return someOf(t, writing(steps))
			}, func(what string) {
				kept := slices.Clone(notes)
				if c.note != "" { // nobody was informed that it is kept, so it is said again
					m.later(func(b *brain.Brain, scope brain.Scope) {
						if _, err := steward.Run(t.Context(), b, desk.TakeNote, statements.NoteInput{Scope: scope, Text: c.note}); err != nil {
							t.Error(err)
						}
					})
					kept = append(kept, c.note)
				}
				m.survived(what, before, kept)
			})
			if missed > 0 {
				t.Errorf("%d times it did not come to the step", missed)
			}
		})
	}
}

// agentState is a state as an agent might write it: the one there is, with a line of its own.
func agentState(t *testing.T, state string) string {
	t.Helper()
	_, state, _ = strings.Cut(state, wordsAbove)
	state = strings.TrimSuffix(state, wordsBelow)
	lines := slices.DeleteFunc(strings.Split(state, "\n"), func(line string) bool { return strings.HasPrefix(line, "<!-- hebb:") })
	state = strings.Join(lines, "\n")
	made := strings.Replace(state, "## Active Context\n", "## Active Context\n\n- "+agentLine+"\n", 1)
	if made == state {
		t.Fatalf("no Active Context:\n%s", state)
	}
	return made
}

// copy makes one folder of the machine the same as another, with rights and times.
func (m *machine) copy(from, to string) {
	m.t.Helper()
	must.Do(m.t, os.RemoveAll(m.path(to)))
	if out, err := exec.Command("cp", "-a", m.path(from), m.path(to)).CombinedOutput(); err != nil {
		m.t.Fatalf("cp: %v: %s", err, out)
	}
}

// hebb init is killed at any step and run again: what it knows then, and the settings of the agents, are what one undisturbed
// run leaves.
func TestInitKilledAtAnyStepAndRepeatedDoublesNothing(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.commitFiles(12)
	m.write("repo/CLAUDE.md", "# Rules\n\n- Never rewrite a migration that was released.\n- Run the linter before each commit.\n")
	m.write("user/.claude/settings.json", "{\n  // mine\n  \"model\": \"opus\"\n}\n")
	m.write("user/.codex/config.toml", "model = \"gpt\"\n")
	m.write("user/.claude/projects/-repo/old.jsonl", strings.ReplaceAll(earlierSession, "REPO", m.path("repo")))
	must.Do(t, os.MkdirAll(m.path("home"), 0o700))
	again := func() string {
		m.ok("init", "--yes")
		m.ok("drain")
		return m.known()
	}
	var want string
	_, missed := m.killAt([]string{"user", "home"}, []string{"init", "--yes"}, func(steps []string) []int {
		want = again()
		for _, learned := range []string{"never log tokens", "Never rewrite a migration that was released", "file12.go", "hebb hook"} {
			if !strings.Contains(want, learned) {
				t.Fatalf("%q was not learned:\n%s", learned, want)
			}
		}
		return someOf(t, writing(steps))
	}, func(what string) {
		if got := again(); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
	})
	if missed > 0 {
		t.Errorf("%d times it did not come to the step", missed)
	}
	m.healthy()
}

// earlierSession is one that Claude Code kept.
const earlierSession = `{"type":"user","sessionId":"old","uuid":"u1","promptId":"p1","timestamp":"2026-01-02T10:00:00Z","cwd":"REPO","message":{"role":"user","content":"fix the login redirect. From now on never log tokens."}}
{"type":"assistant","sessionId":"old","uuid":"u2","timestamp":"2026-01-02T10:00:05Z","cwd":"REPO","message":{"id":"m1","stop_reason":"tool_use","content":[{"type":"tool_use","id":"c1","name":"Edit","input":{"file_path":"REPO/file3.go"}}]}}
{"type":"user","sessionId":"old","uuid":"u3","timestamp":"2026-01-02T10:00:06Z","cwd":"REPO","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"ok"}]},"toolUseResult":{"filePath":"REPO/file3.go"}}
{"type":"assistant","sessionId":"old","uuid":"u4","timestamp":"2026-01-02T10:00:09Z","cwd":"REPO","message":{"id":"m2","stop_reason":"end_turn","content":[{"type":"text","text":"The redirect keeps its query now."}]}}
`

// commitFiles makes the repository one with that many commits, of two files each.
func (m *machine) commitFiles(commits int) {
	m.t.Helper()
	git := func(args ...string) {
		cmd := m.start("git", args...)
		cmd.Env = append(cmd.Env, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
			"GIT_AUTHOR_DATE=2026-01-01T10:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T10:00:00Z")
		if r := m.finish(cmd, nil); r.code != 0 {
			m.t.Fatalf("git %v: %s", args, r.stderr)
		}
	}
	git("init", "-q")
	for i := range commits {
		for _, n := range []int{i, i + 1} {
			m.write(fmt.Sprintf("repo/file%d.go", n), fmt.Sprintf("package repo // %d %d\n", n, i))
		}
		git("add", ".")
		git("commit", "-q", "-m", fmt.Sprintf("change %d", i))
	}
}

// known is what hebb knows, and how it is wired, without what differs between two runs.
func (m *machine) known() string {
	m.t.Helper()
	var b strings.Builder
	var ids []string
	for _, e := range m.events() {
		ids = append(ids, fmt.Sprintf("%s %s %v", e.ID, e.Kind, e.Touches))
	}
	slices.Sort(ids)
	fmt.Fprintln(&b, strings.Join(ids, "\n"))
	texts := m.texts()
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&b, "%d × %s\n", texts[text], text)
	}
	for _, query := range []string{
		`SELECT key || ' ' || accesses FROM neuron ORDER BY key`, `SELECT count(*) || ' links' FROM synapse`,
		`SELECT count(*) || ' sessions' FROM session`, `SELECT count(*) || ' documents' FROM document`,
	} {
		fmt.Fprintln(&b, m.rows(query))
	}
	for _, name := range []string{"user/.claude/settings.json", "user/.codex/hooks.json", "user/.codex/config.toml"} {
		text, err := os.ReadFile(m.path(name))
		fmt.Fprintln(&b, name, string(text), err)
	}
	return b.String()
}
