//go:build linux || darwin

package daemon

import (
	"context"
	"github.com/hebb-memory/hebb/internal/must"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const (
	askAs   = "HEBB_TEST_ASK_AS" // the user to be, and the socket to ask
	nobody  = 65534
	hungUp  = 3
	refused = 4 // the socket could not even be connected to, so nothing was shown
)

// TestMain makes this test binary a client that asks as another user, too.
func TestMain(m *testing.M) {
	if socket := os.Getenv(askAs); socket != "" {
		os.Exit(asNobody(socket))
	}
	os.Exit(m.Run())
}

// asNobody gives up being root and asks for a ping. It changes the user by itself: nobody may not run the test binary.
func asNobody(socket string) int {
	if os.Getuid() == 0 {
		if uid, err := strconv.Atoi(os.Getenv("HEBB_TEST_UID")); err != nil || syscall.Setuid(uid) != nil {
			return 1
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), generous)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
	if err != nil {
		return refused
	}
	_ = conn.SetDeadline(time.Now().Add(generous))
	_, _ = conn.Write([]byte("GET /ping HTTP/1.0\r\n\r\n"))
	if n, _ := conn.Read(make([]byte, 100)); n == 0 {
		return hungUp
	}
	return 0
}

// Another user is hung up on even where the permissions of folder and socket let them in. Only root can be somebody else.
func TestAnotherUserIsNotAnswered(t *testing.T) {
	o := options(t)
	c, ended := running(t, o)
	socket := filepath.Join(folder(o.Config), "socket")
	for path, mode := range map[string]os.FileMode{o.Config.Dir: 0o755, folder(o.Config): 0o755, socket: 0o666} {
		must.Do(t, os.Chmod(path, mode))
	}
	users := map[int]int{os.Getuid(): 0}
	if os.Getuid() == 0 {
		users[nobody] = hungUp
	}
	program := must.Get(os.Executable())(t)
	for uid, want := range users {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), askAs+"="+socket, "HEBB_TEST_UID="+strconv.Itoa(uid))
		err := cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("user %d: exits %d, want %d: %v", uid, got, want, err)
		}
	}
	if _, err := c.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	<-ended
}
