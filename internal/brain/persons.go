package brain

import (
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
)

// byUser reports whether the person asks for something: the origin of an input is empty for them.
func byUser(origin memory.Origin) bool { return origin == "" || origin == memory.OriginUser }

// personsOwn refuses a change that only the person may make.
func personsOwn(change, what string) error {
	return fmt.Errorf("%s: %s is the user's, and an agent may not %s it: the user does so in a terminal that no agent runs: %w",
		change, what, change, memory.ErrRefused)
}

// persons reports whether a text is the person's and somebody else is about to replace it.
func persons(by memory.Origin, text string, asks memory.Origin) bool {
	return text != "" && by == memory.OriginUser && !byUser(asks)
}
