package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// TaskRow says for which share of related tasks the right answer is among the first few.
type TaskRow struct {
	Bench string  `json:"bench"`
	Asked string  `json:"asked"` // search: a session that is of use; recall: a file of the fix
	Tasks int     `json:"tasks"`
	At1   float64 `json:"at_1" show:"%.2f"`
	At3   float64 `json:"at_3" show:"%.2f"`
	At5   float64 `json:"at_5" show:"%.2f"`
	At10  float64 `json:"at_10" show:"%.2f"`
}

// livedSession is a session as bench/context holds it.
type livedSession struct {
	Session string
	Turns   []struct {
		At     time.Time
		Prompt string
		Agent  []string
		Tools  [][]any // name, argument, whether it worked, the end of its output
	}
}

type relatedTask struct {
	Problem     string
	Gold, Right []string // files of the fix; sessions that edited one of them
}

// Tasks records the sessions of each repository of a folder, then asks for what its related tasks need.
func Tasks(ctx context.Context, t tuning.Tuning, folder string) ([]TaskRow, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.tasks.jsonl"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no *.tasks.jsonl in %s", folder)
	}
	rows := []TaskRow{{Bench: "tasks", Asked: "search"}, {Bench: "tasks", Asked: "search --sessions"}, {Bench: "tasks", Asked: "recall"}}
	for _, file := range files {
		err = errors.Join(err, related(ctx, t, file, rows))
	}
	for i := range rows {
		for _, share := range []*float64{&rows[i].At1, &rows[i].At3, &rows[i].At5, &rows[i].At10} {
			*share /= float64(max(rows[i].Tasks, 1))
		}
	}
	return rows, err
}

// place counts the first right one of answers.
func (r *TaskRow) place(first int) {
	r.Tasks++
	for _, s := range []struct {
		share *float64
		among int
	}{{&r.At1, 1}, {&r.At3, 3}, {&r.At5, 5}, {&r.At10, 10}} {
		if first >= 0 && first < s.among {
			*s.share++
		}
	}
}

func related(ctx context.Context, t tuning.Tuning, file string, rows []TaskRow) (err error) {
	hebb, err := replay.NewHebb(ctx, t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hebb.Close()) }()
	held := map[memory.SessionID]string{}
	for s, err := range readLines(strings.TrimSuffix(file, ".tasks.jsonl")+".jsonl.gz", decoded[livedSession]) {
		if err == nil && len(s.Turns) > 0 {
			events := s.events(hebb.Place)
			hebb.Until(events[len(events)-1].At)
			held[memory.NewSessionID(memory.Agent("claude-code"), s.Session, hebb.Place.Project())] = s.Session
			err = hebb.Observe(ctx, events)
		}
		if err != nil {
			return err
		}
	}
	if _, err := steward.Run(ctx, hebb.Brain, steward.Drain, steward.DrainInput{Wait: true}); err != nil { // texts are indexed
		return err
	}
	for task, err := range readLines(file, decoded[relatedTask]) {
		if err != nil {
			return err
		}
		scope := brain.Scope{Project: hebb.Place.Project().String()}
		for i, alone := range []bool{false, true} {
			in := texts.SearchInput{Scope: scope, Query: task.Problem, Limit: 50, Weak: true, Sessions: alone}
			found, err := steward.Run(ctx, hebb.Brain, answer.SearchTexts, in)
			if err != nil {
				return err
			}
			names := sessionsOf(found.Found, held)
			rows[i].place(slices.IndexFunc(names, func(name string) bool { return slices.Contains(task.Right, name) }))
		}
		files, err := steward.Run(ctx, hebb.Brain, ranking.Recall, ranking.RecallInput{Scope: scope, Text: task.Problem, Limit: 10})
		if err != nil {
			return err
		}
		rows[2].place(slices.IndexFunc(files.Files, func(f ranking.Recalled) bool { return slices.Contains(task.Gold, f.Path) }))
	}
	return nil
}

// sessionsOf are the sessions that found texts are of, each once.
func sessionsOf(found []texts.Found, held map[memory.SessionID]string) (names []string) {
	for _, f := range found {
		session := f.Session
		if f.Crystal != nil {
			session = f.Crystal.Session
		}
		if name := held[session]; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func decoded[T any](line []byte) (v T, err error) { return v, json.Unmarshal(line, &v) }

// events are what the hooks of Claude Code would have said.
func (s livedSession) events(at memory.Place) (events []memory.Event) {
	clock := s.Turns[0].At
	add := func(kind memory.EventKind, origin memory.Origin, text string) *memory.Event {
		clock = clock.Add(time.Second)
		events = append(events, memory.Event{
			ID: memory.DerivedEventID("bench", at.Identity, s.Session, fmt.Sprint(len(events))), At: clock, Kind: kind, Origin: origin,
			Agent: memory.Agent("claude-code"), AgentSession: s.Session, Place: at, Text: text,
		})
		return &events[len(events)-1]
	}
	for _, turn := range s.Turns {
		if turn.At.After(clock) {
			clock = turn.At
		}
		add(memory.Prompted, memory.OriginUser, turn.Prompt)
		for _, tool := range turn.Tools {
			name, argument, printed := fmt.Sprint(tool[0]), fmt.Sprint(tool[1]), ""
			if len(tool) > 3 {
				printed = fmt.Sprint(tool[3])
			}
			kind := memory.ToolUsed
			if fmt.Sprint(tool[2]) == "0" {
				kind = memory.ToolFailed
			}
			e := add(kind, memory.OriginTool, printed)
			touch, touches := map[string]memory.TouchKind{"Read": memory.Read, "Edit": memory.Edit, "MultiEdit": memory.Edit, "Write": memory.Edit}[name]
			if e.Tool = name; !touches {
				e.Input = argument
			} else if kind == memory.ToolUsed && !strings.HasPrefix(argument, "/") {
				e.Touches = []memory.Touch{{Kind: touch, Path: memory.EscapePath(strings.TrimPrefix(argument, "./"))}}
			}
		}
		if n := len(turn.Agent); n > 0 {
			add(memory.TurnEnded, memory.OriginAgent, turn.Agent[n-1])
		}
	}
	add(memory.SessionEnded, memory.OriginTool, "")
	return events
}
