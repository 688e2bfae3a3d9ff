package agent

import (
	"cmp"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/typed"
)

// Seen is what one payload says.
type Seen struct {
	// Event is the event without Place and At, which the payload does not hold. Its ID is set only
	// where the payload makes it the only one of its kind; its touches hold absolute paths, byte for
	// byte, not escaped yet.
	Event memory.Event
	// Workdir is the agent's current directory.
	Workdir string
	// ProjectDir is where to look for the project: what the agent calls its project, else Workdir. The
	// agent may have moved its current directory anywhere.
	ProjectDir string
	// Answered says that the agent waits for this event and shows its model what Answer writes.
	Answered bool
	// Log is a file at whose end the agent has noted how the call ended, where the payload does not
	// say it; see Ended.
	Log string
	// Head is a file at whose beginning the agent has noted where a prompt comes from, where the
	// payload does not say it; see Began.
	Head string
	// Twin says that the agent runs the hooks of another beside its own: the same event may arrive
	// twice at once.
	Twin bool

	call   string        // that Log is about
	failed *memory.Event // what Event becomes if the call failed
}

// Decode reads one payload of the named agent, or with Auto of whichever agent it is. Another agent
// may run the hooks of the named one; its payload is recognised. ok is false for events that hebb
// does not record; unknown events, tools and fields are no errors. A damaged payload gives an error
// together with what was read before the damage, which may be ok.
//
// Decode stops after the payload or after readLimit bytes; it does not drain r.
func Decode(name memory.Agent, r io.Reader, getenv func(string) string, limits tuning.Capture, readLimit int64) (seen Seen, ok bool, err error) {
	readers := readersOf(name)
	if len(readers) == 0 {
		return Seen{}, false, unknown(string(name))
	}
	p := newPayload(readers, limits)
	err = scan(r, readLimit, &p)
	if a := p.reader(name, readers, getenv); a != nil {
		seen, ok = a.seen(p, getenv)
	}
	return seen, ok, err
}

// seen applies the adapter's tables to a payload.
func (a *adapter) seen(p payload, getenv func(string) string) (Seen, bool) {
	name := p.get(a.common.event)
	if a.eventName != nil {
		name = a.eventName(p)
	}
	rule := a.event(name)
	if rule == nil {
		return Seen{}, false
	}
	s := a.place(p, getenv)
	s.Event = memory.Event{
		Kind: rule.kind, Origin: speaker(rule.kind), Agent: a.name,
		AgentSession: p.get(a.common.session), Subagent: p.get(a.common.subagent),
		Input: p.get(rule.input), Text: p.get(rule.text),
	}
	if rule.kind == memory.SessionStarted {
		s.Event.Input = startSource(s.Event.Input)
	}
	switch rule.kind {
	case memory.ToolPlanned, memory.ToolUsed, memory.ToolFailed:
		if !a.call(p, rule, &s) {
			return Seen{}, false
		}
	}
	if a.refine != nil && !a.refine(p, &s.Event) {
		return Seen{}, false
	}
	if rule.kind == memory.Prompted && s.Event.Origin == memory.OriginUser {
		source := ""
		if a.source != nil {
			source = a.source(p, getenv)
		}
		s.Event.Origin = originOf(typed.By(source, s.Event.Text))
		if a.begins && source == "" && s.Event.Origin == memory.OriginUser && s.Event.Subagent == "" {
			s.Head = p.get("/transcript_path")
		}
	}
	s.Event.ID, s.Twin = rule.eventID(p, s.Event), len(a.runs) > 0
	if a.logged != "" && a.logged == s.Event.Tool && s.Event.Kind == memory.ToolUsed {
		failed := s.Event
		fail(&failed, p.get(a.results[0]), s.Event.ResultBytes)
		failed.ID = rule.eventID(p, failed)
		s.Log, s.call, s.failed = p.get("/transcript_path"), p.get(rule.call), &failed
	}
	s.Answered = rule.answers(s.Event.Kind)
	if s.Event.Subagent != "" && s.Event.Kind == memory.Prompted {
		s.Answered = false // it repeats what the agent asked of the subagent
	}
	return s, true
}

// speaker is whose words an event holds.
func speaker(kind memory.EventKind) memory.Origin {
	switch kind {
	case memory.Prompted:
		return memory.OriginUser
	case memory.TurnEnded, memory.SubagentEnded, memory.Compacted:
		return memory.OriginAgent
	}
	return memory.OriginTool
}

// originOf is the origin of a prompt: the person, an agent or a script that hands over a task, or
// the agent's own machinery.
func originOf(who typed.Who) memory.Origin {
	switch who {
	case typed.Program:
		return memory.OriginAgent
	case typed.Notice:
		return memory.OriginTool
	}
	return memory.OriginUser
}

