package record

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// IsCommand recognises a person's commands to the agent, /compact and !ls; /src/main.go is none.
func IsCommand(text string) bool {
	if command, ok := strings.CutPrefix(text, "/"); ok {
		word, _, _ := strings.Cut(command, " ")
		return !strings.ContainsAny(word, "/.")
	}
	return strings.HasPrefix(text, "!")
}

// ShownName writes a path so that it cannot pass for more than a name: as it is where it is plain, else in quotation
// marks, with everything that could end the line or the quotation escaped.
func ShownName(path string) string {
	raw, err := memory.UnescapePath(path)
	if err != nil {
		raw = path // not written by us; the bytes as they are say most
	}
	if isPlainName(raw) {
		return raw
	}
	return "file " + scrub.Quote(strconv.Quote(raw))
}

func isPlainName(name string) bool {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+@=#%[]$", r) {
			return false
		}
	}
	return scrub.Quote(name) == name // some letters show nothing
}
