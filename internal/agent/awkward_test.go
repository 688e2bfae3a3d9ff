package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// awkward says, for each agent, how its payloads name event and session, an event that is recorded,
// and a tool call without its tool; wanted is where its fields lie deepest. The session must come
// back as s.
var awkward = []struct {
	agent                                          memory.Agent
	session, event, prompt, sunrise, other, noTool string
	wanted                                         string
}{
	{ClaudeCode, `"session_id":"s"`, `"hook_event_name":`, `"UserPromptSubmit"`, `"Sunrise"`,
		`"cwd":5,"prompt":["x"],"agent_id":true,"prompt_id":null`, `"PostToolUse"`, `"tool_response":{"filenames":`},
	{Codex, `"session_id":"s"`, `"hook_event_name":`, `"UserPromptSubmit"`, `"Sunrise"`,
		`"cwd":5,"prompt":["x"],"agent_id":true,"turn_id":null`, `"PostToolUse"`, `"tool_response":{"content":`},
	{Gemini, `"session_id":"s"`, `"hook_event_name":`, `"BeforeAgent"`, `"Sunrise"`,
		`"cwd":5,"prompt":["x"],"timestamp":{}`, `"AfterTool"`, `"tool_response":{"llmContent":`},
	{Cursor, `"conversation_id":"s"`, `"hook_event_name":`, `"beforeSubmitPrompt"`, `"sunrise"`,
		`"cwd":5,"prompt":["x"],"workspace_roots":"x","generation_id":null`, `"postToolUse"`, `"workspace_roots":`},
	{Copilot, `"sessionId":"s"`, `"hookName":`, `"userPromptSubmitted"`, `"sunrise"`,
		`"cwd":5,"prompt":["x"],"agentId":true,"timestamp":{}`, `"postToolUse"`, `"toolResult":{"x":`},
	{Copilot, `"session_id":"s","timestamp":"2026-11-15T00:48:19.246Z"`, `"hook_event_name":`, `"UserPromptSubmit"`, `"Sunrise"`,
		`"cwd":5,"prompt":["x"],"agent_id":true`, `"PostToolUse"`, `"tool_result":{"x":`},
	{VSCode, `"sessionId":"s"`, `"hookEventName":`, `"UserPromptSubmit"`, `"Sunrise"`,
		`"cwd":5,"prompt":["x"],"agent_id":true,"timestamp":{}`, `"PostToolUse"`, `"tool_input":{"files":`},
	{Cline, `"taskId":"s"`, `"hookName":`, `"prompt_submit"`, `"sunrise"`,
		`"workspaceRoots":5,"userPromptSubmit":{"prompt":["x"]},"parent_agent_id":null`, `"tool_result"`, `"tool_result":{"output":`},
	{OpenCode, `"agent":"opencode","input":{"sessionID":"s"}`, `"hook":`, `"chat.message"`, `"sunrise"`,
		`"directory":5,"output":{"parts":{},"message":7},"parent":null`, `"tool.execute.after"`, `"output":{"parts":`},
	{Kilo, `"agent":"kilo","input":{"sessionID":"s"}`, `"hook":`, `"chat.message"`, `"sunrise"`,
		`"directory":5,"output":{"parts":{},"message":7},"parent":null`, `"tool.execute.after"`, `"output":{"parts":`},
	{OpenClaw, `"agent":"openclaw","context":{"sessionId":"s"}`, `"hook":`, `"before_agent_start"`, `"sunrise"`,
		`"event":{"prompt":["x"]},"parent":null`, `"after_tool_call"`, `"event":{"result":{"content":`},
}

func TestAwkwardPayloads(t *testing.T) {
	for _, a := range awkward {
		prompt := a.event + a.prompt + "," + a.session
		for _, c := range []struct {
			name, source string
			ok, damaged  bool
		}{
			{"nothing at all", "", false, true},
			{"not JSON", "hook_event_name=Stop", false, true},
			{"a list", `[{` + prompt + `}]`, false, false},
			{"a string", a.prompt, false, false},
			{"an unknown event", `{` + a.event + a.sunrise + `,` + a.session + `}`, false, false},
			{"no event", `{` + a.session + `}`, false, false},
			{"an event of another type", `{` + a.event + `{"Stop":1},` + a.session + `}`, false, false},
			{"a tool call without its tool", `{` + a.event + a.noTool + `,` + a.session + `}`, false, false},
			{"other fields of other types", `{` + prompt + `,` + a.other + `}`, true, false},
			{"cut in a character", `{` + prompt + ",\"prompt\":\"\xe4\xb8", true, true},
			{"cut in the name of the event", `{` + a.session + `,` + a.event + a.prompt[:5], false, true},
			{"more text after", `{` + prompt + `} and more`, true, true},
			{"100,000 levels", `{` + prompt + `,"tool_input":` + strings.Repeat(`{"a":[`, 50_000) + strings.Repeat("]}", 50_000) + `,"x":"x"}`, true, false},
			{"100,000 levels of a list", strings.Repeat("[", 100_000), false, true},
			{"100,000 levels where something is wanted", `{` + prompt + `,` + a.wanted + strings.Repeat("[", 100_000), true, true},
		} {
			t.Run(string(a.agent)+": "+c.name, func(t *testing.T) {
				seen, ok, err := Decode(a.agent, strings.NewReader(c.source), nothing, tuning.Default().Capture, 16*megabyte)
				if ok != c.ok || (err != nil) != c.damaged {
					t.Errorf("ok %v, error %v", ok, err)
				}
				if ok && (seen.Event.AgentSession != "s" || seen.Event.Agent != a.agent) {
					t.Errorf("got %+v", seen)
				}
			})
		}
	}
}