// call reads what an event says of the call of a tool. It reports whether there is something to
// record or to answer.
func (a *adapter) call(p payload, rule *eventRule, s *Seen) bool {
	if s.Event.Tool = p.get(cmp.Or(rule.tool, a.common.tool)); s.Event.Tool == "" {
		return false // cut off before it says anything
	}
	tool := a.tool(s.Event.Tool)
	results := a.resultsOf(tool)
	if tool != nil {
		s.Event.Input = p.get(rule.at(cmp.Or(tool.input, tool.command)))
	}
	switch rule.kind {
	case memory.ToolPlanned:
		if tool == nil || !tool.acts() {
			return false // looking at something needs no answer
		}
		s.Event.Touches = a.touches(p, tool, rule, s.Workdir)
		s.Event.Touches = slices.DeleteFunc(s.Event.Touches, func(t memory.Touch) bool {
			return t.Kind != memory.Edit && t.Kind != memory.Delete
		})
		s.Event.Text = added(p, tool, rule)
		return s.Event.Input != "" || len(s.Event.Touches) > 0
	case memory.ToolUsed:
		if tool != nil {
			s.Event.Touches = a.touches(p, tool, rule, s.Workdir)
			s.Event.Text = p.plan(tool.plan)
		}
		ran := shell.Try(s.Event.Input, false, "")
		silent := ran.Mutes() || a.logged == s.Event.Tool && ran.Deed() >= shell.Starts
		if tool != nil && tool.command != "" && silent {
			for _, path := range results { // only what it printed says how it ended; fault.Ended reads it
				s.Event.Text += p.get(path)
			}
		}
	case memory.ToolFailed: // a file that could not be read or changed was not touched
		results = []string{rule.text} // what went wrong is all that the agent reads
	}
	s.Event.ResultBytes = p.sizes(results)
	return true
}

// added are the lines that a planned call puts into files where they are not yet.
func added(p payload, tool *toolRule, rule *eventRule) string {
	text, searched := p.at(rule.at(tool.patch)).added, false // searched: Cline marks what it replaces
	for _, file := range tool.edits {
		get := func(name string) string { return p.get(rule.at(path.Dir(file)+"/"+name)) + "\n" }
		before := "\n------- SEARCH\n=======\n+++++++ REPLACE\n"
		for _, name := range replaced {
			before += get(name)
		}
		for _, name := range written {
			for line := range strings.Lines(get(name)) {
				searched = searched && line[0] != '=' || strings.HasPrefix(line, "------- ")
				if !searched && !strings.Contains(before, "\n"+line) {
					text += line
				}
			}
		}
	}
	return text
}

// place finds the folders in which the agent works.
func (a *adapter) place(p payload, getenv func(string) string) Seen {
	s := Seen{Workdir: p.get(a.common.workdir), ProjectDir: getenv(a.projectEnv)}
	var root string
	if roots := p.all(a.common.root); len(roots) > 0 && Rooted(roots[0]) {
		root = roots[0]
	}
	if s.Workdir == "" {
		s.Workdir = root
	}
	if !Rooted(s.ProjectDir) {
		s.ProjectDir = root
	}
	if s.ProjectDir == "" {
		s.ProjectDir = s.Workdir
	}
	return s
}

// eventID gives the same call the same ID, however often it arrives; "" where the payload does not
// identify it. The agent's name is not part of it: Cursor and VS Code run Claude's hooks beside
// their own, and one call may arrive under two names.
func (r *eventRule) eventID(p payload, e memory.Event) memory.EventID {
	call := p.get(r.call)
	if call == "" || e.AgentSession == "" {
		return ""
	}
	if !r.whole {
		return memory.DerivedEventID(e.AgentSession, call, string(e.Kind))
	}
	parts := append(make([]string, 0, 8), e.AgentSession, moment(call), string(e.Kind), e.Subagent, e.Input, e.Text)
	for _, t := range e.Touches {
		parts = append(parts, string(t.Kind), t.Path)
	}
	return memory.DerivedEventID(parts...)
}

// moment writes a time the same way whether an agent counts milliseconds or writes a date: Copilot
// does one for its own hooks and the other for those in Claude's form. What is no date stays as it
// is.
func moment(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return strconv.FormatInt(at.UnixMilli(), 10)
}

// startSource says in Claude's words how a session begins. A fork has the context of the session it
// comes from.
func startSource(source string) string {
	switch source {
	case "", "new":
		return "startup"
	case "fork":
		return "resume"
	}
	return source
}
