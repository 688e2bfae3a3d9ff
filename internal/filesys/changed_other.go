//go:build !linux && !darwin

package filesys

import (
	"io/fs"
	"time"
)

// Changed is when a file was last written, as its time of modification says.
func Changed(info fs.FileInfo) time.Time { return info.ModTime() }
