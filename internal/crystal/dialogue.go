package crystal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Asks reports whether a text asks something: a sentence of it ends with a question mark. Those of addresses and of code do not count.
func Asks(text string) bool {
	for {
		_, after, found := strings.Cut(text, "?")
		if !found {
			return false
		}
		text = strings.TrimLeft(after, "?!")
		next, _ := utf8.DecodeRuneInString(text)
		if text == "" || unicode.IsSpace(next) || strings.ContainsRune(`"'”’)]*_`, next) {
			return true
		}
	}
}

// SpeakerOf is the name that a transcript sets before what somebody says ("Ann Lee: hello"), or nothing.
func SpeakerOf(text string) string {
	const words, longest = 3, 40
	name, said, found := strings.Cut(text[:min(len(text), longest)], ":")
	if next, _ := utf8.DecodeRuneInString(said); !found || said != "" && !unicode.IsSpace(next) {
		return ""
	}
	parts := strings.Fields(name)
	if len(parts) == 0 || len(parts) > words {
		return ""
	}
	for _, p := range parts {
		first, _ := utf8.DecodeRuneInString(p)
		if !unicode.IsLetter(first) || unicode.IsLower(first) || strings.ContainsFunc(p, notOfName) {
			return ""
		}
	}
	return name
}

func notOfName(r rune) bool {
	return !unicode.IsLetter(r) && r != '.' && r != '-' && r != '\'' && r != '’'
}
