package text

import "context"

// StubsAfter are stubs of documents as StubsByID reads them, with something that happens once it is known that those
// that are kept may be used.
func (tx *Tx) StubsAfter(ctx context.Context, ids []int64, happens func()) ([]*Stub, error) {
	kept, err := tx.keptStubs(ctx, DocumentFilter{})
	if err != nil || kept == nil {
		return nil, err
	}
	happens()
	return tx.stubsOf(ctx, kept, ids)
}
