// Package scrub keeps two promises: secrets never enter memory, and text from outside never becomes an instruction.
//
// Clean is for every text before it is stored: it drops private regions and replaces secrets with markers that name
// the kind. Excerpt is for text that is too long to be kept whole: it cuts without giving away what Clean would have
// seen. Display, Line and Quote are for stored text on its way out, to a terminal or into a prompt.
//
// The package is pure: no file, no network, no clock, no database, no state that a caller could see. It uses no
// regular expressions, because the hook of an agent calls it in a process that lives for a few milliseconds, and
// compiling forty expressions would cost more than all the rest.
//
// It may over-redact, and it may not promise to find every secret: a password of plain letters in the middle of a
// sentence looks like any other word.
package scrub

import "strings"

// Clean makes text fit to be stored: valid UTF-8 without NUL, without private regions, without secrets. Cleaning
// twice gives the same as cleaning once, so that text may be cleaned on every way in and again on the way out.
func Clean(text string) string {
	// NUL is removed, not replaced, and first of all: "<pri\x00vate>" must be seen as the tag it was meant to be, and
	// UTF-16 that slipped through becomes readable to the rules below.
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	text, _ = Secrets(Private(text))
	return text
}
