package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// pathMost is the longest path of a socket: macOS allows 104 bytes with the zero at the end, Linux and Windows 108.
const pathMost = 100

// place is what the lock file says of the daemon that holds it.
type place struct {
	PID    int    `json:"pid"`
	Socket string `json:"socket"`
}

func folder(c config.Config) string   { return filepath.Join(c.Dir, "daemon") }
func lockFile(c config.Config) string { return filepath.Join(folder(c), "lock") }

// holder is the one daemon of a data folder, which holds its lock.
type holder struct {
	lock     *os.File
	listener net.Listener
}

// lockPatience is how long a daemon waits for the lock of one that has just ended.
const lockPatience = time.Second

// hold takes the lock of the data folder and listens on its socket. A daemon that was killed leaves a lock that nobody holds and a
// socket that nobody answers; both are taken over.
func hold(ctx context.Context, c config.Config) (h *holder, err error) {
	if err := os.MkdirAll(folder(c), 0o700); err != nil {
		return nil, err
	}
	h = &holder{}
	if h.lock, err = locked(ctx, lockFile(c)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = h.release() // the first error is reported
		}
	}()
	at := place{PID: os.Getpid()}
	if at.Socket, err = socketPath(folder(c), os.TempDir()); err != nil {
		return h, err
	}
	if info, err := os.Lstat(at.Socket); err == nil && info.Mode().Type() == fs.ModeSocket {
		if err := filesys.Remove(at.Socket); err != nil {
			return h, fmt.Errorf("remove the socket of a daemon that has ended: %w", err)
		}
	}
	inner, err := (&net.ListenConfig{}).Listen(ctx, "unix", at.Socket)
	if err != nil {
		return h, fmt.Errorf("listen on %s: %w", at.Socket, err)
	}
	h.listener = ownOnly{inner}
	if err := os.Chmod(at.Socket, 0o600); err != nil {
		return h, err
	}
	text, err := json.Marshal(at)
	if err == nil {
		err = h.lock.Truncate(0)
	}
	if err == nil {
		_, err = h.lock.WriteAt(text, 0)
	}
	return h, err
}

// locked opens and locks a file.
func locked(ctx context.Context, path string) (*os.File, error) {
	f, err := filesys.Open(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	err = until(ctx, func() (bool, error) {
		err := filesys.TryExclusive(f)
		if errors.Is(err, filesys.ErrHeld) {
			return false, nil
		}
		return true, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("a daemon of this data folder runs already: %w", memory.ErrConflict)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// release closes the socket, which removes it, and then the lock.
func (h *holder) release() (err error) {
	if h.listener != nil {
		err = h.listener.Close()
		if errors.Is(err, net.ErrClosed) {
			err = nil
		}
	}
	return errors.Join(err, h.lock.Close())
}

// socketPath is where the socket of a data folder is: in its folder or, where that path is too long, in a folder of this user below
// the one for temporary files, which nobody else can have made.
func socketPath(folder, temporary string) (string, error) {
	path := filepath.Join(folder, "socket")
	if len(path) <= pathMost {
		return path, nil
	}
	own := filepath.Join(temporary, "hebb-"+strconv.Itoa(os.Getuid()))
	if err := os.Mkdir(own, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(own)
	if err != nil {
		return "", err
	}
	if !info.IsDir() || !private(info) {
		return "", fmt.Errorf("%s is not a folder of yours alone: remove it, or set TMPDIR: %w", own, memory.ErrRefused)
	}
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(own, hex.EncodeToString(sum[:8])), nil
}

// ownOnly is a listener that hangs up on other users.
type ownOnly struct{ net.Listener }

func (l ownOnly) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if uc, is := conn.(*net.UnixConn); is && sameUser(uc) {
			return conn, nil
		}
		_ = conn.Close() // it is told nothing
	}
}

// until calls try every few milliseconds until it says that it is done, fails, or the context ends.
func until(ctx context.Context, try func() (bool, error)) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if done, err := try(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
