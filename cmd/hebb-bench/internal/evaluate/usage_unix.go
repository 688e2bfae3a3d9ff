//go:build unix

package evaluate

import (
	"os"
	"runtime"
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

// peakKB is the resident memory of a process that has ended.
func peakKB(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) / 1024 // bytes there
	}
	return int64(usage.Maxrss)
}
