//go:build unix

package llm

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

// startGroup starts a command as a process group of its own. end kills all of the group; so does a signal that ends hebb.
func startGroup(cmd *exec.Cmd) (end func(), err error) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP)
	cmd.SysProcAttr = groupLeader()
	if err := cmd.Start(); err != nil {
		signal.Stop(signals)
		return nil, err
	}
	kill := func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // fails if nothing is left of it
	go func() {
		select {
		case s := <-signals:
			kill()
			signal.Stop(signals)
			_ = syscall.Kill(os.Getpid(), s.(syscall.Signal)) // what would have happened without this
		case <-done:
			signal.Stop(signals)
		}
	}()
	over := sync.OnceFunc(func() { close(done) })
	return func() { kill(); over() }, nil
}
