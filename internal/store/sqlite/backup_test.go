package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/db"
)

func TestASnapshotBringsBackWhatWasThere(t *testing.T) {
	t.Parallel()
	o := testOptions(filepath.Join(t.TempDir(), "hebb.db"))
	s := openStore(t, o)
	mustAdd(t, s, 0, 60)
	before, err := said(t, s)
	if err != nil {
		t.Fatal(err)
	}
	copied := must.Get(s.Snapshot(t.Context(), "manual"))(t)
	if found := damage(t, copied); len(found) != 0 {
		t.Errorf("the copy is damaged: %q", found)
	}
	mustAdd(t, s, 60, 80)
	closeStore(t, s)
	must.Do(t, Restore(t.Context(), o, copied))
	after, err := said(t, openStore(t, o))
	if err != nil || !slices.Equal(before, after) {
		t.Errorf("%d lines after restoring, want %d (%v)", len(after), len(before), err)
	}
	if found := damage(t, o.Path); len(found) != 0 {
		t.Errorf("damage after restoring: %q", found)
	}
}

func TestARestoreIsSeenWholeByThoseWhoRead(t *testing.T) {
	t.Parallel()
	o := testOptions(filepath.Join(t.TempDir(), "hebb.db"))
	s := openStore(t, o)
	mustAdd(t, s, 0, 5)
	copied := must.Get(s.Snapshot(t.Context(), "manual"))(t)
	mustAdd(t, s, 5, 100)
	must.Do(t, s.View(t.Context(), func(tx *store.Tx) error {
		before, err := tx.CountEvents(t.Context(), store.EventFilter{})
		if err != nil {
			return err
		}
		if err := Restore(t.Context(), o, copied); err != nil {
			return err
		}
		after, err := tx.CountEvents(t.Context(), store.EventFilter{})
		if before != 100 || after != 100 {
			t.Errorf("a reader counted %d, then %d", before, after)
		}
		return err
	}))
	if n := count(t, s); n != 5 {
		t.Errorf("the next reader counted %d, want 5", n)
	}
	mustAdd(t, s, 5, 8)
}

func TestWhatCouldNotBeOpenedIsNotRestored(t *testing.T) {
	t.Parallel()
	_, image := closedStore(t, 50)
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		writeFile(t, path, content)
		return path
	}
	newer := testOptions(filepath.Join(dir, "newer.db"))
	newer.Migrations = append(store.Migrations(), db.Migration{Version: len(store.Migrations()) + 1, Name: "newer", SQL: `SELECT 1`})
	closeStore(t, openStore(t, newer))
	foreign := raw(t, filepath.Join(dir, "foreign.db"))
	must.Get(foreign.ExecContext(t.Context(), `CREATE TABLE x (y)`))(t)
	o := testOptions(filepath.Join(t.TempDir(), "hebb.db"))
	s := openStore(t, o)
	mustAdd(t, s, 0, 7)
	for _, c := range []struct {
		name, from string
		want       error
	}{
		{"a newer schema", newer.Path, memory.ErrRefused},
		{"another program's", filepath.Join(dir, "foreign.db"), memory.ErrRefused},
		{"an empty file", file("empty.db", nil), memory.ErrRefused},
		{"a text", file("text.db", []byte("hello, this is no database")), memory.ErrDamaged},
		{"half a store", file("half.db", image[:len(image)/2/4096*4096]), memory.ErrDamaged},
		{"nothing", filepath.Join(dir, "missing.db"), os.ErrNotExist},
	} {
		for _, err := range []error{Inspect(t.Context(), o, c.from), Restore(t.Context(), o, c.from)} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", c.name, err, c.want)
			}
		}
		if n := count(t, s); n != 7 {
			t.Errorf("%s: %d events are left of 7", c.name, n)
		}
	}
}

func TestSnapshotsRemoveNothing(t *testing.T) {
	t.Parallel()
	now := start
	o := testOptions(filepath.Join(t.TempDir(), "odd [folder]*", "hebb.db"))
	o.Now, o.Tuning.BackupsKept = func() time.Time { return now }, 1
	s := openStore(t, o)
	for n := range 3 {
		now = start.Add(time.Duration(n) * time.Minute)
		if name, err := s.Snapshot(t.Context(), "manual"); err != nil || filepath.Dir(name) != o.withDefaults().Backups {
			t.Fatalf("snapshot %q: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(o.withDefaults().Backups); err != nil || len(entries) != 3 {
		t.Errorf("%d copies, want 3 (%v)", len(entries), err)
	}
	if _, err := s.Snapshot(t.Context(), "manual"); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("two of one name: got %v, want a conflict", err)
	}
}

func TestACopyGoesWhereItIsTold(t *testing.T) {
	t.Parallel()
	o := testOptions(filepath.Join(t.TempDir(), "hebb.db"))
	s := openStore(t, o)
	mustAdd(t, s, 0, 20)
	to := filepath.Join(t.TempDir(), "copy.db")
	must.Do(t, s.CopyTo(t.Context(), to))
	if found := damage(t, to); len(found) != 0 {
		t.Errorf("the copy is damaged: %q", found)
	}
	if err := s.CopyTo(t.Context(), to); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("onto a file: got %v, want a conflict", err)
	}
	if _, err := os.Stat(o.withDefaults().Backups); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the backups folder: %v", err)
	}
}

