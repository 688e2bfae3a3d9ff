package brain

import (
	"context"
	"sync"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// past is a project's past in memory: what ranking reads, and which state of the store it is.
type past struct {
	project memory.ProjectID
	image   *recall.Image
	ranker  *recall.Ranker
	version int64 // of what is in the image
	era     string
	meaning *wordSense // nil without a table of words
}

// pasts keeps the pasts of projects between questions. One taken out is its taker's alone until it is put back, and it
// is put back only once what it says is in the store.
type pasts struct {
	mutex sync.Mutex
	held  map[memory.ProjectID]*past
}

type pastsKey struct{}

func (b *Brain) pasts() *pasts { return Cache[pasts](b, pastsKey{}) }

func (p *pasts) take(id memory.ProjectID) *past {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	held := p.held[id]
	delete(p.held, id)
	return held
}

func (p *pasts) put(back *past) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.held == nil {
		p.held = map[memory.ProjectID]*past{}
	}
	p.held[back.project] = back
}

// eraMark is a project's era: it changes when the past is made anew, and nothing read
// before is true any more.
func eraMark(id memory.ProjectID) store.Fact[string] { return store.NewFact[string]("era").Of(id) }

// past returns a project's past as this transaction sees it, reading only the blocks that are new.
func (b *Brain) past(ctx context.Context, tx *store.Tx, id memory.ProjectID) (*past, error) {
	era, err := eraMark(id).Get(ctx, tx)
	if err != nil {
		return nil, err
	}
	version, err := tx.PastVersion(ctx, id)
	if err != nil {
		return nil, err
	}
	p := b.pasts().take(id)
	if p == nil || p.era != era || p.version > version { // it may hold more than a transaction sees that began before
		return b.readPast(ctx, tx, id, era)
	}
	if p.version == version {
		return p, nil
	}
	blocks, err := tx.BlockVersions(ctx, id, p.version)
	if err != nil {
		return nil, err
	}
	for _, v := range blocks {
		data, err := tx.Block(ctx, id, v.Kind, v.Number)
		if err != nil {
			return nil, err
		}
		if err := p.read(v, data); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// readPast reads all of it, in one go: a hook does so for every prompt.
func (b *Brain) readPast(ctx context.Context, tx *store.Tx, id memory.ProjectID, era string) (*past, error) {
	blocks, err := tx.BlockVersions(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	image := recall.NewImage()
	image.Expect(countBlocks(blocks))
	p := &past{
		project: id, image: image, ranker: recall.NewRanker(image), era: era,
	}
	p.ranker.Vary(b.numbers.Recall)
	return p, tx.EachBlock(ctx, id, p.read)
}

// read takes a block in, which the image copies.
func (p *past) read(v store.BlockVersion, data []byte) error {
	p.version = max(p.version, v.Version)
	if v.Kind == store.ToldBlock {
		return nil
	}
	if v.Kind >= tableBlock {
		p.readMeaning(v.Kind, data)
		return nil
	}
	return p.image.Read(recall.BlockKind(v.Kind), v.Number, data)
}

func countBlocks(blocks []store.BlockVersion) (files, episodes int) {
	for _, b := range blocks {
		switch recall.BlockKind(b.Kind) {
		case recall.FileBlock:
			files++
		case recall.EpisodeBlock:
			episodes++
		}
	}
	return files, episodes
}

// save writes the blocks that changed.
func (p *past) save(ctx context.Context, tx *store.Tx) error {
	return p.image.Changed(func(kind recall.BlockKind, number int, data []byte) error {
		version, err := tx.SaveBlock(ctx, p.project, int(kind), number, data)
		p.version = max(p.version, version)
		return err
	})
}
