package outline

import (
	"bytes"
	"slices"
)

// The rules of the languages with braces: each reads a head, adds the names it defines, and says what the brace after
// it opens.

func goHead(o *outline, end byte) kind {
	first, rest := word(o.head)
	switch o.in() {
	case contract:
		if sign, _ := word(rest); string(sign) == "(" {
			o.mention(first)
		}
		return body
	case group:
		return goSpec(o, string(o.what), o.head, end)
	}
	switch string(first) {
	case "func":
		after := skipRound(rest, '(', ')')
		name, _ := word(after)
		receiver, _, _ := bytes.Cut(bytes.TrimRight(rest[:len(rest)-len(after)], ") "), []byte("["))
		if owner := lastWord(receiver); len(owner) > 0 && o.names == nil {
			o.hidden(Method, string(owner)+"."+string(name))
		} else {
			o.found(Function, name)
		}
	case "type", "const", "var":
		return goSpec(o, string(first), rest, end)
	}
	return body
}

// goSpec adds a type, or those of a line's constants and variables that other packages see.
func goSpec(o *outline, what string, spec []byte, end byte) kind {
	name, rest := word(spec)
	if what == "type" {
		if bytes.HasPrefix(rest, []byte("[")) { // type parameters
			rest = skipRound(rest, '[', ']')
		}
		what, after := word(rest)
		if string(what) == "=" {
			what, _ = word(after)
		}
		if !oneOf(what, "struct", "interface") {
			what = []byte(Type)
		}
		o.found(Kind(what), name)
		if end == '{' && string(what) == "interface" {
			return contract
		}
		return body
	}
	for what == "const" || what == "var" {
		if startsUpper(name) {
			o.mention(name)
		}
		var sign []byte
		if sign, rest = word(rest); string(sign) != "," {
			break
		}
		name, rest = word(rest)
	}
	return body
}

// define drops words and annotations in front of a definition and returns where it begins. The outline remembers the
// words, for had.
func (o *outline) define(modifiers ...string) (first, rest []byte) {
	o.marks = o.marks[:0]
	for first, rest = word(o.head); len(first) > 0; first, rest = word(rest) {
		switch {
		case string(first) == "@" && !bytes.HasPrefix(rest, []byte("interface ")):
			rest = skipAnnotation(rest)
		case string(first) == "#": // an attribute: #[…], #![…]
			if sign, after := word(rest); string(sign) == "!" {
				rest = after
			}
			rest = skipRound(rest, '[', ']')
		case string(first) == "[": // another: [Fact], [[nodiscard]]
			rest = afterBracket(rest, '[', ']')
		case oneOf(first, modifiers...) && !isUsedAsName(rest):
			o.marks = append(o.marks, first)
			rest = skipRound(rest, '(', ')') // pub(crate), private(set)
		default:
			return first, rest
		}
	}
	return nil, nil
}

// had reports whether a definition was marked with the word.
func (o *outline) had(modifier string) bool {
	return slices.ContainsFunc(o.marks, func(m []byte) bool { return string(m) == modifier })
}

// isUsedAsName reports whether the word before is not a modifier but the thing itself: get() {, default: 1.
func isUsedAsName(rest []byte) bool {
	next, _ := word(rest)
	if string(next) == "(" {
		after, _ := word(skipRound(rest, '(', ')'))
		return !isWord(after)
	}
	return len(next) == 0 || oneOf(next, "=", ":", "?", ";")
}

func skipAnnotation(rest []byte) []byte {
	_, rest = word(rest)
	for {
		sign, after := word(rest)
		if string(sign) != "." && string(sign) != ":" {
			return skipRound(rest, '(', ')')
		}
		_, rest = word(after)
	}
}

func rustHead(o *outline, end byte) kind {
	first, rest := o.define("pub", "default", "async", "unsafe", "extern", "const", "\"")
	name, after := word(rest)
	switch string(first) {
	case "fn":
		o.found(Function, name)
	case "enum", "struct", "union", "type":
		o.found(Kind(first), name)
	case "trait":
		o.found("trait", name)
		return class
	case "impl":
		whole, self := rustImpl(rest)
		o.hidden(Extension, whole)
		o.label = self
		return class
	case "mod":
		return rustModule(o, name, end)
	case "static":
		if o.had("pub") {
			o.mention(name)
		}
	case "macro_rules":
		macro, _ := word(after)
		o.found(Macro, macro)
	default:
		if o.had("const") && o.had("pub") {
			o.mention(first)
		}
		if string(name) == "!" && bytes.HasPrefix(first, []byte("cfg_")) { // cfg_rt! { … }: items under a condition
			return namespace
		}
	}
	return body
}

// rustImpl is "Display for Point" of "<T> fmt::Display for Point<T> where …", and the type that it is about.
func rustImpl(rest []byte) (whole, self string) {
	trait, after, found := bytes.Cut(skipRound(rest, '<', '>'), []byte(" for "))
	if !found {
		self = string(lastOfPath(trait))
		return self, self
	}
	self = string(lastOfPath(skipRound(after, '<', '>')))
	return string(lastOfPath(trait)) + " for " + self, self
}

