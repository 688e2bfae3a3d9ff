package filesys

import (
	"io/fs"
	"syscall"
	"time"
)

// Changed is when a file was made here: a copy is as young as the copying. ok is false where the system does not say.
func Changed(info fs.FileInfo) (at time.Time, ok bool) {
	s, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if !ok {
		return at, false
	}
	return time.Unix(0, s.CreationTime.Nanoseconds()), true
}
