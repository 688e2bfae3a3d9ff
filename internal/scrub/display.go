package scrub

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Display makes stored text safe to show on a terminal or in a prompt: what could move the cursor,
// reorder or hide text, or carry a message that no reader sees, becomes visible text such as \u{1b}
// (or \x{9b} for a byte that is no UTF-8). That is every control but newline and tab, every format
// character (bidi controls, zero-width characters, Unicode tags), line and paragraph separators,
// fillers and stray variation selectors. CRLF becomes a newline, a lone CR is escaped. Terminal
// colours (SGR: ESC [ 1 ; 31 m) are left out: tool output is full of them, they say nothing, and
// without them text is as its author would have it read, concealed parts included.
//
// Ordinary text of any script stays as it is. Three kinds of invisible characters are kept, one at
// a time and only where writing needs them: U+200C and U+200D between two letters of Arabic or an
// Indic script, U+FE0E and U+FE0F after a symbol, Mongolian selectors after a Mongolian letter.
// Emoji joined by U+200D are shown with escapes between the parts. The backslash itself is not
// escaped: the result is for reading, not for parsing back, and Display of it changes nothing.
func Display(text string) string {
	i := 0
	for i < len(text) && plainByte(text[i]) {
		i++
	}
	if i == len(text) {
		return text
	}
	var shown strings.Builder
	shown.Grow(len(text) + 32)
	const none = rune(-1) // no visible rune stands before
	previous := none
	for i = 0; i < len(text); {
		r, width := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+width:])
		kept := none
		switch {
		case r == utf8.RuneError && width == 1:
			fmt.Fprintf(&shown, `\x{%x}`, text[i])
		case r == '\r' && next == '\n':
			// the newline follows
		case r == '\x1b' && colour(text[i:]) > 0:
			width = colour(text[i:])
		case visible(r) || needed(previous, r, next):
			shown.WriteString(text[i : i+width])
			kept = r
		default:
			fmt.Fprintf(&shown, `\u{%x}`, r)
		}
		previous = kept
		i += width
	}
	return shown.String()
}

// Line is Display on one line: every run of white space becomes one space, and there is none at the
// ends.
func Line(text string) string {
	return strings.Join(strings.Fields(Display(text)), " ")
}

// colour returns the length of the complete SGR sequence at the beginning of text, or 0.
func colour(text string) int {
	const begin = "\x1b["
	if !strings.HasPrefix(text, begin) {
		return 0
	}
	n := len(begin) + run(text[len(begin):], func(c byte) bool { return isDigit(c) || c == ';' || c == ':' }, len(text))
	if n == len(text) || text[n] != 'm' {
		return 0
	}
	return n + 1
}

func plainByte(c byte) bool {
	return ' ' <= c && c <= '~' || c == '\n' || c == '\t'
}

// visible reports whether a rune shows what it is, wherever it stands.
func visible(r rune) bool {
	if r < utf8.RuneSelf {
		return plainByte(byte(r))
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// joiningScripts are those whose spelling distinguishes words by U+200C and U+200D.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Bengali, unicode.Devanagari, unicode.Gujarati, unicode.Gurmukhi, unicode.Kannada,
	unicode.Malayalam, unicode.Oriya, unicode.Sinhala, unicode.Syriac, unicode.Tamil, unicode.Telugu,
}

// needed reports whether an invisible rune is part of ordinary writing between these neighbours. It
// keeps at most one between two visible runes, which leaves no room for a hidden message.
func needed(previous, r, next rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return joining(previous) && joining(next)
	case '\ufe0e', '\ufe0f':
		if previous < utf8.RuneSelf { // keycaps
			return strings.ContainsRune("#*0123456789", previous)
		}
		return visible(previous) && (unicode.IsSymbol(previous) || unicode.Is(unicode.Po, previous))
	case '\u180b', '\u180c', '\u180d', '\u180f':
		return unicode.IsLetter(previous) && unicode.Is(unicode.Mongolian, previous)
	}
	return false
}

func joining(r rune) bool {
	return visible(r) && unicode.In(r, unicode.L, unicode.M) && unicode.In(r, joiningScripts...)
}

// Quote prepares text of outside origin for a place inside a prompt or a managed block. It is
// Display, and it takes the force from marks that could close or forge a block by writing them with
// lookalikes: "</memory>" becomes "‹/memory›", "<!-- hebb:end -->" becomes "‹!-- hebb:end --›",
// "<|im_start|>" becomes "‹|im_start|›", and a run of three or more backticks or tildes becomes as
// many "‵" or "∼". Comparisons, arrows and redirections such as "a < b", "x -> y", "2>&1" and ">=
// 3" stay. Quote of the result changes nothing.
func Quote(text string) string {
	text = Display(text)
	if !strings.ContainsAny(text, "<>`~") {
		return text
	}
	var quoted strings.Builder
	quoted.Grow(len(text) + 16)
	closeAt := -1 // where the ">" of the tag being read stands
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '<' && tagLike(text, i):
			quoted.WriteString("‹")
			closeAt = tagEnd(text, i)
		case c == '>' && (i == closeAt || strings.HasSuffix(text[:i], "--") || strings.HasSuffix(text[:i], "]]")):
			quoted.WriteString("›")
		case c == '`' || c == '~':
			n := len(text[i:]) - len(strings.TrimLeft(text[i:], string(c)))
			quoted.WriteString(fence(c, n))
			i += n - 1
		default:
			quoted.WriteByte(c)
		}
	}
	return quoted.String()
}

func fence(c byte, n int) string {
	switch {
	case n < 3:
		return strings.Repeat(string(c), n)
	case c == '`':
		return strings.Repeat("‵", n)
	}
	return strings.Repeat("∼", n)
}

// tagLike reports whether the "<" at text[i] could be read as the beginning of a tag. A name that stands apart from
// its "<" counts only when nothing but the ">" follows it: "< system >" is a tag, "a < b && c" is none.
func tagLike(text string, i int) bool {
	begin := skipBlank(text, i+1)
	if begin == len(text) {
		return false
	}
	if strings.IndexByte("/!?|", text[begin]) >= 0 {
		return true
	}
	name := text[begin:]
	if first, _ := utf8.DecodeRuneInString(name); first != '_' && !unicode.IsLetter(first) {
		return false
	}
	if begin == i+1 {
		return true
	}
	rest := strings.TrimLeftFunc(name, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-:.", r)
	})
	return strings.HasPrefix(strings.TrimLeftFunc(rest, unicode.IsSpace), ">")
}

// tagEnd returns the place of the ">" that ends the tag begun at text[i], or -1.
func tagEnd(text string, i int) int {
	if n := strings.IndexAny(text[i+1:], "<>"); n >= 0 && text[i+1+n] == '>' {
		return i + 1 + n
	}
	return -1
}
