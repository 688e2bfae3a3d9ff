package desk

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// SoFar is what a session that goes on has done, from the store and from what waits for it.
type SoFar struct {
	Session memory.Session   // zero if nothing of it is stored
	Prompts []memory.Event   // tasks of the person
	Said    []memory.Crystal // by the person: what holds, and what is to be done later
	Changed []string         // files, in the order of their last change
	Worked  []string         // commands, in the order of their last run
	Failed  []fault.Failure  // what failed, and what became of it
	Closing memory.Event     // the last end of a turn since the latest task; zero while there is none
	Began   []memory.Event   // subagents
	// Unreported says that the agent may not have reported how a command ended. Codex does so only where its transcript can be read.
	Unreported bool
	reported   bool // it did so once
}

const (
	soFarEvents = 1000 // latest events of a session that are read
	// LongestCommand is the number of bytes of a command line that somebody may want to run again. A longer one is a script.
	LongestCommand = 80
	leastTask      = 8 // characters of a prompt of several words that says what is wanted: neither "yes" nor "go on"
)

// ReadSoFar gathers what a session has done.
func ReadSoFar(ctx context.Context, conf config.Config, tx *store.Tx, id memory.SessionID, waiting []memory.Event) (s SoFar, err error) {
	if s.Session, err = tx.Session(ctx, id); err != nil && !brain.IsNotFound(err) {
		return s, err
	}
	events, err := tx.Events(ctx, store.EventFilter{Session: id, Limit: soFarEvents})
	if err != nil {
		return s, err
	}
	prompts, err := tx.Events(ctx, store.EventFilter{Session: id, Kind: memory.Prompted})
	if err != nil {
		return s, err
	}
	stored := map[memory.EventID]bool{}
	for _, e := range events {
		stored[e.ID] = true
	}
	for _, e := range prompts { // the first may be older than the events that were read
		if !stored[e.ID] {
			events = append(events, e)
		}
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Session: id, Origin: memory.OriginUser, Current: true, Living: true})
	if err != nil {
		return s, err
	}
	for _, c := range kept {
		s.Said = append(s.Said, c.Crystal)
	}
	var happened []memory.Event
	see := func(e memory.Event) {
		e = fault.Ended(e)
		happened = append(happened, e)
		s.see(e)
	}
	for _, e := range slices.Backward(events) {
		see(e.Event)
	}
	for _, e := range waiting {
		if stored[e.ID] {
			continue // it was stored just now
		}
		see(e)
		if e.Kind != memory.Prompted {
			continue
		}
		said, err := statements.Understood(ctx, conf, tx, memory.StoredEvent{Event: e, Project: e.Place.Project(), Session: id})
		if err != nil {
			return s, err
		}
		s.Said = append(s.Said, said...)
	}
	s.Failed = fault.Follow(happened, agent.Codex)
	return s, nil
}

// see takes in the next event. What a subagent does counts as the session's; what is said to it and what it answers does not.
func (s *SoFar) see(e memory.Event) {
	latest := func(list []string, name string) []string {
		return append(slices.DeleteFunc(list, func(n string) bool { return n == name }), name)
	}
	for _, t := range e.Touches {
		switch {
		case e.Kind == memory.ToolFailed || !ranking.ShownPath(t.Path):
		case t.Kind == memory.Edit:
			s.Changed = latest(s.Changed, t.Path)
		case t.Kind == memory.Rename:
			s.Changed = slices.DeleteFunc(latest(s.Changed, t.Path), func(n string) bool { return n == t.From })
		case t.Kind == memory.Delete:
			s.Changed = slices.DeleteFunc(s.Changed, func(n string) bool { return n == t.Path })
		}
	}
	if e.Kind == memory.Prompted {
		e.Text = typed.Task(e.Text)
	}
	s.reported = s.reported || e.Kind == memory.ToolFailed && shell.IsTool(e.Tool)
	s.Unreported = e.Agent == agent.Codex && !s.reported
	switch {
	case e.Kind == memory.Prompted && saysTask(e):
		s.Prompts, s.Closing = append(s.Prompts, e), memory.Event{}
	case e.Kind == memory.TurnEnded && e.Subagent == "":
		s.Closing = e
	case e.Kind == memory.SubagentBegan:
		s.Began = append(s.Began, e)
	case e.Kind == memory.ToolFailed:
		failed := shell.Try(e.Input, true, e.Text)
		s.Worked = slices.DeleteFunc(s.Worked, func(c string) bool { return shell.Try(c, false, "").Shows(failed) == shell.Sure })
	case e.Kind == memory.ToolUsed && shell.IsTool(e.Tool) && len(e.Input) <= LongestCommand && !strings.Contains(e.Input, "\n") &&
		shell.Try(e.Input, false, "").Deed() > shell.Looks:
		s.Worked = latest(s.Worked, e.Input)
	}
}

// saysTask reports whether a prompt says what is wanted: by the person, or by a program that hands over a task.
func saysTask(e memory.Event) bool {
	return e.Origin != memory.OriginTool && e.Subagent == "" && !record.IsCommand(strings.TrimSpace(e.Text)) && isTask(e.Text)
}

// isTask reports whether a text says what is wanted, and not only yes or go on. Some languages write without blanks.
func isTask(text string) bool {
	text = strings.TrimSpace(text)
	n := utf8.RuneCountInString(text)
	return n >= leastTask && len(strings.Fields(text)) > 1 || n > 1 && n < len(text)
}
