package agent

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/tuning"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const megabyte = 1 << 20

func nothing(string) string { return "" }

// decode reads a payload of Claude Code with the numbers hebb ships with.
func decode(t *testing.T, source string) (Seen, bool) {
	t.Helper()
	seen, ok, err := Decode(ClaudeCode, strings.NewReader(source), nothing, tuning.Default().Capture, tuning.Default().Hook.ReadLimit)
	if err != nil {
		t.Fatalf("decode %.200s: %v", source, err)
	}
	return seen, ok
}

// recordings says where the payloads of each agent are, and how many there are at least. Folders
// named after a version were recorded, those called written were written after documents.
var recordings = []struct {
	agent  memory.Agent
	folder string
	least  int
}{
	{ClaudeCode, "claude-code-*", 89}, {Codex, "codex-*", 23}, {Gemini, "gemini-*", 26}, {Cursor, "cursor-*", 25}, {Copilot, "copilot-*", 54},
	{VSCode, "vscode-*", 14}, {Cline, "cline-*", 24}, {OpenCode, "opencode-*", 58}, {Kilo, "kilo-*", 34}, {OpenClaw, "openclaw-*", 15},
	{Qwen, "qwen-*", 30}, {Kimi, "kimi-*", 28}, {Pi, "pi-*", 32},
}

// payloadsOf lists the payloads of an agent.
func payloadsOf(t testing.TB, name memory.Agent) []string {
	t.Helper()
	for _, r := range recordings {
		if r.agent == name {
			files, err := filepath.Glob("testdata/" + r.folder + "/*.json")
			if err != nil || len(files) < r.least {
				t.Fatalf("%s: %d payloads, want %d; %v", name, len(files), r.least, err)
			}
			return files
		}
	}
	t.Fatalf("%s has no payloads", name)
	return nil
}

func readFile(t testing.TB, name string) string {
	content := must.Get(os.ReadFile(name))(t)
	return string(content)
}

func TestRecordedPayloads(t *testing.T) {
	for _, r := range recordings {
		t.Run(string(r.agent), func(t *testing.T) {
			var b strings.Builder
			for _, file := range payloadsOf(t, r.agent) {
				seen, ok, err := Decode(r.agent, strings.NewReader(readFile(t, file)), nothing, tuning.Default().Capture, megabyte)
				if err != nil {
					t.Errorf("%s: %v", file, err)
				}
				fmt.Fprintf(&b, "%s\n", strings.TrimPrefix(filepath.ToSlash(file), "testdata/"))
				describe(&b, seen, ok)
				if e := seen.Event; ok && (!e.At.IsZero() || e.Place != (memory.Place{}) || e.Agent != r.agent || !strings.HasPrefix(seen.ProjectDir, "/home/dev/proj") ||
					e.AgentSession == "" || e.Kind != memory.ToolPlanned && !slices.Contains(memory.EventKinds, e.Kind) || !slices.Contains(memory.Origins, e.Origin)) {
					t.Errorf("%s: %+v", file, seen)
				}
			}
			golden := "testdata/" + strings.TrimSuffix(string(r.agent), "-code") + ".golden"
			if *update {
				must.Do(t, os.WriteFile(golden, []byte(b.String()), 0o644))
			}
			if want := strings.ReplaceAll(readFile(t, golden), "\r\n", "\n"); b.String() != want {
				t.Errorf("run with -update and look at the difference:\n%s", diff.Diff(golden, []byte(want), golden, []byte(b.String())))
			}
		})
	}
}

// describe writes what was seen of a payload for people to read.
func describe(b *strings.Builder, seen Seen, ok bool) {
	if !ok {
		b.WriteString("  ignored\n")
		return
	}
	e := seen.Event
	fmt.Fprintf(b, "  %s by %s, session %.8s, in %s, id %q\n", e.Kind, e.Origin, e.AgentSession, seen.Workdir, e.ID)
	for _, f := range []struct{ name, value string }{
		{"subagent", e.Subagent}, {"tool", e.Tool}, {"input", e.Input}, {"text", e.Text},
	} {
		if f.value != "" {
			fmt.Fprintf(b, "  %s %q\n", f.name, f.value)
		}
	}
	for _, touch := range e.Touches {
		fmt.Fprintf(b, "  %s %s\n", touch.Kind, touch.Path)
	}
	if e.ResultBytes != nil {
		fmt.Fprintf(b, "  result of %d bytes\n", *e.ResultBytes)
	}
	if seen.Answered {
		b.WriteString("  may be answered\n")
	}
}

