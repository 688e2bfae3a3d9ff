//go:build unix

package filesys

import (
	"io/fs"
	"syscall"
)

// SameDevice reports whether two files are on one file system, as far as the system says.
func SameDevice(a, b fs.FileInfo) bool {
	one, isOne := a.Sys().(*syscall.Stat_t)
	other, isOther := b.Sys().(*syscall.Stat_t)
	return !isOne || !isOther || one.Dev == other.Dev
}
