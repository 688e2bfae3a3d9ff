//go:build unix

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/must"
)

var update = flag.Bool("update", false, "write docs/difference.svg")

const (
	differencePicture = "../../docs/difference.svg"
	recordedCodex     = "../../internal/agent/testdata/codex-0.166.0"

	// patient gives a busy machine time to answer; it changes no answer.
	patient = "[tuning.hook]\nprompt_wait = \"4s\"\nstart_wait = \"4s\"\ntool_wait = \"4s\"\n"

	suiteCommand = "go test ./..."
)

// What the person says: twice in Claude Code, a week later once in Codex.
const (
	saidFirst = "Orders with a voucher are a cent off, fix it with a test. Never use float64 for prices: money is integer cents."
	saidThen  = "Good. We decided: an order is rounded once, half up, never item by item."
	asked     = "add a discount of 15 % for members, also when they have a voucher"
)

var (
	inClaude = time.Date(2026, 11, 11, 9, 0, 0, 0, time.UTC)
	inCodex  = time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)
)

// TestThePictureOfTheDifferenceIsTrue keeps docs/difference.svg what hebb says now. The repository, its commits, its failing test and hebb's
// hooks are real, the payloads are recorded ones of the two agents; what the agents do is scripted, because no model is asked.
func TestThePictureOfTheDifferenceIsTrue(t *testing.T) {
	s := newShop(t)
	s.workInClaude()
	must.Do(t, os.CopyFS(s.path("home-off"), os.DirFS(s.path("home"))))
	without := s.workInCodex("HEBB_HOME="+s.path("home-off"), "HEBB_INJECT=0")
	with := s.workInCodex()
	for i := range with {
		if without[i].received != "" || with[i].received == "" {
			t.Errorf("%s: without hebb the agent receives %q, with hebb %q", with[i].name, without[i].received, with[i].received)
		}
	}
	now := draw([]string{saidFirst, saidThen}, "hebb watches through hooks. A new test fails, and passes after a change of price/discount.go.", without, with)
	if *update {
		must.Do(t, os.WriteFile(differencePicture, []byte(now), 0o644))
	}
	committed := must.Get(os.ReadFile(differencePicture))(t)
	if string(committed) != now {
		t.Errorf("docs/difference.svg is not what hebb says now: look at the difference after scripts/difference.\n%s", plain(with))
	}
}

// moment is a point of a session at which an agent may receive something.
type moment struct {
	name     string
	happened []string // what anybody sees then
	received string   // what hebb adds for the model
}

// shop is a machine with a small repository on which a person works with two agents.
type shop struct {
	*machine
	now   time.Time
	calls int
	texts map[string]string // of testdata/difference.txtar, by name
}

func newShop(t *testing.T) *shop {
	t.Helper()
	cache := must.Get(exec.Command("go", "env", "GOCACHE").Output())(t)
	s := &shop{machine: newMachine(t), texts: map[string]string{}}
	s.env = append(s.env, "GOCACHE="+strings.TrimSpace(string(cache)), "GOENV=off", "GOTOOLCHAIN=local", "GOFLAGS=")
	s.write("home/config.toml", patient)
	s.git("init", "-q")
	s.now = time.Date(2026, 10, 5, 10, 0, 0, 0, time.UTC)
	archive := must.Get(txtar.ParseFile(filepath.Join("testdata", "difference.txtar")))(t)
	for _, f := range archive.Files {
		name, subject, commit := strings.Cut(f.Name, ": ")
		s.texts[name] = string(f.Data)
		if commit {
			s.write("repo/"+name, string(f.Data))
			s.now = s.now.AddDate(0, 0, 2)
			s.commits(subject)
		}
	}
	s.now = inClaude
	s.hebb("", "init")
	return s
}

