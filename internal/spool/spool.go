// Package spool is the queue between hooks and the store: hooks append one record each with a
// single write and never wait; one drain at a time empties it. A record is delivered at least once,
// and the store's unique event IDs make that exactly once.
//
// The format is a JSON text sequence (RFC 7464): each record starts with the byte 0x1E and ends
// with a newline, so a record torn by a crash or a full disk spoils only itself.
package spool

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// ErrFull says that an observation was dropped because the spool has reached its limit.
var ErrFull = errors.New("spool is full")

const (
	recordStart = '\x1e'
	inbox       = "inbox"      // what hooks append to
	stray       = "stray-"     // prefix of a segment of one writer, who could not have the inbox
	sealed      = ".sealed"    // suffix of a segment taken out of the hooks' reach, to be drained
	rejected    = "rejected"   // records nobody could read, kept for a person to look at
	lostCount   = "lost"       // events that could not be kept
	lateCount   = "late"       // answers that came too late
	complaint   = "hook-error" // the last error of a hook, for the doctor
	drainLock   = "drain.lock"
)

// Spool is a folder of queued records.
type Spool struct {
	Dir    string
	Limits tuning.Spool
}

// Append queues one event. It guarantees no more than the write itself and never waits for a
// reader.
func (s Spool) Append(e memory.Event) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("spool event %s: %w", e.ID, err)
	}
	record := make([]byte, 0, len(line)+2)
	record = append(record, recordStart)
	record = append(record, line...)
	record = append(record, '\n')
	if err := s.room(e, int64(len(record))); err != nil {
		return fmt.Errorf("spool event %s: %w", e.ID, err)
	}
	if err := s.write(record); err != nil {
		return fmt.Errorf("spool event %s: %w", e.ID, err)
	}
	return nil
}

// room refuses observations at the limit and what people and agents say only beyond the reserve.
func (s Spool) room(e memory.Event, size int64) error {
	limit := s.Limits.Limit
	if e.Kind.Said() {
		limit += s.Limits.SaidReserve
	}
	if s.bytes()+size <= limit {
		return nil
	}
	return ErrFull
}

// inboxTries limits retries while a drain seals the inbox; each try opens the new one. Windows may
// refuse a file that is being renamed.
const inboxTries = 20

// write appends under a shared lock. Holding it proves that no drainer has sealed the file
// meanwhile: the drainer renames the inbox first and then waits for the exclusive lock before it
// reads.
func (s Spool) write(record []byte) error {
	f, err := s.hold()
	if err != nil {
		return err
	}
	_, err = f.Write(record)
	return errors.Join(err, f.Close())
}

// hold opens the inbox and keeps it from being read until it is closed again.
func (s Spool) hold() (*os.File, error) {
	var problem error
	for try := range 2 * inboxTries {
		name := inbox
		if try >= inboxTries {
			// Somebody keeps the inbox locked, or it belongs to another user. A file of our own cannot be in
			// anybody's way.
			name = stray + rand.Text() + sealed
		}
		f, err := s.openAppend(name)
		if err != nil {
			problem = err
			continue
		}
		if problem = s.claim(f, name); problem == nil {
			return f, nil
		}
		_ = f.Close() // nothing was written
	}
	return nil, fmt.Errorf("%s cannot be opened and locked: %w", s.path(inbox), problem)
}

var errSealed = errors.New("sealed meanwhile")

// claim locks an open file for writing, unless a drainer has taken it away since it was opened.
func (s Spool) claim(f *os.File, name string) error {
	if err := filesys.TryShared(f); err != nil {
		return err
	}
	if !same(f, s.path(name)) {
		return errSealed
	}
	return nil
}

func (s Spool) openAppend(name string) (*os.File, error) {
	return openIn(s.Dir, s.prepareCounts, func() (*os.File, error) {
		return filesys.Open(s.path(name), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600) // a drain renames it meanwhile
	})
}

// openIn opens a file. If its folder is missing, it makes and prepares the folder first.
func openIn(folder string, prepare func(), open func() (*os.File, error)) (*os.File, error) {
	f, err := open()
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	prepare()
	return open()
}

// same reports whether the open file still carries the name it was opened by.
func same(f *os.File, path string) bool {
	opened, err1 := f.Stat()
	named, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(opened, named)
}

func (s Spool) path(name string) string { return filepath.Join(s.Dir, name) }

// bytes is the size of all queued events.
func (s Spool) bytes() (total int64) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if e.Name() != inbox && !strings.HasSuffix(e.Name(), sealed) {
			continue
		}
		if info, err := e.Info(); err == nil {
			total += info.Size()
		}
	}
	return total
}

