package filesys

import (
	"io/fs"
	"syscall"
	"time"
)

// Changed is when a file was last changed in any way, which no program can set; ok is false where the system does not say.
func Changed(info fs.FileInfo) (at time.Time, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return at, false
	}
	return time.Unix(s.Ctimespec.Sec, s.Ctimespec.Nsec), true
}
