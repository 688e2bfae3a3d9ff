package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

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
