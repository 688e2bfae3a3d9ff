package outline

import (
	"bytes"
	"slices"
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
	names := &nameList{shortList{most: namesLimit, longest: nameLimit}}
	if lang := LanguageOf(path); lang == Markdown {
		headings(source, names)
	} else {
		(&finds{names: names}).read(lang, source)
	}
	return names.list
}

// heads are the rules of the languages with braces.
var heads = map[Language]func(o *outline, end byte) kind{
	Go: goHead, Script: scriptHead, Rust: rustHead, Swift: swiftHead, Kotlin: kotlinHead, Java: javaHead, CSharp: javaHead, C: cHead, PHP: phpHead,
}

// bytesBefore is where the mark stands, or the end.
func bytesBefore(source []byte, mark string) int {
	if n := bytes.Index(source, []byte(mark)); n >= 0 {
		return n
	}
	return len(source)
}

// shortList collects texts of limited length, each once.
type shortList struct {
	list          []string
	most, longest int // texts, and bytes of each
}

func (l *shortList) full() bool { return len(l.list) >= l.most }

func (l *shortList) add(text []byte) {
	text = bytes.TrimSpace(text)
	if len(text) > 0 && len(text) <= l.longest && !l.full() && utf8.Valid(text) && !slices.Contains(l.list, string(text)) {
		l.list = append(l.list, string(text))
	}
}

// nameList collects names.
type nameList struct{ shortList }

func (n *nameList) add(name []byte) {
	if n != nil && len(name) > 0 && (name[0] < '0' || name[0] > '9') {
		n.shortList.add(name)
	}
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

func endsIn(text []byte, ends ...string) bool {
	for _, end := range ends {
		if bytes.HasSuffix(text, []byte(end)) {
			return true
		}
	}
	return false
}

// headings takes those of Markdown.
func headings(source []byte, names *nameList) {
	markdown(source, func(title []byte) bool {
		names.add([]byte(headingText(title)))
		return !names.full()
	}, nil)
}
