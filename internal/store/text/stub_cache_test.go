package text_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// A reader that began before a document was deleted still sees it, and must not leave it to those who came after.
func TestAReaderOfAnEarlierStateKeepsNoStubForLaterOnes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := sqlite.Options{Path: filepath.Join(t.TempDir(), "hebb.db"), Tuning: tuning.Default().Store, Now: time.Now}
	o.Tuning.StubBytes = 1 << 20
	s, err := sqlite.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var ids []int64
	update := func(do func(tx *store.Tx) error) {
		t.Helper()
		if err := s.Update(ctx, do); err != nil {
			t.Fatal(err)
		}
	}
	seen := func() (found []int64) {
		t.Helper()
		if err := s.View(ctx, func(tx *store.Tx) error {
			return tx.StubsByID(ctx, ids, store.DocumentFilter{}, func(s store.Stub) error {
				found = append(found, s.ID)
				return nil
			})
		}); err != nil {
			t.Fatal(err)
		}
		return found
	}
	update(func(tx *store.Tx) (err error) {
		ids, err = tx.AddDocuments(ctx, []store.Document{{Ref: "a", Words: []string{"mend"}}, {Ref: "b", Words: []string{"mend"}}})
		return err
	})
	err = s.View(ctx, func(tx *store.Tx) error {
		found, err := tx.StubsAfter(ctx, ids, func() {
			update(func(tx *store.Tx) error { return tx.DeleteDocuments(ctx, ids[0]) })
			if found := seen(); !slices.Equal(found, ids[1:]) {
				t.Errorf("once %d is deleted, %v are found", ids[0], found)
			}
		})
		if len(found) != 2 {
			t.Errorf("a reader that began before sees %d of 2", len(found))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found := seen(); !slices.Equal(found, ids[1:]) {
		t.Errorf("%d was deleted, and afterwards %v are found", ids[0], found)
	}
}
