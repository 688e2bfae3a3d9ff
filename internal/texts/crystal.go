package texts

// Importance decides what is kept and breaks ties. It never orders an answer: fading must not bury what is old and still
// true. Whatever could hide a text (merging, superseding, a guessed time) errs on the side of showing it.

import (
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/tuning"
)

// Rules are the formulas with their numbers.
type Rules struct{ t tuning.Crystal }

// NewRules binds the formulas to one set of numbers.
func NewRules(t tuning.Crystal) Rules { return Rules{t} }

// Terms cuts text into the terms that are compared. It belongs to the caller.
type Terms func(text string) []string

// wordSet is a set of words, built on first use: a hook starts the same program and needs none.
type wordSet func() map[string]bool

func (s wordSet) has(word string) bool { return s()[word] }

func set(list string) wordSet {
	return sync.OnceValue(func() map[string]bool {
		words := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			words[w] = true
		}
		return words
	})
}
