//go:build !unix

package filesys

import (
	"io"
	"os"
)

// Map reads the first bytes of a file. They are not mapped as on Unix: Windows cannot remove a file that is mapped, and a file that holds
// something forgotten must be removed.
func Map(f *os.File, size int) ([]byte, error) {
	b := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), b)
	return b, err
}
