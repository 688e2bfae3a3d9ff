package brain

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"strings"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// ownerOf is whose memory a program uses on a server. It makes an ID if there is none: of several processes that do so at once, all get
// the same.
func ownerOf(c config.Config) (string, error) {
	if id := c.OwnerID(); id != "" || c.Dir == "" {
		return id, nil
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(c.Dir, ".new-*") // private to the user
	if err != nil {
		return "", err
	}
	_, err = io.WriteString(f, newOwner()+"\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), c.OwnerFile()) // unlike a rename it replaces nothing
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", errors.Join(fmt.Errorf("make %s: %w", c.OwnerFile(), err), filesys.Remove(f.Name()))
	}
	if err := filesys.Remove(f.Name()); err != nil {
		return "", err
	}
	id := c.OwnerID()
	if id == "" {
		return "", fmt.Errorf("%s holds no ID of an owner: remove it, or set owner in config.toml: %w", c.OwnerFile(), memory.ErrInvalid)
	}
	return id, nil
}

// newOwner is an ID that people can tell apart, and that nobody else has.
func newOwner() string {
	const readable = 8 // letters of the user's name
	name := ""
	if u, err := user.Current(); err == nil {
		name = strings.ToLower(u.Username[strings.LastIndexByte(u.Username, '\\')+1:]) // Windows puts a domain before it
	}
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(config.OwnerLetters, r) {
			return r
		}
		return -1
	}, name)
	random := make([]byte, 4)
	_, _ = rand.Read(random) // it never fails
	return name[:min(len(name), readable)] + "_" + hex.EncodeToString(random)
}
