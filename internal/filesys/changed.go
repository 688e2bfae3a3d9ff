package filesys

import (
	"io/fs"
	"runtime"
	"time"
)

// Written is when a file was last written or renamed. Where the system does not say, it is the time of modification, which any program can set.
func Written(info fs.FileInfo) time.Time {
	if at, ok := Changed(info); ok && runtime.GOOS != "windows" { // there Changed is when the file was made
		return at
	}
	return info.ModTime()
}
