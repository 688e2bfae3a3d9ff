//go:build !amd64

package vector

// Dot is the product of two vectors of signed bytes.
func Dot(a, b []byte) int32 { return plain(a, b) }
