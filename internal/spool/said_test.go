package spool

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestSaidRecordsAreWholeFilesInOrder(t *testing.T) {
	t.Parallel()
	s := Spool{Dir: filepath.Join(t.TempDir(), "spool"), Limits: tuning.Spool{Limit: 1 << 10, SaidReserve: 1 << 10}}
	said := func(id, text string) Said {
		return Said{ID: memory.EventID(id), Operation: "note", Input: json.RawMessage(`{}`), At: time.UnixMilli(1).UTC(), Text: text}
	}
	for _, id := range []string{"b", "a", "c"} {
		must.Do(t, s.KeepSaid(said(id, "text "+id)))
	}
	if err := s.KeepSaid(said("d", string(make([]byte, 4<<10)))); !errors.Is(err, ErrFull) {
		t.Errorf("beyond the limit: %v", err)
	}
	folder := filepath.Join(s.Dir, saidFolder)
	for _, name := range []string{"e.json", "00000000000000000000000000.partial"} { // damaged, and left by a writer that was killed
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(`{"id":"`), 0o600))
	}
	if ids := s.Waiting(); len(ids) != 4 || ids[0] != "a" || ids[3] != "e" {
		t.Errorf("waiting: %v", ids)
	}
	if r, err := s.ReadSaid("b"); err != nil || r.Text != "text b" || !r.At.Equal(time.UnixMilli(1)) {
		t.Errorf("read %+v, %v", r, err)
	}
	if r, err := s.ReadSaid("e"); !errors.Is(err, memory.ErrInvalid) || r.ID != "e" || r.Text != `{"id":"` {
		t.Errorf("damaged: %+v, %v", r, err)
	}
	if _, err := s.ReadSaid("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if err := errors.Join(s.RemoveSaid("a"), s.RemoveSaid("a"), s.RejectSaid(said("b", "text b"), "no such file")); err != nil {
		t.Error(err)
	}
	if r, err := s.ReadRejected("b"); err != nil || r.Reason != "no such file" || r.Text != "text b" {
		t.Errorf("rejected: %+v, %v", r, err)
	}
	if state := s.State(); state.Said != 2 || state.SaidRejected != 1 {
		t.Errorf("state %+v", state)
	}
	s.SweepSaid(time.Unix(0, 0))
	if _, err := os.Stat(filepath.Join(folder, "00000000000000000000000000.partial")); err != nil {
		t.Errorf("a file that may still be written was swept: %v", err)
	}
	s.SweepSaid(time.Now().Add(time.Hour))
	if _, err := os.Stat(filepath.Join(folder, "00000000000000000000000000.partial")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a half-written file is still there: %v", err)
	}
}