func TestManyFindingsAreOneShortLine(t *testing.T) {
	t.Parallel()
	path, image := closedStore(t, 150)
	roots, err := lines(t.Context(), raw(t, path), `SELECT rootpage FROM sqlite_schema WHERE rootpage > 0 AND name NOT LIKE 'document_words%'`)
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range roots { // the list of tables and that of words stay readable: without either there is one finding
		page := must.Get(strconv.Atoi(root))(t)
		clear(image[(page-1)*pageSize : page*pageSize])
	}
	writeFile(t, path, image)
	err = Inspect(t.Context(), testOptions(path), path)
	if !errors.Is(err, memory.ErrDamaged) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), " more") {
		t.Errorf("got %v", err)
	}
}

func TestANewStoreCanBeTidiedAtOnce(t *testing.T) {
	t.Parallel()
	o := testOptions(filepath.Join(t.TempDir(), "hebb.db"))
	o.Tuning.BusyTimeout = time.Millisecond
	if err := openStore(t, o).Tidy(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestForgottenTextIsGoneFromTheDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hebb.db")
	s := openStore(t, testOptions(path))
	mustAdd(t, s, 0, 100)
	canary := fmt.Sprintf("%x", "canary000023")
	if !strings.Contains(onDisk(t, filepath.Dir(path)), canary) {
		t.Fatal("the text is not where the test looks for it")
	}
	err := s.UpdateDurable(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.Forget(t.Context(), store.EventFilter{ID: someEvent(23).ID})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// While somebody reads an older state the log cannot go, and Tidy says so.
	impatient := testOptions(path)
	impatient.Tuning.BusyTimeout = time.Millisecond
	err = s.View(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Projects(t.Context()); err != nil {
			return err
		}
		mustAdd(t, s, 100, 101)
		return openStore(t, impatient).Tidy(t.Context())
	})
	if !errors.Is(err, memory.ErrConflict) {
		t.Errorf("tidying under a reader: got %v, want a conflict", err)
	}
	must.Do(t, s.Tidy(t.Context()))
	if strings.Contains(onDisk(t, filepath.Dir(path)), canary) {
		t.Error("the forgotten text can still be read")
	}
}

// Full text notes only which documents are gone, and keeps their words until it is merged.
func TestForgottenWordsAreGoneFromTheDisk(t *testing.T) {
	t.Parallel()
	for _, journal := range []string{"WAL", "DELETE"} {
		for _, batches := range []int{1, 2, 6, 20} { // one part of the index, some, and some that are merged
			t.Run(fmt.Sprint(journal, batches), func(t *testing.T) {
				t.Parallel()
				forgetWords(t, journal, batches)
			})
		}
	}
}

func forgetWords(t *testing.T, journal string, batches int) {
	path := filepath.Join(t.TempDir(), "hebb.db")
	o := testOptions(path).withDefaults()
	f := &file{Options: o, journal: journal}
	must.Do(t, f.prepare(t.Context()))
	s, err := store.Open(t.Context(), f.engine(), o.Migrations, o.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	mustAdd(t, s, 0, 3)
	word := func(n int) string { return string(memory.DerivedEventID(fmt.Sprint("word ", n))) }
	tail := func(n int) string { return fmt.Sprintf("%x", word(n)[6:]) } // what it shares with its neighbours is written once
	for batch := range batches {
		must.Do(t, s.UpdateDurable(t.Context(), func(tx *store.Tx) error {
			docs := make([]store.Document, 64)
			for i := range docs {
				n := batch*64 + i
				docs[i] = store.Document{
					Ref: fmt.Sprint("document ", n), At: start, EventSeq: int64(n%3 + 1), Text: "text", Words: []string{"common", word(n)}, Around: []string{"z" + word(n)},
				}
			}
			_, err := tx.AddDocuments(t.Context(), docs)
			return err
		}))
	}
	if !strings.Contains(onDisk(t, filepath.Dir(path)), tail(50)) {
		t.Fatal("the word is not where the test looks for it")
	}
	err = s.UpdateDurable(t.Context(), func(tx *store.Tx) error {
		found, err := tx.DocumentsByRef(t.Context(), "document 50")
		if err != nil || len(found) != 1 {
			return fmt.Errorf("%d documents: %w", len(found), err)
		}
		_, _, err = tx.Forget(t.Context(), store.EventFilter{ID: someEvent(1).ID}) // with the documents 1, 4, 7 …
		return errors.Join(err, tx.DeleteDocuments(t.Context(), found[0].ID))
	})
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, s.Tidy(t.Context()))
	left := onDisk(t, filepath.Dir(path))
	for n := range batches * 64 {
		gone, readable := n == 50 || n%3 == 1, strings.Contains(left, tail(n))
		if gone == readable {
			t.Errorf("word %d is forgotten: %v, can be read: %v", n, gone, readable)
		}
	}
	if found, err := s.CheckEngine(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}
