//go:build !amd64

package recall

func inner(a, b []byte) int32 { return innerPlain(a, b) }
