package outline

import (
	"bytes"
	"strings"
)

// javaHead reads Java and C#.
func javaHead(o *outline, end byte) kind {
	first, rest := o.define("public", "private", "protected", "internal", "static", "final", "abstract", "sealed",
		"non", "-", "partial", "readonly", "default", "native", "synchronized", "strictfp", "transient", "volatile", "override",
		"virtual", "async", "unsafe", "extern", "new", "ref", "file", "required", "const", "global")
	name, after := word(rest)
	switch {
	case string(first) == "namespace":
		if end == '{' {
			return namespace
		}
		return body
	case oneOf(first, "class", "interface", "enum", "struct", "record") && isWord(name):
		if string(first) == "record" && oneOf(name, "class", "struct") {
			name, _ = word(after)
		}
		o.found(Kind(first), name)
		return class
	case string(first) == "@": // @interface
		_, rest = word(rest)
		name, _ = word(rest)
		o.found(Interface, name)
		return contract
	case oneOf(first, "using", "import", "package", "return"):
		return body
	}
	if (o.had("static") && o.had("final") || o.had("const")) && bytes.IndexByte(rest, '=') >= 0 {
		if !o.had("private") {
			o.mention(wordBefore(rest, '='))
		}
		return body
	}
	if o.in() == namespace && string(first) != "delegate" {
		return body
	}
	head := o.head[len(o.head)-len(rest)-len(first):]
	switch method := callable(head); {
	case len(method) > 0:
		o.found(Function, method)
	case o.names != nil:
	case string(first) == lastName(o.around()) && (len(name) == 0 || name[0] == '('): // a constructor
		o.hidden(Method, string(first))
	case o.lang == CSharp:
		o.hidden(csharpMember(head, end))
	}
	return body
}

// csharpMember is the name of an operator, or of a property with code.
func csharpMember(head []byte, end byte) (Kind, string) {
	if _, sign, found := bytes.Cut(head, []byte("operator ")); found {
		sign, _, _ = bytes.Cut(sign, []byte("("))
		return Method, "operator " + string(bytes.TrimSpace(sign))
	}
	before, _, isArrow := bytes.Cut(head, []byte("=>"))
	if !isArrow && end != '{' || bytes.IndexByte(before, '=') >= 0 {
		return Property, ""
	}
	if n := bytes.IndexByte(before, '['); n >= 0 && bytes.HasSuffix(before[:n], []byte("this")) {
		return Property, "this"
	}
	return Property, string(lastWord(before))
}

func lastName(qualified string) string { return qualified[strings.LastIndexByte(qualified, '.')+1:] }

// callable is the name of the function that a head in the manner of C defines: the word before the first bracket, if a
// type stands before that. What assigns or lists is none.
func callable(head []byte) []byte {
	var name []byte
	words, angle := 0, 0
	for token, rest := word(head); len(token) > 0; token, rest = word(rest) {
		switch {
		case isWord(token):
			if string(token) == "operator" {
				return nil
			}
			if angle == 0 {
				name = token
				words++
			}
		case token[0] == '(':
			if isDecoration(name) || words < 2 && (isLoud(name) || oneOf(name, "explicit", "requires")) {
				rest = afterBracket(rest, '(', ')')
				name, words = nil, words-1
				continue
			}
			if words < 2 || angle > 0 || isStatement(name) {
				return nil
			}
			return name
		case token[0] == '<':
			angle++
		case token[0] == '>':
			angle = max(0, angle-1)
		case token[0] == '~', angle == 0 && (token[0] == '=' || token[0] == ',' || token[0] == '.' && len(name) == 0):
			return nil
		default:
			if angle == 0 {
				name = nil
			}
		}
	}
	return nil
}

// isStatement knows words of C, Java and C# that stand before a bracket and name nothing.
func isStatement(token []byte) bool {
	return oneOf(token, "if", "for", "while", "switch", "return", "catch", "sizeof", "new", "throw", "else", "do", "using", "foreach",
		"synchronized", "static_assert", "case", "defined", "typeof", "int", "void", "char", "long", "short", "float", "double",
		"bool", "unsigned", "signed", "auto", "const")
}

// isDecoration knows words with a bracket that only say something about the function after them.
func isDecoration(token []byte) bool {
	return oneOf(token, "__attribute__", "__declspec", "alignas", "_Alignas", "decltype", "noexcept")
}

func cHead(o *outline, end byte) kind {
	head := o.head
	first, rest := word(head)
	for string(first) == "template" {
		head = skipRound(rest, '<', '>')
		first, rest = word(head)
	}
	for isLoud(first) { // a macro before the namespace or class
		first, rest = word(skipRound(rest, '(', ')'))
	}
	if string(first) == "template" {
		head = skipRound(rest, '<', '>')
		first, rest = word(head)
	}
	if string(first) == "inline" {
		if next, after := word(rest); string(next) == "namespace" {
			first, rest = next, after
		}
	}
	switch {
	case string(first) == "extern" && string(bytes.TrimSpace(rest)) == `""`, string(first) == "namespace": // extern "C" {
		return namespace
	case string(first) == "typedef":
		return cTypedef(o, rest, end)
	case string(first) == "using":
		o.mention(wordBefore(rest, '='))
		return body
	}
	name := callable(head)
	switch {
	case len(name) > 0 && o.names != nil:
		if !isLoud(name) { // macros look like functions
			o.found(Function, name)
		}
	case end != '{': // a declaration
	case len(name) > 0:
		o.cFound(head[:cap(head)-cap(name)], string(name)) // name is a piece of head
	case o.names == nil && cSpecial(o, head):
	default:
		return cType(o, head)
	}
	return body
}

