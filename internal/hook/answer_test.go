package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

const (
	shown    = "hebb recalls: a.go"
	prompted = `,"prompt":"fix the login","prompt_id":"p"`
)

// answering is a hook that has an answer; its receipt is an event of its own.
func answering(t *testing.T) (h Hook, project string, out *bytes.Buffer) {
	t.Helper()
	h, project = newHook(t)
	out = &bytes.Buffer{}
	h.Out = out
	h.Answer = func(_ context.Context, e memory.Event) (string, *memory.Event, error) {
		return shown, receiptOf(e), nil
	}
	return h, project, out
}

func receiptOf(prompt memory.Event) *memory.Event {
	return &memory.Event{ID: prompt.ID + "-receipt", At: prompt.At, Kind: memory.Suggested, Text: "[]"}
}

func kinds(events []memory.Event) (list string) {
	for _, e := range events {
		list += string(e.Kind) + " "
	}
	return strings.TrimSpace(list)
}

func TestPromptIsAnsweredAndTheAnswerRecorded(t *testing.T) {
	h, project, out := answering(t)
	answer := h.Answer
	h.Answer = func(ctx context.Context, e memory.Event) (string, *memory.Event, error) {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("an answer has no deadline")
		}
		if e.Text != "fix the login" || e.Place.Root == "" || e.At.IsZero() || e.ID == "" {
			t.Errorf("asked with %+v", e)
		}
		if got := h.Spool.Peek(1<<20, "fix the login"); len(got) != 1 {
			t.Errorf("asked before the prompt is kept: %v", got)
		}
		return answer(ctx, e)
	}
	must.Do(t, h.Run(strings.NewReader(payload(project, "UserPromptSubmit", prompted))))
	var printed struct {
		Output struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil || printed.Output.Event != "UserPromptSubmit" || printed.Output.Context != shown {
		t.Errorf("printed %s, %v", out, err)
	}
	if got := kinds(kept(t, h)); got != "prompt suggest" {
		t.Errorf("kept %q", got)
	}
}

func TestSessionStartNeedsNoReceipt(t *testing.T) {
	h, project, out := answering(t)
	h.Answer = func(_ context.Context, e memory.Event) (string, *memory.Event, error) {
		if e.Kind != memory.SessionStarted || e.Input != "compact" {
			t.Errorf("asked with %+v", e)
		}
		return shown, nil, nil
	}
	drains := 0
	h.Drain = func() error {
		if drains++; out.Len() == 0 {
			t.Error("the drain begins before the agent has its answer")
		}
		return nil
	}
	must.Do(t, h.Run(strings.NewReader(payload(project, "SessionStart", `,"source":"compact"`))))
	if want := `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"` + shown + `"}}` + "\n"; out.String() != want || drains != 1 {
		t.Errorf("printed %q, %d drains", out, drains)
	}
	if got := kinds(kept(t, h)); got != "session_start" {
		t.Errorf("kept %q", got)
	}
}

// Nothing is recorded and no memory shown; the start says why.
func TestAPausedProjectIsNeitherRecordedNorAnswered(t *testing.T) {
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"} {
		h, project, out := answering(t)
		h.Paused = func(id memory.ProjectID) bool { return id != 0 }
		h.Drain = func() error { t.Errorf("%s: a drain", event); return nil }
		if err := h.Run(strings.NewReader(payload(project, event, prompted))); err != nil {
			t.Errorf("%s: %v", event, err)
		}
		want := ""
		if event == "SessionStart" {
			want = `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"` + pausedHere + `"}}` + "\n"
		}
		if got := kinds(kept(t, h)); got != "" || out.String() != want {
			t.Errorf("%s: kept %q, printed %q", event, got, out)
		}
	}
}

// A call that is planned, one that has failed and a subagent that begins are answered, inside a
// subagent too. The plan itself is not kept: what came of it is.
// Where nothing may be kept, the start of a session says why, and the data folder is not touched.
func TestARefusedHookSaysSoAtTheStart(t *testing.T) {
	h, project, out := answering(t)
	h.Refused = "this home belongs to somebody else"
	h.Spool.Dir = filepath.Join(t.TempDir(), "spool")
	for event, want := range map[string]string{"SessionStart": h.Refused, "UserPromptSubmit": "", "Stop": ""} {
		out.Reset()
		err := h.Run(strings.NewReader(payload(project, event, prompted)))
		if err != nil || strings.Contains(out.String(), h.Refused) != (want != "") || strings.Contains(out.String(), shown) {
			t.Errorf("%s: %v, printed %s", event, err, out)
		}
	}
	if _, err := os.Stat(h.Spool.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the spool was touched: %v", err)
	}
}

