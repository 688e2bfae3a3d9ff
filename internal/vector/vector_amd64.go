package vector

import "unsafe"

// product16 is the product of the first n bytes, as far as they are a multiple of 16.
//
//go:noescape
func product16(a, b *byte, n int) int32

// Dot is the product of two vectors of signed bytes. All files of a project are compared: written in Go that took 11 of the 45 ms of a
// question among 100,000 files, so 1.2.
func Dot(a, b []byte) int32 {
	n := min(len(a), len(b)) &^ 15
	sum := product16(unsafe.SliceData(a), unsafe.SliceData(b), n)
	if n < len(a) {
		sum += plain(a[n:], b[n:])
	}
	return sum
}

// products16 is Products in assembly.
//
//go:noescape
func products16(sums *[Rows]int32, rows *int16, w *int8, n int)

// Products sets sums to the products of each row with the signed bytes w, whose number is a multiple of 16.
func Products(sums *[Rows]int32, rows []int16, w []int8) {
	_ = rows[Rows*len(w)-1]
	products16(sums, unsafe.SliceData(rows), unsafe.SliceData(w), len(w))
}
