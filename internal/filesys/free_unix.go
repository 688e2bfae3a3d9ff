//go:build linux || darwin

package filesys

import (
	"syscall"
)

// FreeBytes is how much can still be written to the disk of a folder, where the system reports it.
func FreeBytes(dir string) (bytes int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true //nolint:unconvert // the types differ by system
}
