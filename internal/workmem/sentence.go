package workmem

import (
	"regexp"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/prose"
)

// pattern compiles a regular expression when it is first used: a hook starts the same program and needs none.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// FirstSentence is the first sentence of a text, at most length characters.
func FirstSentence(text string, length int) string {
	return closed(prose.Shorten(sumSentence(shelfClean(text)), length))
}

// closed is a shortened line whose quotation does not stay open.
func closed(line string) string {
	if strings.LastIndex(line, saidOpen) > strings.LastIndex(line, saidClose) {
		line += saidClose
	}
	return line
}

// Reworded is a text whose first sentence is said in other words. Where that sentence cannot be found, because it is a
// list or runs over lines, the whole text stays below the new words.
func Reworded(text, line string) string {
	text = shelfClean(text)
	rest := strings.TrimSpace(strings.TrimPrefix(text, sumSentence(text)))
	if rest == "" {
		return line
	}
	return line + "\n\n" + rest
}
