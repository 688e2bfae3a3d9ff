package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/tuning"
)

var now = time.Date(2026, 11, 15, 8, 0, 0, 123456789, time.UTC)

// newHook is a hook of an agent in a project of its own. Its answers may take long: what is tested
// is not the machine's speed.
func newHook(t *testing.T) (h Hook, project string) {
	t.Helper()
	settings := tuning.Default()
	settings.Hook.PromptWait, settings.Hook.StartWait = time.Hour, time.Hour
	return Hook{
		Agent: agent.ClaudeCode, Tuning: settings, Getenv: func(string) string { return "" }, Now: func() time.Time { return now },
		Entropy: bytes.NewReader(make([]byte, 1000)), Spool: spool.Spool{Dir: filepath.Join(t.TempDir(), "spool"), Limits: settings.Spool},
	}, t.TempDir()
}

func payload(project, event, more string) string {
	return fmt.Sprintf(`{"session_id":"run","transcript_path":"/x/projects/y/z.jsonl","cwd":%q,"hook_event_name":%q%s}`, project, event, more)
}

func kept(t *testing.T, h Hook) (events []memory.Event) {
	t.Helper()
	must.Do(t, h.Spool.Drain(t.Context(), 0, func() int { return 100 }, func(_ context.Context, batch []memory.Event, _ bool) error {
		events = append(events, batch...)
		return nil
	}))
	return events
}

func TestHookCompletesTheEvent(t *testing.T) {
	h, project := newHook(t)
	must.Do(t, h.Run(strings.NewReader(payload(project, "Stop", `,"last_assistant_message":"done, token ghp_16C7e42F292c6912E7710c838347Ae178B4a"`))))
	events := kept(t, h)
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	e := events[0]
	if want := now.Truncate(time.Millisecond); !e.At.Equal(want) {
		t.Errorf("at %v, want %v", e.At, want)
	}
	if e.Place.Root == "" || e.Place.Identity == "" || len(e.ID) != 26 || e.AgentSession != "run" {
		t.Errorf("event %+v", e)
	}
	if strings.Contains(e.Text, "ghp_") || !strings.HasPrefix(e.Text, "done, token [redacted:") {
		t.Errorf("text %q", e.Text)
	}
}

func TestHookKeepsTheSizeOfAnAnswerAndNotTheAnswer(t *testing.T) {
	h, project := newHook(t)
	read := payload(project, "PostToolUse", `,"tool_name":"Read","tool_use_id":"t","tool_response":{"type":"text","file":{"content":"CANARY\n"}}`)
	must.Do(t, h.Run(strings.NewReader(read)))
	box, err := os.ReadFile(filepath.Join(h.Spool.Dir, "inbox"))
	if err != nil || bytes.Contains(box, []byte("CANARY")) {
		t.Errorf("spooled %s, %v", box, err)
	}
	if events := kept(t, h); len(events) != 1 || events[0].ResultBytes == nil || *events[0].ResultBytes != 7 {
		t.Errorf("kept %+v", events)
	}
}

func TestHookStartsADrainWhenATurnEndsOrASessionBeginsOrEnds(t *testing.T) {
	for event, want := range map[string]int{"Stop": 1, "SessionEnd": 1, "SessionStart": 1, "UserPromptSubmit": 0, "PreToolUse": 0} {
		h, project := newHook(t)
		drains := 0
		h.Drain = func() error { drains++; return nil }
		if err := h.Run(strings.NewReader(payload(project, event, ""))); err != nil {
			t.Errorf("%s: %v", event, err)
		}
		if drains != want {
			t.Errorf("%s starts %d drains, want %d", event, drains, want)
		}
	}
}

// blocking is a pipe that nobody writes to.
type blocking struct{ released chan struct{} }

func (b blocking) Read([]byte) (int, error) { <-b.released; return 0, io.EOF }

func TestPatientReaderTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // time passes only while nobody can go on
		in := blocking{make(chan struct{})}
		defer close(in.released)
		got, err := io.ReadAll(patiently(io.MultiReader(strings.NewReader("half a payl"), in), time.Millisecond))
		if string(got) != "half a payl" || err == nil || !strings.Contains(err.Error(), "no more input") {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestAPatientReaderGivesAllBytesInOrder(t *testing.T) {
	want := make([]byte, 5*pieceSize+7)
	for i := range want {
		want[i] = byte(i * 7 / 5)
	}
	for _, in := range []io.Reader{bytes.NewReader(want), iotest.OneByteReader(bytes.NewReader(want)), iotest.DataErrReader(bytes.NewReader(want))} {
		if got, err := io.ReadAll(patiently(in, time.Hour)); !bytes.Equal(got, want) || err != nil {
			t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
		}
	}
}

func TestLostEventsAreCounted(t *testing.T) {
	h, project := newHook(t)
	for range 2 {
		_ = h.Run(strings.NewReader(payload(project, "Stop", "")))
	}
	if lost := h.Spool.State().Lost; lost.Count != 0 {
		t.Fatalf("lost %+v of what was kept", lost)
	}
	h.Spool.Limits.Limit, h.Spool.Limits.SaidReserve = 0, 0
	for _, text := range []string{payload(project, "Stop", ""), payload(project, "UserPromptSubmit", prompted), "Segmentation fault"} {
		if err := h.Run(strings.NewReader(text)); err == nil {
			t.Errorf("%.40s: no error", text)
		}
	}
	if err := h.Run(panicking{}); err == nil {
		t.Error("a panic is no error")
	}
	lost := h.Spool.State().Lost
	if lost.Count != 4 || !lost.At.Equal(now.Truncate(time.Second)) || !strings.Contains(lost.Reason, "panic: boom") {
		t.Errorf("lost %+v", lost)
	}
	if err := h.Run(strings.NewReader(payload(project, "Notification", ""))); err != nil || h.Spool.State().Lost.Count != 4 {
		t.Errorf("an event that hebb does not record counts as lost: %v", err)
	}
}

// The watchdog ends a hook whose payload never ends, and counts its event unless it is kept.
func TestWatchdogCountsLostEvents(t *testing.T) {
	h, project := newHook(t)
	ended := make(chan struct{})
	h.Exit = func() { close(ended) }
	w := h.watch()
	w.hurry(h.Now(), 0)
	<-ended
	if lost := h.Spool.State().Lost; lost.Count != 0 {
		t.Errorf("counted %+v without a folder", lost)
	}
	must.Do(t, h.Run(strings.NewReader(payload(project, "SessionEnd", ""))))
	ended = make(chan struct{})
	w = h.watch()
	w.hurry(h.Now(), 0)
	<-ended
	if lost := h.Spool.State().Lost; lost.Count != 1 {
		t.Errorf("counted %+v", lost)
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("boom") }

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestHookKeepsWhatCameBeforeTheDamage(t *testing.T) {
	h, project := newHook(t)
	whole := payload(project, "UserPromptSubmit", `,"prompt":"fix the login","prompt_id":"p"`)
	lost := errors.New("pipe lost")
	if err := h.Run(io.MultiReader(strings.NewReader(strings.TrimSuffix(whole, "}")), failing{lost})); !errors.Is(err, lost) {
		t.Errorf("run: %v", err)
	}
	if events := kept(t, h); len(events) != 1 || events[0].Text != "fix the login" {
		t.Errorf("events %+v", events)
	}
}

// The agent may still be writing when hebb has seen enough; a closed pipe would look like a failed
// hook.
func TestHookReadsToTheEnd(t *testing.T) {
	h, project := newHook(t)
	h.Tuning.Hook.ReadLimit = 1 << 20
	in := strings.NewReader(payload(project, "Stop", `,"x":"`+strings.Repeat("y", 3<<20)+`"`))
	if err := h.Run(in); err == nil {
		t.Error("a payload beyond the limit is no fault?")
	}
	if in.Len() > 0 {
		t.Errorf("%d bytes are left unread", in.Len())
	}
}

func TestHookReportsASpoolItCannotUse(t *testing.T) {
	h, project := newHook(t)
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	h.Spool.Dir = filepath.Join(file, "spool")
	if err := h.Run(strings.NewReader(payload(project, "Stop", ""))); err == nil {
		t.Error("no error")
	}
	h.Complain(errors.New("nobody can hear this")) // and nothing happens
}

func TestComplaintsAreScrubbedAndOnOneLine(t *testing.T) {
	h, project := newHook(t)
	must.Do(t, h.Run(strings.NewReader(payload(project, "Stop", ""))))
	h.Complain(errors.New("odd\nDB_PASSWORD=hunter2-Xk9vQ2pL\x1b[2J"))
	if got := h.Spool.State().Complaint; strings.Contains(got, "hunter2") || strings.ContainsAny(got, "\n\x1b") || !strings.Contains(got, "odd") {
		t.Errorf("complaint %q", got)
	}
}