func TestAToolThatTakesACommandLineIsKnownAsAShell(t *testing.T) {
	for _, a := range adapters() {
		for _, rule := range a.tools {
			for name := range strings.SplitSeq(rule.name, "|") {
				if runs := rule.command != "" || rule.runs; shell.IsTool(name) != runs {
					t.Errorf("%s: %s runs command lines: %v", a.name, name, runs)
				}
			}
		}
	}
}

func TestEveryEventHasAKind(t *testing.T) {
	for _, a := range adapters() {
		answered := map[memory.EventKind]string{}
		asked := []memory.EventKind{memory.Prompted, memory.SessionStarted, memory.ToolPlanned, memory.ToolFailed, memory.SubagentBegan}
		for _, rule := range a.events {
			if rule.kind == "" {
				t.Errorf("%s: %s has no kind", a.name, rule.name)
			}
			if a.event(rule.name) == nil || a.event(rule.also) != nil && a.event(rule.also).name != rule.name {
				t.Errorf("%s: %s is hidden by another rule", a.name, rule.name)
			}
			if rule.answered && !slices.Contains(asked, rule.kind) || rule.answeredAs != "" && !slices.Contains(asked, rule.answeredAs) {
				t.Errorf("%s: %s is answered", a.name, rule.name) // a word at the end of a turn would begin another one
			}
			for _, kind := range asked {
				if !rule.answers(kind) {
					continue
				}
				if other := answered[kind]; other != "" && a.answerKey == "" { // that form names its event
					t.Errorf("%s: %s is answered, and so is %q", a.name, rule.name, other)
				}
				answered[kind] = rule.name
			}
		}
		if len(answered) == 0 || a.recognises == nil {
			t.Errorf("%s takes no answer", a.name)
		}
	}
}

func TestTheTaskOfASubagentLosesOnlyWhatHebbPutBeforeIt(t *testing.T) {
	for text, want := range map[string]string{
		Recalls + "- user, 3 Nov: “use tabs”\n\n\nLook at cookies":   "Look at cookies",
		"hebb recalls nothing here: find out why\n\nLook at cookies": "hebb recalls nothing here: find out why\n\nLook at cookies",
	} {
		e := memory.Event{Kind: memory.Prompted, Subagent: "helper", Text: text}
		if withoutOurs(&e); e.Text != want {
			t.Errorf("%q becomes %q", text, e.Text)
		}
	}
}

func TestWhoIsBehindAPrompt(t *testing.T) {
	for source, want := range map[string]memory.Origin{
		``: memory.OriginUser, `,"source":"user"`: memory.OriginUser, `,"source":"sdk"`: memory.OriginAgent,
		`,"source":null`: memory.OriginUser, `,"source":"system"`: memory.OriginTool, `,"source":"loop_wakeup"`: memory.OriginTool,
		`,"source":"schedule_wakeup"`: memory.OriginTool, `,"source":"poll_event"`: memory.OriginTool, `,"source":""`: memory.OriginUser,
	} {
		seen, ok := decode(t, `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"go on"`+source+`}`)
		if !ok || seen.Event.Origin != want || seen.Event.Text != "go on" {
			t.Errorf("%s: %+v, want origin %s", source, seen.Event, want)
		}
	}
}

func TestIDsOfEvents(t *testing.T) {
	const tool = `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_use_id":"t"}`
	for _, c := range []struct {
		name, source string
		want         memory.EventID
	}{
		{"a tool call is known by session and call", tool, memory.DerivedEventID("s", "t", "tool")},
		{"its failure is another event", strings.Replace(tool, "PostToolUse", "PostToolUseFailure", 1), memory.DerivedEventID("s", "t", "tool_fail")},
		{"a prompt is known by session and prompt", `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt_id":"p"}`, memory.DerivedEventID("s", "p", "prompt")},
		{"a prompt of an old version is not known", `{"hook_event_name":"UserPromptSubmit","session_id":"s"}`, ""},
		{"a call without session is not known", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"t"}`, ""},
		{"a turn may end often", `{"hook_event_name":"Stop","session_id":"s","prompt_id":"p"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if seen, ok := decode(t, c.source); !ok || seen.Event.ID != c.want {
				t.Errorf("got %q, want %q", seen.Event.ID, c.want)
			}
		})
	}
}

