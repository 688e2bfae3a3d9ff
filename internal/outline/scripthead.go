package outline

import (
	"bytes"
	"strings"
)

// scriptHead reads JavaScript and TypeScript.
func scriptHead(o *outline, end byte) kind {
	first, rest := o.define("export", "default", "declare", "abstract", "async", "public", "private", "protected",
		"static", "readonly", "override", "accessor", "get", "set", "*")
	exported := o.had("export")
	name, after := word(rest)
	switch string(first) {
	case "", "default":
		if exported && end == '{' {
			return object
		}
	case "function":
		if string(name) == "*" {
			name, _ = word(after)
		}
		o.scriptFound(Function, name)
		return body
	case "class":
		o.scriptFound(Class, name)
		return class
	case "interface":
		o.found(Interface, name)
		return contract
	case "enum":
		o.found(Enum, name)
		return body
	case "type":
		if sign, _ := word(after); oneOf(sign, "=", "<") {
			o.found(Type, name)
			return body
		}
	case "namespace", "module":
		if isWord(name) || string(name) == "\"" {
			return namespace
		}
	case "const", "let", "var":
		return scriptVariable(o, rest, exported, end)
	case "import", "if", "for", "while", "switch", "return", "throw", "try", "else", "do", "case", "new", "await",
		"catch", "finally":
		return body
	}
	if o.in() != namespace {
		return scriptMember(o, first, rest, end)
	}
	if exported && o.had("default") && end == '{' { // defineComponent({
		return object
	}
	return scriptAssignment(o, end)
}

// scriptVariable takes constants that are exported and those that hold a function.
func scriptVariable(o *outline, rest []byte, exported bool, end byte) kind {
	name, after := word(rest)
	if string(name) == "enum" {
		name, _ = word(after)
		o.found(Enum, name)
		return body
	}
	switch value := assigned(after); {
	case isFunction(value) || startsUpper(name) && bytes.Contains(value, []byte("=>")):
		o.found(functionKind(value), name)
	case exported:
		o.mention(name)
	default:
		o.label = string(name)
	}
	if isClass(assigned(after)) {
		return class
	}
	return opensObject(o.head, '=', end)
}

// scriptFound takes a function or class; the one that a module exports by default may have no name.
func (o *outline) scriptFound(kind Kind, name []byte) {
	if isWord(name) && !(kind == Class && string(name) == "extends") {
		o.found(kind, name)
	} else if o.had("default") {
		o.hidden(kind, "default")
	}
}

func isClass(value []byte) bool {
	first, _ := word(value)
	return string(first) == "class"
}

func functionKind(value []byte) Kind {
	if isClass(value) {
		return Class
	}
	return Function
}

// assigned is what stands after the first sign of assignment.
func assigned(text []byte) []byte {
	for i, b := range text {
		if b != '=' || i > 0 && bytes.IndexByte([]byte("=!<>"), text[i-1]) >= 0 {
			continue
		}
		if i+1 == len(text) || text[i+1] != '>' && text[i+1] != '=' {
			return text[i+1:]
		}
	}
	return nil
}

// isFunction reports whether a value is a function or a class.
func isFunction(value []byte) bool {
	first, rest := word(value)
	if string(first) == "async" {
		first, rest = word(rest)
	}
	if oneOf(first, "function", "class") {
		return true
	}
	if next := assigned(value); isWord(first) && len(next) > 0 && bytes.IndexByte(value[:len(value)-len(next)], '>') < 0 {
		return isFunction(next) // a = b = function
	}
	if string(first) == "(" || string(first) == "<" {
		return bytes.Contains(rest, []byte("=>"))
	}
	arrow, _ := word(rest)
	return isWord(first) && string(arrow) == "=" && bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("=>"))
}

func opensObject(head []byte, sign, end byte) kind {
	if head = bytes.TrimSpace(head); end == '{' && len(head) > 0 && head[len(head)-1] == sign {
		return object
	}
	return body
}

// scriptAssignment takes functions given to a name: exports.run = …, Queue.prototype.push = function …
func scriptAssignment(o *outline, end byte) kind {
	if value := assigned(o.head); isFunction(value) {
		name := wordBefore(o.head, '=')
		if whole := scriptTarget(o.head); o.names == nil && whole != "" {
			kind := functionKind(value)
			if strings.Contains(whole, ".") && kind == Function {
				kind = Method
			}
			o.hidden(kind, whole)
		} else {
			o.found(functionKind(value), name)
		}
		if isClass(value) {
			return class
		}
	} else {
		o.label = scriptTarget(o.head)
	}
	return opensObject(o.head, '=', end)
}

// scriptTarget is Queue.push of "Queue.prototype.push = …".
func scriptTarget(head []byte) string {
	target, _, _ := bytes.Cut(head, []byte("="))
	var parts []string
	for part := range strings.SplitSeq(strings.TrimSpace(string(target)), ".") {
		switch part {
		case "module", "exports", "prototype", "window", "this", "self", "globalThis":
			continue
		}
		if !isWord([]byte(part)) || strings.ContainsAny(part, " ()[]\"") {
			return ""
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ".")
}

// isScriptStatement knows the words that stand before a bracket where a block was taken for an object.
func isScriptStatement(token []byte) bool {
	return oneOf(token, "if", "for", "while", "switch", "catch", "with", "function", "super")
}

// scriptMember takes methods of classes, interfaces and objects, and properties that hold a function.
func scriptMember(o *outline, name, rest []byte, end byte) kind {
	if string(name) == "#" {
		name, rest = word(rest)
	}
	sign, after := word(rest)
	if oneOf(sign, "?", "!") {
		sign, after = word(after)
	}
	switch {
	case oneOf(sign, "(", "<") && string(name) == "constructor": // says no more than its class
		o.hidden(Method, "constructor")
	case oneOf(sign, "(", "<") && (end == '{' || o.in() != object) && !isScriptStatement(name):
		o.found(Method, name)
	case string(sign) == "=" && o.in() == class, string(sign) == ":" && o.in() == object:
		if isFunction(after) {
			o.found(Method, name)
		}
	case string(sign) == ":" && o.in() == class && isFunction(assigned(after)):
		o.found(Method, name)
	}
	if o.in() == object {
		return opensObject(o.head, ':', end)
	}
	return body
}
