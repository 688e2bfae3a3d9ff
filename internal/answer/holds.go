package answer

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/workmem"
)

const (
	holdsShown = 36   // statements
	holdsLeast = 0.25 // strength
	holdsNear  = 0.5  // of its strength that a statement gains by files in mind, and as much by words of the latest sessions
)

// unsettledTitle asks the agent to decide: both statements are the person's words.
const unsettledTitle = "May be outdated (if the later words replace the earlier: remember with them as quote and the ID as replaces; if unsure ask the user)"

const unsettledShown = 3

// unsettledItems are what a later statement may have replaced, with that.
func (s *starting) unsettledItems() (items []workmem.Item) {
	for _, m := range s.doubts[:min(len(s.doubts), unsettledShown)] {
		newer := *m.OutdatedBy
		line := Quote(m.Origin, m.SaidAt, s.now, dream.Statement{Crystal: m.Crystal}.Words()) + " may be outdated since " +
			brain.ShortDay(newer.SaidAt, s.now) + ": " + workmem.Quoted(brain.AsData(dream.Statement{Crystal: newer}.Words()))
		items = append(items, workmem.Item{Key: saidWords(m.Text), Text: "- " + string(m.ID) + " " + line})
	}
	return items
}

// holdItems are what the person said that holds here, the strongest first; what touches files in mind or the latest work comes
// before the rest.
func (s *starting) holdItems() (items []workmem.Item) {
	hot := map[string]bool{}
	for _, f := range s.heat.Files {
		hot[f.Path] = true
	}
	var lately strings.Builder
	for _, one := range s.recent {
		lately.WriteString(one.Happened + "\n" + one.Next + "\n")
	}
	strength := map[memory.CrystalID]float64{}
	list := slices.DeleteFunc(slices.Clone(s.holds), func(x dream.Statement) bool {
		strength[x.ID] = x.Strength(s.now)
		return x.Kind == memory.Intention || strength[x.ID] < holdsLeast // what is to be done stands in what is going on
	})
	for _, x := range list {
		near := 1.0
		if slices.ContainsFunc(x.Anchors, func(a memory.Anchor) bool { return hot[a.Path] }) {
			near += holdsNear
		}
		strength[x.ID] *= near + holdsNear*workmem.KeptWords(x.Text, lately.String())
	}
	dream.SortStatements(list, func(x dream.Statement) float64 { return strength[x.ID] })
	for _, x := range list[:min(len(list), holdsShown)] {
		if line := quote(s.code, x.Crystal, s.now); line != "" {
			items = append(items, workmem.Item{Key: saidWords(x.Text), Text: "- " + line})
			s.shows(x.ID, line)
		}
	}
	return items
}
