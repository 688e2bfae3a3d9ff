package scrub

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const privateMarker = "[private]"

// Private replaces every <private> region with "[private]". Tags may nest, may be in any case, may
// hold spaces and attributes. When the tags do not balance, what is missing is assumed to lie
// outside the text, because text gets cut at both ends on its way here:
//
//   - an opening tag that is never closed hides everything to the end of the text;
//   - a closing tag that was never opened hides everything from the beginning of the text.
//
// The cost is that prose which merely mentions a tag loses its tail or its head; the entity form
// &lt;private&gt; is kept as text and is the way to write about it. "<private/>" and "<private"
// without its ">" count as opening. No tag survives in the result, so the function is idempotent.
// NUL must be removed before.
func Private(text string) string {
	var kept strings.Builder
	depth, from := 0, 0 // text[from:] is not decided yet
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			break
		}
		start := i + n
		end, closing := privateTag(text, start)
		if i = max(end, start+1); end < 0 {
			continue
		}
		if !closing {
			if depth == 0 {
				kept.WriteString(text[from:start])
			}
			depth++
			continue
		}
		// Without its ">" a closing tag is too doubtful to end a region.
		next := strings.IndexAny(text[end:], "<>")
		closed := next >= 0 && text[end+next] == '>'
		if closed {
			i = end + next + 1
		}
		switch {
		case depth == 0: // never opened: all that came before was private
			kept.Reset()
			kept.WriteString(privateMarker)
			if from = i; !closed && end < len(text) && text[end] >= utf8.RuneSelf {
				_, width := utf8.DecodeRuneInString(text[end:])
				from += width // an invisible character after the name belongs to the tag
			}
		case closed:
			if depth--; depth == 0 {
				kept.WriteString(privateMarker)
				from = i
			}
		}
	}
	switch {
	case depth > 0:
		kept.WriteString(privateMarker)
	case kept.Len() == 0:
		return text
	default:
		kept.WriteString(text[from:])
	}
	return kept.String()
}

// privateTag reads the private tag that begins with the "<" at text[i] and returns where its name
// ends, -1 where there is no such tag. <privateKey> is none.
func privateTag(text string, i int) (end int, closing bool) {
	const name = "private"
	i = skipBlank(text, i+1)
	if closing = i < len(text) && text[i] == '/'; closing {
		i = skipBlank(text, i+1)
	}
	if !hasPrefixFold(text[i:], name) {
		return -1, false
	}
	end = i + len(name)
	if next, _ := utf8.DecodeRuneInString(text[end:]); end < len(text) && !isBlankRune(next) && strings.IndexByte("></", text[end]) < 0 {
		return -1, false
	}
	return end, closing
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
