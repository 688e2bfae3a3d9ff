package bootstrap

import "bytes"

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
		o.names.addWord(name)
		return body
	case "class":
		o.names.addWord(name)
		return class
	case "interface":
		o.names.addWord(name)
		return contract
	case "enum":
		o.names.addWord(name)
		return body
	case "type":
		if sign, _ := word(after); oneOf(sign, "=", "<") {
			o.names.addWord(name)
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
		o.names.addWord(name)
		return body
	}
	value := assigned(after)
	if exported || isFunction(value) || startsUpper(name) && bytes.Contains(value, []byte("=>")) {
		o.names.addWord(name)
	}
	return opensObject(o.head, '=', end)
}

// assigned is what stands behind the first sign of assignment.
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
	if isFunction(assigned(o.head)) {
		o.names.addWord(wordBefore(o.head, '='))
	}
	return opensObject(o.head, '=', end)
}

// isScriptStatement knows the words that stand before a bracket where a block was taken for an object; and the
// constructor, which says no more than its class.
func isScriptStatement(token []byte) bool {
	return oneOf(token, "if", "for", "while", "switch", "catch", "with", "function", "constructor", "super")
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
	case oneOf(sign, "(", "<") && (end == '{' || o.in() != object) && !isScriptStatement(name):
		o.names.addWord(name)
	case string(sign) == "=" && o.in() == class, string(sign) == ":" && o.in() == object:
		if isFunction(after) {
			o.names.addWord(name)
		}
	case string(sign) == ":" && o.in() == class && isFunction(assigned(after)):
		o.names.addWord(name)
	}
	if o.in() == object {
		return opensObject(o.head, ':', end)
	}
	return body
}
