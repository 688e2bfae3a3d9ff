//go:build unix

package llm

import (
	"os/exec"
	"syscall"
)

// startGroup starts a command as a process group of its own. end kills all of the group.
func startGroup(cmd *exec.Cmd) (end func(), err error) {
	cmd.SysProcAttr = groupLeader()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }, nil // nothing may be left of it
}
