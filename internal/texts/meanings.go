package texts

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// meanings caches the vectors of all documents by project. Documents never change, so only new ones are read;
// deleted ones are noticed when they are fetched.
type meanings struct {
	mutex sync.Mutex
	// replaced is when the state of the store began whose documents these are.
	replaced int64
	of       map[part]*embedding.Index
	last     int64 // document up to which they are read
	asked    bool
}

// part is the documents of a project in one group.
type part struct {
	project memory.ProjectID
	group   memory.Group
}

type meaningsKey struct{}

func meaningsOf(b *brain.Brain) *meanings { return brain.Cache[meanings](b, meaningsKey{}) }

// Neighbours says which documents to look for: at most so many of a group, in some projects or in all, near a vector.
type Neighbours struct {
	Query    memory.Vector
	Group    memory.Group
	Projects []memory.ProjectID
	Most     int
}

// Near looks for the documents whose vectors are nearest. It compares in the background, because that needs no store, and sends the
// result. A process that asks its first question reads vectors only if they are few. share is the share of the documents of the
// group that is in those projects, 0 if not known.
func Near(ctx context.Context, b *brain.Brain, tx *store.Tx, of Neighbours) (nearest <-chan []embedding.Hit, share float64, err error) {
	found := make(chan []embedding.Hit, 1)
	if of.Query == nil || of.Most == 0 {
		close(found)
		return found, 0, nil
	}
	m := meaningsOf(b)
	m.mutex.Lock()
	if known, err := m.read(ctx, tx); err != nil || !known {
		m.mutex.Unlock()
		close(found)
		return found, 0, err
	}
	share = m.share(of.Group, of.Projects)
	go func() {
		defer m.mutex.Unlock()
		found <- m.nearest(of.Query, of.Group, of.Projects, of.Most)
	}()
	return found, share, nil
}

// share is how much of a group lies in some projects; none stand for all.
func (m *meanings) share(group memory.Group, projects []memory.ProjectID) float64 {
	within, all := 0, 0
	for p, index := range m.of {
		if p.group != group {
			continue
		}
		all += index.Len()
		if len(projects) == 0 || slices.Contains(projects, p.project) {
			within += index.Len()
		}
	}
	return float64(within) / float64(max(all, 1))
}

// ReadMeanings reads all vectors, however many, so that a later write that compares reads only the newest.
func ReadMeanings(ctx context.Context, b *brain.Brain, tx *store.Tx) error {
	m := meaningsOf(b)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.asked = true
	_, err := m.read(ctx, tx)
	return err
}

func (m *meanings) nearest(query memory.Vector, group memory.Group, projects []memory.ProjectID, most int) []embedding.Hit {
	var found []embedding.Hit
	for p, index := range m.of {
		if p.group == group && (len(projects) == 0 || slices.Contains(projects, p.project)) {
			found = append(found, index.Search(query, most)...)
		}
	}
	slices.SortFunc(found, func(x, y embedding.Hit) int { return cmp.Or(cmp.Compare(y.Cos, x.Cos), cmp.Compare(x.ID, y.ID)) })
	return found[:min(len(found), most)]
}

// nearOnce is how many vectors a process that asks once reads, in 30 ms; above, it scores only what words led to.
const nearOnce = 50_000

// read adds new vectors, unless there are too many for a first question. A replaced store starts again.
func (m *meanings) read(ctx context.Context, tx *store.Tx) (known bool, err error) {
	if !m.asked {
		m.asked = true
		n, err := tx.CountVectors(ctx, GeneralModel)
		if err != nil || n > int64(nearOnce) {
			return false, err
		}
	}
	replaced, err := tx.Replaced(ctx)
	if err != nil {
		return false, err
	}
	if m.of == nil || m.replaced != replaced {
		m.replaced, m.of, m.last = replaced, map[part]*embedding.Index{}, 0
	}
	err = tx.EachVector(ctx, GeneralModel, m.last, func(x store.DocumentVector) error {
		index := m.of[part{x.Project, x.Group}]
		if index == nil {
			index = embedding.NewIndex(len(x.Vector))
			m.of[part{x.Project, x.Group}] = index
		}
		m.last = x.Document
		return index.Put(x.Document, x.Vector)
	})
	return err == nil, err
}