// Peek returns the events that wait in the spool and contain the text about, oldest first, without
// taking them. It looks at the newest limit bytes, waits for nobody, and skips what it cannot read:
// a record may just be written or taken away.
func (s Spool) Peek(limit int, about string) (events []memory.Event) {
	parts := [][]byte{s.tail(inbox, limit)} // before the segments are listed: it may become one of them meanwhile
	limit -= len(parts[0])
	for _, name := range slices.Backward(s.segments()) {
		part := s.tail(name, limit)
		limit -= len(part)
		parts = append(parts, part)
	}
	seen := map[memory.EventID]bool{"": true}
	for _, part := range slices.Backward(parts) {
		for record := range bytes.SplitSeq(part, []byte{recordStart}) {
			var e memory.Event
			if bytes.Contains(record, []byte(about)) && json.Unmarshal(record, &e) == nil && !seen[e.ID] {
				seen[e.ID] = true
				events = append(events, e)
			}
		}
	}
	return events
}

// segments lists what was sealed and is not drained yet, oldest first.
func (s Spool) segments() (names []string) {
	entries, _ := os.ReadDir(s.Dir) // sorted by name; without the folder there is nothing
	for _, e := range entries {
		if isSegment(e) {
			names = append(names, e.Name())
		}
	}
	return names
}

// tail reads the end of a file, as much as can be had.
func (s Spool) tail(name string, limit int) []byte {
	if limit <= 0 {
		return nil
	}
	f, err := filesys.Open(s.path(name), os.O_RDONLY, 0) // a drain renames and removes it meanwhile
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	part := make([]byte, min(int64(limit), info.Size()))
	n, _ := f.ReadAt(part, info.Size()-int64(len(part))) // a file that has shrunk is being taken away
	return part[:n]
}

// State is the state of the spool for people and the doctor.
type State struct {
	Waiting  int64 `json:"waiting_bytes"`
	Rejected int64 `json:"rejected_bytes"`
	// Lost are events that could not be kept, Late answers that were not ready in time.
	Lost Count `json:"lost,omitzero"`
	Late Count `json:"late,omitzero"`
	// Said and SaidRejected count what people and agents said while the store was busy: waiting for
	// it, and refused by it.
	Said         int `json:"said_waiting"`
	SaidRejected int `json:"said_rejected"`
	// Complaint is the last error a hook met, with its time.
	Complaint string `json:"complaint,omitempty"`
}

// State reads the state without changing it.
func (s Spool) State() State {
	size := func(name string) int64 {
		info, err := os.Stat(s.path(name))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	text, _ := filesys.ReadFile(s.path(complaint)) // usually there is none
	return State{
		Waiting: s.bytes(), Rejected: size(rejected), Lost: s.count(lostCount), Late: s.count(lateCount), Complaint: strings.TrimSpace(string(text)),
		Said: len(s.Waiting()), SaidRejected: len(s.Rejected()),
	}
}

// Complain leaves one line for the doctor, if it can. Only the last one is kept.
func (s Spool) Complain(at time.Time, problem string) {
	line := at.UTC().Format(time.RFC3339) + " " + problem + "\n"
	_ = filesys.WriteFile(s.path(complaint), []byte(line), 0o600) // without the folder nobody uses hebb yet
}

// Acknowledge clears what a person has seen: the last error of a hook, and the counts.
func (s Spool) Acknowledge() error {
	for _, name := range []string{lostCount, lateCount} {
		if err := s.setCount(name, Count{}); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("acknowledge: %w", err)
		}
	}
	return remove("acknowledge", s.path(complaint))
}

// remove removes a file that may be gone already.
func remove(action, path string) error {
	if err := filesys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}

// Deliver takes records over. last is true for the final batch of a segment: when deliver returns
// nil for it, the segment is removed, so everything delivered so far must then be safe on disk.
type Deliver func(ctx context.Context, events []memory.Event, last bool) error

