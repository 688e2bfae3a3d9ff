package wiring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/hebb-memory/hebb/internal/memory"
)

// document is a settings file as a syntax tree. Bytes that are not edited stay as they are, with comments, order and
// white space.
type document struct {
	bom     []byte
	root    hujson.Value
	object  *hujson.Object
	source  []byte
	newline string
	unit    string    // one step of indentation
	before  *document // the file before hebb, nil where that is not known
}

// byteOrderMark begins files that were saved by some editors on Windows.
var byteOrderMark = []byte("\xef\xbb\xbf")

// parseDocument reads JSON, with comments or without. An empty file counts as an empty object.
func parseDocument(source []byte) (*document, error) {
	d := &document{newline: newlineOf(source), unit: "  "}
	if bytes.HasPrefix(source, byteOrderMark) {
		d.bom, source = byteOrderMark, source[len(byteOrderMark):]
	}
	if len(bytes.TrimSpace(source)) == 0 {
		source = []byte("{}\n")
	}
	d.source = source
	var err error
	if d.root, err = hujson.Parse(bytes.Clone(source)); err != nil {
		// The parser wants a line break after a comment at the very end; agents do not.
		if root, again := hujson.Parse(append(bytes.Clone(source), '\n')); again == nil {
			root.AfterExtra = bytes.TrimSuffix(root.AfterExtra, []byte("\n"))
			d.root, err = root, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.TrimPrefix(err.Error(), "hujson: "), memory.ErrInvalid)
	}
	var ok bool
	if d.object, ok = d.root.Value.(*hujson.Object); !ok {
		return nil, d.wrong(d.root, "want an object")
	}
	if len(d.object.Members) > 0 {
		if indent, multi := lastLine(d.object.Members[0].Name.BeforeExtra); multi && indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

func (d *document) bytes() []byte { return append(bytes.Clone(d.bom), d.root.Pack()...) }

// had reports whether the file had something at a path before hebb.
func (d *document) had(path ...string) bool { return d.before != nil && d.before.at(path) != nil }

// wrong makes an error that says where in the file something is not as it must be.
func (d *document) wrong(at hujson.Value, what string) error {
	before := d.source[:min(at.StartOffset, len(d.source))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: %s: %w", line, column, what, memory.ErrInvalid)
}

// lastLine returns what follows the last line break of white space, and whether there is one.
func lastLine(extra hujson.Extra) (string, bool) {
	i := bytes.LastIndexByte(extra, '\n')
	return string(extra[i+1:]), i >= 0
}

// member returns the value of a key, or nil. A key that stands there twice is an error: it is not certain which of
// them the agent reads.
func (d *document) member(o *hujson.Object, key string) (*hujson.Value, error) {
	var found *hujson.Value
	for i := range o.Members {
		if name, ok := o.Members[i].Name.Value.(hujson.Literal); ok && name.String() == key {
			if found != nil {
				return nil, d.wrong(o.Members[i].Name, fmt.Sprintf("%q stands here a second time", key))
			}
			found = &o.Members[i].Value
		}
	}
	return found, nil
}

// siblings lets objects and arrays be edited by the same code.
type siblings struct {
	count  int
	before func(int) *hujson.Extra // what stands before element i
	after  func(int) *hujson.Extra // what stands between element i and its comma
	end    *hujson.Extra           // what stands before the closing bracket
}

func members(o *hujson.Object) siblings {
	return siblings{
		len(o.Members), func(i int) *hujson.Extra { return &o.Members[i].Name.BeforeExtra },
		func(i int) *hujson.Extra { return &o.Members[i].Value.AfterExtra }, &o.AfterExtra,
	}
}

func elements(a *hujson.Array) siblings {
	return siblings{
		len(a.Elements), func(i int) *hujson.Extra { return &a.Elements[i].BeforeExtra },
		func(i int) *hujson.Extra { return &a.Elements[i].AfterExtra }, &a.AfterExtra,
	}
}

// place says how a new last element is set among its siblings.
type place struct {
	before hujson.Extra
	after  hujson.Extra
	indent string
	inline bool // all on one line
}

// makeRoom prepares for one more element at the end and says how to write it. depth is its depth in the document.
func (d *document) makeRoom(s siblings, depth int) place {
	if s.count == 0 {
		p := place{indent: strings.Repeat(d.unit, depth)}
		comment, _ := splitComment(*s.end)
		p.before = hujson.Extra(comment + d.newline + p.indent)
		*s.end = hujson.Extra(d.newline + strings.Repeat(d.unit, depth-1))
		return p
	}
	last := s.count - 1
	indent, multi := lastLine(*s.before(last))
	p := place{indent: indent, inline: !multi}
	p.after = *s.after(last) // not nil: the last element has a comma, and the new one gets one too
	if p.after != nil {
		p.after = hujson.Extra{}
	}
	// A comment after the last element belongs to it, not to the new one.
	comment, rest := splitComment(*s.end)
	switch {
	case p.inline && comment == "":
		p.before = bytes.Clone(*s.before(last))
		if last == 0 && len(p.before) == 0 && d.spaced() {
			p.before = hujson.Extra(" ")
		}
	case p.inline:
		p.before = hujson.Extra(comment + d.newline)
		*s.end = hujson.Extra(rest)
	default:
		p.before = hujson.Extra(comment + d.newline + indent)
		*s.end = hujson.Extra(rest)
	}
	return p
}

// spaced reports whether the document puts a space after commas and colons.
func (d *document) spaced() bool {
	return len(d.object.Members) > 0 && len(d.object.Members[0].Value.BeforeExtra) > 0
}

// value writes v as it would stand at a place.
func (d *document) value(v any, p place) hujson.Value {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if !p.inline {
		e.SetIndent(p.indent, d.unit)
	}
	if err := e.Encode(v); err != nil {
		panic(err) // v is one of our own types
	}
	text := strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", d.newline)
	parsed, err := hujson.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return parsed
}

// addMember puts a key and its value at the end of an object.
func (d *document) addMember(o *hujson.Object, depth int, key string, v any) {
	p := d.makeRoom(members(o), depth)
	m := hujson.ObjectMember{Name: hujson.Value{BeforeExtra: p.before, Value: hujson.String(key)}, Value: d.value(v, p)}
	if !p.inline || d.spaced() {
		m.Value.BeforeExtra = hujson.Extra(" ")
	}
	m.Value.AfterExtra = p.after
	o.Members = append(o.Members, m)
}

// addElement puts a value at the end of an array.
func (d *document) addElement(a *hujson.Array, depth int, v any) {
	p := d.makeRoom(elements(a), depth)
	e := d.value(v, p)
	e.BeforeExtra, e.AfterExtra = p.before, p.after
	a.Elements = append(a.Elements, e)
}

// removeMember takes out member i.
func (d *document) removeMember(o *hujson.Object, i int) {
	d.closeGap(members(o), i)
	o.Members = append(o.Members[:i], o.Members[i+1:]...)
}

// removeElement takes out element i.
func (d *document) removeElement(a *hujson.Array, i int) {
	d.closeGap(elements(a), i)
	a.Elements = append(a.Elements[:i], a.Elements[i+1:]...)
}

// closeGap moves the comments and the last comma around element i to its neighbours. It undoes makeRoom.
func (d *document) closeGap(s siblings, i int) {
	before := *s.before(i)
	comment, _ := splitComment(before)
	if i < s.count-1 {
		next := s.before(i + 1)
		switch {
		case comment != "":
			*next = d.join(comment, *next)
		case i == 0 && len(bytes.TrimSpace(*next)) == 0:
			*next = before // the first one keeps its distance to the bracket
		}
		return
	}
	if i == 0 {
		*s.end = nil
		if comment != "" {
			*s.end = d.join(comment, nil)
		}
		return
	}
	if comment != "" {
		*s.end = d.join(comment, *s.end)
	}
	previous := s.after(i - 1)
	switch last := *s.after(i); {
	case last == nil && *previous != nil: // no comma may follow, so what stood before it moves after it
		*s.end = append(bytes.Clone(*previous), *s.end...)
		*previous = nil
	case last != nil && *previous == nil:
		*previous = hujson.Extra{}
	}
}

// splitComment cuts what stands between two values into its comments, if any, and the white space after them.
func splitComment(extra hujson.Extra) (comment, rest string) {
	n := len(bytes.TrimRight(extra, " \t\r\n"))
	if i := bytes.IndexByte(extra[n:], '\n'); n > 0 && i >= 0 {
		n += len(bytes.TrimRight(extra[n:n+i], "\r")) // blanks at the end of a line comment are part of it
	}
	return string(extra[:n]), string(extra[n:])
}

// join puts a comment before other white space, on a line of its own unless it is a block comment.
func (d *document) join(comment string, rest hujson.Extra) hujson.Extra {
	if bytes.IndexByte(rest, '\n') < 0 && !strings.HasSuffix(comment, "*/") {
		comment += d.newline
	}
	return hujson.Extra(comment + string(rest))
}
