package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/state"
)

const (
	runningTitle  = "This session so far"
	runningBytes  = 2500 // in a budget of 8000, like the lengths below
	runningLeast  = 1000 // in a smaller one
	taskBytes     = 300  // of the first prompt
	laterBytes    = 200  // of each of the latest ones, of an error and of what comes next
	filesBytes    = 300  // of the names of changed files, and of commands
	latestPrompts = 2
	commandsShown = 3
	stillFailing  = "still failing"
	failingShown  = 3
	failingBytes  = 300 // of what a failure printed, at a start
)

// runningItems are about the session itself: its task in the person's words, what they said to keep or avoid, what was done, what failed
// and what comes next. What was said takes the room that the rest leaves.
func (s *starting) runningItems(share float64) []Item {
	share = max(min(share, 1), runningLeast/float64(runningBytes))
	room := func(most int) int { return int(share * float64(most)) }
	r, left := s.running, room(runningBytes)-len("### "+runningTitle+"\n")
	var items, holds []Item
	add := func(list *[]Item, key, line string) bool {
		if line = "- " + line; len(line)+len("\n") > left {
			return false
		}
		left -= len(line) + len("\n")
		*list = append(*list, Item{Key: key, Text: line})
		return true
	}
	quote := func(label string, origin memory.Origin, at time.Time, text string, most int) {
		if text = prose.ShortenBytes(brain.AsData(text), room(most)); text != "" && !prose.Withheld(origin, text) {
			add(&items, said(text), label+": "+Quote(origin, at, s.now, text))
		}
	}
	for i, e := range r.Prompts {
		label, most := "then", laterBytes
		switch {
		case i == 0:
			label, most = "task", taskBytes
		case i < len(r.Prompts)-latestPrompts:
			continue
		}
		if i == len(r.Prompts)-1 && r.Closing.ID == "" && r.Session.ClosedAt.IsZero() { // of one that is over the last words may be lost
			label += ", not finished"
		}
		quote(label, e.Origin, e.At, e.Text, most)
	}
	prompts := len(items)
	own := r.Session
	if own.HasOwnSummary() {
		quote("so far", own.SummaryBy, own.SummaryAt, own.Happened, taskBytes)
	}
	if len(r.Changed) > 0 {
		add(&items, "", "changed, the latest first: "+named(r.Changed, room(filesBytes)))
	}
	worked, passed := "worked", "passed since"
	if r.Unreported {
		worked, passed = "ran (how it ended is not known)", "run again since"
	}
	var commands []string
	for _, c := range slices.Backward(r.Worked) {
		if c = prose.Quoted(brain.AsData(c)); prose.Withheld(memory.OriginAgent, c) {
			continue
		}
		if commands = append(commands, c); len(commands) == commandsShown || len(strings.Join(commands, ", ")) > room(filesBytes)/2 {
			break
		}
	}
	if len(commands) > 0 {
		add(&items, "", worked+", the latest first: "+strings.Join(commands, ", "))
	}
	for _, label := range []struct {
		state fault.State
		text  string
	}{{fault.Open, stillFailing}, {fault.Over, "last error, " + passed}} {
		for _, f := range slices.Backward(r.Failed) {
			if f.State == label.state {
				add(&items, "", label.text+": "+failedCall(f.Event, room(laterBytes)))
				break
			}
		}
	}
	if own.HasOwnSummary() && own.Next != "" {
		quote("next", own.SummaryBy, own.SummaryAt, own.Next, laterBytes)
	} else if next := goals.LeftToDo(r.Closing.Text); next != "" {
		quote("next", memory.OriginAgent, r.Closing.At, next, laterBytes)
	}
	for _, c := range saidHere(r) {
		label := "said"
		if c.Kind == memory.Intention {
			label = "later"
		}
		line := label + ": " + Quote(c.Origin, c.SaidAt, s.now, state.Statement{Crystal: c}.Words())
		if add(&holds, saidWords(c.Text), line) {
			s.shows(c.ID, line)
		}
	}
	return slices.Insert(items, prompts, holds...)
}

// saidHere is what the person said in a session, the latest first. Its kind is wrong too often to order it by.
func saidHere(r desk.SoFar) []memory.Crystal {
	return slices.SortedStableFunc(slices.Values(r.Said), func(a, b memory.Crystal) int { return b.SaidAt.Compare(a.SaidAt) })
}

// named names the latest files first, within a number of bytes.
func named(paths []string, most int) string {
	text, left := "", len(paths)
	for _, p := range slices.Backward(paths) {
		more := text + record.ShownName(p)
		if len(more) > most && text != "" {
			return strings.TrimSuffix(text, ", ") + fmt.Sprintf(" and %d more", left)
		}
		text, left = more+", ", left-1
	}
	return strings.TrimSuffix(text, ", ")
}

// failedCall is a failed tool call on one line: what was called, and so many bytes of the lines of its output that say most.
func failedCall(e memory.Event, most int) string {
	what := e.Tool
	if e.Input != "" {
		what = prose.Quoted(prose.ShortenBytes(brain.AsData(e.Input), desk.LongestCommand))
	}
	var printed []string
	for _, line := range fault.Telling(e.Text) {
		line = prose.ShortenBytes(brain.AsData(line), most)
		if line != "" && !prose.Withheld(memory.OriginTool, line) {
			printed = append(printed, prose.Quoted(line))
			most -= min(most, len(line))
		}
	}
	if len(printed) == 0 {
		return what
	}
	return fmt.Sprintf("%s printed %s", what, strings.Join(printed, ", "))
}
