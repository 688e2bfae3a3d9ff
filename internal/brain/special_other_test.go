//go:build !unix

package brain

// specialFiles are ways to make what is neither a file nor a folder; there is none here.
func specialFiles() map[string]func(path string) error { return nil }
