//go:build unix

package project

import (
	"os"
	"syscall"
)

// folderNumber is the number that the file system gave a folder.
func folderNumber(path string) uint64 {
	if info, err := os.Lstat(path); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return uint64(stat.Ino)
		}
	}
	return 0
}
