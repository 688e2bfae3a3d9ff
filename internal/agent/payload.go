package agent

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// written is beside a file's path and goes into the file, replaced is what it replaces there.
var written = strings.Fields(`content new_string newString new_str new_text new_source file_text code diff
	edits/~/new_string edits/~/newString edits/~/newText`)
var replaced = strings.Fields("old_string oldString old_str old_text edits/~/old_string edits/~/oldString edits/~/oldText")

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

// keptFields lists the fields that adapters name, each once, with the most that one of them wants
// of it.
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
				for _, file := range slices.Concat(t.edits, t.deletes) {
					add(asFile, e.at(file))
				}
				for _, file := range t.edits {
					for _, name := range slices.Concat(written, replaced) {
						add(asText, e.at(path.Dir(file)+"/"+name))
					}
				}
			}
		}
		for _, t := range a.tools {
			add(asInput, t.input, t.command, t.patch)
			add(asText, t.printed, t.plan.number, t.plan.text, t.plan.state)
			size := asSize
			switch {
			case t.listed:
				size = asText
			case t.command != "":
				size = asTail
			}
			add(size, a.resultsOf(&t)...)
			add(asFile, slices.Concat(t.edits, t.reads, t.deletes, t.mentions)...)
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

// plan are the steps that a call writes, as WritesPlan says; none of a list whose texts and states do
// not belong together.
func (p payload) plan(r planRule) string {
	texts, states := strings.Split(p.get(r.text), "\n"), strings.Split(p.get(r.state), "\n")
	switch {
	case r.number != "":
		return "#" + p.get(r.number) + " " + states[0] + ": " + strings.Join(texts, " ")
	case r.text == "" || len(texts) != len(states):
		return ""
	}
	for i, state := range states {
		texts[i] = state + ": " + texts[i]
	}
	return strings.Join(texts, "\n")
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
