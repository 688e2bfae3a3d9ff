//go:build !amd64 && !arm64

package encoder

// Dot is the product of two vectors of signed bytes.
func Dot(a, b []byte) int32 { return plain(a, b) }

func products(sums []int32, rows []int16, weights []int8) { plainProducts(sums, rows, weights) }
