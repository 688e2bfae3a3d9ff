package encoder

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

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

//go:noescape
func productsSSE2(sums *int32, rows *int16, weights *int8, n, columns int)

//go:noescape
func productsAVX2(sums *int32, rows *int16, weights *int8, n, columns int)

func products(sums []int32, rows []int16, weights []int8) {
	multiply := productsSSE2
	if cpu.X86.HasAVX2 {
		multiply = productsAVX2
	}
	multiply(unsafe.SliceData(sums), unsafe.SliceData(rows), unsafe.SliceData(weights), len(rows)/Rows, len(sums)/Rows)
}
