package code

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// asNobody lets the rest of a test read files as a user who is not root: root reads everything.
func asNobody(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	runtime.LockOSThread() // it is about this thread alone
	const nobody = 65534
	must.Do(t, syscall.Setfsuid(nobody))
	t.Cleanup(func() {
		if err := syscall.Setfsuid(0); err != nil { // the thread stays locked and ends with the test
			t.Error(err)
			return
		}
		runtime.UnlockOSThread()
	})
}
