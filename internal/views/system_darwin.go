package views

import (
	"errors"
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// exchangeFiles lets two files change places in one step. It is errors.ErrUnsupported where the file system cannot.
func exchangeFiles(root *os.Root, a, b string) error { return rename(root, a, b, unix.RENAME_SWAP) }

// moveToFreeName renames a file unless the new name is taken, which is fs.ErrExist.
func moveToFreeName(root *os.Root, from, to string) error {
	return rename(root, from, to, unix.RENAME_EXCL)
}

// rename goes through open folders, because root knows no flags.
func rename(root *os.Root, from, to string, flags uint32) error {
	fromFolder, err := root.Open(path.Dir(from))
	if err != nil {
		return err
	}
	defer fromFolder.Close()
	toFolder, err := root.Open(path.Dir(to))
	if err != nil {
		return err
	}
	defer toFolder.Close()
	for {
		err = unix.RenameatxNp(int(fromFolder.Fd()), path.Base(from), int(toFolder.Fd()), path.Base(to), flags)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EINVAL), errors.Is(err, errors.ErrUnsupported):
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
		return &os.LinkError{Op: "renameatx_np", Old: from, New: to, Err: err}
	}
}

// heldForWriting is unknown here; only the time of grace counts.
func heldForWriting(*os.File) bool { return false }
