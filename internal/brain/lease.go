package brain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/store"
)

// Lease lets one process at a time do a job. The store holds the holder and the expiry. A locked file in the data folder names the
// holder as well: the system releases that lock when the process ends. A process that gets the lock, and finds the name from the file in
// the store, need not wait for the expiry. A stalled holder, or one on another machine, loses the lease when it expires.
type Lease struct {
	name, holder string
	span         time.Duration
	gone         string   // the last holder of the lock, which has ended
	lock         *os.File // nil where it cannot be had
}

// NewLease prepares a lease. Call Leave at the end.
func (b *Brain) NewLease(name string, span time.Duration) (*Lease, error) {
	holder, err := b.Store.NewID()
	if err != nil {
		return nil, err
	}
	l := &Lease{name: name, holder: string(holder), span: span}
	if b.Config.Dir == "" || os.MkdirAll(b.Config.Leases(), 0o700) != nil {
		return l, nil
	}
	kind, _, _ := strings.Cut(name, "/")
	f, err := filesys.Open(filepath.Join(b.Config.Leases(), kind), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return l, nil //nolint:nilerr // the expiry still counts
	}
	if filesys.TryExclusive(f) != nil {
		_ = f.Close() // nothing was written
		return l, nil
	}
	before, _ := io.ReadAll(io.LimitReader(f, int64(len(holder)))) // a name cut short is nobody's
	if len(before) < len(holder) {
		// Reserve the room for the name now: a holder that cannot sign would keep others waiting after its end.
		if _, err := f.WriteAt(bytes.Repeat([]byte{' '}, len(holder)), 0); err != nil {
			return nil, errors.Join(fmt.Errorf("lease %s (is the disk full? make room on it, then do this again): %w", name, err), f.Close())
		}
	}
	l.lock, l.gone = f, string(before)
	return l, nil
}

// Take takes or extends the lease, or reports that another process holds it.
func (l *Lease) Take(ctx context.Context, tx *store.Tx) (bool, error) {
	return tx.TakeLease(ctx, l.name, l.holder, l.gone, l.span)
}

// Sign names the holder in the file, once the lease is committed. The name is as long as the one before: this needs no room on
// a full disk.
func (l *Lease) Sign() {
	if l.lock != nil {
		_, _ = l.lock.WriteAt([]byte(l.holder), 0) // without it the lease ends by its expiry
	}
}

func (l *Lease) End(ctx context.Context, tx *store.Tx) error {
	return tx.EndLease(ctx, l.name, l.holder)
}

func (l *Lease) Leave() {
	if l.lock != nil {
		_ = l.lock.Close() // closing releases
	}
}

// Alone does work under a lease. busy reports that another process holds it.
func (b *Brain) Alone(ctx context.Context, name string, span time.Duration, work func() error) (busy bool, err error) {
	return b.AloneFor(ctx, name, span, func(*Lease) error { return work() })
}

// AloneFor is Alone for work that may take longer than span: it extends the lease in the meantime.
func (b *Brain) AloneFor(ctx context.Context, name string, span time.Duration, work func(*Lease) error) (busy bool, err error) {
	l, err := b.NewLease(name, span)
	if err != nil {
		return false, err
	}
	defer l.Leave()
	held := false
	err = b.Store.Update(ctx, func(tx *store.Tx) (err error) {
		held, err = l.Take(ctx, tx)
		return err
	})
	if err != nil || !held {
		return err == nil, err
	}
	l.Sign()
	defer func() {
		ctx := context.WithoutCancel(ctx) // who is interrupted must not leave others waiting
		err = errors.Join(err, b.Store.Update(ctx, func(tx *store.Tx) error { return l.End(ctx, tx) }))
	}()
	return false, work(l)
}
