package record

import (
	"context"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
)

// RecordingIn is Recording of what somebody says about one project: the named one, or the one around the folder, which the store
// knows from then on. What holds everywhere has project 0. The place is empty unless the folder chose the project.
func RecordingIn(ctx context.Context, b *brain.Brain, in brain.Scope, everywhere bool, work func(*Recorder, memory.ProjectID, memory.Place) error) error {
	var place memory.Place
	if !everywhere && in.Project == "" {
		var err error
		if place, err = b.PlaceAt(in.Dir); err != nil {
			return err
		}
	}
	return Recording(ctx, b, b.Say, func(r *Recorder) (err error) {
		var id memory.ProjectID
		switch {
		case everywhere:
		case in.Project != "":
			id, err = brain.Named(ctx, r.Tx, in.Project)
		default:
			id = place.Project()
			err = r.SeeProject(ctx, memory.Event{At: r.Tx.Now, Place: place})
		}
		if err != nil {
			return err
		}
		return work(r, id, place)
	})
}
