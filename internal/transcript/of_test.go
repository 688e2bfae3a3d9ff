package transcript

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func TestOfFindsTheTranscriptOfOneSession(t *testing.T) {
	t.Parallel()
	const (
		claude, other = "6c10c636-2913-40ac-bf32-451788ba9146", "be13f183-1eb7-4809-a9fc-cfd5ad7b5911"
		codex         = "01a1dca0-00e7-7222-b059-aec101886f63"
		gemini        = "a3dce1a3-b2c6-434d-9625-ade08bc6872b"
	)
	dir := t.TempDir()
	opencodeDatabase(t, dir)
	write(t, dir, "p/x.jsonl", claudePrompt("a", "outside"))
	write(t, dir, "p/agent-1.jsonl", claudePrompt("a", "a helper of an early version"))
	write(t, dir, "p/x/subagents/flow/step.jsonl", claudePrompt("a", "a helper"))
	write(t, dir, "sessions/rollout-2026-11-15T00-00-00-guard.jsonl", `{"timestamp":"2026-11-15T10:00:00Z","type":"session_meta","payload":{"id":"guard","source":{"subagent":{"other":"guardian"}}}}`+"\n")
	write(t, dir, "sessions/rollout-2026-11-15T00-00-00-child.jsonl", `{"timestamp":"2026-11-15T10:00:00Z","type":"session_meta","payload":{"id":"child","source":{"subagent":{"thread_spawn":{"parent_thread_id":"parent"}}}}}`+"\n")
	write(t, dir, "p/chats/session-2026-11-15T00-41-a3dce1a3.jsonl", `{"sessionId":"a3dce1a3-another","startTime":"2026-11-15T10:00:00Z"}`+"\n")
	write(t, dir, "p/chats/session-2026-11-15T00-42-0ldchats.json", `{"sessionId":"0ldchats-1","startTime":"2026-11-15T10:00:00Z","messages":[]}`)
	folders := []string{dir, transcriptFixtures, filepath.Join(dir, "none")}
	for _, c := range []struct {
		agent   memory.Agent
		session string
		want    string
	}{
		{claudeAgent, claude, claude + ".jsonl"}, {claudeAgent, other, other + ".jsonl"}, {claudeAgent, "x", "x.jsonl"},
		{claudeAgent, "agent-a2caecae3ace34640", ""}, {claudeAgent, "agent-1", ""}, {claudeAgent, "step", ""}, {claudeAgent, codex, ""}, {codexAgent, claude, ""},
		{claudeAgent, "../../x", ""}, {claudeAgent, "p/x", ""}, {claudeAgent, "*", ""}, {claudeAgent, "", ""}, {claudeAgent, ".", ""}, {"", claude, ""}, {"vim", claude, ""},
		{codexAgent, codex, "rollout-2026-11-15T00-33-56-" + codex + ".jsonl"}, {codexAgent, "aec101886f63", ""}, {codexAgent, "child", ""}, {codexAgent, "parent", ""}, {codexAgent, "guard", ""}, {codexAgent, "", ""},
		{geminiAgent, gemini, "session-2026-11-15T00-41-a3dce1a3.jsonl"}, {geminiAgent, "a3dce1a3", ""}, {geminiAgent, "0ldchats-1", "session-2026-11-15T00-42-0ldchats.json"}, {geminiAgent, "../a3dce", ""}, {geminiAgent, "", ""},
		{opencodeAgent, "ses_e23568bd0ffei5TgfllQ5GhU3J", "opencode.db#ses_e23568bd0ffei5TgfllQ5GhU3J"}, {opencodeAgent, "ses_e235628abffeLTVr4rKfk120HC", ""},
		{opencodeAgent, "' OR '1'='1", ""}, {opencodeAgent, "%", ""}, {kiloAgent, "ses_e23568bd0ffei5TgfllQ5GhU3J", ""},
	} {
		h := must.Get(Of(context.Background(), folders, c.agent, c.session))(t)
		var got []string
		for _, one := range h.Transcripts {
			got = append(got, filepath.Base(one.File))
			if lines, _ := tellings(t, one, Options{Ended: true}); len(lines) == 0 {
				t.Errorf("%s of %s cannot be read", c.session, c.agent)
			}
		}
		if len(h.Problems) > 0 || strings.Join(got, " ") != c.want {
			t.Errorf("%q of %s: found %q, problems %v, want %q", c.session, c.agent, got, h.Problems, c.want)
		}
		must.Do(t, h.Close())
	}
}

func TestOfCopiesTheLastThatWasWrittenToCounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, name := range []string{"a/x.jsonl", "b/x.jsonl", "c/x.jsonl"} {
		file := write(t, dir, name, claudePrompt("a", name))
		at := touched.Add(time.Duration(i%2) * time.Hour)
		must.Do(t, os.Chtimes(file, at, at))
	}
	h := must.Get(Of(context.Background(), []string{dir}, claudeAgent, "x"))(t)
	if len(h.Transcripts) != 1 || h.Transcripts[0].name != "b/x.jsonl" {
		t.Errorf("found %v, want b/x.jsonl", h.Transcripts)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := Of(ended, []string{dir}, claudeAgent, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was ended", err)
	}
}
