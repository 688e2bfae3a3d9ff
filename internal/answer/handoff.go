package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/config"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// HandoffResult is a task as a prompt for another agent.
type HandoffResult struct {
	Session memory.SessionID `json:"session"`
	Agent   memory.Agent     `json:"agent"` // that began it
	Text    string           `json:"text"`
}

// Handoff writes the task of a session as a prompt for another agent: what the person asked for and said, what was changed, what passed and
// what fails, and what comes next. Without a name it is the latest session that has a task which is not finished.
var Handoff = brain.Operation[record.SessionInput, HandoffResult]{
	Name: "handoff", Files: brain.ReadFiles,
	Run: func(ctx context.Context, b *brain.Brain, in record.SessionInput) (HandoffResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (HandoffResult, error) {
			sessions, err := sessionsToHandOver(ctx, b.Config, tx, in)
			if err != nil {
				return HandoffResult{}, err
			}
			done := ""
			for _, one := range sessions {
				running, err := desk.ReadSoFar(ctx, b.Config, tx, one.ID, nil)
				if err != nil {
					return HandoffResult{}, err
				}
				if in.Session == "" && finished(running) {
					done = cmp.Or(done, one.ID.String())
					continue
				}
				if len(running.Prompts) > 0 {
					s := starting{brain: b, running: running, now: tx.Now}
					return HandoffResult{Session: one.ID, Agent: one.Agent, Text: s.handoff(one)}, nil
				}
			}
			if done != "" {
				return HandoffResult{}, fmt.Errorf("no unfinished task here: the latest session ended its own (hebb handoff --session %s prints it all the same): %w", done, memory.ErrNotFound)
			}
			return HandoffResult{}, fmt.Errorf("no session with a task here yet (hebb sessions --all lists those of other projects): %w", memory.ErrNotFound)
		})
	},
}

// finished reports whether a session leaves nothing to hand over: the agent ended its turn, nothing fails, and nobody named a next step.
func finished(r desk.SoFar) bool {
	failing := slices.ContainsFunc(r.Failed, func(f fault.Failure) bool { return f.State == fault.Open })
	next := goals.LeftToDo(r.Closing.Text)
	if r.Session.HasOwnSummary() {
		next = r.Session.Next
	}
	return len(r.Prompts) > 0 && r.Closing.ID != "" && !failing && next == ""
}

const handoverLooked = 24 // latest sessions

// sessionsToHandOver are the session that was named, else the latest ones.
func sessionsToHandOver(ctx context.Context, c config.Config, tx *store.Tx, in record.SessionInput) ([]memory.Session, error) {
	if in.Session != "" {
		one, err := record.FindSession(ctx, tx, in.Session)
		return []memory.Session{one}, err
	}
	id, err := brain.Resolve(ctx, tx, c, in.Scope)
	if err != nil {
		return nil, err
	}
	return tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: handoverLooked})
}

// handoff is the text of a session that goes on elsewhere.
func (s *starting) handoff(session memory.Session) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Continue the task below, which %s began here (%s). hebb kept this record of that session: quoted are the words of the one who is named, "+
		"the rest is what happened. Look at the files before you rely on it, and go on with what is not finished.\n\n",
		session.Agent, brain.ShortDay(session.OpenedAt, s.now))
	for _, item := range s.runningItems(1) {
		b.WriteString(item.Text + "\n")
	}
	return b.String()
}
