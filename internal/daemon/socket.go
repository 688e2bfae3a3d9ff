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

const (
	// pathMost is the longest path of a socket: macOS allows 104 bytes with the zero at the end.
	pathMost = 100
	// lockPatience is how long a daemon waits for the lock of one that has just ended.
	lockPatience = time.Second
)

// place is where a daemon can be asked.
type place struct {
	PID    int    `json:"pid"`
	Socket string `json:"socket"`
}

func folder(c config.Config) string    { return filepath.Join(c.Dir, "daemon") }
func lockFile(c config.Config) string  { return filepath.Join(folder(c), "lock") }
func placeFile(c config.Config) string { return filepath.Join(folder(c), "place.json") }

// hold takes the lock of a data folder and listens on its socket. What a daemon that was killed
// left is taken over: a lock that nobody holds, and a socket that nobody answers.
func hold(ctx context.Context, c config.Config) (l net.Listener, release func(), err error) {
	if err := os.MkdirAll(folder(c), 0o700); err != nil {
		return nil, nil, err
	}
	brief, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	release, err = filesys.Acquire(brief, lockFile(c))
	if errors.Is(err, filesys.ErrHeld) {
		err = fmt.Errorf("a daemon of this data folder runs already: %w", memory.ErrConflict)
	}
	if err != nil {
		return nil, nil, err
	}
	if l, err = listen(ctx, c); err != nil {
		release()
		return nil, nil, err
	}
	return l, release, nil
}

// listen makes the socket and says where it is. Closing the listener removes the socket.
func listen(ctx context.Context, c config.Config) (net.Listener, error) {
	path, err := socketPath(folder(c), os.TempDir())
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
		if err := filesys.Remove(path); err != nil {
			return nil, fmt.Errorf("remove the socket of a daemon that has ended: %w", err)
		}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	text, err := json.Marshal(place{PID: os.Getpid(), Socket: path})
	err = errors.Join(err, os.Chmod(path, 0o600), filesys.Replace(placeFile(c), text))
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return ownOnly{l}, nil
}

// socketPath is where the socket is: in the daemon's folder or, where that path is too long, in a
// folder of this user among the temporary files.
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
		return "", fmt.Errorf("%s is not a folder of yours alone: remove it, or set TMPDIR: %w",
			own, memory.ErrRefused)
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