// cFound takes a function or, if its name is qualified, a method that is defined outside of its class.
func (o *outline) cFound(before []byte, name string) {
	if owner := cOwner(before); owner != "" {
		o.hidden(Method, owner+"."+name)
	} else {
		o.hidden(Function, name)
	}
}

// cOwner is Server of "void Server<T>::".
func cOwner(before []byte) string {
	before, isMember := bytes.CutSuffix(bytes.TrimRight(before, " "), []byte("::"))
	if !isMember {
		return ""
	}
	if before = bytes.TrimRight(before, " "); bytes.HasSuffix(before, []byte(">")) {
		before = before[:max(0, bytes.LastIndexByte(before, '<'))]
	}
	return string(lastWord(before))
}

// cSpecial takes operators, destructors and the constructors inside a class.
func cSpecial(o *outline, head []byte) bool {
	before, after, isOperator := bytes.Cut(head, []byte("operator"))
	if isOperator && len(after) > 1 && !isWordByte(after[0]) && bytes.IndexByte(before, '=') < 0 {
		sign, _, _ := bytes.Cut(after[1:], []byte("(")) // operator()( has a bracket of its own
		o.cFound(before, "operator"+strings.TrimRight(string(after[:1])+string(sign), " "))
		return true
	}
	if before, after, found := bytes.Cut(head, []byte("~")); found && bytes.IndexByte(before, '(') < 0 {
		name, _ := word(after)
		o.cFound(before, "~"+string(name))
		return true
	}
	class := lastName(o.around())
	for token, rest := word(head); isWord(token) && !isTypeWord(token); token, rest = word(rest) {
		next, _ := word(rest)
		if string(next) != "(" {
			continue
		}
		if string(token) == class {
			o.hidden(Method, class)
			return true
		}
		rest = skipRound(rest, '(', ')') // explicit(true), a macro
	}
	return false
}

// isAccess knows what stands before a colon in a class and says who may use what follows.
func isAccess(head []byte) bool {
	const longest = 24
	if len(head) == 0 || len(head) > longest {
		return false
	}
	for token, rest := word(head); len(token) > 0; token, rest = word(rest) {
		if !oneOf(token, "public", "private", "protected", "signals", "slots", "Q_SIGNALS", "Q_SLOTS") {
			return false
		}
	}
	return true
}

func isTypeWord(token []byte) bool { return oneOf(token, "class", "struct", "union", "enum") }

// isMacroLine reports whether a line holds a macro and nothing else; a type in capitals has no underscore.
func isMacroLine(head []byte) bool {
	first, rest := word(head)
	if !isLoud(first) || len(bytes.TrimSpace(skipRound(rest, '(', ')'))) > 0 {
		return false
	}
	return bytes.IndexByte(first, '_') >= 0 || len(bytes.TrimSpace(rest)) > 0
}

// cTypedef takes the last word, or that of a pointer to a function: (*name). The brace of a struct comes before both.
func cTypedef(o *outline, rest []byte, end byte) kind {
	if end == '{' {
		return typedef
	}
	if _, after, found := bytes.Cut(rest, []byte("(*")); found {
		name, _ := word(after)
		o.mention(name)
		return body
	}
	rest = bytes.TrimRight(rest, " ")
	if n := bytes.IndexByte(rest, '['); n >= 0 {
		rest = rest[:n]
	}
	o.found(Type, lastWord(rest))
	return body
}

// cType takes the name of a class, struct, union or enum: the last word before its bases.
func cType(o *outline, head []byte) kind {
	var keyword, name []byte
	for token, rest := word(head); len(token) > 0; token, rest = word(rest) {
		switch {
		case isTypeWord(token):
			if string(keyword) != "enum" { // enum class
				keyword = token
			}
			name = nil
		case token[0] == '=':
			return body
		case token[0] == ':' && isColon(rest): // Outer::Inner
			rest = rest[1:]
		case token[0] == '<', string(token) == "final", token[0] == ':' && keyword != nil && !isColon(rest):
			rest = nil
		case isWord(token) && !isDecoration(token) && (len(name) == 0 || isLoud(name) || !isLoud(token)):
			name = token
		case token[0] == '(':
			rest = afterBracket(rest, '(', ')')
		}
	}
	if keyword == nil {
		return body
	}
	o.found(Kind(keyword), name)
	if string(keyword) == "enum" {
		return body
	}
	return class
}

func isColon(rest []byte) bool { return len(rest) > 0 && rest[0] == ':' }
