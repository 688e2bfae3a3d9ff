package encoder

import "unsafe"

func init() {
	ways["SSE2"] = func(sums []int32, rows []int16, weights []int8) {
		productsSSE2(unsafe.SliceData(sums), unsafe.SliceData(rows), unsafe.SliceData(weights), len(rows)/Rows, len(sums)/Rows)
	}
}