// Drain empties the queue through deliver, batch() events at a time. Only one process drains; a
// second one waits its turn for patience and then returns filelock.ErrHeld. deliver must not keep
// the slice.
func (s Spool) Drain(ctx context.Context, patience time.Duration, batch func() int, deliver Deliver) error {
	if _, err := os.Stat(s.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	release, err := s.lock(ctx, patience)
	if err != nil {
		return fmt.Errorf("drain: %w", err)
	}
	defer release()
	left := map[string]bool{} // segments for the next drain: a writer holds them, or another program has them open
	for {
		segments, err := s.seal()
		if err != nil {
			return fmt.Errorf("drain: %w", err)
		}
		segments = slices.DeleteFunc(segments, func(name string) bool { return left[name] })
		if len(segments) == 0 {
			return nil
		}
		for _, name := range segments {
			err := s.drainSegment(ctx, name, batch, deliver)
			if errors.Is(err, filesys.ErrHeld) && ctx.Err() == nil {
				left[name] = true
				continue
			}
			if err != nil {
				return fmt.Errorf("drain %s: %w", name, err)
			}
			if _, err := os.Lstat(s.path(name)); !errors.Is(err, fs.ErrNotExist) {
				left[name] = true // empty; Windows keeps the name while another process has the file open
			}
		}
	}
}

// lock waits for patience only: a drain that was stopped in the middle must not stop everybody else
// for good.
func (s Spool) lock(ctx context.Context, patience time.Duration) (func(), error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return filesys.Acquire(ctx, s.path(drainLock))
}

// isSegment reports whether an entry of the folder is a segment: one that seal named, or a writer's
// own.
func isSegment(e fs.DirEntry) bool {
	name, is := strings.CutSuffix(e.Name(), sealed)
	numbered := len(name) >= 12 && strings.Trim(name, "0123456789") == ""
	return is && e.Type().IsRegular() && (numbered || strings.HasPrefix(name, stray))
}

// seal takes the inbox out of the hooks' reach and lists what is to be drained, oldest first.
func (s Spool) seal() ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, err
	}
	var segments []string
	next := 0
	for _, e := range entries {
		if n, err := strconv.Atoi(strings.TrimSuffix(e.Name(), sealed)); err == nil {
			next = max(next, n+1)
		}
		if isSegment(e) {
			segments = append(segments, e.Name())
		}
	}
	info, err := os.Stat(s.path(inbox))
	if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		name := fmt.Sprintf("%012d%s", next, sealed)
		if err := filesys.Rename(s.path(inbox), s.path(name)); err != nil {
			return nil, err
		}
		segments = append(segments, name)
	}
	slices.Sort(segments)
	return segments, nil
}

// drainSegment delivers what a segment holds and removes it, under its lock: a writer that opened
// it before finds out when it gets the lock. A segment that another program keeps from being
// removed is empty, and goes with the next drain.
func (s Spool) drainSegment(ctx context.Context, name string, batch func() int, deliver Deliver) error {
	// A hook that opened the file before it was sealed may still be writing its one record. One that
	// was stopped in the middle must not hold up the other events.
	patience, cancel := context.WithTimeout(ctx, s.Limits.WriterPatience)
	defer cancel()
	release, err := filesys.Acquire(patience, s.path(name))
	if err != nil {
		return err
	}
	defer release()
	f, err := filesys.Open(s.path(name), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	records := newReader(f)
	var events []memory.Event
	var unreadable [][]byte
	for {
		e, bad, err := records.next()
		end := errors.Is(err, io.EOF)
		switch {
		case err != nil && !end:
			return err
		case len(bad) > 0:
			unreadable = append(unreadable, bad)
		case !end:
			events = append(events, e)
		}
		if !end && len(events)+len(unreadable) < batch() {
			continue
		}
		if err := deliver(ctx, events, end); err != nil {
			return err
		}
		for _, record := range unreadable { // only now: a batch that was not taken comes again
			if err := s.reject("torn, or no event", record); err != nil {
				return err
			}
		}
		events, unreadable = events[:0], nil
		if end {
			_ = f.Truncate(0)                // so that nothing is delivered again if it cannot be removed
			_ = filesys.Remove(s.path(name)) // open as it is: that is what filesys.Open allows
			return nil
		}
	}
}

// Reject sets an event aside that the store does not take, and says why.
func (s Spool) Reject(e memory.Event, why string) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return s.reject(why, line)
}

// Aside counts the records that were set aside, by the reason. Earlier versions wrote none.
func (s Spool) Aside() map[string]int {
	text, _ := filesys.ReadFile(s.path(rejected)) // usually there is none
	counts := map[string]int{}
	for line := range bytes.Lines(text) {
		why, _, found := bytes.Cut(line, []byte("\t"))
		if !found {
			why = []byte("unreadable, or refused by the store")
		}
		counts[string(why)]++
	}
	return counts
}

// reject keeps a record on a line of its own, after the reason.
func (s Spool) reject(why string, record []byte) error {
	f, err := s.openAppend(rejected)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Size() > s.Limits.SaidReserve {
		s.CountLost(info.ModTime(), "a record that the store refuses, and the file of refused records is full")
		return f.Close()
	}
	_, err = fmt.Fprintf(f, "%s\t%s\n", why, bytes.ReplaceAll(bytes.TrimRight(record, "\n"), []byte("\n"), []byte(" ")))
	return errors.Join(err, f.Close())
}

// reader splits a segment into records.
type reader struct{ in *bufio.Reader }

func newReader(r io.Reader) *reader { return &reader{bufio.NewReaderSize(r, 1<<16)} }

// next returns an event, or the bytes of a record that is none, or io.EOF.
func (r *reader) next() (e memory.Event, bad []byte, err error) {
	record, err := r.in.ReadBytes(recordStart)
	record = bytes.TrimSuffix(record, []byte{recordStart})
	if len(bytes.TrimSpace(record)) == 0 {
		if err != nil {
			return e, nil, err
		}
		return r.next() // before the first start byte
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return e, nil, err
	}
	if e, err = memory.ReadEvent(record); err != nil || e.ID == "" {
		return memory.Event{}, record, nil //nolint:nilerr // it is the record that is wrong
	}
	return e, nil, nil
}
