package text

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// StubCache holds stubs that a process has read and may need again. A document never changes, and its number is given
// to no other, so what is known of it stays true for as long as it is there. Whether it is there the database says, with
// each question: full text finds only what is there, and the count of deletions shows whether anything was deleted.
type StubCache struct {
	most  int64 // bytes
	mutex sync.Mutex
	since textCounts // when the first of these was read
	// What is read goes into young. When that has half the bytes it grows old, and what was old and not asked for since goes.
	young, old map[int64]*Stub
	bytes      int64 // of the young
	kinds      map[string]string
}

func NewStubCache(most int64) *StubCache {
	return &StubCache{most: most, young: map[int64]*Stub{}, kinds: map[string]string{}}
}

// stubOverhead is about what a stub takes beside its texts: itself, and its place in a map.
const stubOverhead = 192

func (k *StubCache) keep(s *Stub) {
	if known, met := k.kinds[s.Kind]; met {
		s.Kind = known // there are a dozen of them, and each stub has one
	} else {
		k.kinds[s.Kind] = s.Kind
	}
	k.young[s.ID] = s
	k.bytes += int64(stubOverhead + len(s.Title) + len(s.Path) + len(s.Words) + len(s.Around))
	if k.bytes > k.most/2 {
		k.old, k.young, k.bytes = k.young, map[int64]*Stub{}, 0
	}
}

func (k *StubCache) find(id int64) *Stub {
	if s := k.young[id]; s != nil {
		return s
	}
	s := k.old[id]
	if s != nil {
		k.keep(s)
	}
	return s
}

// serves reports whether what is kept is true in a state of the database. One that is behind the latest seen is read from
// the database itself.
func (k *StubCache) serves(now textCounts) bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	order := now.compare(k.since)
	if order > 0 {
		k.since, k.young, k.old, k.bytes = now, map[int64]*Stub{}, nil, 0
	}
	return order >= 0
}

// keptStubs are those that may be used in this transaction for a filter, if any. One that writes has what it reads for
// itself: it may be undone, and numbers be given again.
func (tx *Tx) keptStubs(ctx context.Context, f DocumentFilter) (*StubCache, error) {
	if tx.stubs == nil || len(f.Paths) > 0 { // patterns are the database's
		return nil, nil
	}
	counts, err := tx.textCounts(ctx)
	if err != nil || !tx.stubs.serves(counts) {
		return nil, err
	}
	return tx.stubs, nil
}

// matchKept answers like MatchStubs where only numbers have to be read. known is false where that would lead too far.
func (tx *Tx) matchKept(ctx context.Context, e db.Expression, f DocumentFilter) (found []*Stub, known bool, err error) {
	if tx.fullText.Numbers == nil || f.Limit <= 0 {
		return nil, false, nil
	}
	kept, err := tx.keptStubs(ctx, f)
	if err != nil || kept == nil {
		return nil, false, err
	}
	query, expression := tx.fullText.Numbers(f.limit()), tx.fullText.Expression(e)
	const pages = 4 // where so few pass, the database filters faster
	for before, page := int64(math.MaxInt64), 0; page < pages; page++ {
		var ids []int64
		if err := tx.db.Each(ctx, query, []any{expression, before}, db.Collect(&ids, db.Column)); err != nil {
			return nil, false, err
		}
		some, err := tx.stubsOf(ctx, kept, ids)
		if err != nil {
			return nil, false, err
		}
		found = append(found, f.passing(some, f.Limit-len(found))...)
		if len(found) == f.Limit || len(ids) < f.Limit {
			return found, true, nil
		}
		before = ids[len(ids)-1]
	}
	return nil, false, nil
}

// stubsOf are those of some documents that are there, in their order. What is not known is read. Another transaction may
// have seen a later state at any moment since serves was asked: what is kept is of that state then, and what this one reads
// must not be kept beside it.
func (tx *Tx) stubsOf(ctx context.Context, kept *StubCache, ids []int64) ([]*Stub, error) {
	counts, err := tx.textCounts(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]*Stub, len(ids))
	var unread []int64
	kept.mutex.Lock()
	same := counts.compare(kept.since) == 0
	for i, id := range ids {
		if same {
			found[i] = kept.find(id)
		}
		if found[i] == nil {
			unread = append(unread, id)
		}
	}
	kept.mutex.Unlock()
	if len(unread) > 0 {
		read := make(map[int64]*Stub, len(unread))
		if err := tx.readStubs(ctx, unread, DocumentFilter{}, func(s Stub) error {
			read[s.ID] = &s
			return nil
		}); err != nil {
			return nil, err
		}
		kept.mutex.Lock()
		same = counts.compare(kept.since) == 0
		for i, id := range ids {
			if found[i] == nil {
				if found[i] = read[id]; found[i] != nil && same {
					kept.keep(found[i])
				}
			}
		}
		kept.mutex.Unlock()
	}
	return slices.DeleteFunc(found, func(s *Stub) bool { return s == nil }), nil
}

// passing are the first of some that pass the filter, as where has it for the database.
func (f DocumentFilter) passing(list []*Stub, most int) []*Stub {
	passed := list[:0]
	for _, s := range list {
		if len(passed) == most {
			break
		}
		at := db.Millis(s.At)
		if (len(f.Projects) == 0 || slices.Contains(f.Projects, s.Project)) && (f.Group == "" || memory.GroupOf(s.Kind) == f.Group) && (len(f.Kinds) == 0 || slices.Contains(f.Kinds, s.Kind)) &&
			!slices.Contains(f.Without, s.Kind) && (f.Since.IsZero() || at >= db.Millis(f.Since)) && (f.Until.IsZero() || at < db.Millis(f.Until)) &&
			(f.Session == 0 || s.Session == f.Session) {
			passed = append(passed, s)
		}
	}
	return passed
}

// textCounts are facts about all documents.
type textCounts struct {
	documents int64
	words     int64 // of all documents together
	gone      int64 // documents that were deleted
	replaced  int64 // when another state of the store took the place of this one
}

// compare reports which of two states is the later one, as far as documents have gone or were replaced between them.
func (c textCounts) compare(other textCounts) int {
	return cmp.Or(cmp.Compare(c.replaced, other.replaced), cmp.Compare(c.gone, other.gone))
}

// textCounts reads them, once in a transaction that only reads.
func (tx *Tx) textCounts(ctx context.Context) (counts textCounts, err error) {
	if tx.counts != nil {
		return *tx.counts, nil
	}
	err = tx.db.One(ctx, `SELECT documents, words, deleted, replaced FROM totals`, nil, &counts.documents, &counts.words, &counts.gone, &counts.replaced)
	if err == nil && tx.db.ReadOnly {
		tx.counts = &counts
	}
	return counts, err
}

// Replaced says when another state of the store took the place of this one, such as a backup: numbers that were read before
// may mean other documents since. 0 if none ever did.
func (tx *Tx) Replaced(ctx context.Context) (int64, error) {
	counts, err := tx.textCounts(ctx)
	return counts.replaced, db.Wrap(err, "replaced")
}

// Replace says that this state takes the place of another one now.
func (tx *Tx) Replace(ctx context.Context) error {
	return tx.db.Run(ctx, `UPDATE totals SET replaced = CASE WHEN replaced < ? THEN ? ELSE replaced + 1 END`, db.Millis(tx.Now), db.Millis(tx.Now))
}
