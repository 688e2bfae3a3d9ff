//go:build unix

package spool

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

const stoppedWriter = "HEBB_TEST_STOPPED_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(stoppedWriter); dir != "" {
		writeAfterStop(dir)
		return
	}
	os.Exit(m.Run())
}

// writeAfterStop is a hook that is stopped after it has taken hold of the inbox and before it has
// written.
func writeAfterStop(dir string) {
	f, err := Spool{Dir: dir}.hold()
	if err != nil {
		panic(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
		panic(err)
	}
	if _, err := fmt.Fprintf(f, "\x1e{\"id\":\"late\"}\n"); err != nil {
		panic(err)
	}
}

// A hook that the system stops in the middle keeps nobody from draining, and its event is not lost.
func TestStoppedHook(t *testing.T) {
	s := newSpool(t)
	s.mustAppend(t, "a")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), stoppedWriter+"="+s.Dir)
	cmd.Stderr = os.Stderr
	must.Do(t, cmd.Start())
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the hook did not stop: %v, %v", status, err)
	}
	if got := s.drainAll(t, 10); got != "" {
		t.Errorf("delivered %s from under a writer", got)
	}
	must.Do(t, s.Append(event("b", memory.Prompted)))
	if got := s.drainAll(t, 10); got != "b||" {
		t.Errorf("delivered %s while the hook was stopped", got)
	}
	must.Do(t, cmd.Process.Signal(syscall.SIGCONT))
	must.Do(t, cmd.Wait())
	if got := s.drainAll(t, 10); got != "alate||" {
		t.Errorf("delivered %s at the end", got)
	}
}
