package agent

import (
	"io"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
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
}

// Decode reads one payload of the named agent; with Auto it finds out whose it is. ok is false for events that hebb
// does not record; unknown events, tools and fields are no errors. A damaged payload gives an error together with
// what was read before the damage, which may be ok.
//
// Decode stops behind the payload or after readLimit bytes; it does not drain r.
func Decode(name memory.Agent, r io.Reader, getenv func(string) string, limits tuning.Capture, readLimit int64) (seen Seen, ok bool, err error) {
	candidates := adapters()
	if name != Auto {
		a := find(string(name))
		if a == nil {
			return Seen{}, false, unknown(string(name))
		}
		candidates = []*adapter{a}
	}
	p := newPayload(candidates, limits)
	err = scan(r, readLimit, &p)
	for _, a := range candidates {
		if name != Auto || a.recognises(p) {
			seen, ok = a.seen(p, getenv)
			return seen, ok, err
		}
	}
	return Seen{}, false, err
}

// seen applies the adapter's tables to a payload.
func (a *adapter) seen(p payload, getenv func(string) string) (Seen, bool) {
	rule := a.event(p.get(a.common.event))
	if rule == nil || rule.kind == "" {
		return Seen{}, false
	}
	s := Seen{Workdir: p.get(a.common.workdir), ProjectDir: getenv(a.projectEnv)}
	if !rooted(s.ProjectDir) {
		s.ProjectDir = s.Workdir
	}
	s.Event = memory.Event{
		Kind: rule.kind, Origin: rule.origin, Agent: a.name,
		AgentSession: p.get(a.common.session), Subagent: p.get(a.common.subagent),
		Input: p.get(rule.input), Text: p.get(rule.text),
	}
	if rule.kind == memory.ToolUsed || rule.kind == memory.ToolFailed {
		if s.Event.Tool = p.get(a.common.tool); s.Event.Tool == "" {
			return Seen{}, false // cut off before it says anything
		}
		results := a.results
		if tool := a.tool(s.Event.Tool); tool != nil {
			s.Event.Input, results = p.get(tool.input), tool.results
			if rule.kind == memory.ToolUsed { // a file that could not be read or changed was not touched
				s.Event.Touches = touches(p, tool.files, s.Workdir)
			}
		}
		if rule.kind == memory.ToolFailed {
			results = []string{rule.text} // what went wrong is all that the agent reads
		}
		s.Event.ResultBytes = p.sizes(results)
	}
	if call := p.get(rule.call); call != "" && s.Event.AgentSession != "" {
		// The agent's name is not part of it: Cursor and VS Code run Claude's hooks beside their own, and the same call
		// then arrives under two names.
		s.Event.ID = memory.DerivedEventID(s.Event.AgentSession, call, string(rule.kind))
	}
	if a.refine != nil && !a.refine(p, &s.Event) {
		return Seen{}, false
	}
	return s, true
}

// touches lists the files that a tool's fields name, each once, in the order of the rules.
func touches(p payload, rules []fileRule, workdir string) []memory.Touch {
	var list []memory.Touch
	met := make(map[string]bool)
	for _, rule := range rules {
		for _, name := range p.all(rule.path) {
			path := absolute(workdir, name)
			if path == "" || met[path] || len(list) == p.limits.TouchLimit {
				continue
			}
			met[path] = true
			list = append(list, memory.Touch{Kind: rule.kind, Path: path})
		}
	}
	return list
}

// field is one field of a payload that is kept.
type field struct {
	path string
	size size
}

// size says how much of a field is kept, and what is done with more.
type size uint8

const (
	asName  size = iota // identifiers and other short words: dropped when too long
	asFile              // paths, byte for byte: dropped when too long, since a part of a path is another file
	asInput             // cut in the middle
	asText              // cut in the middle
	asSize              // only its length
)

// These tell what can be a name or a path at all; what to keep of a text is for tuning.
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
	set bool
	one string   // the last one, as JavaScript has it when a key is repeated
	all []string // of an array, the first few that differ
	// bytes is the length of one, or of all elements of an array, each on a line of its own.
	bytes int64
}

func newPayload(candidates []*adapter, limits tuning.Capture) payload {
	p := payload{limits: limits}
	for _, a := range candidates {
		p.fields = append(p.fields, a.fields...)
	}
	p.values = make([]value, len(p.fields))
	return p
}

// get returns the string at path, or "" where there is none.
func (p payload) get(path string) string { return p.at(path).one }

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

func (p *payload) limit(path []byte) int {
	i := p.index(path)
	if i < 0 {
		return 0
	}
	switch p.fields[i].size {
	case asInput:
		return p.limits.InputLimit
	case asText:
		return p.limits.TextLimit
	case asFile:
		if n := len(p.values[i].all); n > 0 && n >= p.limits.TouchLimit {
			return onlySize
		}
		return fileLimit
	case asSize:
		return onlySize
	}
	return nameLimit
}

func (p *payload) visit(path []byte, kind byte, k *keeper) {
	if kind != '"' {
		return
	}
	i := p.index(path)
	size, many, v := p.fields[i].size, strings.Contains(p.fields[i].path, element), &p.values[i]
	if many {
		v.bytes += k.total + 1
	} else {
		v.bytes = k.total
	}
	if k.cut() && (size == asName || size == asFile) {
		return
	}
	v.set = true
	if k.limit == 0 { // only its size was wanted
		return
	}
	switch s := k.text(); {
	case size != asFile:
		v.one = strings.ToValidUTF8(s, "\uFFFD")
	case !many:
		v.one = s
	case !slices.Contains(v.all, s):
		v.all = append(v.all, s)
	}
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
