package bootstrap

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	// namesLimit is how many names of a file are kept, the first ones; nameLimit the longest, in bytes.
	namesLimit = 80
	nameLimit  = 100
)

// Names lists what a source file defines: functions, types, methods and the constants others can see; of Markdown the
// headings. They come in order, each once, as valid text that is not scrubbed. A language that is not known has none.
func Names(path string, source []byte) []string {
	names := &nameList{}
	switch lang := languageOf(path); lang {
	case unknown:
	case markdown:
		headings(source, names)
	case python:
		pythonNames(source, names)
	case ruby:
		rubyNames(source, names)
	case pages:
		for part := range scriptParts(source) {
			outlineNames(part, script, names)
		}
	case php:
		outlineNames(source[phpBegin(source, 0):], lang, names)
	default:
		outlineNames(source, lang, names)
	}
	return names.list
}

func outlineNames(source []byte, lang language, names *nameList) {
	o := outline{scanner: scanner{src: source, lang: lang}, names: names}
	switch lang {
	case golang:
		o.read = goHead
	case script:
		o.read = scriptHead
	case rust:
		o.read = rustHead
	case swift:
		o.read = swiftHead
	case kotlin:
		o.read = kotlinHead
	case java, csharp:
		o.read = javaHead
	case clang:
		o.read = cHead
	case php:
		o.read = phpHead
	default:
		return
	}
	o.walk()
}

// bytesBefore is where the mark stands, or the end.
func bytesBefore(source []byte, mark string) int {
	if n := bytes.Index(source, []byte(mark)); n >= 0 {
		return n
	}
	return len(source)
}

// scriptParts yields what stands between <script> and </script>.
func scriptParts(source []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for {
			source = source[bytesBefore(source, "<script"):]
			open := bytes.IndexByte(source, '>')
			if open < 0 {
				return
			}
			source = source[open+1:]
			end := bytesBefore(source, "</script")
			if !yield(source[:end]) {
				return
			}
			source = source[end:]
		}
	}
}

// nameList collects names, each once.
type nameList struct{ list []string }

func (n *nameList) full() bool { return len(n.list) >= namesLimit }

func (n *nameList) add(name []byte) {
	if len(name) == 0 || len(name) > nameLimit || n.full() || name[0] >= '0' && name[0] <= '9' || !utf8.Valid(name) {
		return
	}
	for _, known := range n.list {
		if known == string(name) {
			return
		}
	}
	n.list = append(n.list, string(name))
}

// addWord adds a token if it is a word.
func (n *nameList) addWord(token []byte) {
	if isWord(token) && string(token) != "_" {
		n.add(token)
	}
}

// isLoud reports whether a word is written in capitals, as constants are.
func isLoud(token []byte) bool {
	letters := 0
	for _, b := range token {
		if b >= 'a' && b <= 'z' || b >= 0x80 {
			return false
		}
		if b >= 'A' && b <= 'Z' {
			letters++
		}
	}
	return letters > 1
}

func startsUpper(token []byte) bool { return len(token) > 0 && token[0] >= 'A' && token[0] <= 'Z' }

func oneOf(token []byte, words ...string) bool {
	for _, w := range words {
		if string(token) == w {
			return true
		}
	}
	return false
}

// pythonNames takes functions and classes that are not inside a function, and constants of the module.
func pythonNames(source []byte, names *nameList) {
	const nowhere = -1
	function := nowhere // the indentation of the function we are in
	codeLines(source, python, func(line []byte) bool {
		trimmed := bytes.TrimLeft(line, " \t\f")
		indent := len(line) - len(trimmed)
		if len(bytes.TrimSpace(trimmed)) == 0 || function != nowhere && (indent > function || isShutting(trimmed[0])) {
			return !names.full()
		}
		function = nowhere
		first, rest := word(trimmed)
		if string(first) == "async" {
			first, rest = word(rest)
		}
		name, after := word(rest)
		switch {
		case string(first) == "def":
			names.addWord(name)
			function = indent
		case string(first) == "class":
			names.addWord(name)
		case indent == 0 && isLoud(first) && isAssigned(name, after):
			names.addWord(first)
		}
		return !names.full()
	})
}

