package braintest

import (
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/transfer"
)

// Texts are all that is remembered and known, without what a way out and in changes: IDs, origins, sources.
func (l *Library) Texts() (list []string) {
	l.T.Helper()
	out := Must(l.Lab, transfer.MoveOut, transfer.MoveOutInput{Scope: l.Scope()})
	for _, c := range out.Crystals {
		list = append(list, fmt.Sprintf("%s %q about %q", c.Kind, c.Text, c.Subject))
	}
	for _, e := range out.Entities {
		list = append(list, fmt.Sprintf("%s (%s)", e.Name, e.Type))
		for _, o := range e.Observations {
			list = append(list, fmt.Sprintf("%s: %q", e.Name, o.Text))
		}
	}
	for _, r := range out.Relations {
		list = append(list, r.From+" "+r.Type+" "+r.To)
	}
	slices.Sort(list)
	return list
}
