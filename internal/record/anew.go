package record

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Anew is the mark of a project that is to be rebuilt.
var Anew = store.NewFact[Mark]("anew")

// Mark says how far a rebuild is.
type Mark struct {
	Since   time.Time `json:"since"`
	Done    int       `json:"done,omitempty"` // of the events
	Events  int       `json:"events,omitempty"`
	Failed  time.Time `json:"failed,omitzero"`
	Problem string    `json:"problem,omitempty"`
}

// RebuildRests is how long a rebuild that failed is not tried again, unless the log changes or somebody asks: it would fail again.
const RebuildRests = 24 * time.Hour

// Due reports whether the project is to be rebuilt now.
func (m Mark) Due(now time.Time) bool {
	since := now.Sub(m.Failed)
	return since < 0 || since >= RebuildRests // a clock that was set back must not prevent it
}

// MarkAnew marks a project to be rebuilt. It belongs into the transaction that changes its events. A process that rebuilds the project
// begins again: see the new generation.
func MarkAnew(ctx context.Context, tx *store.Tx, project memory.ProjectID) error {
	if err := NewGeneration(ctx, tx, project); err != nil {
		return err
	}
	return Anew.Of(project).Set(ctx, tx, Mark{Since: tx.Now})
}

// NewGeneration makes every process read a project's past again.
func NewGeneration(ctx context.Context, tx *store.Tx, project memory.ProjectID) error {
	generation, err := memory.NewEventID(tx.Now, rand.Reader) // no memory has this ID, so it takes no seed of a replayed record
	if err != nil {
		return err
	}
	return GenerationMark(project).Set(ctx, tx, string(generation))
}

// Replay learns from an event of the log as Record did when it came. It has its number, its place in its session and its project.
func (r *Recorder) Replay(ctx context.Context, seq int64, e memory.StoredEvent) error {
	if e.Session != 0 {
		if err := r.work(ctx, e); err != nil {
			return err
		}
	}
	if err := r.SeeProject(ctx, e.Event); err != nil {
		return err
	}
	if e.Session != 0 {
		if err := r.followSession(ctx, e); err != nil {
			return err
		}
	}
	if _, err := r.Tx.PlaceEvent(ctx, seq, e, r.count); err != nil {
		return err
	}
	return r.Learn(ctx, seq, e)
}

// ReplayClose closes a session as it was closed before.
func (r *Recorder) ReplayClose(ctx context.Context, id memory.SessionID, why memory.CloseReason, at time.Time) error {
	if err := r.flush(ctx); err != nil {
		return err
	}
	s, err := r.Tx.Session(ctx, id)
	if err != nil || !s.Open() {
		return brain.IgnoreNotFound(err) // its events are forgotten
	}
	return r.closeLogged(ctx, s, why, false, at)
}

// DropPast begins the past of a project again, with nothing in it.
func (a *association) DropPast(ctx context.Context, project memory.ProjectID) error {
	if err := errors.Join(a.Tx.DropPast(ctx, project), NewGeneration(ctx, a.Tx, project)); err != nil {
		return err
	}
	generation, err := GenerationMark(project).Get(ctx, a.Tx)
	a.pasts[project] = Pasts(a.brain).newPast(project, generation, recall.NewImage())
	return err
}

// Tree is what is known of a project from its work tree: its files, the names they define, and which belong together.
type Tree struct {
	Files []TreeFile
	Links []TreeLink
}

type TreeFile struct {
	Path  string
	Names []vocab.Word
}

type TreeLink struct {
	A, B   memory.NeuronID
	Weight plasticity.Stored
}

// LearnTree takes in what was known from a work tree.
func (a *association) LearnTree(ctx context.Context, project memory.ProjectID, tree Tree) error {
	p, err := a.Past(ctx, project)
	if err != nil {
		return err
	}
	for _, f := range tree.Files {
		p.Image.Define(f.Path, f.Names)
	}
	for _, link := range tree.Links {
		_, failed := a.seed(ctx, link.A, link.B, memory.OriginImport, link.Weight, time.Time{}, a.Tx.Now)
		err = errors.Join(err, failed)
	}
	return err
}
