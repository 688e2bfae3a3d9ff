// Package filesys opens, renames and removes files with the same outcome on every system. On Windows a file that is open
// can be neither renamed nor removed unless each of its handles allows it, which those of os.OpenFile do not, and virus
// scanners and indexers open new files for a moment at any time. So files that others may rename or remove are opened
// here, and a rename or removal that is refused for such a reason is tried again for a quarter of a second.
//
// A caller closes its own handles first: the retry is for those of other programs.
package filesys

import (
	"io/fs"
	"os"
	"time"
)

// Retry calls do again, a bounded number of times, while it fails because another program has the file open. Elsewhere
// than on Windows nothing fails for that reason, and do is called once.
func Retry(do func() error) error {
	const firstPause, lastPause = time.Millisecond, 128 * time.Millisecond // 255 ms in all
	err := do()
	for pause := firstPause; pause <= lastPause && passes(err); pause *= 2 {
		time.Sleep(pause)
		err = do()
	}
	return err
}

// Rename is os.Rename.
func Rename(from, to string) error {
	return Retry(func() error { return os.Rename(from, to) })
}

// Remove is os.Remove.
func Remove(name string) error {
	return Retry(func() error { return os.Remove(name) })
}

// Open is os.OpenFile for a file that other processes rename or remove while it is open. flag is os.O_RDONLY or
// os.O_RDWR, with os.O_APPEND and os.O_CREATE as needed. There is no write-only: Windows locks no file that cannot be read.
func Open(name string, flag int, perm fs.FileMode) (f *os.File, err error) {
	err = Retry(func() error {
		f, err = open(name, flag, perm)
		return err
	})
	return f, err
}
