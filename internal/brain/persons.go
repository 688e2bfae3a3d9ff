package brain

import (
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
)

// ByUser reports whether the person asks for something: the origin of an input is empty for them.
func ByUser(origin memory.Origin) bool { return origin == "" || origin == memory.OriginUser }

// ErrPersons is memory.ErrRefused for a change that only the person may make.
var ErrPersons = fmt.Errorf("%w", memory.ErrRefused)

// PersonsOwn refuses a change that only the person may make.
func PersonsOwn(change, what string) error {
	return fmt.Errorf("%s: %s is the user's, and an agent may not %s it: the user does so in a terminal that no agent runs: %w",
		change, what, change, ErrPersons)
}

// Persons reports whether a text is the person's and somebody else is about to replace it.
func Persons(by memory.Origin, text string, asks memory.Origin) bool {
	return text != "" && by == memory.OriginUser && !ByUser(asks)
}
