//go:build unix

package spool

import (
	"os"
	"syscall"
)

// openCount opens a count with one file handle and without Go's poller, which needs more: a hook that may open only one file can
// still count that its event is lost.
func openCount(path string) (*os.File, error) {
	handle, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
