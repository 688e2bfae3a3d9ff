package statements

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/encoder"
)

// Sizes of the tables. Features that fall on the same place share a weight.
const (
	Places        = 1 << 16 // of the model of prompts
	ClosingPlaces = 1 << 13 // of the model of closing messages
	KindPlaces    = 1 << 13 // of each kind, in both
)

// Model is the weights, as `hebb-bench said --train` learned them.
type Model struct {
	Header
	kinds   []Kind
	common  map[string]bool
	weights []byte // a table of int8, then KindPlaces of int8 for every kind
}

// Header is what a model's file says in its first line, as JSON.
type Header struct {
	// Threshold is the probability from which a statement is kept, Sure that from which it need not wait to be said again.
	Threshold float64 `json:"threshold"`
	Sure      float64 `json:"sure,omitempty"`
	// Bias and the weights are calibrated: the logistic function of their sum is a probability.
	Bias     float64         `json:"bias"`
	Step     float64         `json:"step"` // of a weight
	KindBias []float64       `json:"kind_bias"`
	KindStep float64         `json:"kind_step"`
	Frequent map[string]bool `json:"frequent,omitempty"` // words that the skeleton of a sentence keeps
	Common   string          `json:"common,omitempty"`   // words of the language, between blanks
	// Vector is the weights of the numbers of a sentence's vector, and of having one. From the log-odds Look on, as the words give
	// them, a sentence is worth its vector, which takes a hundred times as long to compute as all else.
	Vector []float32 `json:"vector,omitempty"`
	Look   float64   `json:"look,omitempty"`
}

//go:embed model.bin
var embedded []byte

var model = sync.OnceValue(func() *Model { return mustDecode(embedded, Kinds) })

func mustDecode(file []byte, kinds []Kind) *Model {
	m, err := Decode(file, kinds)
	if err != nil {
		panic(err) // a test reads it
	}
	return m
}

// Builtin is the model that comes with the program.
func Builtin() *Model { return model() }

// NewModel rounds weights to bytes. Weights are indexed by Place.
func NewModel(h Header, names []Kind, weights []float64, kinds [][]float64) *Model {
	m := &Model{Header: h, kinds: names, common: setOf(h.Common)}
	m.Step = step(weights)
	m.KindStep = step(kinds...)
	for _, w := range weights {
		m.weights = append(m.weights, byte(int8(math.Round(w/m.Step))))
	}
	for _, table := range kinds {
		for _, w := range table {
			m.weights = append(m.weights, byte(int8(math.Round(w/m.KindStep))))
		}
	}
	return m
}

// Calibrated is the model with log-odds that are stretched by slope and moved by offset.
func (m *Model) Calibrated(slope, offset float64) *Model {
	c := *m
	c.Bias, c.Step, c.Look = slope*m.Bias+offset, slope*m.Step, slope*m.Look+offset
	moved := func(probability float64) float64 {
		return 1 / (1 + math.Exp(-slope*math.Log(probability/(1-probability))-offset))
	}
	c.Threshold, c.Sure = moved(m.Threshold), moved(m.Sure)
	c.Vector = nil
	for _, w := range m.Vector {
		c.Vector = append(c.Vector, float32(slope)*w)
	}
	return &c
}

// meaning is what the vector of a sentence adds to its log-odds.
func (m *Model) meaning(sentence string) (z float64) {
	v, ok := encoder.Encode(sentence)
	if !ok {
		return 0
	}
	for i, x := range v {
		z += float64(x * m.Vector[i])
	}
	return z + float64(m.Vector[len(v)])
}

// step is how much one unit of a byte stands for, so that the largest weight fits.
func step(tables ...[]float64) float64 {
	largest := 1e-9
	for _, table := range tables {
		for _, w := range table {
			largest = max(largest, math.Abs(w))
		}
	}
	return largest / math.MaxInt8
}

// Place is where a feature's weight stands in a table.
func Place(hash uint32, size int) int { return int(uint64(hash) % uint64(size)) } //nolint:gosec // sizes are positive, and places small

func (m *Model) places() int { return len(m.weights) - len(m.kinds)*KindPlaces }

func (m *Model) weight(hash uint32) float64 {
	return m.Step * float64(int8(m.weights[Place(hash, m.places())]))
}

// kind is the likeliest kind of sentence i.
func (m *Model) kind(t *Text, i int) Kind {
	z := slices.Clone(m.KindBias)
	t.Features(i, m.Frequent, func(f Feature) {
		if !f.Own {
			return
		}
		for k := range z {
			z[k] += f.Value * m.KindStep * float64(int8(m.weights[m.places()+k*KindPlaces+Place(f.Hash, KindPlaces)]))
		}
	})
	best := 0
	for k := range z {
		if z[k] > z[best] {
			best = k
		}
	}
	return m.kinds[best]
}

// Encode writes a model's file.
func (m *Model) Encode() ([]byte, error) {
	header, err := json.Marshal(m.Header)
	if err != nil {
		return nil, err
	}
	return append(append(header, '\n'), m.weights...), nil
}

// Decode reads a model's file.
func Decode(file []byte, kinds []Kind) (*Model, error) {
	header, weights, _ := bytes.Cut(file, []byte("\n"))
	m := &Model{kinds: kinds, weights: weights}
	if err := json.Unmarshal(header, &m.Header); err != nil {
		return nil, fmt.Errorf("header of a listening model: %w", err)
	}
	m.common = setOf(m.Common)
	if n := m.places(); n != Places && n != ClosingPlaces || len(m.KindBias) != len(kinds) || len(m.Vector) != 0 && len(m.Vector) != len(encoder.Vector{})+1 {
		return nil, fmt.Errorf("a listening model has %d weights and %d kinds: want a table of %d or %d, and %d kinds", len(weights), len(m.KindBias), Places, ClosingPlaces, len(kinds))
	}
	return m, nil
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
