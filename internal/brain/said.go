package brain

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/store"
)

// Taken is returned as the error of an operation that keeps what somebody said while the store is busy. It is no
// failure: the words are safe in the spool, SearchTexts finds them, and the next drain stores them. Doors report it as success.
type Taken struct {
	ID        memory.EventID `json:"id"`
	Operation string         `json:"operation"`
	At        time.Time      `json:"at"`
	Waiting   bool           `json:"waiting"`
}

func (Taken) Error() string {
	return "Taken: the store is busy; it will be stored by the next drain"
}

// carrier runs an operation that may wait in the spool.
type carrier struct {
	run func(ctx context.Context, b *Brain, input json.RawMessage) error
	// repeatable says that a second run changes nothing, so the operation needs no single transaction, and is run as of now.
	repeatable bool
}

// carriers are known by the names of their operations.
var carriers = map[string]carrier{}

// NeverBusy makes an operation never fail because the store is busy: its input is then written to the spool and Taken
// is returned. The operation must keep what was said in one transaction of b.say; whatever follows that may fail without harm. text is what
// search finds while the record waits; nil for nothing.
func NeverBusy[In, Out any](op Operation[In, Out], text func(In) string) Operation[In, Out] {
	return spoolable(op, text, false)
}

// RepeatableNeverBusy is neverBusy for an operation of several transactions that may be run twice: it detects what is done.
func RepeatableNeverBusy[In, Out any](op Operation[In, Out]) Operation[In, Out] {
	return spoolable(op, nil, true)
}

func spoolable[In, Out any](op Operation[In, Out], text func(In) string, repeatable bool) Operation[In, Out] {
	run := op.Run
	carriers[op.Name] = carrier{repeatable: repeatable, run: func(ctx context.Context, b *Brain, input json.RawMessage) error {
		var in In
		if err := json.Unmarshal(input, &in); err != nil {
			return fmt.Errorf("%s: the input cannot be read: %w: %w", op.Name, err, memory.ErrInvalid)
		}
		_, err := run(ctx, b, in)
		return err
	}}
	op.Run = func(ctx context.Context, b *Brain, in In) (out Out, err error) {
		if !b.foundBusy(ctx) {
			try := attempt{}
			out, err = run(context.WithValue(ctx, attemptKey{}, &try), b, in)
			if !errors.Is(err, memory.ErrBusy) {
				return out, err
			}
			if try.kept && !repeatable { // only what follows it, such as writing files for people, found the store busy: the next drain does that
				return out, nil
			}
		}
		record := spool.Said{Operation: op.Name}
		if text != nil {
			record.Text = scrub.Clean(text(in))
		}
		return out, b.take(ctx, record, in)
	}
	return op
}

// foundBusy reports that the store was busy a moment ago, so that one command does not wait for it again and again, or that it is
// busy now: what waits was said before, and could not be stored before what is said now.
func (b *Brain) foundBusy(ctx context.Context) bool {
	const waits = 2 // of a command: draining, and taking in what people wrote into files
	if b.Now().UnixMilli()-b.BusyAt.Load() <= waits*b.Config.Tuning.Store.BusyTimeout.Milliseconds() {
		return true
	}
	_, err := b.CarryOutSaid(ctx)
	return errors.Is(err, memory.ErrBusy)
}

// attempt is an operation that is tried directly. Its context carries it to b.Say.
type attempt struct{ kept bool } // it is in the store

type attemptKey struct{}

// Say is Store.UpdateDurable for the one transaction in which an operation keeps what somebody said.
func (b *Brain) Say(ctx context.Context, change func(*store.Tx) error) error {
	switch {
	case b.Carrying == nil:
		err := b.Store.UpdateDurable(ctx, change)
		if try, ok := ctx.Value(attemptKey{}).(*attempt); ok {
			try.kept = err == nil
		}
		return err
	case b.Carrying.Rehearsal:
		return b.Store.View(ctx, change)
	}
	return b.Store.UpdateDurable(ctx, func(tx *store.Tx) error {
		done, err := carriedOut.About(string(b.Carrying.id)).Get(ctx, tx)
		if err != nil {
			return err
		}
		if done {
			return errCarriedOut
		}
		if err := change(tx); err != nil {
			return err
		}
		now := b.Carrying.now
		return errors.Join(carriedOut.About(string(b.Carrying.id)).SetAt(ctx, tx, true, now), carriedOut.ClearBefore(ctx, tx, now.Add(-carriedOutKept)))
	})
}

// carriedOut says, about the ID of a record of the spool, that it is in the store.
var carriedOut = store.NewFact[bool]("said")

const (
	// carriedOutKept is how long that is known. The record is removed at once; only a process that was stopped after it had read
	// the record could come with it again.
	carriedOutKept = 30 * 24 * time.Hour
)

var errCarriedOut = errors.New("carried out before")

