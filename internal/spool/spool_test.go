package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func newSpool(t *testing.T) Spool {
	t.Helper()
	limits := tuning.Default().Spool
	limits.WriterPatience = 10 * time.Millisecond
	return Spool{Dir: filepath.Join(t.TempDir(), "spool"), Limits: limits}
}

func event(id string, kind memory.EventKind) memory.Event {
	return memory.Event{ID: memory.EventID(id), Kind: kind, At: time.UnixMilli(1).UTC()}
}

func (s Spool) mustAppend(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		must.Do(t, s.Append(event(id, memory.ToolUsed)))
	}
}

// drainAll returns the IDs delivered, with a bar after each batch and two after the last of a
// segment.
func (s Spool) drainAll(t *testing.T, batch int) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, s.Drain(t.Context(), 0, func() int { return batch }, func(_ context.Context, events []memory.Event, last bool) error {
		for _, e := range events {
			b.WriteString(string(e.ID))
		}
		b.WriteByte('|')
		if last {
			b.WriteByte('|')
		}
		return nil
	}))
	return b.String()
}

func TestDrainDeliversInOrderAndInBatches(t *testing.T) {
	for _, c := range []struct {
		name  string
		batch int
		want  string
	}{
		{"one by one, and an empty end", 1, "a|b|c|d|e|||"},
		{"two at a time, the rest at the end", 2, "ab|cd|e||"},
		{"all at once", 10, "abcde||"},
		{"as many as there are, and an empty end", 5, "abcde|||"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSpool(t)
			s.mustAppend(t, "a", "b", "c", "d", "e")
			if got := s.drainAll(t, c.batch); got != c.want {
				t.Errorf("delivered %s, want %s", got, c.want)
			}
			if got := s.drainAll(t, c.batch); got != "" {
				t.Errorf("delivered again: %s", got)
			}
			if state := s.State(); state != (State{}) {
				t.Errorf("left: %+v", state)
			}
		})
	}
}

func TestDrainOfAFolderThatIsNotThere(t *testing.T) {
	s := newSpool(t)
	if got := s.drainAll(t, 1); got != "" {
		t.Errorf("delivered %s", got)
	}
	if _, err := os.Stat(s.Dir); err == nil {
		t.Error("a look made the folder")
	}
}

// What deliver refuses stays, in its order, and comes again before anything newer.
func TestRefusedRecordsComeAgain(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a", "b")
	refuse := errors.New("store is away")
	err := s.Drain(t.Context(), 0, func() int { return 1 }, func(_ context.Context, events []memory.Event, _ bool) error {
		if len(events) > 0 && events[0].ID == "b" {
			return refuse
		}
		return nil
	})
	if !errors.Is(err, refuse) {
		t.Fatalf("drain: %v", err)
	}
	s.mustAppend(t, "c")
	if got := s.drainAll(t, 10); got != "ab||c||" {
		t.Errorf("delivered %s, want the whole segment again and then the new one", got)
	}
}

// A segment left by a drainer that died is taken first; the next one gets a higher number, never
// the same.
func TestSealGoesOnAfterACrash(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a")
	first := must.Get(s.seal())(t)
	s.mustAppend(t, "b")
	second := must.Get(s.seal())(t)
	again := must.Get(s.seal())(t)
	if want := []string{"000000000000.sealed", "000000000001.sealed"}; !slices.Equal(first, want[:1]) || !slices.Equal(second, want) ||
		!slices.Equal(again, want) {
		t.Errorf("sealed %v, %v, %v; want %v at last", first, second, again, want)
	}
	if got := s.drainAll(t, 10); got != "a||b||" {
		t.Errorf("delivered %s", got)
	}
}

func TestReader(t *testing.T) {
	record := func(id string) string {
		line := must.Get(json.Marshal(event(id, memory.ToolUsed)))(t)
		return "\x1e" + string(line) + "\n"
	}
	torn := record("torn")[:20]
	for _, c := range []struct{ name, text, good, bad string }{
		{"nothing", "", "", ""},
		{"blank", " \n\n", "", ""},
		{"one", record("a"), "a", ""},
		{"the last has no end of line", record("a") + strings.TrimSpace(record("b")), "ab", ""},
		{"torn in the middle", record("a") + torn + record("b"), "ab", torn[1:]},
		{"torn at the end", record("a") + torn, "a", torn[1:]},
		{"nothing before the start byte is lost", "junk" + record("a"), "a", "junk"},
		{"two start bytes", "\x1e" + record("a"), "a", ""},
		{"JSON of another kind", "\x1e{\"tea\":1}\n" + record("a"), "a", "{\"tea\":1}\n"},
		{"zeros, as a crashed file system leaves them", "\x1e\x00\x00\x00" + record("a"), "a", "\x00\x00\x00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newReader(strings.NewReader(c.text))
			var good, bad string
			for {
				e, rejected, err := r.next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				good, bad = good+string(e.ID), bad+string(rejected)
			}
			if good != c.good || bad != c.bad {
				t.Errorf("good %q, bad %q; want %q, %q", good, bad, c.good, c.bad)
			}
		})
	}
}

