package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Of finds the transcript of one session by the agent's own ID for it: Transcripts has it alone, or is empty.
// The ID is only compared with the names that are there. Those of subagents are not found.
func Of(ctx context.Context, folders []string, agent memory.Agent, session string) (*Histories, error) {
	h, err := find(ctx, folders, func(by memory.Agent, name string) bool {
		return by == agent && session != "" && mayBeOf(agent, name, session)
	})
	if err != nil {
		return nil, err
	}
	h.Transcripts = slices.DeleteFunc(h.Transcripts, func(t Transcript) bool { return !h.isOf(ctx, t, session) })
	h.Transcripts = h.Transcripts[max(0, len(h.Transcripts)-1):] // of copies the last one that was written to
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), h.Close())
	}
	return h, nil
}

// mayBeOf says whether the transcript of a session can have a name.
func mayBeOf(agent memory.Agent, name, session string) bool {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	switch agent {
	case claudeAgent:
		return stem == session && !strings.HasPrefix(stem, "agent-") && !strings.Contains("/"+name, "/subagents/")
	case codexAgent:
		return strings.HasSuffix(stem, "-"+session)
	case geminiAgent:
		return strings.HasSuffix(stem, "-"+session[:min(8, len(session))])
	}
	return true // rows say it themselves
}

// errEnough ends reading.
var errEnough = errors.New("enough")

// isOf says whether a transcript whose name fits is that of a session. Where names do not tell subagents from
// sessions (Codex) or have only the beginning of the ID (Gemini CLI), the first record does.
func (h *Histories) isOf(ctx context.Context, t Transcript, session string) bool {
	switch {
	case t.rows != nil:
		return t.rows.id == session && t.rows.parent == ""
	case t.Agent == claudeAgent:
		return true
	}
	var first hookPayload
	_, err := t.Read(ctx, Options{}, func(r Record) error {
		return errors.Join(errEnough, json.Unmarshal(r.Payload, &first))
	})
	if err != nil && !errors.Is(err, errEnough) {
		h.problem(t.File, foreign.Reason(err).Error())
	}
	return first.Session == session && first.Agent == ""
}
