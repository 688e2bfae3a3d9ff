//go:build unix && !linux

package llm

import "syscall"

func groupLeader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