func (s *shop) commits(subject string) {
	s.t.Helper()
	before, at := s.env, s.now.Format(time.RFC3339)
	s.env = append(s.env, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	s.git("add", "--all")
	s.git("commit", "-q", "-m", subject)
	s.env = before
}

// hebb runs hebb a minute later than the last time and returns what it printed.
func (s *shop) hebb(stdin string, args ...string) string {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	r := s.finish(s.start("hebb-at", append([]string{s.now.Format(time.RFC3339)}, args...)...), strings.NewReader(stdin))
	if r.code != 0 || r.stderr != "" {
		s.t.Fatalf("hebb %s exits %d: %s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// tests runs the repository's tests, which end with an exit code and print something.
func (s *shop) tests() (int, string) {
	s.t.Helper()
	r := s.finish(s.start("go", strings.Fields(suiteCommand)[1:]...), nil)
	return r.code, r.stdout + r.stderr
}

// workInClaude is the session in which the error was met and fixed, and the person said what holds.
func (s *shop) workInClaude() {
	s.t.Helper()
	send := func(name string, changes map[string]any) {
		s.t.Helper()
		s.calls++
		changes["tool_use_id"], changes["cwd"] = fmt.Sprintf("toolu_%d", s.calls), s.path("repo")
		s.hebb(s.recordedPayload(name, "claude-1", changes), "hook", string(agent.ClaudeCode))
	}
	runs := func(want int) {
		s.t.Helper()
		code, out := s.tests()
		if code != want {
			s.t.Fatalf("%s exits %d, want %d: %s", suiteCommand, code, want, out)
		}
		input := map[string]any{"command": suiteCommand, "description": "Run the tests"}
		if code != 0 {
			send("PostToolUseFailure-Bash", map[string]any{"tool_input": input, "error": fmt.Sprintf("Exit code %d\n%s", code, out)})
			return
		}
		send("PostToolUse-Bash", map[string]any{"tool_input": input, "tool_response": map[string]any{"stdout": out, "stderr": ""}})
	}
	file, tests, right := s.path("repo/price/discount.go"), s.path("repo/price/discount_test.go"), s.texts["right"]

	send("SessionStart-startup", map[string]any{})
	send("UserPromptSubmit", map[string]any{"prompt": saidFirst, "prompt_id": "1"})
	send("PostToolUse-Read", map[string]any{"tool_input": map[string]any{"file_path": file}})
	s.write("repo/price/discount_test.go", s.texts["test"])
	send("PostToolUse-Write", map[string]any{"tool_input": map[string]any{"file_path": tests, "content": s.texts["test"]}})
	runs(1)
	s.write("repo/price/discount.go", right)
	send("PostToolUse-Edit", map[string]any{"tool_input": map[string]any{"file_path": file, "old_string": s.texts["price/discount.go"], "new_string": right}})
	runs(0)
	s.commits("price: round vouchers")
	s.write("user/.claude/projects/"+claudesName(s.path("repo"))+"/memory/discounts.md", s.texts["note"])
	send("Stop", map[string]any{"last_assistant_message": "The voucher is now taken off the sum, and TestVoucherTotal passes."})
	send("UserPromptSubmit", map[string]any{"prompt": saidThen, "prompt_id": "2"})
	send("Stop", map[string]any{"last_assistant_message": "Committed. Next: the receipt should print the rounded total."})
	send("SessionEnd-other", map[string]any{})
	s.hebb("", "drain", "--quiet")
}

// claudesName is a folder as Claude Code names it among its projects.
func claudesName(folder string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, folder)
}

// workInCodex is the session a week later, in which the same test fails again.
func (s *shop) workInCodex(env ...string) []moment {
	s.t.Helper()
	before := s.env
	defer func() { s.env = before }()
	s.env = append(s.env, env...)
	s.now = inCodex
	log := s.path("user/.codex/sessions/2026/11/18/rollout-2026-11-18T09-00-00-codex-1.jsonl")
	send := func(name string, changes map[string]any) string {
		s.t.Helper()
		changes["transcript_path"] = log
		return received(s.t, s.hebb(s.payloadFrom(recordedCodex, name, "codex-1", changes), "hook", string(agent.Codex)))
	}

	right := s.texts["right"]
	s.write("repo/price/discount.go", right)
	begins := moment{name: "A session begins", received: send("SessionStart-startup", map[string]any{})}
	prompt := moment{name: "You ask", happened: []string{"› " + asked}, received: send("UserPromptSubmit", map[string]any{"prompt": asked})}

	patch := map[string]any{"command": "*** Begin Patch\n*** Update File: price/discount.go\n@@\n" +
		prefixed("-", right) + prefixed("+", s.texts["members"]) + "*** End Patch\n"}
	s.write("repo/price/discount.go", s.texts["members"])
	if text := send("PostToolUse-apply_patch", map[string]any{"tool_input": patch, "tool_use_id": "call_1"}); text != "" {
		s.t.Errorf("after the edit Codex receives %q", text)
	}
	code, out := s.tests()
	if code != 1 {
		s.t.Fatalf("%s exits %d: %s", suiteCommand, code, out)
	}
	s.codexNotes(log, "call_2", code, out)
	fails := moment{name: "A command fails", happened: append([]string{"$ " + suiteCommand}, failures(out)...)}
	fails.received = send("PostToolUse-Bash", map[string]any{"tool_input": map[string]any{"command": suiteCommand}, "tool_response": out, "tool_use_id": "call_2"})
	return []moment{begins, prompt, fails}
}

// codexNotes writes into Codex's transcript how a command ended, as Codex does before it calls the hook.
func (s *shop) codexNotes(log, call string, code int, out string) {
	s.t.Helper()
	line := must.Get(json.Marshal(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "item_completed", "item": struct {
		Type   string `json:"type"`
		ID     string `json:"id"`
		Status string `json:"status"`
		Output string `json:"aggregated_output"`
		Code   int    `json:"exit_code"`
	}{"CommandExecution", call, "failed", out, code}}}))(s.t)
	name := must.Get(filepath.Rel(s.dir, log))(s.t)
	s.write(name, string(line)+"\n")
}

// received is the text for the model in what a hook printed.
func received(t *testing.T, stdout string) string {
	t.Helper()
	if stdout == "" {
		return ""
	}
	var out struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || out.Output.Context == "" {
		t.Fatalf("the hook printed %q: %v", stdout, err)
	}
	return out.Output.Context
}

// failures are the lines of go test that say what failed, without times, which differ from run to run.
func failures(out string) (lines []string) {
	times := regexp.MustCompile(`\s*\(?\d+\.\d+s\)?`)
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "--- FAIL") || strings.HasPrefix(line, "    ") {
			lines = append(lines, times.ReplaceAllString(strings.TrimRight(line, "\n"), ""))
		}
	}
	return lines
}

func prefixed(mark, text string) string {
	return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
}

func plain(all []moment) string {
	var text strings.Builder
	for _, m := range all {
		fmt.Fprintf(&text, "%s\n%s\n%s\n", m.name, strings.Join(m.happened, "\n"), m.received)
	}
	return text.String()
}