// carrying is a Brain's task to run one operation as it was said, and nothing that only the present needs: no files are written.
type carrying struct {
	id  memory.EventID
	now time.Time // of the process that runs it
	// rehearsal stops the operation where it would write, to learn whether its input is good.
	Rehearsal bool
}

// replaying is this memory at the time at which a record was written. The first ID that is drawn is that of the record.
func (b *Brain) replaying(r spool.Said, rehearsal bool) *Brain {
	at := func() time.Time { return r.At }
	then := NewBrain(b.Config, b.Store.At(r.At, r.Seed), at)
	then.Carrying = &carrying{id: r.ID, now: b.Now(), Rehearsal: rehearsal}
	return then
}

// name gives a record its ID and its time.
func (b *Brain) name(r *spool.Said) (err error) {
	const random = 10 // bytes of an ID
	r.At, r.Seed = b.Now().UTC().Truncate(time.Millisecond), make([]byte, random)
	if _, err := rand.Read(r.Seed); err != nil {
		return fmt.Errorf("%s: %w", r.Operation, err)
	}
	r.ID, err = memory.NewEventID(r.At, bytes.NewReader(r.Seed))
	return err
}

// take checks a record as far as that needs no write lock, and writes it to the spool.
func (b *Brain) take(ctx context.Context, r spool.Said, in any) (err error) {
	if r.Input, err = cleanInput(in); err != nil {
		return fmt.Errorf("%s: %w", r.Operation, err)
	}
	if err := b.name(&r); err != nil {
		return err
	}
	if err := carriers[r.Operation].run(ctx, b.replaying(r, true), r.Input); b.refuses(err) {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.Spool.KeepSaid(r); err != nil {
		return fmt.Errorf("the store is busy, and %w", err)
	}
	return Taken{ID: r.ID, Operation: r.Operation, At: r.At, Waiting: true}
}

// errNoSuch is memory.ErrNotFound for what no waiting record or event can bring.
var ErrNoSuch = fmt.Errorf("%w", memory.ErrNotFound)

// refuses reports whether an error is about what was said. What is not found, or stands in the way, may be otherwise once those
// that wait are in the store.
func (b *Brain) refuses(err error) bool {
	switch {
	case errors.Is(err, memory.ErrInvalid), errors.Is(err, ErrNoSuch):
		return true
	case IsNotFound(err), errors.Is(err, memory.ErrConflict), errors.Is(err, ErrPersons):
		return len(b.Spool.Waiting()) == 0 && b.Spool.State().Waiting == 0
	}
	return false
}

// cleanInput is an input as it may lie on disk: without secrets.
func cleanInput(in any) (json.RawMessage, error) {
	raw, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(cleanValue(value))
}

func cleanValue(value any) any {
	switch v := value.(type) {
	case string:
		return scrub.Clean(v)
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case map[string]any:
		for name := range v {
			if name != "dir" { // a place on this machine, by which the project is found
				v[name] = cleanValue(v[name])
			}
		}
	}
	return value
}

// saidResult counts what became of the records that waited.
type saidResult struct{ Stored, Rejected int }

// CarryOutSaid stores what waits in the spool, oldest first and once each, as of the time it was said. What the store refuses is
// set aside with the reason. Several processes may do so at once.
func (b *Brain) CarryOutSaid(ctx context.Context) (out saidResult, err error) {
	for _, id := range b.Spool.Waiting() {
		record, failed := b.Spool.ReadSaid(id)
		if errors.Is(failed, fs.ErrNotExist) {
			continue // another process was faster
		}
		if failed == nil {
			failed = b.carryOut(ctx, record)
		}
		switch {
		case failed == nil, errors.Is(failed, errCarriedOut):
			if failed == nil {
				out.Stored++
			}
			err = errors.Join(err, b.Spool.RemoveSaid(id))
		case errors.Is(failed, memory.ErrBusy), ctx.Err() != nil:
			return out, errors.Join(err, failed)
		case errors.Is(failed, memory.ErrInvalid), errors.Is(failed, memory.ErrConflict), eventsMissing(failed) && b.Spool.State().Waiting == 0:
			out.Rejected++
			err = errors.Join(err, b.Spool.RejectSaid(record, scrub.Line(failed.Error())))
		case !eventsMissing(failed):
			err = errors.Join(err, fmt.Errorf("store spooled %s %s: %w", record.Operation, id, failed))
		}
	}
	return out, err
}

// eventsMissing reports an error that events which still wait may settle: they bring what was not found, or the prompt that was quoted.
func eventsMissing(err error) bool { return IsNotFound(err) || errors.Is(err, ErrPersons) }

func (b *Brain) carryOut(ctx context.Context, r spool.Said) error {
	op, known := carriers[r.Operation]
	switch {
	case !known:
		return fmt.Errorf("this hebb knows no operation %q: %w", r.Operation, memory.ErrInvalid)
	case op.repeatable:
		return op.run(ctx, b, r.Input)
	}
	return op.run(ctx, b.replaying(r, false), r.Input)
}
