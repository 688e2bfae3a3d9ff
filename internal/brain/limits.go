package brain

import (
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// TextMost is how many bytes one text may have that a person or an agent gives to be kept. It is scrubbed, cut into words and
// indexed at once, which takes time that grows with its length. Of a longer question, the beginning is looked at.
const TextMost = 256 << 10

// AgentTextMost is how many bytes a text may have that an agent hands in. A person may keep a document; an agent that does so keeps what it
// could say in a few lines, and can do so all day.
const AgentTextMost = 8 << 10

// Fits refuses texts that are too long to be one memory of whoever hands them in. It is asked before anything else looks at them.
func Fits(what string, by memory.Origin, texts ...string) error {
	most := AgentTextMost
	if by != memory.OriginAgent {
		most = TextMost
	}
	for _, text := range texts {
		if len(text) > most {
			return fmt.Errorf("%s: the text has %d KB and may have %d: split it, or keep it in a file and say where it is: %w",
				what, len(text)>>10, most>>10, memory.ErrInvalid)
		}
	}
	return nil
}

// Question is as much of a text as is looked for.
func Question(text string) string {
	if len(text) <= TextMost {
		return text
	}
	return strings.ToValidUTF8(text[:TextMost], "")
}
