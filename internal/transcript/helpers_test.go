package transcript

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"flag"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	update  = flag.Bool("update", false, "write the golden files")
	touched = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
)

func writer(t testing.TB, file string) *sql.DB {
	t.Helper()
	db := must.Get(sql.Open("sqlite", file))(t)
	db.SetMaxOpenConns(1)
	return db
}

func exec(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
}

func state(t testing.TB, dir string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	must.Do(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		seen[name] = fmt.Sprintf("%s %v %d %x", info.Mode(), info.ModTime(), info.Size(), sha256.Sum256(text))
		return err
	}))
	return seen
}

func goldenText(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must.Do(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want := must.Get(os.ReadFile(file))(t)
	if w := strings.ReplaceAll(string(want), "\r\n", "\n"); got != w {
		t.Errorf("%s differs (go test -update rewrites it):\n%s\nwant:\n%s", file, got, w)
	}
}

func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	must.Do(t, os.Chtimes(file, touched, touched))
	return file
}
