package outline

import "unicode/utf8"

// isWordByte accepts what names are made of, in any script.
func isWordByte(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_' || b == '$' || b >= 0x80
}

// word cuts the next word or sign off the text; nil at its end.
func word(text []byte) (found, rest []byte) {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	if i == len(text) {
		return nil, nil
	}
	end := i
	for end < len(text) && isWordByte(text[end]) {
		end++
	}
	end = max(end, i+1)
	return text[i:end], text[end:]
}

func isWord(token []byte) bool { return len(token) > 0 && isWordByte(token[0]) }

// skipRound drops what stands between brackets, if the text begins with the opening one.
func skipRound(text []byte, open, shut byte) []byte {
	first, rest := word(text)
	if len(first) != 1 || first[0] != open {
		return text
	}
	return afterBracket(rest, open, shut)
}

// afterBracket is what follows the bracket that shuts the one just passed, and nothing if none does.
func afterBracket(rest []byte, open, shut byte) []byte {
	depth := 1
	for i, b := range rest {
		switch b {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return rest[i+1:]
			}
		}
	}
	return nil
}

// shorten cuts text to at most limit bytes, between two runes.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
