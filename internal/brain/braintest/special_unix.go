//go:build unix

package braintest

import (
	"syscall"
)

// SpecialFiles are ways to make what is neither a file nor a folder.
func SpecialFiles() map[string]func(path string) error {
	return map[string]func(string) error{"a FIFO": func(path string) error { return syscall.Mkfifo(path, 0o600) }}
}