// lastOfPath is C of "&'a mut a::b::C<D> where …".
func lastOfPath(text []byte) (name []byte) {
	for token, rest := word(text); len(token) > 0; token, rest = word(rest) {
		switch {
		case oneOf(token, "mut", "dyn", "const", "a"), string(token) == "'":
			if string(token) == "'" {
				_, rest = word(rest)
			}
		case isWord(token):
			if name = token; !bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("::")) {
				return name
			}
		}
	}
	return name
}

func rustModule(o *outline, name []byte, end byte) kind {
	if end != '{' {
		return body // elsewhere
	}
	if oneOf(name, "tests", "test") { // of no interest to others
		if o.names != nil {
			return body
		}
		return namespace
	}
	o.mention(name)
	return namespace
}

func swiftHead(o *outline, end byte) kind {
	first, rest := o.define("public", "private", "fileprivate", "internal", "open", "package", "static", "final",
		"mutating", "nonmutating", "override", "required", "convenience", "lazy", "weak", "unowned", "dynamic", "indirect",
		"nonisolated", "distributed", "prefix", "postfix", "infix")
	name, after := word(rest)
	if string(first) == "class" && oneOf(name, "func", "var", "let") {
		first = name
		name, _ = word(after)
	}
	switch string(first) {
	case "func":
		if isWord(name) || end != '{' {
			o.found(Function, name)
			break
		}
		operator, _, _ := bytes.Cut(rest, []byte("("))
		o.hidden(Function, string(bytes.TrimSpace(operator)))
	case "typealias":
		o.found(Type, name)
	case "class", "struct", "enum", "protocol", "actor":
		o.found(Kind(first), name)
		return class
	case "extension":
		o.found(Extension, lastPart(rest))
		return class
	case "init", "deinit", "subscript":
		if o.in() == class {
			o.hidden(Method, string(first))
		}
	case "var":
		if end == '{' {
			o.hidden(Property, string(name))
		}
	case "let":
		if o.had("static") || o.had("public") && o.in() == namespace {
			o.mention(name)
		}
	}
	return body
}

// lastPart is C of "A.B.C: D".
func lastPart(text []byte) []byte {
	name, rest := word(text)
	for {
		sign, after := word(rest)
		if string(sign) != "." {
			return name
		}
		name, rest = word(after)
	}
}

func kotlinHead(o *outline, _ byte) kind {
	first, rest := o.define("public", "private", "internal", "protected", "open", "abstract", "sealed", "data",
		"inner", "inline", "value", "override", "suspend", "operator", "infix", "tailrec", "external", "const", "lateinit",
		"companion", "enum", "annotation", "expect", "actual", "final", "fun")
	if o.had("fun") && string(first) != "interface" {
		name, receiver := functionName(o.head)
		if len(receiver) == 0 || o.names != nil || !isWord(name) {
			o.found(Function, name)
		} else {
			o.hidden(Function, string(receiver)+"."+string(name))
		}
		return body
	}
	name, _ := word(rest)
	switch string(first) {
	case "class", "interface", "object":
		kind := Kind(first)
		if o.had("enum") {
			kind = Enum
		}
		if o.had("companion") && !isWord(name) {
			return class
		}
		o.found(kind, name)
		return class
	case "typealias":
		o.found(Type, name)
	case "constructor":
		o.hidden(Method, "constructor")
	case "val":
		if o.had("const") {
			o.mention(name)
		}
	default:
		if o.had("companion") {
			return class
		}
	}
	return body
}

// functionName is the word before the first round bracket after "fun", past type parameters, and the type before it
// that the function extends.
func functionName(head []byte) (name, receiver []byte) {
	_, rest, found := bytes.Cut(head, []byte("fun "))
	if !found {
		return nil, nil
	}
	rest = skipRound(rest, '<', '>')
	var last []byte
	for {
		var token []byte
		if token, rest = word(rest); len(token) == 0 || string(token) == "(" {
			return name, receiver
		}
		if isWord(token) {
			last = token
		}
		switch name = token; string(token) {
		case ".":
			receiver = last
		case "<":
			rest = afterBracket(rest, '<', '>')
		}
	}
}

func phpHead(o *outline, end byte) kind {
	first, rest := o.define("abstract", "final", "readonly", "public", "private", "protected", "static")
	name, _ := word(rest)
	switch string(first) {
	case "function":
		if string(name) == "&" {
			_, rest = word(rest)
			name, _ = word(rest)
		}
		if bytes.HasPrefix(name, []byte("__")) {
			o.hidden(Function, string(name))
		} else {
			o.found(Function, name)
		}
	case "class", "interface", "trait", "enum":
		o.found(Kind(first), name)
		return class
	case "return":
		if bytes.HasPrefix(rest, []byte(" new class")) {
			return class
		}
	case "const":
		o.mention(wordBefore(rest, '='))
	case "namespace", "if", "else", "elseif": // definitions may depend on a condition
		if end == '{' {
			return namespace
		}
	}
	return body
}

// wordBefore is the last word in front of a sign.
func wordBefore(text []byte, sign byte) []byte {
	before, _, found := bytes.Cut(text, []byte{sign})
	if !found {
		return nil
	}
	return lastWord(before)
}

// lastWord is what a text ends with, and nothing if that is a sign.
func lastWord(text []byte) []byte {
	text = bytes.TrimSpace(text)
	start := len(text)
	for start > 0 && isWordByte(text[start-1]) {
		start--
	}
	return text[start:]
}