func TestTheMomentsOfToolsAndSubagentsAreAnswered(t *testing.T) {
	const edit = `,"tool_name":"Edit","tool_use_id":"t","tool_input":{"file_path":"a.go"}`
	for _, c := range []struct{ event, more, kept string }{
		{"PreToolUse", edit, "suggest"},
		{"PreToolUse", edit + `,"agent_id":"sub"`, "suggest"},
		{"PostToolUseFailure", edit + `,"error":"no such file"`, "tool_fail suggest"},
		{"SubagentStart", `,"agent_id":"sub","agent_type":"Explore"`, "sub_start suggest"},
	} {
		h, project, out := answering(t)
		if err := h.Run(strings.NewReader(payload(project, c.event, c.more))); err != nil {
			t.Errorf("%s: %v", c.event, err)
		}
		want := `{"hookSpecificOutput":{"hookEventName":"` + c.event + `","additionalContext":"` + shown + `"}}` + "\n"
		if got := kinds(kept(t, h)); out.String() != want || got != c.kept {
			t.Errorf("%s%s: printed %q, kept %q", c.event, c.more, out, got)
		}
		// Without an answer nothing is left of a plan.
		h, project, out = answering(t)
		h.Answer = func(context.Context, memory.Event) (string, *memory.Event, error) { return "", nil, nil }
		if err := h.Run(strings.NewReader(payload(project, c.event, c.more))); err != nil {
			t.Errorf("%s: %v", c.event, err)
		}
		if got := kinds(kept(t, h)); out.Len() > 0 || got != strings.TrimSpace(strings.TrimSuffix(c.kept, "suggest")) {
			t.Errorf("%s%s: printed %q, kept %q", c.event, c.more, out, got)
		}
	}
}

// Codex does not tell its hooks how a command ended, but has noted it in its transcript by then.
func TestAFailureThatOnlyTheLogKnowsIsAnswered(t *testing.T) {
	h, project, out := answering(t)
	h.Agent = agent.Codex
	folder := t.TempDir()
	file := filepath.Join(folder, "rollout-1.jsonl")
	line := `{"payload":{"item":{"type":"CommandExecution","id":"t","aggregated_output":"","exit_code":3,"duration":{}}}}` + "\n"
	must.Do(t, os.WriteFile(file, []byte(strings.Repeat("x", logEnd)+"\n"+line), 0o600))
	for _, log := range []string{file, folder, filepath.Join(folder, "none")} {
		named := must.Get(json.Marshal(log))(t)
		more := `,"tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"false"},"tool_response":"","transcript_path":` + string(named)
		if err := h.Run(strings.NewReader(payload(project, "PostToolUse", more))); err != nil {
			t.Error(err)
		}
	}
	events := kept(t, h)
	if got := kinds(events); got != "tool_fail suggest tool tool" || events[0].Text != "Exit code 3" {
		t.Errorf("kept %q: %+v", got, events)
	}
	if want := `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"` + shown + `"}}` + "\n"; out.String() != want {
		t.Errorf("printed %q", out)
	}
}

func TestOtherEventsAreNotAnswered(t *testing.T) {
	for _, event := range []string{"PostToolUse", "Stop", "SubagentStop", "SessionEnd", "PreToolUse"} {
		h, project, out := answering(t)
		h.Answer = func(context.Context, memory.Event) (string, *memory.Event, error) {
			t.Errorf("%s: asked", event)
			return "", nil, nil
		}
		if err := h.Run(strings.NewReader(payload(project, event, `,"tool_name":"Read"`))); err != nil {
			t.Errorf("%s: %v", event, err)
		}
		if out.Len() > 0 || strings.Contains(kinds(kept(t, h)), "suggest") {
			t.Errorf("%s: printed %q", event, out)
		}
	}
}

