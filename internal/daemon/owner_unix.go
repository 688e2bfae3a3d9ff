//go:build linux || darwin

package daemon

import (
	"io/fs"
	"net"
	"os"
	"syscall"
)

// sameUser reports whether the other end of a connection is this user.
func sameUser(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	var uid uint32
	asked := raw.Control(func(fd uintptr) { uid, err = peer(int(fd)) })
	return asked == nil && err == nil && uid == uint32(os.Getuid())
}

// private reports whether a folder is this user's, and closed to others.
func private(info fs.FileInfo) bool {
	owner, is := info.Sys().(*syscall.Stat_t)
	return is && owner.Uid == uint32(os.Getuid()) && info.Mode().Perm()&0o077 == 0
}
