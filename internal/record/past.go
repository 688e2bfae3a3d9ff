package record

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// Gone returns those of the files that the project has no longer.
func (p *Past) Gone(files []string) (gone []string) {
	for _, path := range files {
		if n, known := p.Image.Find(path); !known || p.Image.File(n).Gone {
			gone = append(gone, path)
		}
	}
	return gone
}

// Past is a project's past in memory: what ranking reads, and which state of the store it is.
type Past struct {
	Project    memory.ProjectID
	Image      *recall.Image
	Ranker     *recall.Ranker
	Version    int64 // of what is in the image
	Generation string
	Meaning    *WordSense // nil without a table of words and without habits
}

// PastCache keeps the pasts of projects between questions. One taken out is its taker's alone until it is put back, and it
// is put back only once what it says is in the store.
type PastCache struct {
	opened   sync.Once
	dir      string // of the files that questions map
	readOnly bool
	params   *recall.Params
	mutex    sync.Mutex
	held     map[memory.ProjectID]*Past
}

type pastsKey struct{}

// Pasts is the cache of an open memory.
func Pasts(b *brain.Brain) *PastCache {
	c := brain.Cache[PastCache](b, pastsKey{})
	c.opened.Do(func() { c.dir, c.readOnly, c.params = b.Config.Cache(), b.ReadOnly, &b.Numbers.Recall })
	return c
}

// Dir is the folder of the files that questions map.
func (c *PastCache) Dir() string { return c.dir }

// Take hands the past over that is kept of a project, or nil.
func (c *PastCache) Take(id memory.ProjectID) *Past {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	held := c.held[id]
	delete(c.held, id)
	return held
}

// Held are the projects whose pasts are kept.
func (c *PastCache) Held() []memory.ProjectID {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Sorted(maps.Keys(c.held))
}

// Put gives a past back.
func (c *PastCache) Put(back *Past) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.held == nil {
		c.held = map[memory.ProjectID]*Past{}
	}
	c.held[back.Project] = back
}

// GenerationMark is the generation of a past: it changes when the past is rebuilt, and nothing read
// before is true any more.
func GenerationMark(id memory.ProjectID) store.Fact[string] {
	return store.NewFact[string]("era").Of(id)
}

// Of returns a project's past as this transaction sees it: what the process kept, or what the file of the project has, with the blocks
// that are new laid over it. Without either all blocks are decoded.
func (c *PastCache) Of(ctx context.Context, tx *store.Tx, id memory.ProjectID) (*Past, error) {
	generation, err := GenerationMark(id).Get(ctx, tx)
	if err != nil {
		return nil, err
	}
	version, err := tx.PastVersion(ctx, id)
	if err != nil {
		return nil, err
	}
	p := c.Take(id)
	if p == nil || p.Generation != generation || p.Version > version { // it may hold more than a transaction sees that began before
		p = c.mapped(id, generation, version)
	}
	if p == nil {
		return c.Read(ctx, tx, id, generation)
	}
	if p.Version == version {
		return p, nil
	}
	return p, tx.EachBlock(ctx, id, p.Version, p.read)
}

// View reads the past of a project in a transaction that only reads.
func (c *PastCache) View(ctx context.Context, st *store.Store, id memory.ProjectID, read func(*store.Tx, *Past) error) error {
	return st.View(ctx, func(tx *store.Tx) error {
		p, err := c.Of(ctx, tx, id)
		if err != nil {
			return err
		}
		defer c.Put(p)
		return read(tx, p)
	})
}

// Read decodes all blocks of a project's past, without a file.
func (c *PastCache) Read(ctx context.Context, tx *store.Tx, id memory.ProjectID, generation string) (*Past, error) {
	p := c.newPast(id, generation, recall.NewImage())
	return p, tx.EachBlock(ctx, id, 0, p.read)
}

func (c *PastCache) newPast(id memory.ProjectID, generation string, image *recall.Image) *Past {
	p := &Past{Project: id, Image: image, Ranker: recall.NewRanker(image), Generation: generation}
	p.Ranker.Vary(*c.params)
	return p
}

// mapped is a past as its file has it; nil without one that can be used. A process that learns checks all of it: what it learned goes into
// the store together with what it read. A file ahead of the store holds what a crash took back, and is removed.
func (c *PastCache) mapped(id memory.ProjectID, generation string, version int64) *Past {
	state := recall.PastState{Project: id, Generation: generation, Version: recall.PastVersions(c.dir, id)[generation], Form: recall.PackedForm}
	if state.Version == 0 {
		return nil
	}
	if state.Version <= version {
		f, err := recall.OpenPast(c.dir, state)
		if err == nil && len(f.Parts) == 1+MeaningParts && (c.readOnly || f.Intact()) {
			if image, err := recall.Unpack(f.Parts[0]); err == nil {
				p := c.newPast(id, generation, image)
				p.Version = state.Version
				p.mapMeaning(f.Parts[1:])
				return p
			}
		}
	}
	if !c.readOnly { // one that only reads may see an older state of the store
		_ = recall.RemovePast(c.dir, id)
	}
	return nil
}

// read takes a block in, which the image copies.
func (p *Past) read(v store.BlockVersion, data []byte) error {
	p.Version = max(p.Version, v.Version)
	if v.Kind == store.TreeBlock {
		return nil
	}
	if v.Kind >= TableBlock {
		p.readMeaning(v.Kind, bytes.Clone(data))
		return nil
	}
	return p.Image.Read(recall.BlockKind(v.Kind), v.Number, data)
}

// save writes the blocks that changed.
func (p *Past) save(ctx context.Context, tx *store.Tx) error {
	return p.Image.Changed(func(kind recall.BlockKind, number int, data []byte) error {
		version, err := tx.SaveBlock(ctx, p.Project, int(kind), number, data)
		p.Version = max(p.Version, version)
		return err
	})
}