// Records written before answers were measured wait in spools and are read by newer programs;
// theirs are read by older ones, which skip what they do not know.
func TestSizesOfAnswersInRecordsOldAndNew(t *testing.T) {
	s := newSpool(t)
	for id, size := range map[string]*int64{"unknown": nil, "nothing": new(int64(0)), "some": new(int64(45))} {
		e := event(id, memory.ToolUsed)
		e.ResultBytes = size
		must.Do(t, s.Append(e))
	}
	old := `{"id":"old","at":"2026-11-15T08:00:00.123Z","kind":"tool","origin":"tool","agent":"claude-code","agent_session":"run",` +
		`"place":{"identity":"/shop/.git","root":"/shop"},"tool":"Grep","input":"login","touches":[{"kind":"mention","path":"a.go"}]}`
	must.Do(t, s.write([]byte("\x1e"+old+"\n")))
	got := map[memory.EventID]string{}
	err := s.Drain(t.Context(), 0, func() int { return 9 }, func(_ context.Context, events []memory.Event, _ bool) error {
		for _, e := range events {
			got[e.ID] = "unknown"
			if e.ResultBytes != nil {
				got[e.ID] = fmt.Sprint(*e.ResultBytes)
			}
			if again, err := json.Marshal(e); e.ID == "old" && (err != nil || string(again) != old) {
				t.Errorf("an old record comes back as %s, %v", again, err)
			}
		}
		return nil
	})
	want := map[memory.EventID]string{"unknown": "unknown", "old": "unknown", "nothing": "0", "some": "45"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, want %v; %v", got, want, err)
	}
}

func TestBadRecordsAreKeptAside(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a")
	f, err := s.openAppend(inbox)
	if err != nil {
		t.Fatal(err)
	}
	must.Get(f.WriteString("\x1ehalf a rec"))(t)
	must.Do(t, f.Close())
	s.mustAppend(t, "b")
	full := errors.New("the store is full")
	for range 3 { // a batch that is not taken comes again, and its bad record with it
		refuse := func(context.Context, []memory.Event, bool) error { return full }
		if err := s.Drain(t.Context(), time.Second, func() int { return 10 }, refuse); !errors.Is(err, full) {
			t.Fatalf("drain: %v", err)
		}
	}
	if got := s.drainAll(t, 10); got != "ab||" {
		t.Errorf("delivered %s", got)
	}
	must.Do(t, s.Reject(event("c", memory.ToolUsed), "refused"))
	kept, err := os.ReadFile(s.path(rejected))
	if err != nil || !strings.HasPrefix(string(kept), "torn, or no event\thalf a rec\nrefused\t{") || s.State().Rejected != int64(len(kept)) {
		t.Errorf("kept aside: %q, %v", kept, err)
	}
}

// A writer that opened the inbox just before it was sealed and emptied must notice, or its record
// goes to a file that nobody reads any more.
func TestWriterNoticesThatTheInboxWasSealed(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a")
	old, err := s.openAppend(inbox)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.claim(old, inbox); err != nil {
		t.Errorf("the inbox is not itself: %v", err)
	}
	if err := old.Close(); err != nil { // which gives the lock back
		t.Fatal(err)
	}
	if old, err = s.openAppend(inbox); err != nil {
		t.Fatal(err)
	}
	if got := s.drainAll(t, 10); got != "a||" {
		t.Errorf("delivered %s", got)
	}
	if err := s.claim(old, inbox); !errors.Is(err, errSealed) {
		t.Errorf("a file that is gone passes for the inbox: %v", err)
	}
	s.mustAppend(t, "b")
	if err := s.claim(old, inbox); !errors.Is(err, errSealed) {
		t.Errorf("the old inbox passes for the new one: %v", err)
	}
	must.Do(t, old.Close())
}

// Writers and a drainer that never rests: nothing is lost between opening the inbox and locking it.
func TestAppendWhileDraining(t *testing.T) {
	const writers, each = 8, 400
	s := newSpool(t)
	s.Limits.WriterPatience = time.Minute
	s.mustAppend(t, "first")
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := s.Append(event(fmt.Sprintf("%d-%d", w, i), memory.ToolUsed)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	written := make(chan struct{})
	go func() { wg.Wait(); close(written) }()
	found := map[memory.EventID]int{}
	for last := false; !last; {
		select {
		case <-written:
			last = true // and one more look
		default:
		}
		must.Do(t, s.Drain(t.Context(), 0, func() int { return 100 }, func(_ context.Context, events []memory.Event, _ bool) error {
			for _, e := range events {
				found[e.ID]++
			}
			return nil
		}))
	}
	if len(found) != writers*each+1 {
		t.Errorf("%d of %d events delivered", len(found), writers*each+1)
	}
	for id, n := range found {
		if n != 1 {
			t.Errorf("event %s delivered %d times", id, n)
		}
	}
}

// A lock on the inbox that is never released does not stop the hooks: they use a file of their own.
func TestLockedInbox(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a")
	release := must.Get(filesys.Acquire(t.Context(), s.path(inbox)))(t)
	s.mustAppend(t, "b")
	release()
	if got := s.drainAll(t, 10); got != "a||b||" {
		t.Errorf("delivered %s", got)
	}
}

// An inbox that cannot be opened, such as that of another user, costs no event.
func TestAnInboxThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	s := newSpool(t)
	if err := os.MkdirAll(s.path(inbox), 0o700); err != nil { // a folder: no user may write into it as into a file
		t.Fatal(err)
	}
	s.mustAppend(t, "a")
	if got := s.Peek(1<<20, ""); len(got) != 1 {
		t.Errorf("%d events wait, want 1", len(got))
	}
}

