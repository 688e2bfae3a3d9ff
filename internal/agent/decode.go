package agent

import (
	"bytes"
	"cmp"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/typed"
)

// Seen is what one payload says.
type Seen struct {
	// Event is the event without Place and At, which the payload does not hold. Its ID is set only where the payload
	// makes it the only one of its kind; its touches hold absolute paths, byte for byte, not escaped yet.
	Event memory.Event
	// Workdir is the agent's current directory.
	Workdir string
	// ProjectDir is where to look for the project: what the agent calls its project, else Workdir. The agent may have
	// moved its current directory anywhere.
	ProjectDir string
	// Answered says that the agent waits for this event and shows its model what Answer writes.
	Answered bool
	// Log is a file at whose end the agent has noted how the call ended, where the payload does not say it; see Ended.
	Log string
	// Head is a file at whose beginning the agent has noted where a prompt comes from, where the payload does not say it; see Began.
	Head string
	// Twin says that the agent runs the hooks of another beside its own: the same event may arrive twice at once.
	Twin bool

	call   string        // that Log is about
	failed *memory.Event // what Event becomes if the call failed
}

// Decode reads one payload of the named agent, or with Auto of whichever agent it is. Another agent may run the hooks of the
// named one; its payload is recognised. ok is false for events that hebb does not record; unknown events, tools and fields are
// no errors. A damaged payload gives an error together with what was read before the damage, which may be ok.
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

// readersOf lists the adapters that share a hook: all for Auto, else those of the name, and then those that run its hooks.
func readersOf(name memory.Agent) []*adapter {
	all := adapters()
	if name == Auto {
		return all
	}
	a := find(string(name))
	if a == nil {
		return nil
	}
	readers := make([]*adapter, 0, 4)
	for _, other := range all {
		if other.name == a.name {
			readers = append(readers, other)
		}
	}
	for _, other := range all {
		if slices.Contains(other.runs, a.name) {
			readers = append(readers, other)
		}
	}
	return readers
}

