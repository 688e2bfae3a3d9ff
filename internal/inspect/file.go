package inspect

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// FileInput names a file of a project.
type FileInput struct {
	brain.Scope
	Path string `json:"path"`
}

// FilePage is what is known of a file.
type FilePage struct {
	Path       string             `json:"path"`
	State      *brain.NeuronState `json:"state,omitempty"`
	Companions []Companion        `json:"companions"`
	Errors     []FileError        `json:"errors"`
	Memories   []Remembered       `json:"memories"`
}

// Companion is a file that belongs to another.
type Companion struct {
	Path     string    `json:"path"`
	Weight   float64   `json:"weight"`
	Sessions int64     `json:"sessions"`
	Commits  int64     `json:"commits"`
	LastAt   time.Time `json:"last_at"`
}

// FileError is an error that was met or fixed at a file.
type FileError struct {
	Text   string    `json:"text"`
	Times  int64     `json:"times"`
	LastAt time.Time `json:"last_at"`
}

const (
	companionsMost = 16
	aboutMost      = 40
)

// File shows what is known of a file: what belongs to it, and what was said and what failed there.
var File = reading("file", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in FileInput) (out FilePage, err error) {
	out = FilePage{Path: in.Path, Companions: []Companion{}, Errors: []FileError{}, Memories: []Remembered{}}
	id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
	if err != nil {
		return out, err
	}
	n, err := sleep.NamedNeuron(ctx, tx, id, "", in.Path)
	if err == nil {
		r, failed := b.Reader(ctx, tx, n.Project)
		if failed != nil {
			return out, failed
		}
		out.State = new(r.State(n))
		if err = out.wired(ctx, b.Numbers.Plasticity, tx, n); err != nil {
			return out, err
		}
	}
	if brain.IgnoreNotFound(err) != nil {
		return out, err
	}
	about, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}, Path: in.Path, Current: true, Living: true, Limit: aboutMost})
	if err != nil {
		return out, err
	}
	var list []statements.Memory
	for _, c := range about {
		list = append(list, statements.Memory{Crystal: c.Crystal})
	}
	if out.Memories, err = rows(ctx, b.Config.Tuning.Crystal, tx, list); err != nil {
		return out, err
	}
	return out, out.history(ctx, record.Pasts(b), tx, id)
})

// wired adds what the file is linked to.
func (p *FilePage) wired(ctx context.Context, params plasticity.Params, tx *store.Tx, n store.Strength) error {
	found, err := tx.Companions(ctx, n.ID, aboutMost)
	if err != nil {
		return err
	}
	r, err := brain.NewReader(ctx, tx, params, n.Project)
	if err != nil {
		return err
	}
	for _, c := range found {
		switch {
		case c.Kind == memory.ErrorNeuron:
			p.Errors = append(p.Errors, FileError{fault.Message(c.Key), c.Accesses, c.LastAt})
		case len(p.Companions) < companionsMost:
			p.Companions = append(p.Companions, Companion{Path: c.Key, Weight: r.WeightNow(c.Weight), Sessions: c.CoSessions, LastAt: c.LastMet})
		}
	}
	return nil
}

// history counts the commits that the file shares with its companions.
func (p *FilePage) history(ctx context.Context, pasts *record.PastCache, tx *store.Tx, id memory.ProjectID) error {
	past, err := pasts.Of(ctx, tx, id)
	if err != nil {
		return brain.IgnoreNotFound(err)
	}
	defer pasts.Put(past)
	for i := range p.Companions {
		c := &p.Companions[i]
		commits, last := commitsOfBoth(past, p.Path, c.Path)
		if c.Commits = commits; commits > 0 && c.Sessions == 0 {
			c.LastAt = last // the link has the time at which the commits were learned
		}
	}
	return nil
}
