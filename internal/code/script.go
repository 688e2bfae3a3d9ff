package code

import (
	"cmp"
	"slices"
	"strings"
)

// What JavaScript and TypeScript have of their own: functions that are values, and objects with methods.

// scriptVariable takes variables that hold a function or a class, and those that are exported.
func (r *reader) scriptVariable(marks []string, rest string) {
	if r.indent != r.top().members || r.top().kind == variable {
		return
	}
	name, _ := word(rest)
	value := assigned(r.statement())
	switch kind := functionKind(value); {
	case !isWord(name):
	case kind != "":
		r.define(kind, name)
	case startsUpper(name) && !strings.HasPrefix(strings.TrimSpace(value), "{") && (strings.Contains(value, "=>") || strings.Contains(value, "(function")):
		r.define(Function, name)
	default:
		if slices.Contains(marks, "export") {
			r.mention(name)
		}
		r.object(name)
	}
}

// object opens a frame for the methods of an object that the line ends with.
func (r *reader) object(name string) {
	if text := r.code[r.at:r.end]; strings.HasSuffix(text, "= {") || strings.HasSuffix(text, ": {") ||
		strings.HasPrefix(text, "export default") && strings.HasSuffix(text, "{") {
		r.open(variable, name)
	}
}

// assignment takes functions given to a name: exports.run = …, Queue.prototype.push = function …
func (r *reader) assignment(rest string, exported bool) {
	target, _, isAssigned := strings.Cut(rest, "=")
	if !isAssigned || exported {
		r.object("")
		return
	}
	var parts []string
	for part := range strings.SplitSeq(strings.TrimSpace(target), ".") {
		if slices.Contains([]string{"module", "exports", "prototype", "window", "this", "self", "globalThis"}, part) {
			continue
		}
		if !isWord(part) || wordLength(part) < len(part) {
			return
		}
		parts = append(parts, part)
	}
	name := strings.Join(parts, ".")
	if kind := functionKind(assigned(r.statement())); kind != "" {
		r.define(kind, cmp.Or(name, lastWord(target)))
	} else {
		r.object(name)
	}
}

// bareMember takes methods of classes, interfaces and objects, and properties that hold a function.
func (r *reader) bareMember(name, rest, text string) {
	if name == "#" || name == "*" {
		name, rest = word(rest)
	}
	sign, after := word(rest)
	if sign == "?" || sign == "!" {
		sign, after = word(after)
	}
	inObject := r.top().kind == variable
	switch {
	case !isWord(name):
	case sign == "(" || sign == "<":
		if !slices.Contains([]string{"if", "for", "while", "switch", "catch", "with", "function", "super", "return"}, name) {
			r.define(Method, name)
		}
	case sign == ":" && inObject && functionKind(after) != "", (sign == "=" || sign == ":" && !inObject) && functionKind(assigned(r.statement())) != "":
		r.define(Method, name)
	case inObject:
		r.object("")
	}
}

// assigned is what stands after the first sign of assignment.
func assigned(text string) string {
	for i := range len(text) {
		if text[i] != '=' || i > 0 && strings.IndexByte("=!<>", text[i-1]) >= 0 {
			continue
		}
		if i+1 == len(text) || text[i+1] != '>' && text[i+1] != '=' {
			return text[i+1:]
		}
	}
	return ""
}

// functionKind says whether a value is a function or a class, and is empty for others.
func functionKind(value string) Kind {
	first, rest := word(value)
	if first == "async" {
		first, rest = word(rest)
	}
	switch first {
	case "class":
		return Class
	case "function":
		return Function
	case "(", "<":
		rest = skipRound(skipRound(strings.TrimPrefix(strings.TrimSpace(value), "async"), '<', '>'), '(', ')')
		if next, _ := word(rest); next == ":" || strings.HasPrefix(strings.TrimSpace(rest), "=>") {
			return Function
		}
		return ""
	}
	if !isWord(first) {
		return ""
	}
	if strings.HasPrefix(strings.TrimSpace(rest), "=>") {
		return Function
	}
	if target, _, isAssigned := strings.Cut(value, "="); isAssigned && !strings.ContainsAny(target, "(){};") {
		return functionKind(assigned(value)) // a = b = function
	}
	return ""
}
