package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/program"
)

// none says that no daemon of the data folder runs.
type none struct{}

func (none) Error() string        { return "no daemon runs; start one with hebb daemon start" }
func (none) Is(target error) bool { return target == memory.ErrNotFound }

var (
	// ErrNone says that no daemon of the data folder runs.
	ErrNone error = none{}
	// ErrSilent says that one runs that does not answer. That it accepts a connection proves nothing: the system does so for a
	// process that is stopped.
	ErrSilent = errors.New("the daemon does not answer")
)

const (
	startPatience = 20 * time.Second // for a daemon that was just started, on a busy machine
	// stopPatience is for one that was asked to stop: twice the time to finish, and a little more.
	stopPatience = 2*finishPatience + 10*time.Second
)

// Client asks the daemon of a data folder.
type Client struct {
	Config config.Config
	// Patience is how long an answer may take.
	Patience time.Duration
}

// Ping asks whether the daemon lives.
func (c Client) Ping(ctx context.Context) (p Ping, err error) {
	return p, c.ask(ctx, http.MethodGet, "/ping", &p)
}

// Status asks what the daemon does.
func (c Client) Status(ctx context.Context) (s Status, err error) {
	return s, c.ask(ctx, http.MethodGet, "/status", &s)
}

// PageOf asks the daemon to serve the page, if it is of this version.
func (c Client) PageOf(ctx context.Context, version string) (a Address, err error) {
	if p, err := c.Ping(ctx); err != nil || p.Version != version || p.Stopping {
		return a, errors.Join(err, ErrNone)
	}
	return a, c.ask(ctx, http.MethodPost, "/page", &a)
}

func (c Client) ask(ctx context.Context, method, path string, answer any) error {
	var at place
	text, err := filesys.ReadFile(lockFile(c.Config))
	if err != nil || json.Unmarshal(text, &at) != nil {
		return ErrNone
	}
	ctx, cancel := context.WithTimeout(ctx, c.Patience)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", at.Socket)
	switch {
	case err != nil && ctx.Err() != nil:
		return c.silent(at)
	case err != nil:
		return ErrNone
	}
	transport := &http.Transport{
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return conn, nil },
		DisableKeepAlives: true,
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://hebb"+path, http.NoBody)
	if err != nil {
		return err
	}
	response, err := transport.RoundTrip(r)
	switch {
	case err != nil && ctx.Err() != nil:
		return c.silent(at)
	case err != nil: // it ended, or hung up on another user
		return ErrNone
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var why bytes.Buffer
		_, _ = why.ReadFrom(http.MaxBytesReader(nil, response.Body, requestMost)) // as much as there is
		return fmt.Errorf("the daemon answers %s: %s", response.Status, bytes.TrimSpace(why.Bytes()))
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		if ctx.Err() != nil {
			return c.silent(at)
		}
		return fmt.Errorf("the answer of the daemon cannot be read: %w", err)
	}
	return nil
}

func (c Client) silent(at place) error {
	return fmt.Errorf("%w within %s: process %d may be stopped; resume or end it: %w", ErrSilent, c.Patience, at.PID, memory.ErrConflict)
}

// Stop asks the daemon to stop and waits until it has.
func (c Client) Stop(ctx context.Context) (p Ping, err error) {
	if err := c.ask(ctx, http.MethodPost, "/stop", &p); err != nil {
		return p, err
	}
	ctx, cancel := context.WithTimeout(ctx, stopPatience)
	defer cancel()
	return p, c.ended(ctx, p)
}

// ended waits until a daemon no longer answers.
func (c Client) ended(ctx context.Context, was Ping) error {
	err := until(ctx, func() (bool, error) {
		is, err := c.Ping(ctx)
		return errors.Is(err, ErrNone) || err == nil && is.PID != was.PID, nil
	})
	if err != nil {
		return fmt.Errorf("the daemon, process %d, still finishes its work: %w", was.PID, err)
	}
	return nil
}

// Start has spawn start a daemon, unless one runs that is of this version or a newer one, and waits until it answers. Of many that
// start at once one calls spawn.
func (c Client) Start(ctx context.Context, version string, spawn func() error) (p Ping, started bool, err error) {
	if err := os.MkdirAll(folder(c.Config), 0o700); err != nil {
		return p, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience+stopPatience)
	defer cancel()
	release, err := filesys.Acquire(ctx, filepath.Join(folder(c.Config), "start.lock"))
	if err != nil {
		return p, false, fmt.Errorf("wait for others that start a daemon: %w", err)
	}
	defer release()
	p, err = c.Ping(ctx)
	switch {
	case errors.Is(err, ErrNone):
	case err != nil:
		return p, false, err
	case !p.Stopping && !replaces(version, p.Version):
		return p, false, nil
	case p.Stopping:
		err = c.ended(ctx, p)
	default:
		_, err = c.Stop(ctx)
	}
	if err != nil && !errors.Is(err, ErrNone) {
		return p, false, err
	}
	if err := spawn(); err != nil {
		return p, false, err
	}
	ctx, cancel = context.WithTimeout(ctx, startPatience)
	defer cancel()
	err = until(ctx, func() (bool, error) {
		p, err = c.Ping(ctx)
		return err == nil && !p.Stopping, nil
	})
	if err != nil {
		return p, false, fmt.Errorf("the daemon was started and does not answer; hebb daemon run shows why: %w", err)
	}
	return p, true, nil
}

// replaces reports whether a daemon of one version takes the place of another's.
func replaces(mine, theirs string) bool {
	newer, known := program.Release{Version: theirs}.NewerThan(mine)
	return mine != theirs && !(known && newer)
}
