package braintest

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// desk is a memory that is opened and closed as commands do, on a clock that moves a second with every look.
type machine struct {
	config.Config
	t     *testing.T
	Clock time.Time
}

func NewDesk(t *testing.T) *machine {
	t.Helper()
	dir := t.TempDir()
	c := must.Get(config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] }))(t)
	return &machine{Config: c, t: t, Clock: Start}
}

func (d *machine) Now() time.Time {
	d.Clock = d.Clock.Add(time.Second)
	return d.Clock
}

// With opens the memory for one deed.
func (d *machine) With(do func(b *brain.Brain) error) {
	d.t.Helper()
	b := must.Get(steward.Open(d.t.Context(), d.Config, d.Now))(d.t)
	must.Do(d.t, errors.Join(do(b), b.Close()))
}

func (d *machine) Record(texts ...string) {
	d.t.Helper()
	d.With(func(b *brain.Brain) error {
		for _, text := range texts {
			in := record.RecordInput{Dir: d.Dir, Paths: []string{"a.go"}, Kind: memory.Edit, Text: text}
			if _, err := steward.Run(d.t.Context(), b, record.RecordTouch, in); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *machine) Backup(to string) (out transfer.BackupResult) {
	d.t.Helper()
	d.With(func(b *brain.Brain) (err error) { out, err = transfer.Backup(d.t.Context(), b, to); return err })
	return out
}

func (d *machine) Export(to string) string {
	d.t.Helper()
	d.With(func(b *brain.Brain) error {
		f, err := os.Create(to)
		if err == nil {
			_, err = transfer.Export(d.t.Context(), b.Store, f)
		}
		return errors.Join(err, f.Close())
	})
	return to
}

func (d *machine) Restore(from string) (transfer.BackupResult, error) {
	d.t.Helper()
	return transfer.Restore(d.t.Context(), d.Config, d.Now, from)
}

func (d *machine) MustRestore(from string) (previous transfer.BackupResult) {
	d.t.Helper()
	previous = must.Get(d.Restore(from))(d.t)
	return previous
}

// texts are those of all events, newest first.
func (d *machine) texts() (out []string) {
	d.t.Helper()
	d.With(func(b *brain.Brain) error {
		events, err := steward.Run(d.t.Context(), b, inspect.Events, inspect.EventsInput{Scope: brain.Scope{All: true}})
		for _, e := range events {
			out = append(out, e.Text)
		}
		return err
	})
	return out
}

func (d *machine) Expect(texts ...string) {
	d.t.Helper()
	if got := d.texts(); !slices.Equal(got, texts) {
		d.t.Errorf("remembered: %.80q, want %.80q", got, texts)
	}
}

// Kept are the files of the backups folder.
func (d *machine) Kept() (names []string) {
	d.t.Helper()
	entries, err := os.ReadDir(d.Backups())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (d *machine) KeptLike(part string) (names []string) {
	d.t.Helper()
	return slices.DeleteFunc(d.Kept(), func(name string) bool { return !strings.Contains(name, part) })
}

func WriteFile(t *testing.T, path string, content []byte) string {
	t.Helper()
	must.Do(t, os.WriteFile(path, content, 0o600))
	return path
}
