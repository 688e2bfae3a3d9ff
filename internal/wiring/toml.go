package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/hebb-memory/hebb/internal/memory"
)

// tomlFile edits settings that are TOML. hebb's server is one table in them, put at the end. Only whole lines are added
// and removed and single values replaced; all other bytes stay, and the parser has the last word on the result.
type tomlFile struct {
	table []string // the path of the table
}

// tomlText is a TOML file cut into its expressions.
type tomlText struct {
	bom    []byte
	source []byte
	values map[string]any
	lines  []tomlLine
}

// tomlLine is a table header or a key with its value.
type tomlLine struct {
	path       []string // from the root
	header     bool
	start, end int    // the lines it stands on, line break included
	value      [2]int // of a string
}

func parseTOML(source []byte) (*tomlText, error) {
	t := &tomlText{}
	if bytes.HasPrefix(source, byteOrderMark) {
		t.bom, source = byteOrderMark, source[len(byteOrderMark):]
	}
	t.source = source
	if err := toml.Unmarshal(source, &t.values); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return nil, fmt.Errorf("line %d, column %d: %s: %w", line, column, strings.TrimPrefix(at.Error(), "toml: "), memory.ErrInvalid)
		}
		return nil, fmt.Errorf("%s: %w", strings.TrimPrefix(err.Error(), "toml: "), memory.ErrInvalid)
	}
	var p unstable.Parser
	p.Reset(source)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		var keys []string
		first, last := -1, 0
		for k := e.Key(); k.Next(); {
			n := k.Node()
			keys = append(keys, string(n.Data))
			if first < 0 {
				first = int(n.Raw.Offset)
			}
			last = int(n.Raw.Offset + n.Raw.Length)
		}
		l := tomlLine{header: e.Kind != unstable.KeyValue}
		if l.header {
			table = keys
			l.path = keys
		} else {
			l.path = append(slices.Clone(table), keys...)
			last = int(e.Raw.Offset + e.Raw.Length)
			value := e.Value().Raw
			l.value = [2]int{int(value.Offset), int(value.Offset + value.Length)}
		}
		l.start = bytes.LastIndexByte(source[:first], '\n') + 1
		l.end = len(source)
		if i := bytes.IndexByte(source[last:], '\n'); i >= 0 {
			l.end = last + i + 1
		}
		t.lines = append(t.lines, l)
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("%w: %w", err, memory.ErrInvalid)
	}
	return t, nil
}

// line says where in the file an offset is.
func (t *tomlText) line(offset int) int { return 1 + bytes.Count(t.source[:offset], []byte("\n")) }

// at returns the table at a path, or nil.
func (t *tomlText) at(path []string) map[string]any {
	v := t.values
	for _, key := range path {
		next, ok := v[key].(map[string]any)
		if !ok {
			return nil
		}
		v = next
	}
	return v
}

// under lists the lines of a table and of all below it.
func (t *tomlText) under(path []string) []tomlLine {
	var list []tomlLine
	for _, l := range t.lines {
		if len(l.path) >= len(path) && slices.Equal(l.path[:len(path)], path) {
			list = append(list, l)
		}
	}
	return list
}

// inline is the line of a key with its value, or nil.
func (t *tomlText) inline(key string) *tomlLine {
	for i, l := range t.lines {
		if !l.header && len(l.path) == 1 && l.path[0] == key {
			return &t.lines[i]
		}
	}
	return nil
}

// with is the file with another value in a line.
func (t *tomlText) with(l tomlLine, value string) []byte {
	return slices.Concat(t.source[:l.value[0]], []byte(value), t.source[l.value[1]:])
}

// bytes is the file; an empty one is not none.
func (t *tomlText) bytes() []byte { return append(append([]byte{}, t.bom...), t.source...) }

// isOurs reports whether the table starts `hebb mcp`.
func (f tomlFile) isOurs(table map[string]any) bool {
	command, _ := table["command"].(string)
	line := []string{command}
	args, _ := table["args"].([]any)
	for _, a := range args {
		text, _ := a.(string)
		line = append(line, text)
	}
	return isMCPCommand(line)
}

