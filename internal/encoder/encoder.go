// Package encoder turns an English sentence into a vector whose direction is its meaning: Universal Sentence Encoder Lite,
// two transformer layers with the weights rounded to bytes. Nothing is read or computed before the first sentence.
package encoder

import (
	"math"
	"strings"
	"sync"
)

// Vector is the meaning of a sentence and has the length 1.
type Vector [512]float32

// Cos is the cosine of the angle between two vectors. Unrelated English sentences are near 0.35. Negation hardly counts:
// "Never push to main" and "Always push to main" are at 0.94, so whoever decides by it must look at the words as well.
func (v *Vector) Cos(w *Vector) float64 { return float64(dot(v[:], w[:])) }

const (
	mostTokens = 128  // that the model was trained with; what follows has no effect
	mostBytes  = 8192 // of a text that are looked at: more than 128 tokens of the longest kind
)

var loaded = sync.OnceValue(func() *model { return load(weights) })

// Encode returns the meaning of a sentence, false if it has no words or is not English. Only the first 128 tokens count, about
// 90 words. The meanings of the latest sentences are kept: what holds is compared with every new statement.
func Encode(text string) (Vector, bool) {
	text = text[:min(len(text), mostBytes)]
	m := latest.get(text)
	if m == nil {
		m = loaded().meaning(text)
		latest.put(text, m)
	}
	return m.vector, m.english
}

type meaning struct {
	vector  Vector
	english bool
}

func (m *model) meaning(text string) *meaning {
	if !m.pieces.english(text) {
		return &meaning{}
	}
	ids := m.pieces.ids(text)
	return &meaning{vector: m.encode(ids[:min(len(ids), mostTokens)]), english: true}
}

// keptMeanings is how many sentences are kept: two megabytes, and more than the statements that hold in a project.
const keptMeanings = 1000

// memo keeps meanings until it is full, and then begins anew.
type memo struct {
	mutex sync.Mutex
	kept  map[string]*meaning
}

var latest memo

func (m *memo) get(text string) *meaning {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.kept[text]
}

func (m *memo) put(text string, found *meaning) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.kept == nil || len(m.kept) == keptMeanings {
		m.kept = map[string]*meaning{}
	}
	m.kept[strings.Clone(text)] = found // it may be a piece of something long
}

// model holds the weights. Products and the embedding are given as functions, so that a test can compute with those of the
// package that the weights come from, before they were rounded.
type model struct {
	pieces    pieces
	embed     func(to []float32, id int) // twice the embedding of a piece
	positions [mostTokens][]float32
	residual  product // of the first layer, which is twice as wide at its end
	layers    [2]layer
	top       product
}

// product is x·W + b for each row of x.
type product func(x []float32) []float32

type layer struct {
	before, between layerNorm
	qkv, out        product // attention: queries, keys and values side by side; the heads joined
	in, back        product // the feed-forward half
}

const heads = 4

func (m *model) encode(ids []int) Vector {
	width := len(m.positions[0])
	x := make([]float32, len(ids)*width)
	for t, id := range ids {
		row := x[t*width:][:width]
		m.embed(row, id)
		addTo(row, m.positions[t])
	}
	first, second := m.layers[0], m.layers[1]
	attended := first.attend(x, len(ids))
	x = m.residual(x)
	addTo(x, attended)
	addTo(x, first.back(first.hidden(x)))
	addTo(x, second.attend(x, len(ids)))
	// The mean of products is the product of the mean.
	pooled := mean(x, len(ids))
	addTo(pooled, second.back(mean(second.hidden(x), len(ids))))
	var v Vector
	for i, y := range m.top(pooled) {
		v[i] = float32(math.Tanh(float64(y)))
	}
	length := float32(math.Sqrt(float64(dot(v[:], v[:]))))
	for i := range v {
		v[i] /= length
	}
	return v
}

func (l *layer) attend(x []float32, tokens int) []float32 {
	qkv := l.qkv(l.before.of(x))
	width := len(qkv) / tokens / 3
	size := width / heads
	scale := float32(1 / math.Sqrt(float64(size)))
	joined := make([]float32, tokens*width)
	share := make([]float32, tokens)
	for t := range tokens {
		for h := range heads {
			at := func(token, third int) []float32 { return qkv[(3*token+third)*width+h*size:][:size] }
			query := at(t, 0)
			for other := range share {
				share[other] = scale * dot(query, at(other, 1))
			}
			softmax(share)
			sum := joined[t*width+h*size:][:size]
			for other, s := range share {
				addTimes(sum, at(other, 2), s)
			}
		}
	}
	return l.out(joined)
}

func (l *layer) hidden(x []float32) []float32 {
	y := l.in(l.between.of(x))
	for i := range y {
		y[i] = max(y[i], 0)
	}
	return y
}

// layerNorm gives each row the mean 0 and the variance 1, then scales and shifts it.
type layerNorm struct{ gain, bias []float32 }

func (n layerNorm) of(x []float32) []float32 {
	width := len(n.gain)
	y := make([]float32, len(x))
	for at := 0; at < len(x); at += width {
		row, to := x[at:][:width], y[at:][:width]
		var sum, squares float64
		for _, v := range row {
			sum += float64(v)
		}
		middle := float32(sum / float64(width))
		for _, v := range row {
			squares += float64((v - middle) * (v - middle))
		}
		scale := float32(1 / math.Sqrt(squares/float64(width)+1e-6))
		for i, v := range row {
			to[i] = (v-middle)*scale*n.gain[i] + n.bias[i]
		}
	}
	return y
}

func softmax(x []float32) {
	largest := x[0]
	for _, v := range x {
		largest = max(largest, v)
	}
	sum := float32(0)
	for i, v := range x {
		x[i] = float32(math.Exp(float64(v - largest)))
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

func mean(x []float32, rows int) []float32 {
	width := len(x) / rows
	sum := make([]float32, width)
	for at := 0; at < len(x); at += width {
		addTimes(sum, x[at:][:width], 1/float32(rows))
	}
	return sum
}

func addTo(sum, x []float32) {
	x = x[:len(sum)]
	for i := range sum {
		sum[i] += x[i]
	}
}

func addTimes(sum, x []float32, f float32) {
	x = x[:len(sum)]
	for i := range sum {
		sum[i] += f * x[i]
	}
}

// dot is the product of two vectors whose length is a multiple of four.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var one, two, three, four float32
	for i := 0; i+3 < len(a); i += 4 {
		one += a[i] * b[i]
		two += a[i+1] * b[i+1]
		three += a[i+2] * b[i+2]
		four += a[i+3] * b[i+3]
	}
	return one + two + three + four
}
