package embedding

import "math"

// products fills c with the products of the first n vectors of a with those of b. Two by four at a
// time: what is loaded is used several times.
func products(c, a, b []float32, n, dims int) {
	for i := 0; i < n; i += 2 {
		if i+1 == n {
			for j := range n {
				c[i*n+j] = product(part(a, i, dims), part(b, j, dims))
			}
			break
		}
		x, y := part(a, i, dims), part(a, i+1, dims)
		j := 0
		for ; j+3 < n; j += 4 {
			products2x4(c[i*n+j:], c[(i+1)*n+j:], x, y, part(b, j, dims), part(b, j+1, dims), part(b, j+2, dims), part(b, j+3, dims))
		}
		for ; j < n; j++ {
			c[i*n+j], c[(i+1)*n+j] = product(x, part(b, j, dims)), product(y, part(b, j, dims))
		}
	}
}

func products2x4(cx, cy, x, y, p, q, r, s []float32) {
	y, p, q, r, s = y[:len(x)], p[:len(x)], q[:len(x)], r[:len(x)], s[:len(x)]
	var xp, xq, xr, xs, yp, yq, yr, ys float32
	for k, u := range x {
		v := y[k]
		a, b, c, d := p[k], q[k], r[k], s[k]
		xp += u * a
		xq += u * b
		xr += u * c
		xs += u * d
		yp += v * a
		yq += v * b
		yr += v * c
		ys += v * d
	}
	cx[0], cx[1], cx[2], cx[3] = xp, xq, xr, xs
	cy[0], cy[1], cy[2], cy[3] = yp, yq, yr, ys
}

func product(a, b []float32) float32 {
	b = b[:len(a)]
	var even, odd float32
	k := 0
	for ; k+1 < len(a); k += 2 {
		even += a[k] * b[k]
		odd += a[k+1] * b[k+1]
	}
	if k < len(a) {
		even += a[k] * b[k]
	}
	return even + odd
}

func addTo(sum, x []float32) {
	x = x[:len(sum)]
	for k := range sum {
		sum[k] += x[k]
	}
}

// addBoth adds f times x to a and f times y to b.
func addBoth(a, x, b, y []float32, f float32) {
	x, b, y = x[:len(a)], b[:len(a)], y[:len(a)]
	for k := range a {
		a[k] += f * x[k]
		b[k] += f * y[k]
	}
}

// toUnit gives a vector the length 1 and returns the one it had.
func toUnit(v []float32) float32 {
	norm := float32(math.Sqrt(float64(product(v, v)))) + 1e-6
	for k := range v {
		v[k] /= norm
	}
	return norm
}
