package wiring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/hebb-memory/hebb/internal/memory"
)

// jsonFile edits settings that are JSON, with comments or without: all its steps, in order.
type jsonFile struct{ steps []jsonStep }

// jsonStep is one thing that hebb wants to stand in a document.
type jsonStep interface {
	put(d *document, j job, r *report) error
	take(d *document, j job, r *report) error
}

func (f jsonFile) put(source []byte, j job) ([]byte, report, error) {
	d, r, err := f.each(source, j, jsonStep.put)
	if err != nil || source != nil && string(d.root.Pack()) == string(d.source) {
		return source, r, err // an empty file that nothing is put into stays one
	}
	return d.bytes(), r, nil
}

func (f jsonFile) take(source []byte, j job) ([]byte, report, error) {
	d, r, err := f.each(source, j, jsonStep.take)
	if err != nil || !r.ours {
		return source, r, err
	}
	return d.bytes(), r, nil
}

// each does all steps on a document.
func (f jsonFile) each(source []byte, j job, do func(jsonStep, *document, job, *report) error) (d *document, r report, err error) {
	if d, err = parseDocument(source); err != nil {
		return nil, r, err
	}
	if j.before != nil {
		d.before, _ = parseDocument(j.before) // one that cannot be read had nothing
	}
	for _, s := range f.steps {
		if err := do(s, d, j, &r); err != nil {
			return nil, r, err
		}
	}
	return d, r, d.check()
}

// check reports whether the document can still be read after an edit.
func (d *document) check() error {
	if _, err := hujson.Parse(append(d.root.Pack(), '\n')); err != nil {
		return fmt.Errorf("edit would break the file: %w: %w", err, memory.ErrRefused)
	}
	return nil
}

// removeValue takes the member out whose value is v.
func (d *document) removeValue(o *hujson.Object, v hujson.ValueTrimmed) {
	for i := range o.Members {
		if o.Members[i].Value.Value == v {
			d.removeMember(o, i)
			return
		}
	}
}

// mcpServer is an entry for `hebb mcp` in the list of servers that an agent starts.
type mcpServer struct {
	Type    string   `json:"type,omitempty"`
	Command any      `json:"command"` // a text, or a list with the arguments
	Args    []string `json:"args,omitempty"`
	Tools   []string `json:"tools,omitempty"`
	Enabled bool     `json:"enabled,omitempty"`
	// Exposure says how Pi offers the tools.
	Exposure string `json:"exposure,omitempty"`
}

// pluginSwitch is an entry that lets an agent load hebb's plugin.
type pluginSwitch struct {
	Enabled bool `json:"enabled"`
}

// memberStep is a key that hebb puts somewhere into a document.
type memberStep struct {
	path  []string
	value func(j job) any
	mcp   bool // it starts hebb's MCP server; else the name alone says that the entry is hebb's
}

// ours reports whether an entry of this name is hebb's.
func (s memberStep) ours(v hujson.ValueTrimmed) bool {
	o, ok := v.(*hujson.Object)
	return ok && (!s.mcp || isMCPServer(o))
}

// isMCPServer reports whether an entry starts `hebb mcp`, whichever hebb that is.
func isMCPServer(o *hujson.Object) bool {
	line := texts(lookup(o, "command"))
	if command, ok := lookup(o, "command").(hujson.Literal); ok {
		line = []string{textOf(command)}
	}
	line = append(line, texts(lookup(o, "args"))...)
	return isMCPCommand(line)
}

func isMCPCommand(line []string) bool {
	if len(line) < 2 {
		return false
	}
	base := strings.ToLower(line[0][strings.LastIndexAny(line[0], `/\`)+1:])
	return strings.Contains(base, "hebb") && line[1] == "mcp"
}

// walk returns the objects along the path, as far as they are there, and the entry itself.
func (s memberStep) walk(d *document) (along []*hujson.Object, found *hujson.Value, err error) {
	o := d.object
	for i, key := range s.path {
		along = append(along, o)
		v, err := d.member(o, key)
		if v == nil || err != nil {
			return along, nil, err
		}
		if i == len(s.path)-1 {
			return along, v, nil
		}
		next, ok := v.Value.(*hujson.Object)
		if !ok {
			return along, nil, d.wrong(*v, fmt.Sprintf("%q must be an object", strings.Join(s.path[:i+1], ".")))
		}
		o = next
	}
	return along, nil, nil
}

func (s memberStep) put(d *document, j job, r *report) error {
	along, found, err := s.walk(d)
	if err != nil {
		return err
	}
	value := s.value(j)
	if found == nil {
		for i := len(s.path) - 1; i >= len(along); i-- {
			value = map[string]any{s.path[i]: value}
		}
		d.addMember(along[len(along)-1], len(along), s.path[len(along)-1], value)
		return nil
	}
	if !s.ours(found.Value) {
		return d.wrong(*found, strings.Join(s.path, ".")+" is there already and does not start hebb: rename it, then try again")
	}
	r.ours = true
	if !s.mcp {
		return nil
	}
	// Only the program is set again when hebb has moved: all else is the person's once the entry is there.
	o := found.Value.(*hujson.Object)
	command, err := d.member(o, "command")
	if err != nil {
		return err
	}
	if list, ok := command.Value.(*hujson.Array); ok {
		command = &list.Elements[0]
	}
	if l, ok := command.Value.(hujson.Literal); ok && l.String() != j.program {
		command.Value = hujson.String(j.program)
	}
	return nil
}

func (s memberStep) take(d *document, _ job, r *report) error {
	along, found, err := s.walk(d)
	if found == nil || err != nil {
		return err
	}
	if !s.ours(found.Value) {
		return nil // somebody else's
	}
	r.ours = true
	d.removeValue(along[len(along)-1], found.Value)
	for i := len(along) - 1; i > 0 && empty(along[i]) && !d.had(s.path[:i]...); i-- {
		d.removeValue(along[i-1], along[i])
	}
	return nil
}

// itemStep is a word that hebb adds to a list, where there is such a list with something in it.
type itemStep struct {
	path []string
	item string
}

func (s itemStep) put(d *document, _ job, r *report) error {
	list, _ := d.at(s.path).(*hujson.Array)
	switch {
	case list == nil || len(list.Elements) == 0:
	case slices.Contains(texts(list), s.item):
		r.ours = true
	default:
		d.addElement(list, len(s.path)+1, s.item)
	}
	return nil
}

func (s itemStep) take(d *document, _ job, r *report) error {
	list, ok := d.at(s.path).(*hujson.Array)
	if !ok {
		return nil
	}
	for i := 0; i < len(list.Elements); i++ {
		if l, ok := list.Elements[i].Value.(hujson.Literal); ok && textOf(l) == s.item {
			r.ours = true
			d.removeElement(list, i)
			i--
		}
	}
	return nil
}
