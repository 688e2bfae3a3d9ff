package code

import (
	"strings"
)

// Kind is what a definition is, in the word its language has for it, such as struct, trait or protocol. What runs is
// called alike in all of them.
type Kind string

const (
	Function  Kind = "function"
	Method    Kind = "method"
	Property  Kind = "property" // with code of its own
	Macro     Kind = "macro"
	Class     Kind = "class"
	Interface Kind = "interface"
	Enum      Kind = "enum"
	Type      Kind = "type"
	Module    Kind = "module"
	Extension Kind = "extension" // also Rust's impl

	// What has a name and no text of its own, or only members.
	constant  Kind = "constant"
	variable  Kind = "variable"
	namespace Kind = "namespace"
	group     Kind = "group" // Go's list of constants, variables or types
)

// Definition is a thing that a file defines, with all that belongs to it from its first annotation to its last brace.
// What stands inside a function is part of that, not a definition of its own.
type Definition struct {
	Kind Kind
	// Name is qualified by the types around it, with a dot in all languages: Server.Start.
	Name string
	// The definition is source[From:To], its body source[Body:To]. Body equals To where there is none.
	From, Body, To int
	// Start and End are its lines, the first of a file being 1.
	Start, End int
}

const (
	definitionLimit = 5000 // definitions of one file that are kept, the first ones
	wholeNameLimit  = 300  // bytes of a qualified name
	namesLimit      = 80   // names of one file that are kept, the first ones
	nameLimit       = 100  // bytes of a name
)

func isWordByte(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_' || b == '$' || b >= 0x80
}

// wordLength is how much of a text its first word takes; 0 if it begins with a sign.
func wordLength(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

func isWord(text string) bool {
	return text != "" && isWordByte(text[0]) && (text[0] < '0' || text[0] > '9') && text != "_"
}

// word cuts the next word or sign off a text; empty at its end.
func word(text string) (first, rest string) {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" {
		return "", ""
	}
	n := max(wordLength(text), 1)
	return text[:n], text[n:]
}

// lastWord is what a text ends with, and nothing if that is a sign.
func lastWord(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	start := len(text)
	for start > 0 && isWordByte(text[start-1]) {
		start--
	}
	return text[start:]
}

// isLoud reports whether a word is written in capitals, as constants are.
func isLoud(text string) bool {
	return len(text) > 1 && strings.ToUpper(text) == text && strings.ToLower(text) != text
}

func startsUpper(text string) bool { return text != "" && text[0] >= 'A' && text[0] <= 'Z' }

// skipRound drops what stands between brackets, if the text begins with the opening one.
func skipRound(text string, open, shut byte) string {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if trimmed == "" || trimmed[0] != open {
		return text
	}
	depth := 0
	for i := range len(trimmed) {
		switch trimmed[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return trimmed[i+1:]
			}
		}
	}
	return ""
}
