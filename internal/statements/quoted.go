package statements

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

const (
	quotedWithin  = 24 * time.Hour // how long a prompt can be quoted
	quotedPrompts = 200            // and among how many of the latest it is looked for
	quotedWords   = 4              // in a row; fewer stand in many prompts by chance
)

// Quoted looks for words in the prompts that the person typed in a project lately, or in any project if it is 0, and returns the latest
// prompt that has them. It is how an agent proves that it hands over what the person said. The words must stand in the prompt in a row;
// capitals and punctuation do not count. Words that were left out are marked by "..." and each part has at least four words.
func Quoted(ctx context.Context, tx *store.Tx, project memory.ProjectID, text string) (prompt memory.StoredEvent, found bool, err error) {
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(strings.ReplaceAll(scrub.Clean(text), "…", "..."), ". \n"), "...") {
		words := quotable(part)
		if len(words) < quotedWords {
			return prompt, false, nil
		}
		parts = append(parts, " "+strings.Join(words, " ")+" ")
	}
	prompts, err := tx.Prompts(ctx, project, tx.Now.Add(-quotedWithin), quotedPrompts)
	for _, p := range prompts {
		if holds(" "+strings.Join(quotable(typed.OwnWords(p.Text)), " ")+" ", parts) {
			return p.StoredEvent, true, nil
		}
	}
	return memory.StoredEvent{}, false, err
}

// holds reports whether all parts stand in a text, one after the other.
func holds(text string, parts []string) bool {
	for _, part := range parts {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part)-1:] // the blank between two words belongs to both
	}
	return true
}

// quotable are the plain words of a text. Where no blanks stand between words each character counts as one.
func quotable(text string) (words []string) {
	for _, word := range brain.PlainWords(text) {
		from := 0
		for at, r := range word {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				words = append(words, strings.Fields(word[from:at]+" "+string(r))...)
				from = at + len(string(r))
			}
		}
		if from < len(word) {
			words = append(words, word[from:])
		}
	}
	return words
}
