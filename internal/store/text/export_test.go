package text

import "context"

// SketchesAfter are sketches of documents as SketchesByID reads them, with something that happens once it is known that those
// that are kept may be used.
func (tx *Tx) SketchesAfter(ctx context.Context, ids []int64, happens func()) ([]*Sketch, error) {
	kept, err := tx.keptSketches(ctx, DocumentFilter{})
	if err != nil || kept == nil {
		return nil, err
	}
	happens()
	return tx.sketchesOf(ctx, kept, ids)
}