// reader chooses the adapter of a payload: the one that recognises it, else the named agent's, else the one whose session the
// environment names. Other variables prove nothing: an agent that is started from another's shell inherits them.
func (p payload) reader(name memory.Agent, readers []*adapter, getenv func(string) string) *adapter {
	for _, a := range readers {
		if a.recognises(p) {
			return a
		}
	}
	if name != Auto {
		return readers[0]
	}
	for _, a := range readers {
		if session := p.get(a.common.session); a.sessionEnv != "" && session != "" && session == getenv(a.sessionEnv) {
			return a
		}
	}
	return nil
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
		Kind: rule.kind, Origin: rule.origin, Agent: a.name,
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
		if s.Event.Origin = originOf(typed.By(source, s.Event.Text)); a.begins && source == "" && s.Event.Origin == memory.OriginUser && s.Event.Subagent == "" {
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

// originOf is the origin of a prompt: the person, an agent or a script that hands over a task, or the agent's own machinery.
func originOf(who typed.Who) memory.Origin {
	switch who {
	case typed.Program:
		return memory.OriginAgent
	case typed.Notice:
		return memory.OriginTool
	}
	return memory.OriginUser
}

// call reads what an event says of the call of a tool. It reports whether there is something to record or to answer.
func (a *adapter) call(p payload, rule *eventRule, s *Seen) bool {
	if s.Event.Tool = p.get(cmp.Or(rule.tool, a.common.tool)); s.Event.Tool == "" {
		return false // cut off before it says anything
	}
	tool, results := a.tool(s.Event.Tool), a.results
	if tool != nil {
		s.Event.Input, results = p.get(rule.at(tool.input)), tool.results
	}
	switch rule.kind {
	case memory.ToolPlanned:
		if tool == nil || !tool.acts() {
			return false // looking at something needs no answer
		}
		s.Event.Touches = slices.DeleteFunc(touches(p, tool, rule, s.Workdir), func(t memory.Touch) bool { return !changes(t.Kind) })
		s.Event.Text = added(p, tool, rule)
		return s.Event.Input != "" || len(s.Event.Touches) > 0
	case memory.ToolUsed:
		if tool != nil {
			s.Event.Touches = touches(p, tool, rule, s.Workdir)
		}
		if ran := shell.Try(s.Event.Input, false, ""); tool != nil && tool.command != "" && (ran.Mutes() || a.logged == s.Event.Tool && ran.Deed() >= shell.Starts) {
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

// written is beside a file's path and goes into the file, replaced is what it replaces there.
var written = strings.Fields("content new_string newString new_str new_text new_source file_text code diff edits/~/new_string edits/~/newString")
var replaced = strings.Fields("old_string oldString old_str old_text edits/~/old_string edits/~/oldString")

// added are the lines that a planned call puts into files where they are not yet.
func added(p payload, tool *toolRule, rule *eventRule) string {
	text, searched := p.at(rule.at(tool.patch)).added, false // searched: Cline marks what it replaces
	for _, f := range tool.files {
		get := func(name string) string { return p.get(rule.at(path.Dir(f.path)+"/"+name)) + "\n" }
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

// eventID gives the same call the same ID, however often it arrives; "" where the payload does not identify it. The agent's name
// is not part of it: Cursor and VS Code run Claude's hooks beside their own, and one call may arrive under two names.
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

// moment writes a time the same way whether an agent counts milliseconds or writes a date: Copilot does one for its own
// hooks and the other for those in Claude's form. What is no date stays as it is.
func moment(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return strconv.FormatInt(at.UnixMilli(), 10)
}

// startSource says in Claude's words how a session begins. A fork has the context of the session it comes from.
func startSource(source string) string {
	switch source {
	case "", "new":
		return "startup"
	case "fork":
		return "resume"
	}
	return source
}

// exitCode reads the number between the last mark in a text and the end of that line, 0 if there is none.
func exitCode(text, mark string) int {
	at := strings.LastIndex(text, mark)
	if at < 0 {
		return 0
	}
	number, _, _ := strings.Cut(text[at+len(mark):], "\n")
	code, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil {
		return 0
	}
	return max(code, -code)
}

// fail turns the use of a tool into its failure, where only the answer says so.
func fail(e *memory.Event, text string, size *int64) {
	e.Kind, e.Text, e.Touches, e.ResultBytes = memory.ToolFailed, text, nil, size
}

// touches lists the files that a tool's fields name, each once: edits first, then what was read or deleted, then what
// was mentioned in the answer.
func touches(p payload, tool *toolRule, event *eventRule, workdir string) []memory.Touch {
	list := touchList{limit: p.limits.TouchLimit, folder: workdir}
	for _, rule := range tool.files {
		for _, name := range p.all(event.at(rule.path)) {
			if rule.kind != memory.Mention || fileLike(name) { // what is searched may be a folder
				list.add(rule.kind, absolute(workdir, name))
			}
		}
	}
	if patch := p.at(event.at(tool.patch)); patch.patch {
		list.addPatch(patch.one, workdir)
	}
	if command := p.at(event.at(tool.command)); command.set && !command.patch {
		list.addCommand(scrub.Clean(command.uncut()), workdir) // what is private names no files either
		for _, printed := range tool.results {
			list.addPrinted(scrub.Clean(p.get(printed)))
		}
	}
	list.addPrinted(scrub.Clean(p.get(tool.printed)))
	if names := p.get(tool.listed); names != "" {
		list.addLines(scrub.Clean(names), workdir)
	}
	return list.touches
}

// touchList collects touches, each file once.
type touchList struct {
	touches  []memory.Touch
	limit    int
	folder   string // in which the last command ran
	searches bool   // a command prints names of files
}

func (l *touchList) add(kind memory.TouchKind, path string) {
	known := func(t memory.Touch) bool { return t.Path == path }
	if path != "" && len(l.touches) < l.limit && !slices.ContainsFunc(l.touches, known) {
		l.touches = append(l.touches, memory.Touch{Kind: kind, Path: path})
	}
}

// addLines adds the files named on lines of their own, or before a line number. Lines with spaces are sentences.
func (l *touchList) addLines(text, workdir string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for i := 2; i+1 < len(line); i++ { // C: is no file
			if line[i] == ':' && line[i+1] >= '0' && line[i+1] <= '9' {
				line = line[:i]
			}
		}
		line = strings.TrimSuffix(line, ":") // the title above the lines of a file
		whole := Rooted(line) || !strings.Contains(line, " ")
		if whole && fileLike(line) && !strings.Contains(line, " bytes cut] …") {
			l.add(memory.Mention, absolute(workdir, line))
		}
	}
}

// addPrinted adds the files that commands printed: before the number of a line, as searches and compilers do, and, where one of them prints
// names, those that stand on a line of their own with their folder. Other words with a dot are mostly no files.
func (l *touchList) addPrinted(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		begin := 0
		if Drive(line) {
			begin = len("C:")
		}
		name, rest, numbered := strings.Cut(line[begin:], ":")
		name = line[:begin] + name
		numbered = numbered && rest != "" && rest[0] >= '0' && rest[0] <= '9'
		alone := l.searches && rest == "" && strings.ContainsAny(name, `/\`)
		if (numbered || alone) && !strings.Contains(name, " ") && plainFileName(name) && !strings.HasPrefix(rest, "//") {
			l.add(memory.Mention, absolute(l.folder, name))
		}
	}
}

// field is one field of a payload that is kept.
type field struct {
	path string
	size size
}

// size says how much of a field is kept, and what is done with more.
type size uint8

const (
	asSize   size = iota // only its length
	asTail               // its length and its end
	asName               // identifiers and other short words: dropped when too long
	asScalar             // the same, and numbers, true and false
	asFile               // paths, byte for byte: dropped when too long, since a part of a path is another file
	asInput              // cut in the middle; of a patch its headers
	asText               // cut in the middle
)

// Longer values are no names or paths. How much of a text is kept is a setting.
const (
	nameLimit = 1 << 10
	fileLimit = 4 << 10 // PATH_MAX of Linux
)

// payload collects the fields that adapters ask for.
type payload struct {
	fields []field
	values []value // one for each field
	limits tuning.Capture
	last   int // the field met last: elements of an array come in a row
}

type value struct {
	set   bool
	cut   bool     // one is an excerpt
	patch bool     // one is the headers of a patch
	added string   // lines that the patch adds
	one   string   // the last one, as JavaScript has it when a key is repeated; texts of an array one below the other
	all   []string // of an array of paths, the first few that differ
	// bytes is the length of one, or of all elements of an array, each on a line of its own.
	bytes int64
}

// newPayload prepares for the fields that some adapters read.
func newPayload(readers []*adapter, limits tuning.Capture) payload {
	fields := keptFields(readers)
	return payload{limits: limits, fields: fields, values: make([]value, len(fields))}
}

// keptFields lists the fields that adapters name, each once, with the most that one of them wants of it.
func keptFields(readers []*adapter) []field {
	list := make([]field, 0, 128)
	add := func(s size, paths ...string) {
		for _, path := range paths {
			known := slices.IndexFunc(list, func(f field) bool { return f.path == path })
			switch {
			case path == "":
			case known < 0:
				list = append(list, field{path, s})
			default:
				list[known].size = max(list[known].size, s)
			}
		}
	}
	for _, a := range readers {
		add(asName, a.common.event, a.common.session, a.common.subagent, a.common.tool)
		add(asFile, a.common.workdir, a.common.root)
		add(asSize, a.results...)
		for _, f := range a.fields {
			add(f.size, f.path)
		}
		for _, e := range a.events {
			add(asText, e.text)
			add(asName, e.input, e.tool)
			add(asScalar, e.call)
			if e.moved[1] == "" && e.kind != memory.ToolPlanned {
				continue
			}
			for _, t := range a.tools {
				add(asInput, e.at(t.input), e.at(t.command), e.at(t.patch))
				for _, f := range t.files {
					add(asFile, e.at(f.path))
					for _, name := range slices.Concat(written, replaced) {
						add(asText, e.at(path.Dir(f.path)+"/"+name))
					}
				}
			}
		}
		for _, t := range a.tools {
			add(asInput, t.input, t.command, t.patch)
			add(asText, t.listed, t.printed)
			if t.command != "" {
				add(asTail, t.results...)
			}
			add(asSize, t.results...)
			for _, f := range t.files {
				add(asFile, f.path)
			}
		}
	}
	return list
}

// uncut returns what is surely as it was written: of an excerpt the words before the cut.
func (v value) uncut() string {
	if !v.cut {
		return v.one
	}
	before, _, _ := strings.Cut(v.one, "… [")
	return before[:max(strings.LastIndexAny(before, " \n"), 0)]
}

// get returns the string at path, or "" where there is none. A patch is no text to keep.
func (p payload) get(path string) string {
	if v := p.at(path); !v.patch {
		return v.one
	}
	return ""
}

// has reports whether there is a string at path.
func (p payload) has(path string) bool { return p.at(path).set }

// sizes adds up the lengths of the strings at some paths; nil where there is none of them.
func (p payload) sizes(paths []string) *int64 {
	var sum *int64
	for _, path := range paths {
		if v := p.at(path); v.set {
			if sum == nil {
				sum = new(int64)
			}
			*sum += v.bytes
		}
	}
	return sum
}

// all returns the strings at a path, which may go through arrays.
func (p payload) all(path string) []string {
	v := p.at(path)
	if v.set && !strings.Contains(path, element) {
		return []string{v.one}
	}
	return v.all
}

func (p payload) at(path string) value {
	for i := range p.fields {
		if p.fields[i].path == path {
			return p.values[i]
		}
	}
	return value{}
}

func (p *payload) inside(path []byte) (wanted bool) {
	for i := range p.fields {
		if f := p.fields[i].path; len(f) > len(path) && f[len(path)] == '/' && f[:len(path)] == string(path) {
			wanted = true
			if f[len(path):] == element {
				p.values[i].set = true // an empty list is an answer too
			}
		}
	}
	return wanted
}

func (p *payload) wanted(path []byte) want {
	i := p.index(path)
	switch {
	case i < 0:
		return wantNone
	case p.fields[i].size == asSize, p.fields[i].size == asFile && len(p.values[i].all) > 0 && len(p.values[i].all) >= p.limits.TouchLimit:
		return wantSize
	case p.fields[i].size == asTail:
		return wantTail
	}
	return wantText
}

// most is how many bytes of a field are kept.
func (p *payload) most(s size) int {
	switch s {
	case asInput:
		return p.limits.InputLimit
	case asTail:
		return tailLength
	case asText:
		return p.limits.TextLimit
	case asFile:
		return fileLimit
	}
	return nameLimit
}

func (p *payload) visit(path []byte, kind byte, text []byte, size int64) {
	i := p.index(path)
	f, v := p.fields[i], &p.values[i]
	if kind != '"' && (f.size != asScalar || kind == 'n') {
		return
	}
	many, measured := strings.Contains(f.path, element), p.wanted(path) == wantSize
	if many {
		v.bytes += size + 1
	} else {
		v.bytes = size
	}
	limit := p.most(f.size)
	cut := !measured && len(text) > limit
	if cut && f.size <= asFile {
		return
	}
	v.set = true
	switch {
	case measured:
	case f.size == asFile && !many:
		v.one = string(text)
	case f.size == asFile:
		if !slices.Contains(v.all, string(text)) {
			v.all = append(v.all, string(text))
		}
	default:
		isPatch := f.size == asInput && bytes.HasPrefix(text, []byte(patchMark))
		one := string(text)
		if isPatch {
			v.added = scrub.Excerpt(patchLines(one, "+"), p.limits.TextLimit)
			one, cut = patchLines(one, patchSign), false
		} else if cut {
			one = scrub.Excerpt(one, limit) // a text that is kept whole is cleaned when it is stored
		}
		one = strings.ToValidUTF8(one, "\uFFFD")
		if !many || v.one == "" {
			v.one, v.patch, v.cut = one, isPatch, cut
		} else if len(v.one)+1+len(one) <= limit { // what comes later would push out what is there
			v.one += "\n" + one
		}
	}
}

const (
	patchMark  = "*** Begin Patch"
	patchSign  = "*** " // begins the lines of a patch that name its files
	patchLimit = 64 << 10
)

// patchLines are the lines of a patch that begin with a sign, without it.
func patchLines(patch, sign string) string {
	var lines strings.Builder
	for line := range strings.Lines(patch) {
		line, ok := strings.CutPrefix(line, sign)
		if ok && lines.Len()+len(line) > patchLimit {
			break
		} else if ok {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

func (p *payload) index(path []byte) int {
	if p.fields[p.last].path == string(path) {
		return p.last
	}
	for i := range p.fields {
		if p.fields[i].path == string(path) {
			p.last = i
			return i
		}
	}
	return -1
}
