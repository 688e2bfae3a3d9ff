package bootstrap

import "bytes"

// javaHead reads Java and C#.
func javaHead(o *outline, end byte) kind {
	first, rest := o.define("public", "private", "protected", "internal", "static", "final", "abstract", "sealed",
		"non", "-", "partial", "readonly", "default", "native", "synchronized", "strictfp", "transient", "volatile",
		"override",
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
		o.names.addWord(name)
		return class
	case string(first) == "@": // @interface
		_, rest = word(rest)
		name, _ = word(rest)
		o.names.addWord(name)
		return contract
	case oneOf(first, "using", "import", "package", "return"):
		return body
	}
	if (o.had("static") && o.had("final") || o.had("const")) && bytes.IndexByte(rest, '=') >= 0 {
		if !o.had("private") {
			o.names.addWord(wordBefore(rest, '='))
		}
		return body
	}
	if o.in() != namespace || string(first) == "delegate" {
		o.names.addWord(callable(o.head[len(o.head)-len(rest)-len(first):]))
	}
	return body
}

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
				rest = behind(rest, '(', ')')
				name, words = nil, words-1
				continue
			}
			if words < 2 || angle > 0 {
				return nil
			}
			if isStatement(name) {
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
	switch string(token) {
	case "if", "for", "while", "switch", "return", "catch", "sizeof", "new", "throw", "else", "do", "using", "foreach",
		"synchronized", "static_assert", "case", "defined", "typeof", "int", "void", "char", "long", "short",
		"float", "double",
		"bool", "unsigned", "signed", "auto", "const":
		return true
	}
	return false
}

// isDecoration knows words with a bracket that only say something about the function behind them.
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
	if string(first) == "inline" {
		if next, after := word(rest); string(next) == "namespace" {
			first, rest = next, after
		}
	}
	switch {
	case string(first) == "extern" && end == '{', string(first) == "namespace":
		return namespace
	case string(first) == "typedef":
		return cTypedef(o, rest, end)
	case string(first) == "using":
		o.names.addWord(wordBefore(rest, '='))
		return body
	}
	if name := callable(head); len(name) > 0 {
		if !isLoud(name) { // macros look like functions
			o.names.addWord(name)
		}
		return body
	}
	if end == '{' {
		return cType(o, head)
	}
	return body
}

// cTypedef takes the last word, or that of a pointer to a function: (*name). The brace of a struct comes before both.
func cTypedef(o *outline, rest []byte, end byte) kind {
	if end == '{' {
		if first, _ := word(rest); string(first) == "enum" {
			return body
		}
		return typedef
	}
	if _, behind, found := bytes.Cut(rest, []byte("(*")); found {
		name, _ := word(behind)
		o.names.addWord(name)
		return body
	}
	rest = bytes.TrimRight(rest, " ")
	if n := bytes.IndexByte(rest, '['); n >= 0 {
		rest = rest[:n]
	}
	o.names.addWord(wordBefore(append(bytes.Clone(rest), ';'), ';'))
	return body
}

// cType takes the name of a class, struct, union or enum: the last word before its bases.
func cType(o *outline, head []byte) kind {
	var keyword, name []byte
	for token, rest := word(head); len(token) > 0; token, rest = word(rest) {
		switch {
		case oneOf(token, "class", "struct", "union", "enum"):
			keyword, name = token, nil
		case token[0] == '=':
			return body
		case token[0] == '<', string(token) == "final", token[0] == ':' && len(name) > 0 && !isColon(rest):
			rest = nil
		case isWord(token) && !isDecoration(token):
			name = token
		case token[0] == '(':
			rest = behind(rest, '(', ')')
		}
	}
	if keyword == nil {
		return body
	}
	o.names.addWord(name)
	if string(keyword) == "enum" {
		return body
	}
	return class
}

func isColon(rest []byte) bool { return len(rest) > 0 && rest[0] == ':' }
