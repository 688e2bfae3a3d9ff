//go:build unix

package brain

import "syscall"

// specialFiles are ways to make what is neither a file nor a folder.
func specialFiles() map[string]func(path string) error {
	return map[string]func(string) error{"a FIFO": func(path string) error { return syscall.Mkfifo(path, 0o600) }}
}
