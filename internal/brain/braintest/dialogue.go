package braintest

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// dialogue is a session in which these texts are said in turn; those that begin with > by an agent.
func (l *Lab) dialogue(run string, texts ...string) (events []memory.Event) {
	for i, text := range texts {
		e := l.Asked(run, text, float64(i))
		if answer, found := strings.CutPrefix(text, "> "); found {
			e = l.Of(run, l.Event(memory.TurnEnded, float64(i)))
			e.Origin, e.Text = memory.OriginAgent, answer
		}
		events = append(events, e)
	}
	return events
}