func (f tomlFile) put(source []byte, j job) ([]byte, report, error) {
	var r report
	t, err := parseTOML(source)
	if err != nil {
		return nil, r, err
	}
	lines := t.under(f.table)
	name := strings.Join(f.table, ".")
	switch table := t.at(f.table); {
	case table == nil && len(lines) > 0:
		return nil, r, fmt.Errorf("line %d: %s must be a table: %w", t.line(lines[0].start), name, memory.ErrInvalid)
	case table == nil && t.inline(f.table[0]) != nil:
		return nil, r, fmt.Errorf("line %d: %s stands on one line, which hebb does not edit: write %s = { command = %s, args = [\"mcp\"] } into it: %w",
			t.line(t.inline(f.table[0]).start), f.table[0], f.table[len(f.table)-1], quoteJSON(j.program), memory.ErrInvalid)
	case table == nil:
		out := withBlock(t.source, "["+name+"]\ncommand = "+quoteJSON(j.program)+"\nargs = [\"mcp\"]\n")
		return t.checked(out, r, 1, f.count)
	case !f.isOurs(table):
		return nil, r, fmt.Errorf("line %d: %s is there already and does not start hebb: rename it, then try again: %w",
			f.firstLine(t, lines), name, memory.ErrInvalid)
	default:
		r.ours = true
		if table["command"] == j.program {
			return source, r, nil
		}
		for _, l := range lines {
			if !l.header && slices.Equal(l.path, append(slices.Clone(f.table), "command")) {
				out := t.with(l, quoteJSON(j.program))
				return t.checked(out, r, 1, f.count)
			}
		}
		return nil, r, fmt.Errorf("line %d: %s calls %v and stands on one line, which hebb does not edit: write %s there: %w",
			f.firstLine(t, lines), name, table["command"], quoteJSON(j.program), memory.ErrInvalid)
	}
}

func (f tomlFile) firstLine(t *tomlText, lines []tomlLine) int {
	if len(lines) == 0 { // inside an inline table of another name
		for _, l := range t.lines {
			if l.path[0] == f.table[0] {
				return t.line(l.start)
			}
		}
		return 1
	}
	return t.line(lines[0].start)
}

func (f tomlFile) take(source []byte, _ job) ([]byte, report, error) {
	var r report
	t, err := parseTOML(source)
	if err != nil {
		return nil, r, err
	}
	table := t.at(f.table)
	if table == nil || !f.isOurs(table) {
		return source, r, nil
	}
	r.ours = true
	lines := t.under(f.table)
	if len(lines) == 0 {
		return nil, r, fmt.Errorf("line %d: %s stands in a table on one line, which hebb does not edit: take it out by hand: %w",
			f.firstLine(t, lines), strings.Join(f.table, "."), memory.ErrInvalid)
	}
	return t.checked(t.without(lines), r, 0, f.count)
}

// count takes hebb's table out of decoded values and says how often it was there.
func (f tomlFile) count(values map[string]any) int {
	has := (&tomlText{values: values}).at(f.table) != nil
	cut(values, f.table)
	if has {
		return 1
	}
	return 0
}

// checked parses the result of an edit: it must say what was said before, with so many entries of hebb, and nothing else. count takes those out of
// decoded values.
func (t *tomlText) checked(out []byte, r report, entries int, count func(map[string]any) int) ([]byte, report, error) {
	after, err := parseTOML(out)
	if err != nil {
		return nil, r, fmt.Errorf("edit would break the file: %w: %w", err, memory.ErrRefused)
	}
	count(t.values)
	if count(after.values) != entries || !reflect.DeepEqual(t.values, after.values) {
		return nil, r, fmt.Errorf("edit would change more than hebb's entry: %w", memory.ErrRefused)
	}
	after.bom = t.bom
	return after.bytes(), r, nil
}

// without is the file without some of its lines, which are in order, and without the empty line before a header: that came with the table.
func (t *tomlText) without(lines []tomlLine) []byte {
	out := bytes.Clone(t.source)
	for _, l := range slices.Backward(lines) {
		before := out[:l.start]
		if l.header {
			before = withoutBlankLine(before)
		}
		out = slices.Concat(before, out[l.end:])
	}
	return out
}

// cut takes a table out of decoded values, and those around it that become empty.
func cut(values map[string]any, path []string) {
	if len(path) > 1 {
		inner, ok := values[path[0]].(map[string]any)
		if !ok {
			return
		}
		if cut(inner, path[1:]); len(inner) > 0 {
			return
		}
	}
	delete(values, path[0])
}
