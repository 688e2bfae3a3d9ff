package brain

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/store"
)

// locked runs do while another connection holds the store's write lock.
func (l *lab) locked(do func()) {
	l.t.Helper()
	db, err := sql.Open("sqlite", l.config.Database())
	if err != nil {
		l.t.Fatal(err)
	}
	conn, err := db.Conn(l.t.Context())
	if err == nil {
		_, err = conn.ExecContext(l.t.Context(), "BEGIN IMMEDIATE")
	}
	if err != nil {
		l.t.Fatal(err)
	}
	do()
	_, err = conn.ExecContext(l.t.Context(), "ROLLBACK")
	if err := errors.Join(err, conn.Close(), db.Close()); err != nil {
		l.t.Fatal(err)
	}
}

// What waits is stored with the ID, the time and the origin that it was taken with; the same record again changes nothing.
func TestWhatWaitedIsStoredAsItWasSaidAndOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	scope := Scope{Dir: t.TempDir()}
	first, err := Run(t.Context(), l.Brain, Remember, RememberInput{Scope: scope, Text: "the port is 80", Subject: "port"})
	if err != nil {
		t.Fatal(err)
	}
	l.clock = start.Add(time.Hour)
	var taken Taken
	var record spool.Said
	l.locked(func() {
		_, err := Run(t.Context(), l.Brain, Remember, RememberInput{Scope: scope, Text: "the port is 81", Subject: "port", Origin: memory.OriginUser})
		if !errors.As(err, &taken) || !taken.At.Equal(l.clock) {
			t.Fatalf("got %+v, %v", taken, err)
		}
		if record, err = l.spool.ReadSaid(taken.ID); err != nil {
			t.Fatal(err)
		}
	})
	l.clock = start.Add(2 * time.Hour)
	for i, want := range []int{1, 0, 0} {
		out, err := Run(t.Context(), l.Brain, Drain, DrainInput{})
		if err != nil || out.Said != want || out.Rejected != 0 {
			t.Errorf("drain %d: %+v, %v", i, out, err)
		}
		if err := l.spool.KeepSaid(record); err != nil { // as a killed drain leaves it
			t.Fatal(err)
		}
	}
	if err := l.spool.RemoveSaid(record.ID); err != nil {
		t.Fatal(err)
	}
	_, err = viewed(t.Context(), l.Brain, func(tx *store.Tx) (struct{}, error) {
		kept, err := tx.Crystal(t.Context(), memory.CrystalID(taken.ID))
		if err != nil || !kept.SaidAt.Equal(start.Add(time.Hour)) || kept.Origin != memory.OriginUser || kept.Text != "the port is 81" {
			t.Errorf("kept is %+v, %v", kept, err)
		}
		older, err := tx.Crystal(t.Context(), first.ID)
		if err != nil || !older.ValidTo.Equal(start.Add(time.Hour)) {
			t.Errorf("the earlier statement held until %v, %v", older.ValidTo, err)
		}
		traces, err := tx.Traces(t.Context(), memory.CrystalID(taken.ID))
		if len(traces) != 1 {
			t.Errorf("traces %+v", traces)
		}
		return struct{}{}, err
	})
	if err != nil {
		t.Error(err)
	}
}

// What is said later is not stored before what waits, so the last word stays the last.
func TestWhatIsSaidLaterComesAfterWhatWaits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	scope := Scope{Dir: t.TempDir()}
	l.locked(func() {
		if _, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: scope, Title: "Port", Text: "80"}); !isTaken(err) {
			t.Fatal(err)
		}
	})
	l.clock = start.Add(time.Hour)
	pin, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: scope, Title: "Port", Text: "81"})
	if err != nil || !pin.Replaced || len(l.spool.Waiting()) != 0 {
		t.Errorf("got %+v, %v", pin, err)
	}
}

// A store that cannot be written for another reason is no busy one: nothing is taken.
func TestARefusedWriteIsNotTaken(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	readOnly, err := OpenToRead(t.Context(), l.config, l.now)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), readOnly, Remember, RememberInput{Scope: Scope{Dir: t.TempDir()}, Text: "a text"})
	if !errors.Is(err, memory.ErrRefused) || len(l.spool.Waiting()) != 0 {
		t.Errorf("got %v, %d wait", err, len(l.spool.Waiting()))
	}
	if err := readOnly.Close(); err != nil {
		t.Error(err)
	}
}

func isTaken(err error) bool {
	var taken Taken
	return errors.As(err, &taken)
}
