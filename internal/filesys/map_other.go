//go:build !unix

package filesys

import (
	"io"
	"os"
)

// Map returns the first bytes of a file. Elsewhere they are mapped; Windows removes no file that is mapped, and what was forgotten must go.
func Map(f *os.File, size int) ([]byte, error) {
	b := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), b)
	return b, err
}
