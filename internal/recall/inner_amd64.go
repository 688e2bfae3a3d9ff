package recall

import "unsafe"

// inner16 is the product of the first n bytes, as far as they are a multiple of 16.
//
//go:noescape
func inner16(a, b *byte, n int) int32

// inner is the product of two vectors of signed bytes. All files of a project are compared: written in Go that took 11 of the 45 ms of a
// question among 100,000 files, so 1.2.
func inner(a, b []byte) int32 {
	n := min(len(a), len(b)) &^ 15
	sum := inner16(unsafe.SliceData(a), unsafe.SliceData(b), n)
	if n < len(a) {
		sum += innerPlain(a[n:], b[n:])
	}
	return sum
}
