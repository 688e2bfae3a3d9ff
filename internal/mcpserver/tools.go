package mcpserver

import (
	"bytes"
	"cmp"
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
type kind struct {
	name   string // in the reference
	wants  string // in an error
	schema object
	read   func(raw []byte) (value any, is bool)
}

var (
	text    = kind{"text", "a text", objectOf("type", "string"), readAs[string]}
	number  = kind{"whole number", "a whole number of 0 or more", objectOf("type", "integer", "minimum", 0), readWhole}
	flag    = kind{"true or false", "true or false", objectOf("type", "boolean"), readAs[bool]}
	list    = kind{"list of texts", "a list of texts", objectOf("type", "array", "items", text.schema), readAs[[]string]}
	mapping = kind{
		"texts by name", "an object of texts by name", objectOf("type", "object", "additionalProperties", text.schema), readAs[map[string]string],
	}
	anything = kind{read: readAs[any]} // what it may be, the input of the operation says
)

func readAs[T any](raw []byte) (any, bool) {
	var v T
	err := json.Unmarshal(raw, &v)
	return v, err == nil
}

func readWhole(raw []byte) (any, bool) {
	var n float64
	err := json.Unmarshal(raw, &n)
	return n, err == nil && n == math.Trunc(n) && n >= 0 && n <= math.MaxInt32
}

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
	o := slices.Clone(f.kind.schema)
	o.set("enum?", f.oneOf)
	o.set("description?", f.about)
	return o
}

// decode checks arguments against the fields of a tool and reads them into out. An error names the field and what it wants.
func decode(raw json.RawMessage, fields []field, out any) error {
	if len(bytes.TrimSpace(raw)) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		raw = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return wants("arguments", "an object with fields", raw)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			return fmt.Errorf("argument %s is not known: want %s: %w", name, fieldNames(fields), memory.ErrInvalid)
		}
	}
	for _, f := range fields {
		if err := f.check(given[f.name]); err != nil {
			return err
		}
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("arguments: %s: %w", err.Error(), memory.ErrInvalid)
	}
	return nil
}

// check checks a value of a field, nil if there is none.
func (f field) check(raw json.RawMessage) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("argument %s%s: %w", f.name, fmt.Sprintf(format, args...), memory.ErrInvalid)
	}
	if raw == nil || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		if f.must {
			return wrong(" is missing%s", said(f.about))
		}
		return nil
	}
	value, is := f.kind.read(raw)
	if !is {
		return wants("argument "+f.name, f.kind.wants, raw)
	}
	switch v := value.(type) {
	case string:
		switch {
		case blank(v) && f.must:
			return wrong(" is empty: say something")
		case v != "" && len(f.oneOf) > 0 && !slices.Contains(f.oneOf, v):
			return wrong(" is %q: want one of %s", v, strings.Join(f.oneOf, ", "))
		}
	case []string:
		if f.must && len(v) == 0 {
			return wrong(" is an empty list%s", said(f.about))
		}
		if i := slices.IndexFunc(v, blank); i >= 0 {
			return wrong("[%d] is empty: leave it out or say something", i)
		}
	case map[string]string:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if blank(name) || blank(v[name]) {
				return wrong(": %q says %q: both the name and the text must say something", name, v[name])
			}
		}
	}
	return nil
}

func wants(what, kind string, got json.RawMessage) error {
	const most = 60 // characters of it, to recognise what was sent
	return fmt.Errorf("%s: want %s, got %s: %w", what, kind, prose.Shorten(string(bytes.TrimSpace(got)), most), memory.ErrInvalid)
}

func said(about string) string {
	if about == "" {
		return ""
	}
	return " (" + about + ")"
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func fieldNames(fields []field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}
