package desk

import (
	"unicode/utf8"
)

func sumLength(text string) int { return utf8.RuneCountInString(text) }
