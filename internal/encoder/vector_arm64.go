package encoder

import "unsafe"

// Dot is the product of two vectors of signed bytes.
func Dot(a, b []byte) int32 { return plain(a, b) }

//go:noescape
func productsNEON(sums *int32, rows *int16, weights *int8, n, columns int)

func products(sums []int32, rows []int16, weights []int8) {
	productsNEON(unsafe.SliceData(sums), unsafe.SliceData(rows), unsafe.SliceData(weights), len(rows)/Rows, len(sums)/Rows)
}
