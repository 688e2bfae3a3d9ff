package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// MomentsRow is one line of the benchmark: at moments of one sort, how often something was shown.
type MomentsRow struct {
	Bench  string  `json:"bench"`
	Repo   string  `json:"repo"`
	Moment string  `json:"moment"` // edit, command
	Set    string  `json:"set"`
	Asked  int     `json:"asked"`
	Shown  int     `json:"shown"`
	Share  float64 `json:"share"` // percent
}

// Moments replays recorded sessions as hooks report them, with the notes of agents in lessons as
// the only memories, and asks before each edit and each command. Something is to be shown before
// the edit of a file that a note is about.
func Moments(ctx context.Context, in Input, lessons string) (rows []MomentsRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	for _, pair := range in.Sessions {
		m := &moments{repo: pair.Repo}
		if m.place, err = newProject(filepath.Join(dir, pair.Repo)); err != nil {
			return nil, err
		}
		c := config.Config{Dir: filepath.Join(dir, pair.Repo+"-memory"), Tuning: in.Tuning}
		if m.b, err = brain.Open(ctx, c, func() time.Time { return m.now }); err != nil {
			return nil, err
		}
		err := m.replay(ctx, pair, lessons)
		if err = errors.Join(err, m.b.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", pair.Repo, err)
		}
		for _, row := range m.rows {
			row.Share = percentOf(row.Shown, row.Asked)
			rows = append(rows, *row)
		}
	}
	return rows, nil
}

// moments is one repository.
type moments struct {
	repo  string
	b     *brain.Brain
	place memory.Place
	now   time.Time
	count int
	rows  []*MomentsRow
}

func (m *moments) event(kind memory.EventKind, run string) memory.Event {
	m.count++
	m.now = m.now.Add(time.Second)
	return memory.Event{
		ID: memory.DerivedEventID("moments", m.repo, fmt.Sprint(m.count)), At: m.now, Kind: kind, Origin: memory.OriginTool,
		Agent: agent.ClaudeCode, AgentSession: run, Place: m.place,
	}
}

// call is an event about a tool that a recorded session called.
func (m *moments) call(kind memory.EventKind, run string, o SessionEvent) memory.Event {
	e := m.event(kind, run)
	switch {
	case o.Changes():
		e.Tool, e.Touches = "Edit", []memory.Touch{{Kind: memory.Edit, Path: memory.EscapePath(o.Target)}}
	case o.Op == "bash":
		e.Tool, e.Input = "Bash", o.Target
	default:
		e.Tool, e.Touches = "Read", []memory.Touch{{Kind: memory.Read, Path: memory.EscapePath(o.Target)}}
	}
	return e
}

func (m *moments) write(file string) error {
	name := filepath.Join(m.place.Root, file)
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte("text\n"), 0o600))
}

// ask asks at a moment and counts the answer.
func (m *moments) ask(ctx context.Context, moment, set string, e memory.Event) error {
	at := slices.IndexFunc(m.rows, func(r *MomentsRow) bool { return r.Moment == moment && r.Set == set })
	if at < 0 {
		at, m.rows = len(m.rows), append(m.rows, &MomentsRow{Bench: "moments", Repo: m.repo, Moment: moment, Set: set})
	}
	out, err := steward.Run(ctx, m.b, answer.Moment, e)
	m.rows[at].Asked++
	if len(out.Lines) > 0 {
		m.rows[at].Shown++
	}
	return err
}

// replay goes through the sessions of a repository. Notes are remembered when they were written.
func (m *moments) replay(ctx context.Context, pair SessionFiles, lessons string) error {
	recorded, err := ReadRecording(pair)
	if err != nil || len(recorded.Sessions) == 0 {
		return err
	}
	notes, err := m.notes(lessons)
	if err != nil {
		return err
	}
	m.now = recorded.Sessions[0].Start.Add(-24 * time.Hour)
	first := []memory.Event{m.event(memory.SessionEnded, "first")} // the project is known
	if _, err := steward.Run(ctx, m.b, steward.Observe, first); err != nil {
		return err
	}
	noted := map[string]bool{} // files that a note is about
	for _, s := range recorded.Sessions {
		m.now = s.Start
		for ; len(notes) > 0 && notes[0].at.Before(s.Start); notes = notes[1:] {
			out, err := steward.Run(ctx, m.b, statements.Remember, statements.RememberInput{
				Scope: brain.Scope{Project: m.place.Project().String()}, Kind: memory.Lesson, Text: notes[0].Text,
				Origin: memory.OriginAgent, Files: []string{notes[0].Path},
			})
			if err != nil {
				return err
			}
			if len(out.Anchors) > 0 {
				noted[notes[0].Path] = true
			}
		}
		if err := m.work(ctx, s, noted); err != nil {
			return err
		}
	}
	return nil
}

// work reports a recorded session, and asks before the first edit of each file and before each
// command of it.
func (m *moments) work(ctx context.Context, s AgentSession, noted map[string]bool) error {
	begin := m.event(memory.Prompted, s.ID)
	begin.Origin = memory.OriginUser
	if len(s.Prompts) > 0 {
		begin.Text = s.Prompts[0].Text
	}
	events := []memory.Event{begin}
	asked := map[string]bool{}
	for _, o := range s.Events {
		var err error
		switch {
		case o.Op == "grep":
			continue
		case o.Op == "bash":
			err = m.ask(ctx, "command", "nothing is known", m.call(memory.ToolPlanned, s.ID, o))
		case o.Changes() && !asked[o.Target]:
			asked[o.Target] = true
			set := "no note is about the file"
			if noted[o.Target] {
				set = "a note is about the file"
			}
			err = errors.Join(m.ask(ctx, "edit", set, m.call(memory.ToolPlanned, s.ID, o)), m.write(o.Target))
		}
		if err != nil {
			return err
		}
		events = append(events, m.call(memory.ToolUsed, s.ID, o))
	}
	_, err := steward.Run(ctx, m.b, steward.Observe, append(events, m.event(memory.SessionEnded, s.ID)))
	return err
}

// notes are those of the repository about a file, by time. The files exist.
func (m *moments) notes(lessons string) (list []textMemory, err error) {
	for n, err := range readLines(lessons, decodeTextMemory) {
		if err != nil {
			return nil, err
		}
		if n.NS == m.repo && n.Path != "" && !strings.Contains(n.Path, "*") && m.write(n.Path) == nil { // else it names a folder
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b textMemory) int { return a.at.Compare(b.at) })
	return list, nil
}

// decodeTextMemory reads a line of memories.jsonl.
func decodeTextMemory(line []byte) (m textMemory, err error) {
	if err = json.Unmarshal(line, &m); err == nil {
		m.at, err = readTime(m.Time)
	}
	return m, err
}
