package encoder

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

// Rows is how many rows Products multiplies at a time: weights are loaded and widened once for all of them.
const Rows = 4

// Products multiplies Rows rows, one after the other, with each column of weights: as many numbers as a row has, a multiple of 16.
// sums holds Rows products for each column; they must fit into 32 bits.
func Products(sums []int32, rows []int16, weights []int8) {
	n, columns := len(rows)/Rows, len(sums)/Rows
	if n == 0 || n%16 != 0 || columns == 0 {
		panic("vector: rows are not a multiple of 16 numbers, or there is no column")
	}
	products(sums[:Rows*columns], rows[:Rows*n], weights[:n*columns])
}

// plainProducts is Products in Go.
func plainProducts(sums []int32, rows []int16, weights []int8) {
	n := len(rows) / Rows
	a, b, c, d := rows[:n], rows[n:][:n], rows[2*n:][:n], rows[3*n:][:n]
	for ; len(weights) > 0; sums, weights = sums[Rows:], weights[n:] {
		var one, two, three, four int32
		for i, w := range weights[:n] {
			one += int32(w) * int32(a[i])
			two += int32(w) * int32(b[i])
			three += int32(w) * int32(c[i])
			four += int32(w) * int32(d[i])
		}
		sums[0], sums[1], sums[2], sums[3] = one, two, three, four
	}
}