func toolPayload(tool, fields string) string {
	return `{"session_id":"s","cwd":"/home/dev/proj","hook_event_name":"PostToolUse","tool_name":"` + tool + `",` + fields + `}`
}

func TestTouchesOfTools(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"Read reads", toolPayload("Read", `"tool_input":{"file_path":"/a/b.go"}`), "read /a/b.go"},
		{"Edit edits", toolPayload("Edit", `"tool_input":{"file_path":"/a/b.go"}`), "edit /a/b.go"},
		{"MultiEdit edits", toolPayload("MultiEdit", `"tool_input":{"file_path":"/a/b.go","edits":[{"file_path":"/no"}]}`), "edit /a/b.go"},
		{"NotebookEdit edits", toolPayload("NotebookEdit", `"tool_input":{"notebook_path":"/a/n.ipynb"}`), "edit /a/n.ipynb"},
		{"an MCP tool is not known", toolPayload("mcp__x__read", `"tool_input":{"file_path":"/a/b.go","query":"q"}`), ""},
		{"relative names start at the current directory", toolPayload("Read", `"tool_input":{"file_path":"sub/../b.go"}`), "read /home/dev/proj/b.go"},
		{"names are cleaned", toolPayload("Read", `"tool_input":{"file_path":"/a//b/./../c.go"}`), "read /a/c.go"},
		{"drives of Windows stay", toolPayload("Read", `"tool_input":{"file_path":"C:\\src\\..\\a.go"}`), `read C:\a.go`},
		{"Glob mentions each file once", toolPayload("Glob", `"tool_response":{"filenames":["a.go","./a.go","b.go","a.go",7,""]}`), "mention /home/dev/proj/a.go, mention /home/dev/proj/b.go"},
		{"Bash edits what it changed", toolPayload("Bash", `"tool_response":{"bashEditDiff":{"files":[{"filePath":"/a"},{"filePath":"/b"}],"changedFiles":["/b","/c"]}}`), "edit /b, edit /c, edit /a"},
		{"of a repeated key the last counts", toolPayload("Read", `"tool_input":{"file_path":"/a"},"tool_input":{"file_path":"/b"}`), "read /b"},
		{"keys have one case", toolPayload("Read", `"tool_input":{"File_Path":"/a"},"Tool_Input":{"file_path":"/a"}`), ""},
		{"a key with a slash is no path", toolPayload("Read", `"tool_input/file_path":"/a"`), ""},
		{"fields of another type are none", toolPayload("Read", `"tool_input":{"file_path":["/a"]},"tool_response":"x"`), ""},
		{"a name that is too long is none", toolPayload("Read", `"tool_input":{"file_path":"/`+strings.Repeat("a", 5000)+`"}`), ""},
		{"a failed read is no touch", strings.Replace(toolPayload("Read", `"tool_input":{"file_path":"/a"},"error":"gone"`), "PostToolUse", "PostToolUseFailure", 1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen, ok := decode(t, c.source)
			var got []string
			for _, touch := range seen.Event.Touches {
				got = append(got, string(touch.Kind)+" "+touch.Path)
			}
			if !ok || strings.Join(got, ", ") != c.want {
				t.Errorf("got %q, want %q", strings.Join(got, ", "), c.want)
			}
			if seen.Event.Tool == "mcp__x__read" && seen.Event.Input != "" {
				t.Errorf("input %q", seen.Event.Input)
			}
		})
	}
}