// Whatever goes wrong with an answer, the prompt is kept and nothing is printed.
func TestNoPartialAnswerIsPrinted(t *testing.T) {
	failed := errors.New("store is locked")
	for _, c := range []struct {
		name   string
		answer func(context.Context, memory.Event) (string, *memory.Event, error)
		want   string // in the error
		kept   string
	}{
		{"nothing good", func(context.Context, memory.Event) (string, *memory.Event, error) { return "", nil, nil }, "", "prompt"},
		{"held out", func(_ context.Context, e memory.Event) (string, *memory.Event, error) { return "", receiptOf(e), nil }, "", "prompt suggest"},
		{"no receipt", func(context.Context, memory.Event) (string, *memory.Event, error) { return shown, nil, nil }, "", "prompt"},
		{"error", func(_ context.Context, e memory.Event) (string, *memory.Event, error) {
			return shown, receiptOf(e), failed
		}, "answer: store is locked", "prompt"},
		{"panic", func(context.Context, memory.Event) (string, *memory.Event, error) { panic("boom") }, "panic: boom", "prompt"},
		{"too long", func(_ context.Context, e memory.Event) (string, *memory.Event, error) {
			return strings.Repeat("x", 10_000), receiptOf(e), nil
		}, "at most", "prompt"},
	} {
		h, project, out := answering(t)
		h.Answer = c.answer
		err := h.Run(strings.NewReader(payload(project, "UserPromptSubmit", prompted)))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if got := kinds(kept(t, h)); got != c.kept || out.Len() > 0 {
			t.Errorf("%s: kept %q, printed %q", c.name, got, out)
		}
	}
}

func TestAnAnswerThatCannotBeRecordedIsNotShown(t *testing.T) {
	h, project, out := answering(t)
	h.Spool.Limits.Limit = 1 // full for observations; what people say has a reserve
	if err := h.Run(strings.NewReader(payload(project, "UserPromptSubmit", prompted))); err == nil {
		t.Error("no error")
	}
	if got := kinds(kept(t, h)); got != "prompt" || out.Len() > 0 {
		t.Errorf("kept %q, printed %q", got, out)
	}
}

func TestAPromptThatCannotBeKeptOrReadIsNotAnswered(t *testing.T) {
	h, project, out := answering(t)
	lost := errors.New("pipe lost")
	torn := strings.TrimSuffix(payload(project, "UserPromptSubmit", prompted), "}")
	if err := h.Run(io.MultiReader(strings.NewReader(torn), failing{lost})); !errors.Is(err, lost) {
		t.Errorf("run: %v", err)
	}
	if got := kinds(kept(t, h)); got != "prompt" || out.Len() > 0 {
		t.Errorf("torn: kept %q, printed %q", got, out)
	}
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	h.Spool.Dir = filepath.Join(file, "spool")
	if err := h.Run(strings.NewReader(payload(project, "UserPromptSubmit", prompted))); err == nil || out.Len() > 0 {
		t.Errorf("no spool: %v, printed %q", err, out)
	}
}

// An answer that never comes is left behind, and one that comes later than the deadline is neither
// printed nor recorded.
func TestALateAnswerIsAbandoned(t *testing.T) {
	h, project, out := answering(t)
	h.Tuning.Hook.PromptWait = time.Millisecond
	asked, release, answered := make(chan struct{}), make(chan struct{}), make(chan struct{})
	h.Answer = func(_ context.Context, e memory.Event) (string, *memory.Event, error) {
		defer close(answered)
		close(asked)
		<-release // deaf to its context, like a call into a file system that hangs
		return shown, receiptOf(e), nil
	}
	err := h.Run(strings.NewReader(payload(project, "UserPromptSubmit", prompted)))
	if err == nil || !strings.Contains(err.Error(), "not ready within 1ms") {
		t.Errorf("run: %v", err)
	}
	<-asked // the prompt was kept before
	close(release)
	<-answered
	if got := kinds(kept(t, h)); got != "prompt" || out.Len() > 0 {
		t.Errorf("kept %q, printed %q", got, out)
	}
	if state := h.Spool.State(); state.Late.Count != 1 || state.Lost.Count != 0 {
		t.Errorf("counted %+v", state)
	}
}

// oneWrite counts how an answer is handed over.
type oneWrite struct{ writes int }

func (w *oneWrite) Write(p []byte) (int, error) { w.writes++; return len(p), nil }

func TestAnAnswerIsOneWrite(t *testing.T) {
	h, project, _ := answering(t)
	out := &oneWrite{}
	h.Out = out
	if err := h.Run(strings.NewReader(payload(project, "UserPromptSubmit", prompted))); err != nil || out.writes != 1 {
		t.Errorf("%d writes, %v", out.writes, err)
	}
}
