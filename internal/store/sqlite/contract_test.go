package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/storetest"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Location {
		path := filepath.Join(t.TempDir(), "home", "hebb.db")
		return storetest.Location{
			Open: func(ctx context.Context, o storetest.Options) (*store.Store, error) {
				options := testOptions(path)
				options.Now, options.Migrations = o.Now, o.Migrations
				return Open(ctx, options)
			},
			Ready: func(t *testing.T) {
				image := must.Get(emptyStore())(t)
				must.Do(t, os.Mkdir(filepath.Dir(path), 0o700))
				writeFile(t, path, image)
			},
			Raw:       raw(t, path),
			State:     func(t *testing.T) string { return onDisk(t, filepath.Dir(path)) },
			Snapshots: func(t *testing.T) []string { return snapshots(t, path) },
		}
	})
}

// emptyStore is a store after its migrations, made once.
var emptyStore = sync.OnceValues(func() (image []byte, err error) {
	dir, err := os.MkdirTemp("", "empty-store")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "hebb.db")
	s, err := Open(context.Background(), testOptions(path))
	if err == nil {
		err = s.Close() // empties the log into the file
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

var start = time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)

// testOptions are the shipped numbers, but with patience for a machine that has other things to do, and with so few stubs kept
// that some must go.
func testOptions(path string) Options {
	o := Options{Path: path, Tuning: tuning.Default().Store, Now: func() time.Time { return start }}
	o.Tuning.BusyTimeout = time.Minute
	return o
}

// raw is a handle on the same file without any of hebb's settings. It opens nothing until it is used.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db := must.Get(sql.Open("sqlite", "file:"+escapeURI(path)+"?_busy_timeout=60000"))(t)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// onDisk is every file under dir with its bytes. Shared memory is not content.
func onDisk(t *testing.T, dir string) (state string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) == ".db-shm" {
			return err
		}
		text, err := os.ReadFile(path)
		state += fmt.Sprintf("%s\n%x\n", path, text)
		return err
	}))
	return state
}

func snapshots(t *testing.T, path string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(filepath.Dir(path), "backups", "*")))(t)
}
