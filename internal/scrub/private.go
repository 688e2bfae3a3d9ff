package scrub

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const privateMarker = "[private]"

// Private replaces every <private> region with "[private]". Tags may nest, may be in any case, may hold spaces and
// attributes. When the tags do not balance, what is missing is assumed to lie outside the text, because text gets cut
// at both ends on its way here:
//
//   - an opening tag that is never closed hides everything to the end of the text;
//   - a closing tag that was never opened hides everything from the beginning of the text.
//
// The cost is that prose which merely mentions a tag loses its tail or its head; the entity form &lt;private&gt; is
// kept as text and is the way to write about it. "<private/>" and "<private" without its ">" count as opening.
// No tag survives in the result, so the function is idempotent.
func Private(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var kept strings.Builder
	var tags tagReader
	depth, from, start := 0, 0, 0 // text[from:] is not decided yet; start is where the last "<" stands
	for i := 0; i <= len(text); i++ {
		var event tagEvent
		if i == len(text) {
			event = tags.end()
		} else {
			if tags.idle() {
				n := strings.IndexByte(text[i:], '<')
				if n < 0 {
					break
				}
				i += n
			}
			event = tags.next(text[i])
		}
		switch {
		case event == tagOpened:
			if depth == 0 {
				kept.WriteString(text[from:start])
			}
			depth++
		case event != noTag && depth == 0: // never opened: all that came before was private
			kept.Reset()
			kept.WriteString(privateMarker)
			if from = i; i < len(text) && tagEndsWith(event, text[i]) {
				from++
			}
		case event == tagClosed:
			if depth--; depth == 0 {
				kept.WriteString(privateMarker)
				from = i + 1
			}
		}
		if i < len(text) && text[i] == '<' {
			start = i
		}
	}
	if depth > 0 {
		kept.WriteString(privateMarker)
		return kept.String()
	}
	if kept.Len() == 0 {
		return text
	}
	kept.WriteString(text[from:])
	return kept.String()
}

// tagEvent is what a tagReader has seen.
type tagEvent uint8

const (
	noTag      tagEvent = iota
	tagOpened           // the name of an opening tag has ended; its attributes belong to the hidden region anyway
	tagClosing          // the name of a closing tag has ended. Without its ">" it is too doubtful to end a region
	tagClosed           // the ">" of a closing tag
)

// tagEndsWith reports whether the byte that brought a closing tag's event is part of the tag: its ">", or the last of
// an invisible character behind its name. Other bytes behind the name are text.
func tagEndsWith(event tagEvent, c byte) bool { return event == tagClosed || c >= utf8.RuneSelf }

// tagReader recognises private tags in a text that comes byte by byte, so that a text need not be held to know what is
// private in it. It passes over NUL, as Clean does.
type tagReader struct {
	state   tagState
	closing bool
	matched int               // bytes of the name
	rune    [utf8.UTFMax]byte // the beginning of a character that takes several bytes
	width   int
}

type tagState uint8

const (
	outsideTag tagState = iota
	beforeName          // behind "<" or "</"
	inName
	behindName   // the next character tells whether the name ends there: <privateKey> is no private tag
	inAttributes // of a closing tag
)

// idle reports whether nothing but a "<" can be of interest next.
func (t *tagReader) idle() bool { return t.state == outsideTag }

// next takes one byte. A "<" begins a new tag wherever it stands.
func (t *tagReader) next(c byte) tagEvent {
	const name = "private"
	switch {
	case t.state == outsideTag && c != '<':
	case c == 0:
		if t.width > 0 {
			t.restart(c) // it parts the bytes of a character
		}
	case t.state == beforeName || t.state == behindName:
		broken := t.width > 0 && c < utf8.RuneSelf
		blank, whole := t.blank(c)
		switch {
		case !whole:
		case broken:
			t.restart(c)
		case t.state == behindName && (blank || c == '>' || c == '/' || c == '<'):
			return t.nameEnded(c)
		case blank:
		case t.state == beforeName && c == '/' && !t.closing:
			t.closing = true
		case t.state == beforeName && lower(c) == name[0]:
			t.state, t.matched = inName, 1
		default:
			t.restart(c)
		}
	case t.state == inName:
		if lower(c) != name[t.matched] {
			t.restart(c)
		} else if t.matched++; t.matched == len(name) {
			t.state = behindName
		}
	case t.state == inAttributes && c == '>':
		t.restart(c)
		return tagClosed
	case c == '<':
		t.restart(c)
	}
	return noTag
}

// end is next for the end of the text, where a name ends too.
func (t *tagReader) end() tagEvent {
	if t.state == behindName && t.width == 0 {
		return t.nameEnded(0)
	}
	return noTag
}

func (t *tagReader) nameEnded(c byte) tagEvent {
	if !t.closing {
		t.restart(c)
		return tagOpened
	}
	switch t.state = inAttributes; c {
	case '>':
		t.restart(c)
		return tagClosed
	case '<':
		t.restart(c)
	}
	return tagClosing
}

func (t *tagReader) restart(c byte) {
	*t = tagReader{}
	if c == '<' {
		t.state = beforeName
	}
}

// blank reports whether c ends a blank character, and whether c ends a character at all. Bytes that are no UTF-8 are
// characters of their own.
func (t *tagReader) blank(c byte) (blank, whole bool) {
	if t.width == 0 && c < utf8.RuneSelf {
		return isBlankRune(rune(c)), true
	}
	t.rune[t.width] = c
	t.width++
	if !utf8.FullRune(t.rune[:t.width]) {
		return false, false
	}
	r, _ := utf8.DecodeRune(t.rune[:t.width])
	t.width = 0
	return isBlankRune(r), true
}

// isBlankRune reports whether a character is white space or an invisible format character.
func isBlankRune(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// skipBlank returns the first position from i on that holds no blank character.
func skipBlank(text string, i int) int {
	for i < len(text) {
		r, width := utf8.DecodeRuneInString(text[i:])
		if !isBlankRune(r) {
			return i
		}
		i += width
	}
	return i
}

// hasPrefixFold reports whether text begins with prefix, which is in lower case, in any ASCII case.
func hasPrefixFold(text, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := 0; i < len(prefix); i++ {
		if lower(text[i]) != prefix[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
