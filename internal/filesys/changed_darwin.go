package filesys

import (
	"io/fs"
	"syscall"
	"time"
)

// Changed is when a file was last written, renamed or given other attributes. Unlike its time of modification nobody sets it.
func Changed(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctimespec.Sec, s.Ctimespec.Nsec)
	}
	return info.ModTime()
}
