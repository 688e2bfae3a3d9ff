package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// effect says what a tool does to the memory, for clients that ask before they let it run.
type effect int

const (
	reads   effect = iota
	adds           // a second call adds again, or counts again
	repeats        // a second call changes nothing more
	removes        // takes something away; a second call changes nothing more
)

// tool is one tool: what a model reads of it, and what it does.
type tool struct {
	name   string
	about  string // when to use it, in at most 60 words
	fields []field
	effect effect
	fresh  bool // needs the events that hooks have spooled
	edits  bool // and what people wrote into hebb's files
	always bool // one of the small set
	listed bool // one of those that --tools all adds
	run    func(ctx context.Context, c *call, raw json.RawMessage) (reply, error)
}

// does sets the function of a tool. It receives the arguments in the input of an operation: the fields were checked, so an agent
// sets nothing else there, and the function sets scope and origin.
func does[In any](t tool, run func(c *call, ctx context.Context, in In) (reply, error)) tool {
	t.run = func(ctx context.Context, c *call, raw json.RawMessage) (reply, error) {
		var in In
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &in); err != nil {
				return reply{}, err // the fields were checked: a fault of hebb
			}
		}
		return run(c, ctx, in)
	}
	return t
}

// whereFields choose another project. The small set leaves them out: an agent works in one.
var whereFields = []field{
	{name: "project", kind: text, about: "another project, by name or ID"},
	{name: "dir", kind: text, about: "the project around this folder"},
}

// described is a tool as clients receive it.
func (t tool) described() *mcp.Tool {
	no := false
	d := &mcp.Tool{
		Name: t.name, Description: t.about, InputSchema: json.RawMessage(quoted(schema(t.fields))),
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &no},
	}
	switch t.effect {
	case reads:
		d.Annotations.ReadOnlyHint, d.Annotations.IdempotentHint = true, true
	case adds:
		d.Annotations.DestructiveHint = &no
	case repeats:
		d.Annotations.DestructiveHint, d.Annotations.IdempotentHint = &no, true
	case removes:
		yes := true
		d.Annotations.DestructiveHint, d.Annotations.IdempotentHint = &yes, true
	}
	return d
}

// fewAnswers is how many answers a tool gives unless it is asked for another number: as many as the command line.
const fewAnswers = 10

func limited(n int) int {
	if n == 0 {
		return fewAnswers
	}
	return n
}

var limitField = field{name: "limit", kind: number}

// kind is the sort of value a field takes.
type kind int

const (
	text     kind = iota
	number        // whole
	flag          // true or false
	list          // of texts
	mapping       // texts by name
	anything      // what it may be, the input of the operation says
)

// field is one argument of a tool. Schemas and checks are both made from it, so that they cannot disagree.
type field struct {
	name  string
	kind  kind
	about string
	must  bool     // it has to be there, and to say something
	oneOf []string // all that it may say
}

// schema describes fields as a JSON schema. It is not derived from Go types: those may be null, which not every client
// understands, and the order of properties is part of what a reader sees.
func schema(fields []field) object {
	var properties object
	var required []string
	for _, f := range fields {
		properties.set(f.name, f.schema())
		if f.must {
			required = append(required, f.name)
		}
	}
	return objectOf("type", "object", "properties", properties, "required?", required)
}

func (f field) schema() object {
	var o object
	switch f.kind {
	case text:
		o = objectOf("type", "string", "enum?", f.oneOf)
	case number:
		o = objectOf("type", "integer", "minimum", 0)
	case flag:
		o = objectOf("type", "boolean")
	case list:
		o = objectOf("type", "array", "items", objectOf("type", "string"))
	case mapping:
		o = objectOf("type", "object", "additionalProperties", objectOf("type", "string"))
	}
	o.set("description?", f.about)
	return o
}

// decode checks arguments against the fields of a tool and reads them into out. An error names the field and what it wants.
func decode(raw json.RawMessage, fields []field, out any) error {
	if len(bytes.TrimSpace(raw)) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		raw = json.RawMessage("{}")
	}
	if err := checkObject("", raw, fields); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("arguments: %s: %w", err.Error(), memory.ErrInvalid)
	}
	return nil
}

func checkObject(at string, raw json.RawMessage, fields []field) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return wants(strings.TrimSuffix(at, "."), "an object with fields", raw)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			return fmt.Errorf("argument %s%s is not known: want %s: %w", at, name, fieldNames(fields), memory.ErrInvalid)
		}
	}
	for _, f := range fields {
		value, there := given[f.name]
		if !there || bytes.Equal(bytes.TrimSpace(value), []byte("null")) {
			if f.must {
				return fmt.Errorf("argument %s%s is missing%s: %w", at, f.name, said(f.about), memory.ErrInvalid)
			}
			continue
		}
		if err := checkValue(at+f.name, value, f); err != nil {
			return err
		}
	}
	return nil
}

func checkValue(at string, raw json.RawMessage, f field) error {
	switch f.kind {
	case text:
		return checkText(at, raw, f)
	case number:
		var n float64
		if json.Unmarshal(raw, &n) != nil || n != math.Trunc(n) || n < 0 || n > math.MaxInt32 {
			return wants(at, "a whole number of 0 or more", raw)
		}
	case flag:
		var yes bool
		if json.Unmarshal(raw, &yes) != nil {
			return wants(at, "true or false", raw)
		}
	case list:
		var texts []string
		if json.Unmarshal(raw, &texts) != nil {
			return wants(at, "a list of texts", raw)
		}
		if f.must && len(texts) == 0 {
			return fmt.Errorf("argument %s is an empty list%s: %w", at, said(f.about), memory.ErrInvalid)
		}
		if i := slices.IndexFunc(texts, blank); i >= 0 {
			return fmt.Errorf("argument %s[%d] is empty: leave it out or say something: %w", at, i, memory.ErrInvalid)
		}
	case mapping:
		var named map[string]string
		if json.Unmarshal(raw, &named) != nil {
			return wants(at, "an object of texts by name", raw)
		}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			if blank(name) || blank(named[name]) {
				return fmt.Errorf("argument %s: %q says %q: both the name and the text must say something: %w", at, name, named[name], memory.ErrInvalid)
			}
		}
	}
	return nil
}

func checkText(at string, raw json.RawMessage, f field) error {
	var said string
	if json.Unmarshal(raw, &said) != nil {
		return wants(at, "a text", raw)
	}
	if blank(said) && f.must {
		return fmt.Errorf("argument %s is empty: say something: %w", at, memory.ErrInvalid)
	}
	if said != "" && len(f.oneOf) > 0 && !slices.Contains(f.oneOf, said) {
		return fmt.Errorf("argument %s is %q: want one of %s: %w", at, said, strings.Join(f.oneOf, ", "), memory.ErrInvalid)
	}
	return nil
}

func wants(at, what string, got json.RawMessage) error {
	const most = 60 // characters of it, to recognise what was sent
	if at == "" {
		at = "arguments"
	} else {
		at = "argument " + at
	}
	return fmt.Errorf("%s: want %s, got %s: %w", at, what, prose.Shorten(string(bytes.TrimSpace(got)), most), memory.ErrInvalid)
}

func said(about string) string {
	if about == "" {
		return ""
	}
	return " (" + about + ")"
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func fieldNames(fields []field) string {
	if len(fields) == 0 {
		return "none"
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}
