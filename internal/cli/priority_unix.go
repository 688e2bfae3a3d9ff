//go:build unix

package cli

import "syscall"

// politeness is how far this process steps back behind those somebody waits for.
const politeness = 10

// yieldToOthers makes work that nobody waits for give way: an agent must not feel that hebb is busy. Where the system does
// not allow it, nothing is lost but that.
func yieldToOthers() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, politeness) }
