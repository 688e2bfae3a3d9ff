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
	depth, from := 0, 0 // text[from:] is not decided yet
	for i := 0; i < len(text); {
		tag, isTag := readTag(text, i)
		switch {
		case !isTag:
			i++
			continue
		case !tag.closing:
			if depth == 0 {
				kept.WriteString(text[from:i])
			}
			depth++
		case depth == 0: // never opened: all that came before was private
			kept.Reset()
			kept.WriteString(privateMarker)
			from = tag.end
		case tag.complete: // a closing tag without its ">" is too doubtful to end a private region
			if depth--; depth == 0 {
				kept.WriteString(privateMarker)
				from = tag.end
			}
		}
		i = tag.end
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

type privateTag struct {
	closing  bool
	complete bool // its ">" was found
	end      int  // for a complete closing tag behind its ">", else behind the name
}

// readTag reads a private tag that begins at text[i]. The name must end there: <privateKey> is no private tag.
func readTag(text string, i int) (tag privateTag, ok bool) {
	const name = "private"
	if text[i] != '<' {
		return tag, false
	}
	i = skipBlank(text, i+1)
	if i < len(text) && text[i] == '/' {
		tag.closing = true
		i = skipBlank(text, i+1)
	}
	if !hasPrefixFold(text[i:], name) {
		return tag, false
	}
	i += len(name)
	if i < len(text) && text[i] != '>' && text[i] != '/' && text[i] != '<' && skipBlank(text, i) == i {
		return tag, false
	}
	tag.end = i
	// An opening tag needs no look for its ">": the attributes belong to the hidden region anyway.
	if tag.closing {
		if n := strings.IndexAny(text[i:], "<>"); n >= 0 && text[i+n] == '>' {
			tag.complete, tag.end = true, i+n+1
		}
	}
	return tag, true
}

// skipBlank returns the first position from i on that holds neither white space nor an invisible format character.
func skipBlank(text string, i int) int {
	for i < len(text) {
		r, width := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
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
