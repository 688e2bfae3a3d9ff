package braintest

import (
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/steward"
)

// Idle drains in the background, as it happens when a turn ends.
func (d *machine) Idle() {
	d.t.Helper()
	d.With(func(b *brain.Brain) error {
		_, err := steward.Run(d.t.Context(), b, steward.Drain, steward.DrainInput{Sleep: true})
		return err
	})
}

func (d *machine) Finding(name string) (found inspect.Finding) {
	d.t.Helper()
	for _, f := range inspect.Doctor(d.t.Context(), d.Config, d.Now, nil, inspect.DoctorInput{}) {
		if f.Name == name {
			found = f
		}
	}
	return found
}
