//go:build !linux && !darwin

package filesys

// FreeBytes is not known here.
func FreeBytes(string) (bytes int64, known bool) { return 0, false }