func TestSizesOfResults(t *testing.T) {
	const unknown = -1
	failed := func(fields string) string {
		return strings.Replace(toolPayload("Bash", fields), "PostToolUse", "PostToolUseFailure", 1)
	}
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf(`"f%03d"`, i))
	}
	long := strings.Repeat(`line \"of\" output\n`, 10_000) // 17 bytes each, longer than a window
	for _, c := range []struct {
		name, source string
		want         int64
	}{
		{"a file is its content, not its name", toolPayload("Read", `"tool_input":{"file_path":"/a"},"tool_response":{"type":"text","file":{"filePath":"/a","content":"four"}}`), 4},
		{"a notebook is its cells, each on a line", toolPayload("Read", `"tool_response":{"file":{"cells":[{"source":"x=1"},{"source":"y=22"}]}}`), 9},
		{"a file that the agent has already is nothing", toolPayload("Read", `"tool_response":{"type":"file_unchanged","file":{"filePath":"/a"}}`), 0},
		{"a picture is no text", toolPayload("Read", `"tool_response":{"type":"image","file":{"base64":"aGVsbG8="}}`), unknown},
		{"a command has two outputs", toolPayload("Bash", `"tool_response":{"stdout":"one\n","stderr":"three","interrupted":false}`), 9},
		{"a command that prints nothing", toolPayload("Bash", `"tool_response":{"stdout":"","stderr":""}`), 0},
		{"of too much output the agent sees a part", toolPayload("Bash", `"tool_response":{"stdout":"one","persistedOutputPath":"/tmp/x"}`), unknown},
		{"what a command changed is not shown", toolPayload("Bash", `"tool_response":{"stdout":"ok","bashEditDiff":{"changedFiles":["/a"]}}`), 2},
		{"names stand on lines", toolPayload("Glob", `"tool_response":{"filenames":["a.go","b.go"],"numFiles":2}`), 10},
		{"names beyond the limit too", toolPayload("Grep", `"tool_response":{"filenames":[`+strings.Join(names, ",")+`]}`), 5000},
		{"no name is an answer", toolPayload("Glob", `"tool_response":{"filenames":[],"numFiles":0}`), 0},
		{"matching lines", toolPayload("Grep", `"tool_response":{"mode":"content","filenames":[],"content":"a.go:1:x"}`), 8},
		{"what was written is no answer", toolPayload("Write", `"tool_response":{"filePath":"/a","content":"new file"}`), unknown},
		{"an MCP server answers with a text", toolPayload("mcp__x__find", `"tool_input":{"query":"q"},"tool_response":"three"`), 5},
		{"or with a list of texts", toolPayload("mcp__x__find", `"tool_response":[{"type":"text","text":"three"},{"type":"image","data":"xyz"}]`), 6},
		{"a failure is its message", failed(`"error":"Exit code 1"`), 11},
		{"a failure without a message", failed(`"is_interrupt":true`), unknown},
		{"an old failure has no answer", failed(`"tool_response":{"stdout":"x"}`), unknown},
		{"no answer at all", toolPayload("Read", `"tool_input":{"file_path":"/a"}`), unknown},
		{"an answer of another type", toolPayload("Bash", `"tool_response":{"stdout":7,"stderr":null}`), unknown},
		{"escapes count as what they stand for", toolPayload("Bash", `"tool_response":{"stdout":"\t\"\\\\ü世\/\n"}`), 11},
		{"escapes by number count as two", toolPayload("Bash", `"tool_response":{"stdout":"\u001b[1m\ud83e\udde0"}`), 9},
		{"broken escapes spoil nothing", toolPayload("Bash", `"tool_response":{"stdout":"\u\"\q"},"tool_use_id":"t"`), 0},
		{"more than a window", toolPayload("Bash", `"tool_response":{"stdout":"`+long+`"}`), 170_000},
		{"a prompt is no answer", `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"x","tool_response":"y"}`, unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen, ok := decode(t, c.source)
			got := int64(unknown)
			if seen.Event.ResultBytes != nil {
				got = *seen.Event.ResultBytes
			}
			if !ok || got != c.want {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
		})
	}
}

func TestNamesThatAreNotUTF8StayTwoFiles(t *testing.T) {
	seen, _ := decode(t, toolPayload("Glob", "\"tool_response\":{\"filenames\":[\"/src/\xff.go\",\"/src/\xfe.go\"]}"))
	want := []memory.Touch{{Kind: memory.Mention, Path: "/src/\xff.go"}, {Kind: memory.Mention, Path: "/src/\xfe.go"}}
	if !slices.Equal(seen.Event.Touches, want) {
		t.Errorf("got %q", seen.Event.Touches)
	}
}

func TestFilesBeyondTheLimitAreLeftOut(t *testing.T) {
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf(`"f%d.go"`, i))
	}
	seen, _ := decode(t, toolPayload("Grep", `"tool_response":{"filenames":[`+strings.Join(names, ",")+`]},"tool_use_id":"t"`))
	limit := tuning.Default().Capture.TouchLimit
	if len(seen.Event.Touches) != limit || seen.Event.Touches[limit-1].Path != fmt.Sprintf("/home/dev/proj/f%d.go", limit-1) || seen.Event.ID == "" {
		t.Errorf("%d touches of %d", len(seen.Event.Touches), limit)
	}
}

