//go:build unix

package evaluate

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that this process and those it has waited for have used.
func cpuTime() (total time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err == nil {
			total += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	return total
}
