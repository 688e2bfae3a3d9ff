package brain

import (
	"context"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// dreamDue decides whether a project's state is to be rewritten.
func (b *Brain) dreamDue(ctx context.Context, tx *store.Tx, id memory.ProjectID) (dream.Decision, error) {
	s, known, err := b.state(ctx, tx, id)
	if err != nil {
		return dream.Decision{}, err
	}
	notes, err := tx.WaitingNotes(ctx, id, 0)
	if err != nil {
		return dream.Decision{}, err
	}
	f := dream.Facts{HasState: known && !s.Empty(), LastDream: s.Dreamt, Notes: len(notes), Off: b.config.Dream.Off}
	var text strings.Builder
	for _, n := range notes {
		text.WriteString(n.Text + "\n")
	}
	f.NoteText = text.String()
	if f.Urgency, err = b.urgency(ctx, tx); err != nil {
		return dream.Decision{}, err
	}
	crystals, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}, Current: true, Limit: dreamCrystals})
	if err != nil {
		return dream.Decision{}, err
	}
	f.Eligible = len(crystals)
	for _, c := range crystals {
		if c.SaidAt.Truncate(time.Second).After(s.Dreamt) { // the file tells whole seconds
			f.New++
		}
	}
	sessions, err := tx.ShelvedSessions(ctx, id, dreamSessions)
	if err != nil {
		return dream.Decision{}, err
	}
	for _, one := range sessions {
		if one.LastEventAt.After(s.Dreamt) {
			f.New++
		}
	}
	f.Pressure, err = b.pressure(ctx, tx, id, s.Dreamt, notes)
	return dream.Due(f, tx.Now, b.config.Tuning.Dream), err
}

// denseWithin is the time in which prompts make a conversation dense: one of yesterday is over.
const denseWithin = 24 * time.Hour

// pressure judges what waits in a project since its last dream.
func (b *Brain) pressure(ctx context.Context, tx *store.Tx, id memory.ProjectID, dreamt time.Time, notes []store.Note) (workmem.Pressure, error) {
	w := workmem.Waiting{Notes: len(notes), Lines: workmem.ScratchLines(workmem.ScratchView(scratchEntries(notes)))}
	if len(notes) > 0 { // without, nothing else counts
		sessions, err := tx.ShelvedSessions(ctx, id, dreamSessions)
		if err != nil {
			return workmem.Pressure{}, err
		}
		for _, s := range sessions {
			if !dreamt.IsZero() && s.LastEventAt.After(dreamt) { // before the first dream there is nothing to count from
				w.Sessions++
			}
		}
		from := tx.Now.Add(-denseWithin)
		if dreamt.After(from) {
			from = dreamt
		}
		since := store.EventFilter{Project: id, Kind: memory.Prompted, Origin: memory.OriginUser, Since: from}
		prompts, err := tx.CountEvents(ctx, since)
		if err != nil {
			return workmem.Pressure{}, err
		}
		w.Prompts, since.Kind, since.Origin = int(prompts), memory.Compacted, ""
		lost, err := tx.CountEvents(ctx, since)
		if err != nil {
			return workmem.Pressure{}, err
		}
		w.Compacted = lost > 0
	}
	return workmem.PressureOf(w), nil
}
