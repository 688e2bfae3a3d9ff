package evaluate

import "os"

// peakKB is not told by Windows here.
func peakKB(*os.ProcessState) int64 { return 0 }
