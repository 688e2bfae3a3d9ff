package views

import (
	"errors"
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// exchangeFiles lets two files change places in one step. It is errors.ErrUnsupported where the file system cannot.
func exchangeFiles(root *os.Root, a, b string) error { return rename(root, a, b, unix.RENAME_EXCHANGE) }

// moveToFreeName renames a file unless the new name is taken, which is fs.ErrExist.
func moveToFreeName(root *os.Root, from, to string) error {
	return rename(root, from, to, unix.RENAME_NOREPLACE)
}

// rename goes through open folders, because root knows no flags.
func rename(root *os.Root, from, to string, flags uint) error {
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
		err = unix.Renameat2(int(fromFolder.Fd()), path.Base(from), int(toFolder.Fd()), path.Base(to), flags)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EINVAL), errors.Is(err, unix.EPERM), errors.Is(err, errors.ErrUnsupported):
			// File systems and sandboxes refuse an unknown flag in each of these ways. What is forbidden in truth is so without it.
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
		return &os.LinkError{Op: "renameat2", Old: from, New: to, Err: err}
	}
}

// heldForWriting says whether somebody has a file open that is open here for reading. The system grants a read lease only if
// nobody does. Where it grants none at all, nothing is known, and only time speaks.
func heldForWriting(f *os.File) bool {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return errors.Is(err, unix.EAGAIN)
}
