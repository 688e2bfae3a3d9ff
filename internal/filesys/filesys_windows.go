package filesys

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// InUse reports whether something was refused because another program has the file open.
func InUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
		errors.Is(err, windows.ERROR_USER_MAPPED_FILE)
}

// passes reports whether an error may be gone at the next try. Access is denied, among other reasons, where the target of a
// rename is open, and where a file was removed that somebody still has open.
func passes(err error) bool { return InUse(err) || errors.Is(err, windows.ERROR_ACCESS_DENIED) }

// nonblock is nothing here: pipes have no names in folders.
const nonblock = 0

func open(name string, flag int, _ fs.FileMode) (*os.File, error) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	access := uint32(windows.GENERIC_READ)
	switch {
	case flag&os.O_APPEND != 0:
		access |= windows.FILE_APPEND_DATA // without the right to write elsewhere, which makes each write an append
	case flag&os.O_RDWR != 0:
		access |= windows.GENERIC_WRITE
	}
	disposition := uint32(windows.OPEN_EXISTING)
	switch {
	case flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL:
		disposition = windows.CREATE_NEW
	case flag&os.O_CREATE != 0:
		disposition = windows.OPEN_ALWAYS
	}
	handle, err := windows.CreateFile(path, access, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, disposition, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(handle), name), nil
}