// A writer that holds its segment is passed over, not waited for; its record comes with the next
// drain.
func TestWriterThatHangs(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a")
	hanging := must.Get(s.hold())(t)
	if got := s.drainAll(t, 10); got != "" {
		t.Errorf("delivered %s while the segment was held", got)
	}
	s.mustAppend(t, "c")
	if got := s.drainAll(t, 10); got != "c||" {
		t.Errorf("delivered %s, want what others wrote since", got)
	}
	line := must.Get(json.Marshal(event("b", memory.ToolUsed)))(t)
	must.Get(fmt.Fprintf(hanging, "\x1e%s\n", line))(t)
	must.Do(t, hanging.Close())
	if got := s.drainAll(t, 10); got != "ab||" {
		t.Errorf("delivered %s, want the held segment with what was written at last", got)
	}
}

func TestOnlyOneDrains(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a")
	release := must.Get(filesys.Acquire(t.Context(), s.path(drainLock)))(t)
	for _, patience := range []time.Duration{0, 5 * time.Millisecond} {
		err := s.Drain(t.Context(), patience, func() int { return 1 }, func(context.Context, []memory.Event, bool) error {
			t.Error("delivered under another's lock")
			return nil
		})
		if !errors.Is(err, filesys.ErrHeld) {
			t.Errorf("drain with patience %v: %v", patience, err)
		}
	}
	release()
	if got := s.drainAll(t, 10); got != "a||" {
		t.Errorf("delivered %s", got)
	}
}

func TestLimitDropsObservationsBeforeWords(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a")
	size := s.State().Waiting
	s.Limits.Limit, s.Limits.SaidReserve = 2*size, 2*size
	s.mustAppend(t, "b")
	for _, c := range []struct {
		id   string
		kind memory.EventKind
		full bool
	}{
		{"c", memory.ToolUsed, true}, {"d", memory.Prompted, false}, {"e", memory.SessionEnded, true}, {"f", memory.Prompted, true},
	} {
		if err := s.Append(event(c.id, c.kind)); errors.Is(err, ErrFull) != c.full {
			t.Errorf("append %s (%s): %v", c.id, c.kind, err)
		}
	}
	if got := s.drainAll(t, 10); got != "abd||" {
		t.Errorf("delivered %s", got)
	}
	s.mustAppend(t, "g") // there is room again
}

func TestOnlyTheLastComplaintIsKept(t *testing.T) {
	s := newSpool(t)
	s.Complain(time.UnixMilli(0), "no folder, nobody to tell") // must not make one
	if _, err := os.Stat(s.Dir); err == nil {
		t.Error("a complaint made the folder")
	}
	s.mustAppend(t, "a")
	s.Complain(time.UnixMilli(0), "first")
	s.Complain(time.UnixMilli(1000), "second")
	if got, want := s.State().Complaint, "1970-01-01T00:00:01Z second"; got != want {
		t.Errorf("complaint %q, want %q", got, want)
	}
}

func TestPeekSeesWhatWaitsAndTakesNothing(t *testing.T) {
	s := newSpool(t)
	if got := s.Peek(1<<20, "run"); len(got) > 0 {
		t.Errorf("a box that is not there holds %v", got)
	}
	add := func(id, session string) {
		t.Helper()
		e := event(id, memory.ToolUsed)
		e.AgentSession = session
		must.Do(t, s.Append(e))
	}
	peek := func(limit int) (ids string) {
		for _, e := range s.Peek(limit, "run-1") {
			ids += string(e.ID)
		}
		return ids
	}
	add("a", "run-1")
	add("b", "run-2")
	if _, err := s.seal(); err != nil { // a drain has begun
		t.Fatal(err)
	}
	add("c", "run-1")
	f := must.Get(s.openAppend(inbox))(t)
	defer f.Close()
	must.Get(f.WriteString("\x1e{\"id\":\"run-1 torn"))(t)
	add("d", "run-1")
	if got := peek(1 << 20); got != "acd" {
		t.Errorf("peek sees %q, want acd", got)
	}
	info := must.Get(f.Stat())(t)
	if got := peek(int(info.Size())); got != "cd" {
		t.Errorf("peek at the inbox sees %q, want cd", got)
	}
	if got := peek(int(info.Size()) - 2); got != "d" {
		t.Errorf("peek at less than the inbox sees %q, want d: c is cut off", got)
	}
	if got := peek(0); got != "" {
		t.Errorf("peek at nothing sees %q", got)
	}
	if got := s.drainAll(t, 100); got != "ab||cd||" {
		t.Errorf("drained %q after peeking", got)
	}
}
