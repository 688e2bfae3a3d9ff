//go:build unix

package filesys

import (
	"os"
	"syscall"
)

// Map returns the first bytes of a file as memory that is read from it when it is first used. It stays valid until the process ends, also
// when the file is removed. The file must never become shorter.
func Map(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}