// isAssigned reports whether a word is given a value or a type: NAME = 1, NAME: int.
func isAssigned(sign, after []byte) bool {
	return string(sign) == ":" || string(sign) == "=" && !bytes.HasPrefix(after, []byte("="))
}

// isShutting knows what a line of parameters may end with, at the indentation of their function.
func isShutting(b byte) bool { return b == ')' || b == ']' || b == '}' }

// rubyNames takes what lines begin with; only comments and texts of many lines need care.
func rubyNames(source []byte, names *nameList) {
	var until []byte // the line that ends a comment or text
	for line := range bytes.Lines(source) {
		trimmed := bytes.TrimSpace(line)
		switch {
		case names.full() || string(trimmed) == "__END__":
			return
		case until != nil:
			if bytes.Equal(trimmed, until) || string(until) == "=end" && bytes.HasPrefix(line, until) {
				until = nil
			}
			continue
		case bytes.HasPrefix(line, []byte("=begin")):
			until = []byte("=end")
			continue
		}
		rubyLine(trimmed, names)
		until = rubyHeredoc(trimmed)
	}
}

func rubyLine(line []byte, names *nameList) {
	first, rest := word(line)
	if next, after := word(rest); oneOf(first, "private", "protected", "public", "module_function") && isWord(next) {
		first, rest = next, after
	}
	switch string(first) {
	case "def":
		name, after := word(rest)
		if dot, behind := word(after); string(dot) == "." {
			name, after = word(behind)
		}
		if len(after) > 0 && isWord(name) && (after[0] == '?' || after[0] == '!') {
			name = append(bytes.Clone(name), after[0])
		}
		if isWord(name) {
			names.add(name)
		}
	case "class", "module":
		name, after := word(rest)
		for bytes.HasPrefix(after, []byte("::")) {
			name, after = word(after[2:])
		}
		names.addWord(name)
	default:
		if sign, after := word(rest); startsUpper(first) && string(sign) == "=" && isAssigned(sign, after) {
			names.add(first)
		}
	}
}

// rubyHeredoc returns the line that ends the text which begins behind this one, if one does.
func rubyHeredoc(line []byte) []byte {
	for _, mark := range [...]string{"<<~", "<<-"} {
		if _, after, found := bytes.Cut(line, []byte(mark)); found {
			if name, _ := word(bytes.TrimLeft(after, `'"`)); isWord(name) {
				return name
			}
		}
	}
	return nil
}

// headings takes those of Markdown, in both spellings, and none out of a block of code.
func headings(source []byte, names *nameList) {
	var fence, before []byte
	for line := range bytes.Lines(source) {
		line = bytes.TrimRight(line, "\r\n")
		trimmed := bytes.TrimLeft(line, " ")
		switch {
		case names.full():
			return
		case fence != nil:
			if bytes.HasPrefix(trimmed, fence) {
				fence = nil
			}
		case bytes.HasPrefix(trimmed, []byte("```")), bytes.HasPrefix(trimmed, []byte("~~~")):
			fence = trimmed[:3]
			trimmed = nil
		case len(line)-len(trimmed) > 3: // code by indentation
			trimmed = nil
		case bytes.HasPrefix(trimmed, []byte("#")):
			if title := bytes.TrimLeft(trimmed, "#"); len(trimmed)-len(title) <= 6 && bytes.HasPrefix(title, []byte(" ")) {
				names.addHeading(title)
			}
			trimmed = nil
		case len(trimmed) >= 3 && len(bytes.Trim(trimmed, "= ")) == 0:
			names.addHeading(before)
		}
		before = trimmed
	}
}

func (n *nameList) addHeading(title []byte) {
	text := strings.TrimRight(strings.ToValidUTF8(string(title), "\uFFFD"), "# \t")
	text = strings.Trim(strings.ReplaceAll(text, "`", ""), " \t*_")
	n.add([]byte(shorten(text, nameLimit)))
}
