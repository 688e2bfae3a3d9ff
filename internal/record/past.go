package record

import (
	"context"
	"sync"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// Gone are the files that have this path no longer.
func (p *Past) Gone(files []string) (gone []string) {
	for _, path := range files {
		if n, known := p.Image.Find(path); !known || p.Image.File(n).Gone {
			gone = append(gone, path)
		}
	}
	return gone
}

// past is a project's past in memory: what ranking reads, and which state of the store it is.
type Past struct {
	Project    memory.ProjectID
	Image      *recall.Image
	Ranker     *recall.Ranker
	version    int64 // of what is in the image
	Generation string
	Meaning    *WordSense // nil without a table of words
}

// pasts keeps the pasts of projects between questions. One taken out is its taker's alone until it is put back, and it
// is put back only once what it says is in the store.
type pasts struct {
	mutex sync.Mutex
	held  map[memory.ProjectID]*Past
}

type pastsKey struct{}

func Pasts(b *brain.Brain) *pasts { return brain.Cache[pasts](b, pastsKey{}) }

func (p *pasts) Take(id memory.ProjectID) *Past {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	held := p.held[id]
	delete(p.held, id)
	return held
}

func (p *pasts) Put(back *Past) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.held == nil {
		p.held = map[memory.ProjectID]*Past{}
	}
	p.held[back.Project] = back
}

// GenerationMark is the generation of a past: it changes when the past is rebuilt, and nothing read
// before is true any more.
func GenerationMark(id memory.ProjectID) store.Fact[string] {
	return store.NewFact[string]("era").Of(id)
}

// PastOf returns a project's past as this transaction sees it, reading only the blocks that are new.
func PastOf(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID) (*Past, error) {
	generation, err := GenerationMark(id).Get(ctx, tx)
	if err != nil {
		return nil, err
	}
	version, err := tx.PastVersion(ctx, id)
	if err != nil {
		return nil, err
	}
	p := Pasts(b).Take(id)
	if p == nil || p.Generation != generation || p.version > version { // it may hold more than a transaction sees that began before
		return ReadPast(ctx, b, tx, id, generation)
	}
	if p.version == version {
		return p, nil
	}
	return p, tx.EachBlock(ctx, id, p.version, p.read)
}

// ReadPast reads all of it, in one go: a hook does so for every prompt.
func ReadPast(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, generation string) (*Past, error) {
	p := newPast(b, id, generation, recall.NewImage())
	return p, tx.EachBlock(ctx, id, 0, p.read)
}

func newPast(b *brain.Brain, id memory.ProjectID, generation string, image *recall.Image) *Past {
	p := &Past{Project: id, Image: image, Ranker: recall.NewRanker(image), Generation: generation}
	p.Ranker.Vary(b.Numbers.Recall)
	return p
}

// read takes a block in, which the image copies.
func (p *Past) read(v store.BlockVersion, data []byte) error {
	p.version = max(p.version, v.Version)
	if v.Kind == store.TreeBlock {
		return nil
	}
	if v.Kind >= TableBlock {
		p.readMeaning(v.Kind, data)
		return nil
	}
	return p.Image.Read(recall.BlockKind(v.Kind), v.Number, data)
}

// save writes the blocks that changed.
func (p *Past) save(ctx context.Context, tx *store.Tx) error {
	return p.Image.Changed(func(kind recall.BlockKind, number int, data []byte) error {
		version, err := tx.SaveBlock(ctx, p.Project, int(kind), number, data)
		p.version = max(p.version, version)
		return err
	})
}
