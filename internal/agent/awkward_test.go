package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestAwkwardPayloads(t *testing.T) {
	const prompt = `"hook_event_name":"UserPromptSubmit","session_id":"s"`
	for _, c := range []struct {
		name, source string
		ok, damaged  bool
	}{
		{"nothing at all", "", false, true},
		{"not JSON", "hook_event_name=Stop", false, true},
		{"a list", `[{"hook_event_name":"Stop"}]`, false, false},
		{"a string", `"Stop"`, false, false},
		{"an unknown event", `{"hook_event_name":"Sunrise","session_id":"s"}`, false, false},
		{"no event", `{"session_id":"s"}`, false, false},
		{"an event of another type", `{"hook_event_name":{"Stop":1},"session_id":"s"}`, false, false},
		{"a tool call without its tool", `{"hook_event_name":"PostToolUse","session_id":"s"}`, false, false},
		{"other fields of other types", `{` + prompt + `,"cwd":5,"prompt":["x"],"agent_id":true,"prompt_id":null}`, true, false},
		{"cut in a character", `{` + prompt + ",\"prompt\":\"\xe4\xb8", true, true},
		{"cut in the name of the event", `{"session_id":"s","hook_event_name":"Sto`, false, true},
		{"more text behind", `{` + prompt + `} and more`, true, true},
		{"100,000 levels", `{` + prompt + `,"tool_input":` + strings.Repeat(`{"a":[`, 50_000) + strings.Repeat("]}", 50_000) + `,"prompt":"x"}`, true, false},
		{"100,000 levels of a list", strings.Repeat("[", 100_000), false, true},
		{"100,000 levels where something is wanted", `{` + prompt + `,"tool_response":{"filenames":` + strings.Repeat("[", 100_000), true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen, ok, err := Decode(ClaudeCode, strings.NewReader(c.source), nothing, tuning.Default().Capture, 16*megabyte)
			if ok != c.ok || (err != nil) != c.damaged {
				t.Errorf("ok %v, error %v", ok, err)
			}
			if ok && seen.Event.AgentSession != "s" {
				t.Errorf("got %+v", seen)
			}
		})
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

func FuzzDecode(f *testing.F) {
	for _, file := range claudePayloads(f) {
		f.Add([]byte(readFile(f, file)))
	}
	limits := tuning.Capture{TextLimit: 200, InputLimit: 100, TouchLimit: 3}
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, name := range []memory.Agent{ClaudeCode, Auto} {
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
				if !rooted(touch.Path) {
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