// A payload that ends anywhere says either nothing or what it says whole, without what came too
// late.
func TestPayloadsThatEndAnywhere(t *testing.T) {
	t.Parallel()
	limits := tuning.Default().Capture
	for _, r := range recordings {
		for _, file := range payloadsOf(t, r.agent) {
			source := readFile(t, file)
			for end := 0; end < len(source)-1; end += 1 + len(source)/40 {
				seen, ok, err := Decode(r.agent, strings.NewReader(source[:end]), nothing, limits, megabyte)
				if err == nil && strings.TrimSpace(source[end:]) != "" {
					t.Errorf("%s: no error after %d bytes", file, end)
				}
				if e := seen.Event; ok && (e.Kind != memory.ToolPlanned && !slices.Contains(memory.EventKinds, e.Kind) || !slices.Contains(memory.Origins, e.Origin)) {
					t.Errorf("%s after %d bytes: %+v", file, end, seen)
				}
			}
		}
	}
}

const outputLine = `line \"of\" output\n `

// flood is a payload with an endless string in its middle, made while it is read.
func flood(size int64) io.Reader {
	return io.MultiReader(strings.NewReader(`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":{"stdout":"`),
		io.LimitReader(&repeating{text: strings.Repeat(outputLine, 1000)}, size), strings.NewReader(` "},"tool_use_id":"t"}`))
}

// repeating reads the same text again and again.
type repeating struct {
	text string
	next int
}

func (r *repeating) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.next:])
	r.next = (r.next + n) % len(r.text)
	return n, nil
}

