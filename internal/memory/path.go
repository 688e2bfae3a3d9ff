package memory

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// EscapePath turns any file name into text that databases and JSON carry unharmed and UnescapePath turns back.
// A name of ordinary UTF-8 stays as it is; a byte that is not becomes \xNN, a backslash doubles. So /src/\xff.go and
// /src/\xfe.go stay two files, where plain JSON would make them one.
func EscapePath(raw string) string {
	if utf8.ValidString(raw) && !strings.ContainsAny(raw, "\\\x00") {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[i:])
		switch {
		case r == utf8.RuneError && size == 1, r == 0:
			fmt.Fprintf(&b, `\x%02x`, raw[i])
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteString(raw[i : i+size])
		}
		i += size
	}
	return b.String()
}

// UnescapePath restores the bytes that EscapePath wrote.
func UnescapePath(escaped string) (string, error) {
	if !strings.Contains(escaped, `\`) {
		return escaped, nil
	}
	var b strings.Builder
	for i := 0; i < len(escaped); i++ {
		if escaped[i] != '\\' {
			b.WriteByte(escaped[i])
			continue
		}
		rest := escaped[i+1:]
		switch {
		case strings.HasPrefix(rest, `\`):
			b.WriteByte('\\')
			i++
		case len(rest) >= 3 && rest[0] == 'x':
			v, err := strconv.ParseUint(rest[1:3], 16, 8)
			if err != nil {
				return "", fmt.Errorf("path %q: bad escape at byte %d: %w", escaped, i, ErrInvalid)
			}
			b.WriteByte(byte(v))
			i += 3
		default:
			return "", fmt.Errorf("path %q: bad escape at byte %d: %w", escaped, i, ErrInvalid)
		}
	}
	return b.String(), nil
}
