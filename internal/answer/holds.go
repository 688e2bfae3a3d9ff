package answer

import (
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
)

const (
	holdsShown = 12   // lines with what people said: as many as somebody reads
	holdsLeast = 0.25 // strength
)

// unsettledTitle asks the agent to decide: both statements are the person's words.
const unsettledTitle = "May be outdated (if the later words replace the earlier: remember with them as quote and the ID as replaces; if unsure ask the user)"

const unsettledShown = 2

// unsettledItems are what a later statement may have replaced, with that.
func (s *starting) unsettledItems() (items []Item) {
	doubts := slices.DeleteFunc(slices.Clone(s.doubts), func(m statements.Memory) bool {
		was := state.Statement{Crystal: m.Crystal}
		return s.readBetter(was) || inPassing(was) && inPassing(state.Statement{Crystal: *m.OutdatedBy})
	})
	for _, m := range doubts[:min(len(doubts), unsettledShown)] {
		newer := *m.OutdatedBy
		line := Quote(m.Origin, m.SaidAt, s.now, state.Statement{Crystal: m.Crystal}.Words()) + " may be outdated since " +
			brain.ShortDay(newer.SaidAt, s.now) + ": " + prose.Quoted(brain.AsData(state.Statement{Crystal: newer}.Words()))
		items = append(items, Item{Key: saidWords(m.Text), Text: "- " + string(m.ID) + " " + line})
	}
	return items
}

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
