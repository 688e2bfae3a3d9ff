package state

import (
	"context"
	"errors"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// DreamDue decides whether a project's state is to be rewritten.
func DreamDue(ctx context.Context, conf config.Config, tx *store.Tx, id memory.ProjectID) (Decision, error) {
	s, known, err := State(ctx, tx, id)
	if err != nil {
		return Decision{}, err
	}
	notes, err := tx.WaitingNotes(ctx, id, 0)
	if err != nil {
		return Decision{}, err
	}
	f := Facts{HasState: known && !s.Empty(), LastDream: s.Dreamt, Notes: len(notes), Off: conf.Dream.Off}
	for _, n := range notes {
		f.NoteText += n.Text + "\n"
	}
	if f.Urgency, err = urgency(ctx, tx); err != nil {
		return Decision{}, err
	}
	crystals, err := latestSaid(ctx, tx, id)
	if err != nil {
		return Decision{}, err
	}
	f.Eligible = len(crystals)
	for _, c := range crystals {
		if c.SaidAt.Truncate(time.Second).After(s.Dreamt) { // the file has whole seconds
			f.New++
		}
	}
	sessions, err := tx.ShelvedSessions(ctx, id, dreamSessions)
	for _, one := range sessions {
		if one.LastEventAt.After(s.Dreamt) {
			f.New++
			f.Sessions++
		}
	}
	if s.Dreamt.IsZero() { // there is nothing to count from
		f.Sessions = 0
	}
	from := tx.Now.Add(-denseWithin)
	if s.Dreamt.After(from) {
		from = s.Dreamt
	}
	prompts, err1 := tx.CountEvents(ctx, store.EventFilter{Project: id, Kind: memory.Prompted, Origin: memory.OriginUser, Since: from})
	lost, err2 := tx.CountEvents(ctx, store.EventFilter{Project: id, Kind: memory.Compacted, Since: from})
	f.Lines, f.Prompts, f.Compacted = desk.ScratchLines(notes), int(prompts), lost > 0 && len(notes) > 0
	return Due(f, tx.Now, conf.Tuning.Dream), errors.Join(err, err1, err2)
}

const denseWithin = 24 * time.Hour // in which prompts make a conversation dense: one of yesterday is over

var dreamt = store.NewFact[snapshot]("dream/snapshot")

// snapshot is what there was when the state was last rewritten.
type snapshot struct {
	At     int64  `json:"at"`
	Counts Counts `json:"counts"`
}

// saveSnapshot keeps what there was at this dream, for urgency counts from here.
func saveSnapshot(ctx context.Context, tx *store.Tx) error {
	now, err := counts(ctx, tx)
	if err != nil {
		return err
	}
	return dreamt.Set(ctx, tx, snapshot{At: tx.Now.UnixMilli(), Counts: now})
}

// counts is what makes a state outdated.
func counts(ctx context.Context, tx *store.Tx) (Counts, error) {
	now, err := tx.CountKnowledge(ctx)
	return Counts{
		Sessions: now.Sessions, Entities: now.Entities, Relations: now.Relations, Observations: now.Observations, Pins: now.Pins, Lines: now.Notes,
	}, err
}

// urgency says how outdated the state is. One that was never written is not.
func urgency(ctx context.Context, tx *store.Tx) (Urgency, error) {
	last, err := dreamt.Get(ctx, tx)
	if err != nil || last.At == 0 {
		return Urgency{}, err
	}
	counts, err := counts(ctx, tx)
	if err != nil {
		return Urgency{}, err
	}
	return UrgencyOf(counts, last.Counts, tx.Now.Sub(time.UnixMilli(last.At))), nil
}
