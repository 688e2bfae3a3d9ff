//go:build unix

package filesys

import (
	"io/fs"
	"syscall"
)

// Owner is the user and the group that a file belongs to; ok is false where the system does not say.
func Owner(info fs.FileInfo) (user, group int, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(s.Uid), int(s.Gid), true
}
