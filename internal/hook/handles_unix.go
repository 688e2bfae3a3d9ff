//go:build unix

package hook

import (
	"errors"
	"syscall"
)

// handlesNeeded is the most files a hook has open at once: two of Go's runtime, settings, inbox,
// and those of starting a drain.
const handlesNeeded = 8

// HandlesLeft reports whether the process may open the few files a hook needs. Without them Go's
// runtime exits with code 2, which makes some agents stop. So this uses system calls directly.
func HandlesLeft() bool {
	for range handlesNeeded {
		handle, err := syscall.Open("/dev/null", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			return false
		}
		if err == nil {
			defer func() { _ = syscall.Close(handle) }() // opened for this question only
		}
	}
	return true
}
