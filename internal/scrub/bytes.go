package scrub

import "strings"

// The letters that the bodies of tokens are made of.

func isDigit(c byte) bool         { return '0' <= c && c <= '9' }
func isLower(c byte) bool         { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool         { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool        { return isLower(c) || isUpper(c) }
func isAlnum(c byte) bool         { return isLetter(c) || isDigit(c) }
func isWord(c byte) bool          { return isAlnum(c) || c == '_' }
func isUpperDigit(c byte) bool    { return isUpper(c) || isDigit(c) }
func isLowerDigit(c byte) bool    { return isLower(c) || isDigit(c) }
func isLowerHex(c byte) bool      { return isDigit(c) || 'a' <= c && c <= 'f' }
func isHex(c byte) bool           { return isLowerHex(c) || 'A' <= c && c <= 'F' }
func isHexDash(c byte) bool       { return isHex(c) || c == '-' }
func isTokenByte(c byte) bool     { return isWord(c) || c == '-' }
func isDottedByte(c byte) bool    { return isTokenByte(c) || c == '.' }
func isPathByte(c byte) bool      { return isTokenByte(c) || c == '/' }
func isBase64Any(c byte) bool     { return isTokenByte(c) || c == '+' || c == '/' || c == '=' }
func isURLByte(c byte) bool       { return isBase64Any(c) || c == '%' || c == '.' || c == '@' }
func isCryptByte(c byte) bool     { return isBase64Any(c) || c == '$' || c == '.' || c == ',' || c == ':' }
func isUpperDash(c byte) bool     { return isUpperDigit(c) || c == '-' }
func isBraintreeByte(c byte) bool { return isLowerDigit(c) || c == '$' }
func isSpace(c byte) bool         { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isBlank(c byte) bool         { return c == ' ' || c == '\t' }
func isQuote(c byte) bool         { return c == '"' || c == '\'' || c == '`' }

// run returns how many bytes at the beginning of text are of the set, at most limit.
func run(text string, set func(byte) bool, limit int) int {
	n := 0
	for n < len(text) && n < limit && set(text[n]) {
		n++
	}
	return n
}

// runBack is run from the end of text backwards.
func runBack(text string, set func(byte) bool, limit int) int {
	n := 0
	for n < len(text) && n < limit && set(text[len(text)-1-n]) {
		n++
	}
	return n
}

// wordBegins reports whether a word begins at text[i]: what stands before is no letter, digit or underscore, or it is
// the tail of an escape such as \n, %3D, \u003d or the m of a terminal colour.
func wordBegins(text string, i int) bool {
	if i == 0 || !isWord(text[i-1]) {
		return true
	}
	return escapeEndsAt(text, i)
}

func escapeEndsAt(text string, i int) bool {
	before := text[:i]
	switch {
	case i >= 2 && before[i-2] == '\\' && strings.IndexByte("nrtfb", before[i-1]) >= 0:
		return true
	case i >= 3 && before[i-3] == '%' && isHex(before[i-2]) && isHex(before[i-1]):
		return true
	case i >= 6 && before[i-6:i-4] == `\u` && runBack(before, isHex, 4) == 4:
		return true
	case before[i-1] == 'm':
		codes := runBack(before[:i-1], func(c byte) bool { return isDigit(c) || c == ';' }, 12)
		return i-2-codes >= 0 && before[i-2-codes] == '['
	}
	return false
}

// within returns text[from:to], cut to the text.
func within(text string, from, to int) string {
	from = min(max(from, 0), len(text))
	return text[from:min(max(to, from), len(text))]
}

// wordSet is the set of the words in a text.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
