package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

const (
	holdsShown = 36   // statements
	holdsLeast = 0.25 // strength
	holdsNear  = 0.5  // of its strength that a statement gains by files in mind, and as much by words of the latest sessions
)

const (
	StaleMyelin = 0.1                // a file with less myelin is not worth a word when it fades (test vectors of the design)
	StaleIdle   = 7 * 24 * time.Hour // a file nobody has touched for this long is fading (likewise)
)

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
	if line := heardLine(s.heard); line != "" {
		items = append(items, workmem.Item{Text: "- " + line})
	}
	for _, x := range list[:min(len(list), holdsShown)] {
		line := Quote(x.Origin, x.SaidAt, s.now, x.Words())
		items = append(items, workmem.Item{Key: saidWords(x.Text), Text: "- " + line})
		s.shows(x.ID, line)
	}
	return items
}

// heardSince counts what was understood from prompts since the last session before this one began. The start of each session counts
// from another one, so nothing is reported twice.
func heardSince(ctx context.Context, tx *store.Tx, id memory.ProjectID, in ContextInput, sessions []memory.Session) (int, error) {
	if in.Source == "compact" || in.Source == "resume" || len(sessions) == 0 {
		return 0, nil // the start of this session said so
	}
	heard, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id}, Current: true, Heard: true, SaidSince: sessions[0].OpenedAt})
	return len(slices.DeleteFunc(heard, func(c store.Kept) bool { return !c.Lifecycle.Living() || c.Origin != memory.OriginUser })), err
}

// heardLine says that something new was heard, and how to look at it.
func heardLine(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Heard in the prompts of the last session: %s. The user sees them with `hebb memories --heard`.", brain.Counted(n, "statement"))
}
