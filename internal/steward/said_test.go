package steward_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// What waits is stored with the ID, the time and the origin that it was taken with; the same record
// again changes nothing.
func TestSpooledOperationsRunOnceAtTheirTime(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	scope := brain.Scope{Dir: t.TempDir()}
	first, err := steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: scope, Text: "the port is 80", Subject: "port"})
	if err != nil {
		t.Fatal(err)
	}
	l.Clock = braintest.Start.Add(time.Hour)
	var taken brain.Taken
	var record spool.Said
	l.Locked(func() {
		_, err := steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: scope, Text: "the port is 81", Subject: "port", Origin: memory.OriginUser})
		if !errors.As(err, &taken) || !taken.At.Equal(l.Clock) {
			t.Fatalf("got %+v, %v", taken, err)
		}
		if record, err = l.Spool.ReadSaid(taken.ID); err != nil {
			t.Fatal(err)
		}
	})
	l.Clock = braintest.Start.Add(2 * time.Hour)
	for i, want := range []int{1, 0, 0} {
		out, err := steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{})
		if err != nil || out.Said != want || out.Rejected != 0 {
			t.Errorf("drain %d: %+v, %v", i, out, err)
		}
		if err := l.Spool.KeepSaid(record); err != nil { // as a killed drain leaves it
			t.Fatal(err)
		}
	}
	must.Do(t, l.Spool.RemoveSaid(record.ID))
	_, err = brain.View(t.Context(), l.Store, func(tx *store.Tx) (struct{}, error) {
		kept, err := tx.Crystal(t.Context(), memory.CrystalID(taken.ID))
		if err != nil || !kept.SaidAt.Equal(braintest.Start.Add(time.Hour)) || kept.Origin != memory.OriginUser || kept.Text != "the port is 81" {
			t.Errorf("kept is %+v, %v", kept, err)
		}
		older, err := tx.Crystal(t.Context(), first.ID)
		if err != nil || !older.ValidTo.Equal(braintest.Start.Add(time.Hour)) {
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
func TestLaterOperationsRunAfterSpooledOnes(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	scope := brain.Scope{Dir: t.TempDir()}
	l.Locked(func() {
		if _, err := steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: scope, Title: "Port", Text: "80"}); !isTaken(err) {
			t.Fatal(err)
		}
	})
	l.Clock = braintest.Start.Add(time.Hour)
	pin, err := steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: scope, Title: "Port", Text: "81"})
	if err != nil || !pin.Replaced || len(l.Spool.Waiting()) != 0 {
		t.Errorf("got %+v, %v", pin, err)
	}
}

// A store that cannot be written for another reason is no busy one: nothing is taken.
func TestARefusedWriteIsNotTaken(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	readOnly, err := brain.OpenReadOnly(t.Context(), l.Config, l.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, err = steward.Run(t.Context(), readOnly, statements.Remember, statements.RememberInput{Scope: brain.Scope{Dir: t.TempDir()}, Text: "a text"})
	if !errors.Is(err, memory.ErrRefused) || len(l.Spool.Waiting()) != 0 {
		t.Errorf("got %v, %d wait", err, len(l.Spool.Waiting()))
	}
	if err := readOnly.Close(); err != nil {
		t.Error(err)
	}
}

func isTaken(err error) bool {
	var taken brain.Taken
	return errors.As(err, &taken)
}
