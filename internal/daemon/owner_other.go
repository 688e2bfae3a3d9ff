//go:build !linux && !darwin

package daemon

import (
	"io/fs"
	"net"
)

// sameUser is true: on Windows the folder of the socket lets nobody else in.
func sameUser(*net.UnixConn) bool { return true }

// private is true: on Windows each user has a folder of their own for temporary files.
func private(fs.FileInfo) bool { return true }
