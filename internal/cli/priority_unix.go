//go:build unix

package cli

import (
	"os"
	"strconv"
	"syscall"
)

// politeness is how far this process steps back behind those somebody waits for.
const politeness = 10

// YieldToOthers makes work that nobody waits for give way: an agent must not feel that hebb is busy. Where the system does
// not allow it, nothing is lost but that. Linux knows threads only; those to come take after the one that makes them.
func YieldToOthers() {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, politeness)
	threads, _ := os.ReadDir("/proc/self/task")
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, politeness)
		}
	}
}
