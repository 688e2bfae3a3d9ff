//go:build !linux

package filesys

import "os"

// pseudo is never true here: no other system that hebb runs on has regular files that are none.
func pseudo(*os.File) bool { return false }
