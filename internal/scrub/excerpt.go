package scrub

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// markRoom is what the note in place of the cut may take.
	markRoom = 48
	// margin is how far after the cuts an excerpt looks, so that a secret is seen whole, and with its
	// name, though only a part of it would be kept. It is the longest value that is looked for.
	margin = maxValue
)

// Excerpt returns the beginning and the end of a text in at most limit bytes (or a note alone where
// even that has no room), without private regions. A text that had to be cut says in its middle how
// much is missing, and has no secrets. Text that is cut first and cleaned later would give away
// what it should not: the middle holds the tag that makes the end private, half a token is not
// recognised as one, a password without its name is a word.
func Excerpt(text string, limit int) string {
	text = Private(strings.ReplaceAll(text, "\x00", "")) // without NUL, as in Clean, so that no token hides behind it
	if len(text) <= limit {
		return text
	}
	half := max(limit-markRoom, 0) / 2
	side := min(half+margin, len(text))
	first, last := beginning(text[:side], half), ending(text[len(text)-side:], half)
	return fmt.Sprintf("%s… [%d bytes cut] …%s", first, len(text)-len(first)-len(last), last)
}

// revealed is the text without characters of no width, where they hide a secret.
func revealed(text string) string {
	bare := withoutHidden(text)
	if bare == text {
		return text
	}
	if _, found := Secrets(bare); len(found) == 0 {
		return text
	}
	return bare
}

// beginning cleans the text and returns its first half bytes, without the broken word at the end.
func beginning(text string, half int) string {
	clean, found := Secrets(revealed(text))
	i := min(cleaned(found, half), half, len(clean))
	for i > 0 && i < len(clean) && !mayCut(clean, i) {
		i--
	}
	return clean[:i]
}

// ending cleans the text and returns its last half bytes, without the broken word at the beginning.
func ending(text string, half int) string {
	from := len(text) - half
	if bare := revealed(text); bare != text {
		text, from = bare, len(withoutHidden(text[:from]))
	}
	clean, found := Secrets(text)
	i := max(cleaned(found, from), len(clean)-half)
	for i < len(clean) && !mayCut(clean, i) {
		i++
	}
	return clean[i:]
}

// cleaned maps a place in a text to the text in which found has been replaced; a place in a secret
// to the end of its marker.
func cleaned(found []Finding, place int) int {
	shift := 0
	for _, f := range found {
		if f.Start >= place {
			break
		}
		place = max(place, f.End)
		shift += markerLength(f.Kind) - (f.End - f.Start)
	}
	return place + shift
}

// mayCut reports whether a text may be parted at text[i]: beside white space, a quote, a bracket or
// a character that no token has, and never in a character. A token that is longer than the margin
// is lost to its last byte that way, and a text that is one long word is lost whole; it has little
// to say. The brackets of markers do not count.
func mayCut(text string, i int) bool {
	parts := func(c byte) bool { return c <= ' ' || c >= utf8.RuneSelf || strings.IndexByte("\"'`<>{}();,|", c) >= 0 }
	return (parts(text[i-1]) || parts(text[i])) && utf8.RuneStart(text[i])
}
