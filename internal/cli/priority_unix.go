//go:build unix

package cli

import (
	"os"
	"strconv"
	"syscall"
)

// politeness is the nice value of background work.
const politeness = 10

// YieldToOthers lowers the priority of this process, so that background work does not slow down an agent. Errors are ignored. Linux has
// priorities of threads; new threads inherit it.
func YieldToOthers() {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, politeness)
	threads, _ := os.ReadDir("/proc/self/task")
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, politeness)
		}
	}
}
