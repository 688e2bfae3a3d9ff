package views

import (
	"os"

	"golang.org/x/sys/windows"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// heldForWriting says whether somebody has a file open for writing that is open here for reading. Windows does not let
// anybody open a file beside writers without allowing for them. It does let a file be removed that an editor has open, if
// the editor allows for that, and what is written then is lost.
func heldForWriting(f *os.File) bool {
	name, err := windows.UTF16PtrFromString(f.Name())
	if err != nil {
		return true // who knows
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_DELETE,
		nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return filesys.InUse(err)
	}
	_ = windows.CloseHandle(handle) // nothing was written
	return false
}
