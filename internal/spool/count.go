package spool

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// Count says how often something went wrong, and about the last time.
type Count struct {
	Count  int64     `json:"count"`
	At     time.Time `json:"at,omitzero"`
	Reason string    `json:"reason,omitempty"`
}

// countSize is the fixed size of a file that holds a count. It is written in full when the spool
// folder is made and overwritten in place afterwards, so that counting needs no room on a full
// disk.
const countSize = 512

const (
	countReason = 300 // bytes kept of a reason
	countTries  = 50  // to get a count that another process holds
	countPause  = time.Millisecond
)

// CountLost counts an event that could not be kept.
func (s Spool) CountLost(at time.Time, reason string) { s.addCount(lostCount, at, reason) }

// CountLate counts an answer that was not ready in time.
func (s Spool) CountLate(at time.Time, reason string) { s.addCount(lateCount, at, reason) }

// addCount does what it can: a caller that cannot keep an event has nobody to report a second
// failure to.
func (s Spool) addCount(name string, at time.Time, reason string) {
	f, err := openCount(s.path(name))
	if err != nil {
		return
	}
	defer f.Close()
	for range countTries { // without the lock two processes may count as one, which is better than none
		if filesys.TryExclusive(f) == nil {
			break
		}
		time.Sleep(countPause)
	}
	c := readCount(f)
	c.Count++
	c.At, c.Reason = at.UTC().Truncate(time.Second), reason[:min(len(reason), countReason)]
	_ = writeCount(f, c)
}

// setCount overwrites a count.
func (s Spool) setCount(name string, c Count) error {
	f, err := openCount(s.path(name))
	if err != nil {
		return err
	}
	return errors.Join(writeCount(f, c), f.Close())
}

func writeCount(f *os.File, c Count) error {
	line, err := json.Marshal(c)
	if err == nil && len(line) >= countSize {
		line, err = json.Marshal(Count{Count: c.Count, At: c.At}) // escapes made the reason too long
	}
	if err != nil {
		return err
	}
	_, err = f.WriteAt(fmt.Appendf(line, "%*s", countSize-len(line), "\n"), 0)
	return err
}

// readCount reads a count; one that cannot be read is zero.
func readCount(f *os.File) (c Count) {
	text := make([]byte, countSize)
	n, _ := f.ReadAt(text, 0) // a shorter file is no JSON
	if json.Unmarshal(text[:n], &c) != nil {
		return Count{}
	}
	return c
}

func (s Spool) count(name string) Count {
	f, err := filesys.Open(s.path(name), os.O_RDONLY, 0)
	if err != nil {
		return Count{} // nothing was ever counted
	}
	defer f.Close()
	return readCount(f)
}

// prepareCounts makes room for the counts while there is some.
func (s Spool) prepareCounts() {
	for _, name := range []string{lostCount, lateCount} {
		if _, err := os.Stat(s.path(name)); err != nil {
			_ = s.setCount(name, Count{}) // without them a full disk goes uncounted
		}
	}
}