func TestAFloodOfOutputIsReadInConstantMemory(t *testing.T) {
	const unit = int64(len(outputLine))
	size := 50 * megabyte / unit * unit // whole lines, so that no escape is cut
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seen, ok, err := Decode(ClaudeCode, flood(size), nothing, tuning.Default().Capture, 64*megabyte)
	runtime.ReadMemStats(&after)
	if !ok || err != nil || seen.Event.Input != "make" || seen.Event.ID == "" {
		t.Errorf("got %+v, %v, %v", seen, ok, err)
	}
	if want := size - size/unit*3 + 1; *seen.Event.ResultBytes != want { // each line has three escapes
		t.Errorf("%d bytes of output, want %d", *seen.Event.ResultBytes, want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > megabyte/2 {
		t.Errorf("%d bytes were allocated for a payload of %d", used, size)
	}
	seen, ok, err = Decode(ClaudeCode, flood(size), nothing, tuning.Default().Capture, 16*megabyte)
	if !ok || !errors.Is(err, errTooLong) || seen.Event.Input != "make" || seen.Event.ID != "" || seen.Event.ResultBytes != nil {
		t.Errorf("with a limit of 16 MB: %+v, %v, %v", seen, ok, err)
	}
}

// floods makes, for each agent that sends the output of a command, a payload with an endless string
// in it.
var floods = []struct {
	agent         memory.Agent
	before, after string
}{
	{Codex, `{"session_id":"s","turn_id":"t","model":"m","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"`, `","tool_use_id":"t"}`},
	{Gemini, `{"session_id":"s","timestamp":"t","hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"`, `"}}`},
	{Cursor, `{"conversation_id":"s","generation_id":"g","hook_event_name":"postToolUse","tool_name":"Shell","tool_input":{"command":"make"},"tool_output":"`, `","tool_use_id":"t"}`},
	{Copilot, `{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":{"command":"make"},"toolResult":{"resultType":"success","textResultForLlm":"`, `"}}`},
	{Cline, `{"taskId":"s","hookName":"tool_result","tool_result":{"id":"t","name":"run_commands","input":{"commands":["make"]},"output":[{"result":"`, `"}]}}`},
	{OpenCode, `{"agent":"opencode","hook":"tool.execute.after","input":{"tool":"bash","sessionID":"s","callID":"t","args":{"command":"make"}},"output":{"output":"`, `"}}`},
	{OpenClaw, `{"agent":"openclaw","hook":"after_tool_call","context":{"sessionId":"s"},"event":{"toolName":"exec","toolCallId":"t","params":{"command":"make"},"result":{"content":[{"text":"`, `"}]}}}`},
	{VSCode, `{"hookEventName":"PostToolUse","sessionId":"s","tool_use_id":"t","tool_name":"run_in_terminal","tool_input":{"command":"make"},"tool_response":"`, `"}`},
}

// A string of which an excerpt is kept is held whole while it is read.
func TestAFloodOfOutputOfAnyAgentTakesAFewTimesItsSize(t *testing.T) {
	const unit = int64(len(outputLine))
	size := 10 * megabyte / unit * unit
	for _, f := range floods {
		for _, name := range []memory.Agent{f.agent, Auto} {
			in := io.MultiReader(strings.NewReader(f.before), io.LimitReader(&repeating{text: strings.Repeat(outputLine, 1000)}, size), strings.NewReader(f.after))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			seen, ok, err := Decode(name, in, nothing, tuning.Default().Capture, 16*megabyte)
			runtime.ReadMemStats(&after)
			if !ok || err != nil || seen.Event.Input != "make" || seen.Event.ID == "" || seen.Event.Agent != f.agent || seen.Event.Kind != memory.ToolUsed {
				t.Errorf("%s as %s: %+v, %v, %v", f.agent, name, seen, ok, err)
			}
			if seen.Event.ResultBytes == nil || *seen.Event.ResultBytes < size/2 {
				t.Errorf("%s as %s: size of the answer: %v", f.agent, name, seen.Event.ResultBytes)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 6*uint64(size) {
				t.Errorf("%s as %s: %d bytes were allocated for a payload of %d", f.agent, name, used, size)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, r := range recordings {
		for _, file := range payloadsOf(f, r.agent) {
			f.Add([]byte(readFile(f, file)))
		}
	}
	limits := tuning.Capture{TextLimit: 200, InputLimit: 100, TouchLimit: 3}
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, name := range append(Known(), Auto) {
			seen, ok, err := Decode(name, bytes.NewReader(source), nothing, limits, megabyte)
			again, okAgain, _ := Decode(name, iotest.HalfReader(bytes.NewReader(source)), nothing, limits, megabyte)
			if ok != okAgain || !reflect.DeepEqual(seen, again) {
				t.Fatalf("whole: %v %+v\nin parts: %v %+v", ok, seen, okAgain, again)
			}
			e := seen.Event
			if !ok && fmt.Sprint(seen) != fmt.Sprint(Seen{}) {
				t.Fatalf("not ok and %+v (%v)", seen, err)
			}
			if len(e.Text) > limits.TextLimit || len(e.Input) > nameLimit || len(e.Touches) > limits.TouchLimit || !utf8.ValidString(e.Text+e.Input) {
				t.Fatalf("beyond the limits: %+v", e)
			}
			for _, touch := range e.Touches {
				if !Rooted(touch.Path) {
					t.Fatalf("touch %q", touch.Path)
				}
			}
		}
	})
}

func TestPathsAreMadeAbsolute(t *testing.T) {
	for _, c := range []struct{ dir, name, want string }{
		{"/p", "a.go", "/p/a.go"}, {"/p", "../a.go", "/a.go"}, {"/p", "../../../a.go", "/a.go"}, {"/p", "/x//a.go", "/x/a.go"},
		{"/p", "", ""}, {"", "a.go", ""}, {"p", "a.go", ""}, {"", "/a.go", "/a.go"}, {"/p", `a\b.go`, `/p/a\b.go`},
		{`C:\p`, "a.go", `C:\p\a.go`}, {`C:\p`, `sub\..\a.go`, `C:\p\a.go`}, {`C:\p`, "sub/a.go", `C:\p\sub\a.go`},
		{"/p", `C:\x\a.go`, `C:\x\a.go`}, {"/p", "c:/x/../a.go", `c:\a.go`}, {"/p", `C:\..\..\a.go`, `C:\a.go`},
		{"/p", `\\server\share\.\a.go`, `\\server\share\a.go`}, {`\\server\share`, "a.go", `\\server\share\a.go`},
		{`C:\p`, "/c/x/a.go", "/c/x/a.go"}, {"/p", "C:a.go", "/p/C:a.go"}, {"/p", "\xff/../\xfe", "/p/\xfe"},
	} {
		if got := absolute(c.dir, c.name); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.name, c.dir, got, c.want)
		}
	}
}
