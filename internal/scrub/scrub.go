// Package scrub keeps two promises: secrets never enter memory, and text from outside never becomes
// an instruction.
//
// Clean is for every text before it is stored: it drops private regions and replaces secrets with
// markers that name the kind. Excerpt is for text that is too long to be kept whole: it cuts
// without giving away what Clean would have seen. Display, Line and Quote are for stored text on
// its way out, to a terminal or into a prompt.
//
// The package is pure: no file, no network, no clock, no database, no state that a caller could
// see. It uses no regular expressions, because the hook of an agent calls it in a process that
// lives for a few milliseconds, and compiling forty expressions would cost more than all the rest.
//
// It may over-redact, and it may not promise to find every secret: a password of plain letters in
// the middle of a sentence looks like any other word.
package scrub

import (
	"strings"
	"unicode/utf8"
)

// Clean makes text fit to be stored: valid UTF-8 without NUL, without private regions, without
// secrets. Cleaning twice gives the same as cleaning once, so that text may be cleaned on every way
// in and again on the way out.
func Clean(text string) string {
	// NUL is removed, not replaced, and first of all: "<pri\x00vate>" must be seen as the tag it was
	// meant to be, and UTF-16 that slipped through becomes readable to the rules below.
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	bare := withoutHidden(text)
	clean, _ := Secrets(Private(bare))
	if clean == bare { // nothing is hidden: a name with such characters stays another name than its twin
		return text
	}
	return clean
}

// Withholds reports whether a text has a private region.
func Withholds(text string) bool {
	bare := withoutHidden(strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", ""))
	return Private(bare) != bare
}

// withoutHidden removes characters without width that stand between two printable ASCII characters,
// where they hide a token from the rules. In other scripts and between emoji they have a meaning,
// and stay.
func withoutHidden(text string) string {
	first := 0
	for first < len(text) && text[first] < utf8.RuneSelf {
		first++
	}
	if first == len(text) {
		return text
	}
	var out strings.Builder
	from := 0 // of what is not written to out yet
	for i := first; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		end := i
		for end < len(text) {
			r, n := utf8.DecodeRuneInString(text[end:])
			if !hidden(r) {
				break
			}
			end += n
		}
		if end > i && end < len(text) && i > 0 && printable(text[i-1]) && printable(text[end]) {
			out.WriteString(text[from:i])
			from = end
		}
		if end == i {
			_, n := utf8.DecodeRuneInString(text[i:])
			end += n
		}
		i = end
	}
	if from == 0 {
		return text
	}
	out.WriteString(text[from:])
	return out.String()
}

// hidden holds for characters that take no room: spaces and joiners without width, soft hyphens,
// marks of direction, tags.
func hidden(r rune) bool {
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x180E, r == 0xFEFF, r == 0x1160, r == 0x3164:
		return true
	case 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F, 0xE0000 <= r && r <= 0xE007F:
		return true
	}
	return 0xFE00 <= r && r <= 0xFE0F
}

func printable(c byte) bool { return ' ' < c && c < 0x7f }
