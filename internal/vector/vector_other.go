//go:build !amd64

package vector

// Dot is the product of two vectors of signed bytes.
func Dot(a, b []byte) int32 { return plain(a, b) }

// Products sets sums to the products of each row with the signed bytes w, whose number is a multiple of 16.
func Products(sums *[Rows]int32, rows []int16, w []int8) { plainProducts(sums, rows, w) }
