package record

import (
	"context"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// HeatOf is how the heat of files fades: by the sessions closed in their project.
func HeatOf() plasticity.Fading {
	return plasticity.NewFading(HeatPerSession, HeatMost)
}

// warm is what touching a file does to its heat. A file that the session has opened gains nothing by being named as well.
func (a *association) warm(ctx context.Context, e memory.StoredEvent, t memory.Touch) error {
	id := memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)
	h, err := a.Heat(ctx, e.Project, id)
	if err != nil {
		return err
	}
	gain := TouchHeat(t.Kind, e.Session != 0 && h.Session == e.Session)
	if gain == 0 {
		return nil
	}
	clock, err := a.clock(ctx, e)
	if err != nil {
		return err
	}
	fading := HeatOf()
	h.Heat = fading.Store(fading.Value(h.Heat, clock)+gain, clock)
	h.Touches++
	h.Session = e.Session
	if e.At.After(h.LastAt) {
		h.LastAt = e.At
	}
	return nil
}

// Heat returns what is kept of a file, as this transaction has changed it.
func (a *association) Heat(ctx context.Context, project memory.ProjectID, id memory.NeuronID) (*store.Heat, error) {
	if a.Warming.files[id] == nil {
		if err := a.loadHeat(ctx, project, id); err != nil {
			return nil, err
		}
	}
	return a.Warming.files[id], nil
}

// loadHeat reads what is kept of some files of a project that are not in hand yet.
func (a *association) loadHeat(ctx context.Context, project memory.ProjectID, ids ...memory.NeuronID) error {
	known, err := a.Tx.HeatOf(ctx, ids)
	for _, id := range ids {
		if a.Warming.files[id] != nil {
			continue
		}
		h, ok := known[id]
		if !ok {
			h = store.Heat{Neuron: id, Project: project, Heat: plasticity.Nothing}
		}
		a.Warming.files[id] = &h
	}
	return err
}

// clock is how many sessions of a project are closed: what comes late warms no less.
func (a *association) clock(ctx context.Context, e memory.StoredEvent) (float64, error) {
	now, known := a.Warming.clocks[e.Project]
	if !known {
		p, err := a.Tx.Project(ctx, e.Project)
		if err != nil {
			return 0, err
		}
		now = p.Clock
		a.Warming.clocks[e.Project] = now
	}
	return float64(now), nil
}

// ticked notes that a project's clock has moved.
func (a *association) ticked(id memory.ProjectID) {
	if _, known := a.Warming.clocks[id]; known {
		a.Warming.clocks[id]++
	}
}

// moveHeat hands what is kept of a file to its new name.
func (a *association) moveHeat(ctx context.Context, e memory.StoredEvent, from, to memory.NeuronID) error {
	old, err := a.Heat(ctx, e.Project, from)
	if err != nil || old.LastAt.IsZero() && old.Note == "" && old.Summary == "" {
		return err
	}
	h, err := a.Heat(ctx, e.Project, to)
	if err != nil {
		return err
	}
	clock, err := a.clock(ctx, e)
	if err != nil {
		return err
	}
	fading := HeatOf()
	h.Heat = fading.Store(fading.Value(h.Heat, clock)+fading.Value(old.Heat, clock), clock)
	h.Touches += old.Touches
	if old.LastAt.After(h.LastAt) {
		h.LastAt, h.Session = old.LastAt, old.Session
	}
	if h.Note == "" {
		h.Note, h.NoteBy, h.NoteAt = old.Note, old.NoteBy, old.NoteAt
	}
	if h.Summary == "" {
		h.Summary, h.SummaryBy = old.Summary, old.SummaryBy
	}
	delete(a.Warming.files, from)
	return a.Tx.DeleteHeat(ctx, from)
}

// saveHeat writes what changed.
func (a *association) saveHeat(ctx context.Context) error {
	for _, h := range a.Warming.files {
		if h.LastAt.IsZero() && h.Note == "" && h.Summary == "" {
			continue // looked at, and nothing is known of it
		}
		if err := a.Tx.SaveHeat(ctx, *h); err != nil {
			return err
		}
	}
	clear(a.Warming.files)
	return nil
}

// HeatPerSession is what one closed session leaves of the heat of its project's files.
const HeatPerSession = 0.8

// HeatMost bounds the heat of a file: no session touches one so often.
const HeatMost = 1000.0

// Heat of files, as the working memory was designed.
const (
	// WarmFrom is the heat from which on a file is warm.
	WarmFrom    = 1.0
	hotAbove    = 2.0 // its note is shown
	editHeat    = 1.0
	readHeat    = 0.3
	mentionHeat = 0.5 // named in conversation: once a session, unless the file was opened
)

// Tier says how present a file is.
type Tier int

const (
	Cold Tier = iota // not shown
	Warm             // shown with its summary
	Hot              // shown with its summary and its note
)

func (t Tier) String() string { return [...]string{"cold", "warm", "hot"}[t] }

// TierOf sorts a heat: 2.0 is warm, 2.0001 hot, 1.0 warm, 0.9999 cold. What is no number is cold.
func TierOf(heat float64) Tier {
	switch {
	case heat > hotAbove:
		return Hot
	case heat >= WarmFrom:
		return Warm
	}
	return Cold
}

// TouchHeat is what a touch adds to the heat of a file. Naming a file counts only while the session has not touched it. A file that was renamed or deleted is not worked on, so neither heats.
func TouchHeat(kind memory.TouchKind, touchedBefore bool) float64 {
	switch kind {
	case memory.Edit:
		return editHeat
	case memory.Read:
		return readHeat
	case memory.Rename, memory.Delete:
		return 0
	}
	if touchedBefore {
		return 0
	}
	return mentionHeat // also for a kind that a later version of hebb may know
}