func TestLongTextsAreCutInTheMiddle(t *testing.T) {
	limits := tuning.Default().Capture
	long := strings.Repeat("世", megabyte)
	prompt, _ := decode(t, `{"hook_event_name":"UserPromptSubmit","prompt":"first `+long+` last"}`)
	command, _ := decode(t, toolPayload("Bash", `"tool_input":{"command":"first `+long+` last"}`))
	for _, c := range []struct {
		name, got string
		limit     int
	}{{"prompt", prompt.Event.Text, limits.TextLimit}, {"command", command.Event.Input, limits.InputLimit}} {
		if len(c.got) > c.limit || len(c.got) < c.limit-50 || !utf8.ValidString(c.got) ||
			!strings.HasPrefix(c.got, "first ") || !strings.HasSuffix(c.got, " last") || !strings.Contains(c.got, " bytes cut] …") {
			t.Errorf("%s: %d bytes of %d: %.20q … %.20q", c.name, len(c.got), c.limit, c.got, c.got[len(c.got)-20:])
		}
	}
}

func TestNothingPrivateShowsAtTheCuts(t *testing.T) {
	limit := tuning.Default().Capture.TextLimit
	words := strings.Repeat("ordinary words ", limit/15)
	token := "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	line := strings.Repeat("aB3dE5fG7hJ9kL1m", 4)
	key := "-----BEGIN RSA PRIVATE KEY-----\\n" + strings.Repeat(line+"\\n", 12) + "-----END RSA PRIVATE KEY-----"
	for _, c := range []struct{ name, prompt, canary string }{
		{"a region that begins in the middle", words + "<private>" + strings.Repeat("CANARY ", limit), "CANARY"},
		{"a tag written with escapes", words + `\u003cpri\u0076ate\u003e` + strings.Repeat("CANARY ", limit), "CANARY"},
		{"a region that ends in the middle", strings.Repeat("CANARY ", limit) + "</private>" + words, "CANARY"},
		{"a token across the end of the beginning", words[:limit/2-40] + token + " " + words, token[4:16]},
		{"a token across the beginning of the end", words + token + " " + words[:limit/2-40], token[28:]},
		{"a key across the end of the beginning", words[:limit/2-200] + key + " " + words, line[:12]},
		{"a key across the beginning of the end", words + key + " " + words[:limit/2-200], line[:12]},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen, _ := decode(t, `{"hook_event_name":"UserPromptSubmit","prompt":"`+c.prompt+`"}`)
			got := scrub.Clean(seen.Event.Text)
			if strings.Contains(got, c.canary) || len(seen.Event.Text) > limit || !strings.Contains(got, "ordinary words") {
				t.Errorf("%d bytes: %q … %q", len(got), got[:100], got[len(got)-100:])
			}
		})
	}
}

func TestTheProjectIsWhereTheAgentSays(t *testing.T) {
	const source = `{"hook_event_name":"Stop","session_id":"s","cwd":"/home/dev/proj/sub"}`
	for project, want := range map[string]string{
		"/home/dev/proj": "/home/dev/proj", "": "/home/dev/proj/sub", "proj": "/home/dev/proj/sub", `D:\proj`: `D:\proj`,
	} {
		getenv := func(name string) string { return map[string]string{"CLAUDE_PROJECT_DIR": project}[name] }
		seen, ok, err := Decode("claude", strings.NewReader(source), getenv, tuning.Capture{}, megabyte)
		if !ok || err != nil || seen.ProjectDir != want || seen.Workdir != "/home/dev/proj/sub" {
			t.Errorf("%q: %+v, %v", project, seen, err)
		}
	}
}

// What two adapters both keep must mean the same to both, or Auto would read one of them wrongly.
func TestAgentsAgreeOnTheFieldsTheyShare(t *testing.T) {
	kept := map[string]size{}
	for _, a := range adapters() {
		for _, f := range keptFields([]*adapter{a}) {
			other, known := kept[f.path]
			if known && other != f.size && min(other, f.size) > asTail && max(other, f.size) != asScalar {
				t.Errorf("%s keeps %s as %d, another as %d", a.name, f.path, f.size, other)
			}
			kept[f.path] = max(f.size, other)
		}
	}
}

