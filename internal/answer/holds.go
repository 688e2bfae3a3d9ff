package answer

import (
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
)

const (
	holdsShown = 12   // lines with what people said: as many as somebody reads
	holdsLeast = 0.25 // strength
)

// holdItems are what the person said that holds here, the strongest first, and how many more there are.
func (s *starting) holdItems(most int) (items []Item, more int) {
	list := slices.DeleteFunc(slices.Clone(s.holds), func(x state.Statement) bool {
		return x.Kind == memory.Intention || x.Strength(s.now) < holdsLeast || s.readBetter(x) // what is to be done stands in what is going on
	})
	state.SortStatements(list, func(x state.Statement) float64 { return x.Strength(s.now) })
	list = state.Distinct(list)
	for _, x := range list {
		if len(items) == most {
			break
		}
		if line := quote(s.code, x.Crystal, s.now); line != "" {
			items = append(items, Item{Key: saidWords(x.Text), Text: "- " + line})
			s.shows(x.ID, line)
		}
	}
	return items, len(list) - len(items)
}

// readBetter reports whether the page says it: the person's words stand behind one of its lines, or they were heard once in passing and a
// model has read that session, or they do not say what they are about.
func (s *starting) readBetter(x state.Statement) bool {
	return inPassing(x) && (s.read(x.Session) || !statements.Alone(x.Words())) ||
		slices.ContainsFunc(s.page, func(c memory.Crystal) bool { return c.Line.Said == x.ID })
}

// inPassing reports whether a statement was heard once.
func inPassing(x state.Statement) bool { return x.Heard > 0 && x.Heard < 1 && x.Times+x.Missed < 2 }
