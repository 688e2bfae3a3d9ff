package inspect_test

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// lived makes a memory with sessions, statements, files for people, a sleep and a backup.
func lived(t *testing.T, l *braintest.Lab) {
	t.Helper()
	must.Do(t, os.Chmod(l.Config.Dir, 0o700))
	l.See(1, l.Event(memory.SessionStarted, 0), l.Event(memory.Prompted, 1), l.Event(memory.SessionEnded, 2))
	scope := brain.Scope{Project: l.Place.Project().String()}
	_, err := steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: scope, Text: "the port is 80"})
	if err == nil {
		_, err = steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: scope, Title: "Port", Text: "80"})
	}
	if err == nil {
		_, err = steward.Run(t.Context(), l.Brain, steward.Sleep, sleep.SleepInput{})
	}
	if err == nil {
		err = l.Store.Update(t.Context(), func(tx *store.Tx) error {
			return tx.SaveSource(t.Context(), l.Place.Project(), store.Source{Path: "a.go", Size: 3, Hash: 5})
		})
	}
	if err == nil {
		_, err = transfer.Backup(t.Context(), l.Brain, "")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// state is every file of a folder with its content, its permissions and its time.
func state(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		all = append(all, fmt.Sprintf("%s %v %d %x", path, info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(text)))
		return nil
	})
	if err != nil || len(all) < 5 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}

func faults(findings []inspect.Finding) (found []string) {
	for _, f := range findings {
		if f.Level == inspect.Fail {
			found = append(found, f.Name+": "+f.Detail)
		}
	}
	return found
}

func has(findings []inspect.Finding, name string, level inspect.Level, words string) bool {
	return slices.ContainsFunc(findings, func(f inspect.Finding) bool {
		return f.Name == name && f.Level == level && strings.Contains(f.Detail, words)
	})
}

func TestDoctorWritesNothing(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	lived(t, l)
	if err := l.Close(); err != nil { // no other process has it open
		t.Fatal(err)
	}
	defer func() { l.Reopen() }()
	must.Do(t, os.Remove(filepath.Join(l.Config.Vault(), "PINNED.md")))
	before := state(t, l.Config.Dir)
	findings := inspect.Doctor(t.Context(), l.Config, l.Now, nil, inspect.DoctorInput{})
	if found := faults(findings); found != nil {
		t.Errorf("%q", found)
	}
	if !has(findings, "files", inspect.Warn, "1 missing") || !has(findings, "store", inspect.Fine, "sqlite") || has(findings, "journal", inspect.Warn, "") {
		t.Errorf("%+v", findings)
	}
	if after := state(t, l.Config.Dir); !slices.Equal(after, before) {
		t.Fatalf("the folder has changed:\n%s\nbefore:\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	findings = inspect.Doctor(t.Context(), l.Config, l.Now, nil, inspect.DoctorInput{Fix: true})
	if !has(findings, "fixed", inspect.Fine, "wrote 1 missing") || !has(findings, "files", inspect.Fine, "all there") {
		t.Errorf("%+v", findings)
	}
}

// While another process has the store open, and its log holds what was written last, doctor reads
// that too.
func TestDoctorReadsTheLogOfARunningProcess(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	lived(t, l)
	if findings := inspect.Doctor(t.Context(), l.Config, l.Now, nil, inspect.DoctorInput{}); faults(findings) != nil {
		t.Error(faults(findings))
	}
}

func TestDoctorNamesALeaseThatCannotBeRead(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	lived(t, l)
	raw := must.Get(sql.Open("sqlite", l.Config.Database()))(t)
	defer func() { _ = raw.Close() }()
	for _, step := range []struct {
		statement string
		named     bool
	}{
		{`INSERT INTO fact (name, project_id, subject, at, value) VALUES ('lease', 0, 'harmed', 1, '{')`, true},
		{`DELETE FROM fact WHERE subject = 'harmed'`, false}, // the lab is searched for damage in the end
	} {
		must.Get(raw.ExecContext(t.Context(), step.statement))(t)
		if found := inspect.Doctor(t.Context(), l.Config, l.Now, nil, inspect.DoctorInput{}); has(found, "integrity", inspect.Fail, "harmed") != step.named {
			t.Errorf("after %s: %+v", step.statement, faults(found))
		}
	}
}

func TestDoctorSeesAChangedRow(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]string{
		"fact":   `UPDATE fact SET value = '0' WHERE name = (SELECT MIN(name) FROM fact)`,
		"source": `UPDATE source SET hash = hash + 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := braintest.NewLab(t)
			lived(t, l)
			raw := must.Get(sql.Open("sqlite", l.Config.Database()))(t)
			defer func() { _ = raw.Close() }()
			change := func(statement string) {
				t.Helper()
				done := must.Get(raw.ExecContext(t.Context(), statement))(t)
				if n, err := done.RowsAffected(); err != nil || n == 0 {
					t.Fatalf("%d rows, %v", n, err)
				}
			}
			must.Get(raw.ExecContext(t.Context(), `CREATE TABLE kept AS SELECT * FROM `+name))(t)
			change(harm)
			findings := inspect.Doctor(t.Context(), l.Config, l.Now, nil, inspect.DoctorInput{})
			if !has(findings, "integrity", inspect.Fail, name+" ") {
				t.Errorf("not seen: %+v", faults(findings))
			}
			change(`DELETE FROM ` + name) // the lab is searched for damage in the end
			change(`INSERT INTO ` + name + ` SELECT * FROM kept`)
		})
	}
}

func TestAnOpenFolderBehindALinkIsNotPrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	inner := filepath.Join(dir, "inner")
	for _, err := range []error{os.Mkdir(real, 0o755), os.Symlink(real, link), os.Mkdir(inner, 0o700), os.Mkdir(filepath.Join(dir, "open"), 0o755)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	examine := func(dir string) []inspect.Finding {
		return inspect.Doctor(t.Context(), config.Config{Dir: dir}, func() time.Time { return braintest.Start }, nil, inspect.DoctorInput{})
	}
	if found := examine(link); !has(found, "permissions", inspect.Fail, "(755)") {
		t.Errorf("a link to an open folder: %+v", found)
	}
	must.Do(t, os.Chmod(real, 0o700))
	if found := examine(link); !has(found, "permissions", inspect.Fine, "is private") {
		t.Errorf("a link to a private folder: %+v", found)
	}
	must.Do(t, os.Symlink(filepath.Join(dir, "open"), filepath.Join(inner, "cache")))
	if found := examine(inner); !has(found, "permissions", inspect.Fail, "cache (755)") {
		t.Errorf("a folder in it that is a link to an open one: %+v", found)
	}
}