func TestAutoRecognisesTheAgentOfAPayload(t *testing.T) {
	limits := tuning.Default().Capture
	for _, r := range recordings {
		for _, file := range payloadsOf(t, r.agent) {
			source := readFile(t, file)
			p := newPayload(adapters(), limits)
			if err := scan(strings.NewReader(source), megabyte, &p); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			for _, a := range adapters() {
				variants := len(slices.DeleteFunc(readersOf(a.name), func(o *adapter) bool { return o.name != a.name }))
				if got := a.recognises(p); got && a.name != r.agent || !got && a.name == r.agent && variants == 1 {
					t.Errorf("%s: %s recognises it: %v", file, a.name, got)
				}
			}
			want, wantOK, _ := Decode(r.agent, strings.NewReader(source), nothing, limits, megabyte)
			got, ok, err := Decode(Auto, strings.NewReader(source), nothing, limits, megabyte)
			if ok != wantOK || err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, %v\ngot  %+v\nwant %+v", file, ok, err, got, want)
			}
		}
	}
}

func TestTheEnvironmentDecidesWhereThePayloadDoesNot(t *testing.T) {
	const source = `{"hook_event_name":"SessionEnd","session_id":"s","transcript_path":null,"cwd":"/p","reason":"other"}`
	for _, c := range []struct {
		name string
		env  map[string]string
		want memory.Agent
	}{
		{"nothing decides", nil, ""},
		{"Claude Code names its session", map[string]string{"CLAUDE_CODE_SESSION_ID": "s"}, ClaudeCode},
		{"Gemini names its session", map[string]string{"GEMINI_SESSION_ID": "s"}, Gemini},
		{"another session's variable was inherited", map[string]string{"CLAUDE_CODE_SESSION_ID": "other", "CLAUDECODE": "1"}, ""},
	} {
		getenv := func(name string) string { return c.env[name] }
		seen, ok, err := Decode(Auto, strings.NewReader(source), getenv, tuning.Capture{}, megabyte)
		if err != nil || ok != (c.want != "") || seen.Event.Agent != c.want {
			t.Errorf("%s: %+v, %v, %v", c.name, seen, ok, err)
		}
	}
}

// Cursor and VS Code run the hooks of others beside their own: the same call then arrives twice and
// must count once.
func TestACallThatArrivesTwiceHasOneID(t *testing.T) {
	limits := tuning.Default().Capture
	decode := func(name memory.Agent, file string) memory.Event {
		seen, ok, err := Decode(name, strings.NewReader(readFile(t, "testdata/"+file)), nothing, limits, megabyte)
		if !ok || err != nil {
			t.Errorf("%s: %v, %v", file, ok, err)
		}
		return seen.Event
	}
	for _, c := range []struct {
		name          string
		own, other    memory.Agent
		first, second string
	}{
		{"a tool of Cursor", Cursor, ClaudeCode, "cursor-written/postToolUse-Write.json", "cursor-written/claude-PostToolUse-Write.json"},
		{"a prompt of Cursor", Cursor, ClaudeCode, "cursor-written/beforeSubmitPrompt.json", "cursor-written/claude-UserPromptSubmit.json"},
		{"a tool of VS Code in Claude's hooks", VSCode, ClaudeCode, "vscode-written/PostToolUse-read_file.json", "vscode-written/PostToolUse-read_file.json"},
		{"a tool of VS Code in Copilot's hooks", VSCode, Copilot, "vscode-written/PostToolUse-apply_patch.json", "vscode-written/PostToolUse-apply_patch.json"},
		{"a prompt of VS Code", VSCode, Copilot, "vscode-written/UserPromptSubmit.json", "vscode-written/UserPromptSubmit.json"},
		{"a tool of Copilot in Claude's form", Copilot, Auto, "copilot-cli-1.0.102/postToolUse-edit.json", "copilot-cli-1.0.102/claude-format-PostToolUse-Edit.json"},
		{"a command of Copilot in Claude's form", Copilot, Copilot, "copilot-cli-1.0.102/postToolUse-bash.json", "copilot-cli-1.0.102/claude-format-PostToolUse-Bash.json"},
		{"a failure of Copilot in Claude's form", Copilot, Copilot, "copilot-cli-1.0.102/postToolUseFailure-view.json", "copilot-cli-1.0.102/claude-format-PostToolUseFailure-Read.json"},
		{"a prompt of Copilot in Claude's form", Copilot, Auto, "copilot-cli-1.0.102/userPromptSubmitted.json", "copilot-cli-1.0.102/claude-format-UserPromptSubmit.json"},
	} {
		first, second := decode(c.own, c.first), decode(c.other, c.second)
		if first.ID == "" || first.ID != second.ID || first.Agent != c.own || second.Agent != c.own || first.AgentSession != second.AgentSession {
			t.Errorf("%s:\n%+v\n%+v", c.name, first, second)
		}
	}
}

