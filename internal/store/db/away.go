package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrSilent says that a server did not answer in time.
var ErrSilent = errors.New("the server does not answer")

// statementTime is how long a server may work on one statement before it counts as silent. No statement of the store takes minutes.
const statementTime = 5 * time.Minute

// hurriedKey marks a context for which a statement may take no longer than the server may take to answer.
type hurriedKey struct{}

// Hurried is a context for somebody who waits and has another way if the server is silent.
func Hurried(ctx context.Context) context.Context { return context.WithValue(ctx, hurriedKey{}, true) }

// patience is how long a statement may take; 0 is without end.
func (e Engine) patience(ctx context.Context) time.Duration {
	switch {
	case e.Answers == 0:
		return 0
	case ctx.Value(hurriedKey{}) != nil:
		return e.Answers
	}
	return statementTime
}

// Within runs fn with a context that ends after a time; 0 is without end. If it did end, the error is ErrSilent.
func Within(ctx context.Context, limit time.Duration, fn func(context.Context) error) error {
	if limit == 0 {
		return fn(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrSilent)
	defer cancel()
	return silence(ctx, fn(ctx))
}

// silence adds ErrSilent to an error if that is why a context has ended.
func silence(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), ErrSilent) && !errors.Is(err, ErrSilent) {
		return fmt.Errorf("%w: %w", ErrSilent, err)
	}
	return err
}

// lifetime is the context of a transaction: drivers begin, commit and roll back on it.
type lifetime struct {
	context.Context
	end context.CancelCauseFunc
}

func newLifetime(ctx context.Context) lifetime {
	ctx, end := context.WithCancelCause(ctx)
	return lifetime{ctx, end}
}

// within runs a step of the transaction and ends the transaction if that takes too long; 0 is without end.
func (l lifetime) within(limit time.Duration, step func() error) error {
	if limit > 0 {
		timer := time.AfterFunc(limit, func() { l.end(ErrSilent) })
		defer timer.Stop()
	}
	return silence(l, step())
}

// outageTime is how long a server counts as away once it was found so: about as long as a command takes.
const outageTime = 5 * time.Second

// Outage remembers for a moment that a server is away, so that a command that asks several questions waits for it once.
type Outage struct {
	now    func() time.Time
	mutex  sync.Mutex
	until  time.Time
	reason error
}

// NewOutage takes the clock, which never stops.
func NewOutage(now func() time.Time) *Outage { return &Outage{now: now} }

// err is why the server counts as away, nil if it does not.
func (o *Outage) err() error {
	if o == nil { // a client that a test has made
		return nil
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.reason != nil && !o.now().Before(o.until) {
		o.reason = nil
	}
	return o.reason
}

func (o *Outage) began(reason error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.until, o.reason = o.now().Add(outageTime), reason
}
