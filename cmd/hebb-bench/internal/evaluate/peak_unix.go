//go:build unix

package evaluate

import (
	"os"
	"runtime"
	"syscall"
)

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
