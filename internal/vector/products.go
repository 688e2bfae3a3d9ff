package vector

// Rows is how many rows Products multiplies at a time: the weights are widened once for all of them.
const Rows = 4

// plainProducts is Products in Go.
func plainProducts(sums *[Rows]int32, rows []int16, w []int8) {
	n := len(w)
	a, b, c, d := rows[:n], rows[n:][:n], rows[2*n:][:n], rows[3*n:][:n]
	var one, two, three, four int32
	for i, v := range w {
		x := int32(v)
		one += x * int32(a[i])
		two += x * int32(b[i])
		three += x * int32(c[i])
		four += x * int32(d[i])
	}
	*sums = [Rows]int32{one, two, three, four}
}
