package spool

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/failpoint"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Said is one operation that keeps what a person or an agent said, written down because the store
// was busy.
type Said struct {
	ID        memory.EventID  `json:"id"`        // made by the caller; the store carries it out once
	Operation string          `json:"operation"` // its name
	Input     json.RawMessage `json:"input"`
	At        time.Time       `json:"at"`
	Seed      []byte          `json:"seed"`           // the random part of ID
	Text      string          `json:"text,omitempty"` // what search finds while the record waits
	// Reason says why the store refused a rejected record.
	Reason string `json:"reason,omitempty"`
}

// Each record is a file of its own in the folder said, named by its ID. A file appears whole under
// its name and is removed when the store has it, so writers, readers and drainers need no lock.
const (
	saidFolder   = "said"
	saidWaiting  = ".json"
	saidRejected = ".rejected"
	saidPartial  = ".partial" // a writer is at work, or was killed before it could acknowledge anything
)

func (s Spool) saidPath(id memory.EventID, suffix string) string {
	return filepath.Join(s.Dir, saidFolder, string(id)+suffix)
}

// KeepSaid writes a record down. When it returns nil, a power cut loses nothing of it.
func (s Spool) KeepSaid(r Said) error {
	var err error
	if s.bytes()+s.saidBytes()+int64(len(r.Input)+len(r.Text)) > s.Limits.Limit+s.Limits.SaidReserve {
		err = ErrFull
	} else {
		err = s.writeSaid(r, saidWaiting)
	}
	if err != nil {
		return fmt.Errorf("spool %s %s: %w", r.Operation, r.ID, err)
	}
	return nil
}

func (s Spool) writeSaid(r Said, suffix string) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := s.makeSaidFolder(); err != nil {
		return err
	}
	partial := s.saidPath(r.ID, saidPartial)
	err = writeSynced(partial, line)
	if err == nil {
		err = filesys.Rename(partial, s.saidPath(r.ID, suffix))
	}
	if err != nil {
		_ = filesys.Remove(partial) // the first error says more
		return err
	}
	return filesys.SyncFolder(filepath.Join(s.Dir, saidFolder))
}

// makeSaidFolder makes the folder at the first use and makes sure that a power cut leaves it there.
func (s Spool) makeSaidFolder() error {
	folder := filepath.Join(s.Dir, saidFolder)
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return errors.Join(filesys.SyncFolder(s.Dir), filesys.SyncFolder(filepath.Dir(s.Dir)))
}

func writeSynced(path string, content []byte) error {
	f, err := filesys.Open(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// Waiting lists the records that wait for the store, oldest first.
func (s Spool) Waiting() []memory.EventID { return s.saidList(saidWaiting) }

// Rejected lists the records that the store refused, oldest first.
func (s Spool) Rejected() []memory.EventID { return s.saidList(saidRejected) }

func (s Spool) saidList(suffix string) (ids []memory.EventID) {
	entries, _ := os.ReadDir(filepath.Join(s.Dir, saidFolder)) // sorted by name; without the folder nothing waits
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), suffix); ok {
			ids = append(ids, memory.EventID(id))
		}
	}
	return ids
}

func (s Spool) saidBytes() (total int64) {
	entries, _ := os.ReadDir(filepath.Join(s.Dir, saidFolder))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			total += info.Size()
		}
	}
	return total
}

// ReadSaid reads a record that waits. One that was carried out meanwhile is fs.ErrNotExist; one
// that cannot be understood is memory.ErrInvalid, and comes with its ID and its content as Text.
func (s Spool) ReadSaid(id memory.EventID) (Said, error) {
	return readSaid(id, s.saidPath(id, saidWaiting))
}

// ReadRejected reads a record that the store refused.
func (s Spool) ReadRejected(id memory.EventID) (Said, error) {
	return readSaid(id, s.saidPath(id, saidRejected))
}

func readSaid(id memory.EventID, path string) (r Said, err error) {
	content, err := filesys.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(content, &r); err != nil || r.ID != id || r.Operation == "" {
		return Said{ID: id, Operation: "unreadable record", Text: string(content)}, fmt.Errorf("%s cannot be read as a record: %w", path, memory.ErrInvalid)
	}
	return r, nil
}

// RemoveSaid removes a record that the store has. Another process may have done so already.
func (s Spool) RemoveSaid(id memory.EventID) error {
	failpoint.Here("remove said")
	return remove("remove spooled record", s.saidPath(id, saidWaiting))
}

// RejectSaid sets a record aside that the store cannot take, with the reason, for a person to look
// at.
func (s Spool) RejectSaid(r Said, reason string) error {
	r.Reason = reason
	if err := s.writeSaid(r, saidRejected); err != nil {
		return fmt.Errorf("reject %s: %w", r.ID, err)
	}
	return s.RemoveSaid(r.ID)
}

// SweepSaid removes what writers that were killed before a time have left half-written. No caller
// got an acknowledgement.
func (s Spool) SweepSaid(before time.Time) {
	for _, id := range s.saidList(saidPartial) {
		if _, err := memory.ParseEventID(string(id)); err != nil {
			continue // not made here
		}
		path := s.saidPath(id, saidPartial)
		if info, err := os.Stat(path); err == nil && info.ModTime().Before(before) {
			_ = filesys.RemoveOwn(path) // the next sweep tries again
		}
	}
}
