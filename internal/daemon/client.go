package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/wiring"
)

// Absent is an error that says what is not there, as people are told.
type Absent string

func (a Absent) Error() string      { return string(a) }
func (Absent) Is(target error) bool { return target == memory.ErrNotFound }

// ErrNone says that no daemon of the data folder runs.
const ErrNone Absent = "no daemon runs; start one with hebb daemon start"

// ErrSilent says that one runs that does not answer. That it accepts a connection proves nothing: the
// system does so for a process that is stopped.
var ErrSilent = errors.New("the daemon does not answer")

const (
	startPatience = 20 * time.Second // with a daemon that was just started, on a busy machine
	stopPatience  = 2*finishPatience + 10*time.Second
	askAgain      = 10 * time.Millisecond
)

// Client asks the daemon of a data folder.
type Client struct {
	Config   config.Config
	Patience time.Duration // with an answer
}

// Ping asks whether the daemon lives.
func (c Client) Ping(ctx context.Context) (p Ping, err error) {
	return p, c.ask(ctx, http.MethodGet, "/ping", nil, &p)
}

// Status asks what the daemon does.
func (c Client) Status(ctx context.Context) (s Status, err error) {
	return s, c.ask(ctx, http.MethodGet, "/status", nil, &s)
}

// PageOf asks the daemon to serve the page, if it is of this version.
func (c Client) PageOf(ctx context.Context, version string) (a Address, err error) {
	if p, err := c.Ping(ctx); err != nil || p.Version != version || p.Stopping {
		return a, errors.Join(err, ErrNone)
	}
	return a, c.ask(ctx, http.MethodPost, "/page", nil, &a)
}

// Ran reports a command of the person.
func (c Client) Ran(ctx context.Context, r Ran) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return c.ask(ctx, http.MethodPost, "/shell", text, &struct{}{})
}

func (c Client) ask(ctx context.Context, method, path string, input []byte, answer any) error {
	var at place
	text, err := filesys.ReadFile(placeFile(c.Config))
	if err != nil || json.Unmarshal(text, &at) != nil {
		return ErrNone
	}
	ctx, cancel := context.WithTimeout(ctx, c.Patience)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true}
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", at.Socket)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://hebb"+path, bytes.NewReader(input))
	if err != nil {
		return err
	}
	response, err := transport.RoundTrip(r)
	if err == nil {
		defer response.Body.Close()
		text, err = io.ReadAll(io.LimitReader(response.Body, requestMost))
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("%w within %s: process %d may be stopped; resume or end it: %w",
			ErrSilent, c.Patience, at.PID, memory.ErrConflict)
	case err != nil: // nobody listens, or it has just ended, or it is another user's
		return ErrNone
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("the daemon answers %s: %s", response.Status, text)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("the answer of the daemon cannot be read: %w", err)
	}
	return nil
}

// until asks for a ping again and again until it is as wanted.
func (c Client) until(ctx context.Context, patience time.Duration, wanted func(Ping, error) bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(askAgain)
	defer tick.Stop()
	for !wanted(c.Ping(ctx)) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}

// Stop asks the daemon to stop and waits until it has.
func (c Client) Stop(ctx context.Context) (was Ping, err error) {
	if err := c.ask(ctx, http.MethodPost, "/stop", nil, &was); err != nil {
		return was, err
	}
	err = c.until(ctx, stopPatience, func(is Ping, err error) bool {
		return errors.Is(err, ErrNone) || err == nil && is.PID != was.PID
	})
	if err != nil {
		err = fmt.Errorf("the daemon, process %d, still finishes its work: %w", was.PID, err)
	}
	return was, err
}

// Start has spawn start a daemon, unless one runs that is of this version or a newer one, and waits
// until it answers. Of many that start at once one calls spawn.
func (c Client) Start(ctx context.Context, version string, spawn func() error) (p Ping, started bool, err error) {
	if err := os.MkdirAll(folder(c.Config), 0o700); err != nil {
		return p, false, fmt.Errorf("start the daemon: %w", err)
	}
	turn, cancel := context.WithTimeout(ctx, startPatience+stopPatience)
	defer cancel()
	release, err := filesys.Acquire(turn, filepath.Join(folder(c.Config), "start.lock"))
	if err != nil {
		return p, false, fmt.Errorf("wait for others that start a daemon: %w", err)
	}
	defer release()
	p, err = c.Ping(ctx)
	if err == nil && !p.Stopping && !replaces(version, p.Version) {
		return p, false, nil
	}
	if err == nil {
		_, err = c.Stop(ctx) // one that stops already is waited for
	}
	if err != nil && !errors.Is(err, ErrNone) {
		return p, false, err
	}
	if err := spawn(); err != nil {
		return p, false, err
	}
	err = c.until(ctx, startPatience, func(is Ping, err error) bool {
		p = is
		return err == nil && !is.Stopping
	})
	if err != nil {
		err = fmt.Errorf("the daemon was started and does not answer; hebb daemon run shows why: %w", err)
	}
	return p, err == nil, err
}

// replaces reports whether a daemon of one version takes the place of another's.
func replaces(mine, theirs string) bool {
	newer, known := wiring.Release{Version: theirs}.NewerThan(mine)
	return mine != theirs && !(known && newer)
}
