package encoder

import (
	_ "embed"
	"encoding/binary"
	"math"
	"strings"
	"unsafe"
)

// weights.bin is made by scripts/encoder-weights: the pieces, the embedding, the layers and the top, in the order in which load
// reads them. The rounded weights are used where they are.
//
//go:embed weights.bin
var weights string

const (
	pieceCount = 8000
	embedWidth = 256
)

// load cuts the file into its tensors.
func load(file string) *model {
	r := reader{file}
	m := &model{pieces: r.pieces(), positions: positions()}
	rows := matrix{in: embedWidth, scale: r.floats(pieceCount), weights: r.signed(pieceCount * embedWidth)}
	m.embed = rows.row
	for i := range m.layers {
		wide, half := len(Vector{}), embedWidth
		if i == 1 {
			half = wide
		}
		l := &m.layers[i]
		l.before, l.qkv, l.out = r.norm(half), r.product(half, 3*half), r.product(half, wide)
		l.between, l.in, l.back = r.norm(wide), r.product(wide, 3*wide), r.product(3*wide, wide)
	}
	m.residual = r.product(embedWidth, len(Vector{}))
	m.top = r.product(len(Vector{}), len(Vector{}))
	if r.rest != "" {
		panic("encoder: weights.bin does not belong to this program")
	}
	return m
}

// positions are sines and cosines of 128 rates for each position, each from the one before.
func positions() (table [mostTokens][]float32) {
	const rates = embedWidth / 2
	for t := range table {
		table[t] = make([]float32, embedWidth)
	}
	for j := range rates {
		sinRate, cosRate := math.Sincos(math.Pow(10000, -float64(j)/(rates-1)))
		sin, cos := 0.0, 1.0
		for t := range table {
			table[t][j], table[t][rates+j] = float32(sin), float32(cos)
			sin, cos = sin*cosRate+cos*sinRate, cos*cosRate-sin*sinRate
		}
	}
	return table
}

// reader takes numbers off the front of the file.
type reader struct{ rest string }

func (r *reader) bytes(n int) string {
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) floats(n int) []float32 {
	b := []byte(r.bytes(4 * n))
	f := make([]float32, n)
	for i := range f {
		f[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return f
}

func (r *reader) signed(n int) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(r.bytes(n)))), n)
}

func (r *reader) norm(width int) layerNorm { return layerNorm{r.floats(width), r.floats(width)} }

func (r *reader) product(in, out int) product {
	return matrix{in, r.floats(out), r.floats(out), r.signed(in * out)}.times
}

// pieces reads the vocabulary: each piece on a line, then the scores.
func (r *reader) pieces() pieces {
	size := int(binary.LittleEndian.Uint32([]byte(r.bytes(4))))
	lines := strings.Split(r.bytes(size), "\n")
	scores := []byte(r.bytes(8 * len(lines)))
	p := make(pieces, len(lines))
	for id, text := range lines {
		if id >= reserved {
			p[text] = piece{id, math.Float64frombits(binary.LittleEndian.Uint64(scores[8*id:]))}
		}
	}
	return p
}

// matrix is a matrix of bytes, a row for each output; its outputs are multiplied by their scale.
type matrix struct {
	in          int
	scale, bias []float32
	weights     []int8
}

func (m matrix) row(to []float32, id int) {
	for i, w := range m.weights[id*m.in:][:m.in] {
		to[i] = float32(w) * m.scale[id]
	}
}

// widest is the largest number that an input is rounded to: 1,536 products of it with a byte fit into 32 bits.
const widest = 8191

// times rounds the inputs to 14 bits, which makes no difference beside weights of 8.
func (m matrix) times(x []float32) []float32 {
	count, out := len(x)/m.in, len(m.scale)
	y := make([]float32, count*out)
	rounded := make([]int16, Rows*m.in)
	sums := make([]int32, Rows*out)
	for first := 0; first < count; first += Rows {
		var steps [Rows]float32
		beside := min(Rows, count-first)
		for r := range beside {
			steps[r] = round(rounded[r*m.in:][:m.in], x[(first+r)*m.in:])
		}
		Products(sums, rounded, m.weights)
		for r := range beside {
			row, scale, bias := y[(first+r)*out:][:out], m.scale[:out], m.bias[:out]
			for c := range row {
				row[c] = float32(sums[Rows*c+r])*steps[r]*scale[c] + bias[c]
			}
		}
	}
	return y
}

// round fills to with x in steps, and returns the step.
func round(to []int16, x []float32) float32 {
	x = x[:len(to)]
	bits := uint32(0) // without their sign, numbers are in the order of their bits
	for _, v := range x {
		bits = max(bits, math.Float32bits(v)&^(1<<31))
	}
	largest := math.Float32frombits(bits)
	if largest == 0 {
		return 0
	}
	factor := widest / largest
	for i, v := range x {
		to[i] = int16(int32(v*factor+(widest+1.5)) - (widest + 1)) // positive before it is cut off
	}
	return largest / widest
}
