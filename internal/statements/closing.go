package statements

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed closing.bin
var embeddedClosing []byte

// The model of closing messages takes the words of the other one: its labels are too few to count them.
var closing = sync.OnceValue(func() *Model {
	m := mustDecode(embeddedClosing, ClosingKinds)
	m.Frequent, m.common = model().Frequent, model().common
	return m
})

// BuiltinClosing is the model of closing messages that comes with the program.
func BuiltinClosing() *Model { return closing() }

const (
	fromClosing  = 2       // statements of one message
	closingBytes = 8 << 10 // of a message that are read; a longer one is a report
)

// Closing returns the decisions with reasons and the lessons in the message with which an agent ends its turn or its work, at most two, in
// the order of the text.
func Closing(text string) []Statement {
	if len(text) > closingBytes {
		text = strings.ToValidUTF8(text[:closingBytes], "")
	}
	return likeliest(closing().above(Prompt{Text: text}), fromClosing)
}
