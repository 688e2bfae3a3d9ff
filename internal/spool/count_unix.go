//go:build unix

package spool

import (
	"os"
	"syscall"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// openCount opens a count with one file handle and without Go's poller, which needs more: a hook
// that may open only one file can still count that its event is lost.
func openCount(path string) (*os.File, error) {
	flags := syscall.O_RDWR | syscall.O_CREAT | syscall.O_CLOEXEC | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	handle, err := syscall.Open(path, flags, 0o600)
	var state syscall.Stat_t
	if err == nil {
		err = syscall.Fstat(handle, &state)
	}
	if err == nil && state.Mode&syscall.S_IFMT != syscall.S_IFREG {
		_ = syscall.Close(handle)
		err = filesys.ErrSpecial
	}
	if err == nil {
		err = syscall.SetNonblock(handle, false) // os.NewFile would start the poller for it
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