// Agents without names for their calls have only a moment, which two calls at once share.
func TestCallsOfOneMomentGetDifferentIDs(t *testing.T) {
	const form = `{"session_id":"s","hook_event_name":"AfterTool","timestamp":"2026-11-15T00:40:38.446Z","cwd":"/p","tool_name":"read_file","tool_input":{"file_path":"%s"},"tool_response":{"llmContent":"x"}}`
	ids := map[memory.EventID]string{}
	for _, file := range []string{"a.go", "b.go", "c.go"} {
		seen, ok, err := Decode(Gemini, strings.NewReader(fmt.Sprintf(form, file)), nothing, tuning.Default().Capture, megabyte)
		if !ok || err != nil || seen.Event.ID == "" || ids[seen.Event.ID] != "" {
			t.Errorf("%s: %+v, %v", file, seen, err)
		}
		ids[seen.Event.ID] = file
	}
}

func TestMomentsAreWrittenTheSameWay(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-15T00:48:19.962Z": "1794703699962", "1794703699962": "1794703699962", "2026-11-15T01:48:19.962+01:00": "1794703699962", "turn": "turn", "": "",
	} {
		if got := moment(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNamesOfAgents(t *testing.T) {
	for name, want := range map[string]memory.Agent{
		"claude": ClaudeCode, "claude-code": ClaudeCode, "auto": Auto, "codex": Codex, "gemini": Gemini, "gemini-cli": Gemini, "cursor": Cursor,
		"copilot": Copilot, "cline": Cline, "opencode": OpenCode, "kilo": Kilo, "kilocode": Kilo, "openclaw": OpenClaw, "vscode": VSCode,
	} {
		if got, err := Parse(name); got != want || err != nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "Claude", "emacs"} {
		_, err := Parse(name)
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "want one of claude-code, claude, codex, ") || !strings.HasSuffix(err.Error(), ", auto: invalid") {
			t.Errorf("%s: %v", name, err)
		}
		if _, ok, err := Decode(memory.Agent(name), strings.NewReader("{}"), nothing, tuning.Capture{}, megabyte); ok || !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("decode %s: %v, %v", name, ok, err)
		}
	}
	if !slices.Equal(Known(), []memory.Agent{ClaudeCode, Codex, Gemini, Cursor, Copilot, VSCode, Cline, OpenCode, Kilo, OpenClaw, Qwen, Kimi, Pi}) {
		t.Errorf("known: %v", Known())
	}
}

// What a command printed is kept only where nothing else says how it ended, and then its end.
func TestTheEndOfWhatAMutedCommandPrinted(t *testing.T) {
	long := strings.Repeat(`line \"of\" output\n`, 5000)
	for _, c := range []struct{ command, printed, want string }{
		{"go test ./... | tail -3", `ok\t\u00fc\nFAIL`, "ok\tü\nFAIL"},
		{"go test ./... || true", long + "FAIL", "\"of\" output\nFAIL"},
		{"go test ./...", "FAIL", ""},
		{"cat log | tail -3", "FAIL", ""},
		{"make; echo done", `broken \q`, ""},
	} {
		seen, ok := decode(t, toolPayload("Bash", `"tool_input":{"command":"`+c.command+`"},"tool_response":{"stdout":"`+c.printed+`"}`))
		if got := seen.Event.Text; !ok || !strings.HasSuffix(got, c.want) || c.want == "" && got != "" || len(got) > tailLength {
			t.Errorf("%s: %d bytes are kept, ending in %q, want %q", c.command, len(got), got[max(len(got)-40, 0):], c.want)
		}
	}
}
