// Package vector multiplies the vectors of files and questions, rows of signed bytes, as fast as the processor can.
package vector

// plain is Dot in Go.
func plain(a, b []byte) int32 {
	var one, two, three, four int32
	for len(a) >= 4 && len(b) >= 4 {
		one += int32(int8(a[0])) * int32(int8(b[0]))
		two += int32(int8(a[1])) * int32(int8(b[1]))
		three += int32(int8(a[2])) * int32(int8(b[2]))
		four += int32(int8(a[3])) * int32(int8(b[3]))
		a, b = a[4:], b[4:]
	}
	for k := range min(len(a), len(b)) {
		one += int32(int8(a[k])) * int32(int8(b[k]))
	}
	return one + two + three + four
}
