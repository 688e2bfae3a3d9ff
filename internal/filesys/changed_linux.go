package filesys

import (
	"io/fs"
	"syscall"
	"time"
)

// Changed is when a file was last written, renamed or given other attributes. Unlike its time of modification nobody sets it.
func Changed(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(int64(s.Ctim.Sec), int64(s.Ctim.Nsec)) //nolint:unconvert // 32 bits on some machines
	}
	return info.ModTime()
}
