//go:build !unix

package braintest

// SpecialFiles are ways to make what is neither a file nor a folder; there is none here.
func SpecialFiles() map[string]func(path string) error { return nil }
