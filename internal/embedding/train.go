package embedding

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hebb-memory/hebb/internal/vocab"
)

// Source: design/embedding.md, section 3.
const (
	epochs       = 8     // how often the past is gone through
	sharpness    = 20.0  // how sharply the right partner must stand out
	learningRate = 0.006 // length of a step at the start; it falls to nothing
	dropout      = 0.1   // words left out of a text each time, so that none does it alone
	pairsPerWork = 2     // pairs of one commit or session each time
)

// Pair is two texts about the same thing.
type Pair struct {
	A, B []vocab.Word
	// Work is what the pair is from, a commit for instance: an epoch takes only a few pairs of each.
	Work int32
	// About is what the second text describes, a file for instance. Pairs about the same, or from the
	// same work, are no examples of what does not belong together.
	About int32
}

// Training holds the sizes of training that tests change.
type Training struct {
	Dims  int // length of a word's vector
	Batch int // pairs that are contrasted at a time
	Least int // a word in fewer texts than this has no vector
}

// DefaultTraining returns the sizes that hebb uses. Source: design/embedding.md, section 3.
func DefaultTraining() Training { return Training{Dims: 128, Batch: 256, Least: 3} }

// Train makes a table from pairs: the two texts of a pair are drawn together, all others of a batch
// apart. The same pairs and the same source of chance make the same table.
func Train(ctx context.Context, pairs []Pair, t Training, rng *rand.Rand, progress func(share float64)) (*Table, error) {
	l := newLearning(pairs, t, rng)
	steps := 0.0
	for epoch := range epochs {
		order := l.draw()
		for at := 0; at < len(order); at += t.Batch {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			done := (float64(epoch) + float64(at)/float64(len(order))) / float64(epochs)
			if progress != nil {
				progress(done)
			}
			steps++
			l.learn(order[at:min(at+t.Batch, len(order))], learningRate*(1-done), steps)
		}
	}
	return newTable(l.words, l.rows, t.Dims), nil
}

// text is a text of a pair as rows of the table.
type text []int32

// learning is a table while it is being made.
type learning struct {
	Training
	rng   *rand.Rand
	words []vocab.Word // by row
	pairs []Pair       // of which both texts have words
	a, b  []text       // these texts
	works [][]int32    // pairs by the work they are from

	rows   []float32
	mean   []float32 // of the gradient of each number …
	square []float32 // … and of its square

	left, right    side
	like           []float32 // cosines of a batch, then what to do about them
	rowSum, colSum []float32
	slot           []int32 // where the gradient of a row is, from 1
	used           []int32 // rows that have one
	gradient       []float32
}

// side is one half of a batch.
type side struct {
	texts []text    // without the words that were left out
	room  []int32   // what they are pieces of
	at    []float32 // their vectors, of length 1 …
	norm  []float32 // … and how long these were
	push  []float32 // where they should go
}

func newLearning(pairs []Pair, t Training, rng *rand.Rand) *learning {
	l := &learning{Training: t, rng: rng}
	counts, total := map[vocab.Word]int{}, 0
	for _, p := range pairs {
		for _, words := range [][]vocab.Word{p.A, p.B} {
			for _, w := range words {
				counts[w]++
				total++
			}
		}
	}
	for w, n := range counts {
		if n >= t.Least {
			l.words = append(l.words, w)
		}
	}
	slices.Sort(l.words)
	l.read(pairs)
	n := len(l.words) * t.Dims
	l.rows, l.mean, l.square = make([]float32, n), make([]float32, n), make([]float32, n)
	for i, w := range l.words {
		length := common / (common + float64(counts[w])/float64(total)) / math.Sqrt(float64(t.Dims))
		for k := range t.Dims {
			l.rows[i*t.Dims+k] = float32(rng.NormFloat64() * length)
		}
	}
	l.left, l.right = newSide(t), newSide(t)
	l.like = make([]float32, t.Batch*t.Batch)
	l.rowSum, l.colSum = make([]float32, t.Batch), make([]float32, t.Batch)
	l.slot = make([]int32, len(l.words))
	return l
}

// common is the share of all words at which one starts half as long: what stands everywhere says
// little.
const common = 1e-3

func newSide(t Training) side {
	n := t.Batch * t.Dims
	return side{texts: make([]text, t.Batch), at: make([]float32, n), norm: make([]float32, t.Batch), push: make([]float32, n)}
}

// read turns the words of the pairs into rows.
func (l *learning) read(pairs []Pair) {
	rowOf := make(map[vocab.Word]int32, len(l.words))
	for i, w := range l.words {
		rowOf[w] = int32(i)
	}
	known := func(words []vocab.Word) (x text) {
		for _, w := range words {
			if row, ok := rowOf[w]; ok {
				x = append(x, row)
			}
		}
		return x
	}
	placeOf := map[int32]int{}
	for _, p := range pairs {
		a, b := known(p.A), known(p.B)
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		at, ok := placeOf[p.Work]
		if !ok {
			at = len(l.works)
			placeOf[p.Work] = at
			l.works = append(l.works, nil)
		}
		l.works[at] = append(l.works[at], int32(len(l.pairs)))
		l.pairs, l.a, l.b = append(l.pairs, p), append(l.a, a), append(l.b, b)
	}
}

// draw takes a few pairs of each work, in any order.
func (l *learning) draw() []int32 {
	var order []int32
	for _, of := range l.works {
		if len(of) > pairsPerWork {
			l.rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		}
		order = append(order, of[:min(len(of), pairsPerWork)]...)
	}
	l.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

func (l *learning) learn(batch []int32, rate, steps float64) {
	l.take(&l.left, batch, l.a)
	l.take(&l.right, batch, l.b)
	l.compare(batch)
	l.judge(len(batch))
	l.push(len(batch))
	l.descend(len(batch), rate, steps)
}

// take looks up one side of a batch, some words left out.
func (l *learning) take(s *side, batch []int32, texts []text) {
	s.room = s.room[:0]
	for i, pair := range batch {
		x, from := texts[pair], len(s.room)
		for _, row := range x {
			if l.rng.Float64() >= dropout {
				s.room = append(s.room, row)
			}
		}
		if len(s.room) == from {
			s.room = append(s.room, x...)
		}
		s.texts[i] = s.room[from:len(s.room):len(s.room)]
	}
	for i, x := range s.texts[:len(batch)] {
		at := part(s.at, i, l.Dims)
		clear(at)
		for _, row := range x {
			addTo(at, part(l.rows, int(row), l.Dims))
		}
		s.norm[i] = toUnit(at)
	}
}

// part is the i-th vector of many.
func part(all []float32, i, dims int) []float32 { return all[i*dims : (i+1)*dims : (i+1)*dims] }

// compare makes chances of the cosines between the two sides, and their sums both ways round.
func (l *learning) compare(batch []int32) {
	n := len(batch)
	products(l.like, l.left.at, l.right.at, n, l.Dims)
	clear(l.colSum)
	for i, p := range batch {
		row, sum := part(l.like, i, n), float32(0)
		for j, q := range batch {
			if i != j && (l.pairs[q].About == l.pairs[p].About || l.pairs[q].Work == l.pairs[p].Work) {
				row[j] = 0
				continue
			}
			row[j] = float32(math.Exp(sharpness * (float64(row[j]) - 1)))
			sum += row[j]
			l.colSum[j] += row[j]
		}
		l.rowSum[i] = sum
	}
}

// judge turns the chances into what each cosine should change by.
func (l *learning) judge(n int) {
	step := float32(sharpness) / float32(2*n)
	for i := range n {
		row := part(l.like, i, n)
		for j, chance := range row {
			row[j] = step * (chance/max(l.rowSum[i], tiny) + chance/max(l.colSum[j], tiny))
		}
		row[i] -= 2 * step
	}
}

const (
	tiny = 1e-30
	// negligible is a change of a cosine that is not worth its time, as a share of the largest. Most
	// are.
	negligible = 1e-4
)

// push adds up where each vector should go.
func (l *learning) push(n int) {
	clear(l.left.push)
	clear(l.right.push)
	least := float32(sharpness) / float32(n) * negligible
	for i := range n {
		at, push := part(l.left.at, i, l.Dims), part(l.left.push, i, l.Dims)
		for j, x := range part(l.like, i, n) {
			if x > least || x < -least {
				addBoth(push, part(l.right.at, j, l.Dims), part(l.right.push, j, l.Dims), at, x)
			}
		}
	}
	l.left.turn(n, l.Dims)
	l.right.turn(n, l.Dims)
}

// turn keeps of each push what turns the vector: its length is free.
func (s *side) turn(n, dims int) {
	for i := range n {
		at, push := part(s.at, i, dims), part(s.push, i, dims)
		along := product(at, push)
		for k := range push {
			push[k] = (push[k] - along*at[k]) / s.norm[i]
		}
	}
}

// The two memories of Adam.
const (
	keepMean   = .9
	keepSquare = .999
)

// descend moves the rows whose words the batch has; the others rest.
func (l *learning) descend(n int, rate, steps float64) {
	l.gradient, l.used = l.gradient[:0], l.used[:0]
	for _, s := range []*side{&l.left, &l.right} {
		for i, x := range s.texts[:n] {
			for _, row := range x {
				if l.slot[row] == 0 {
					l.used = append(l.used, row)
					l.slot[row] = int32(len(l.used))
					l.gradient = append(l.gradient, make([]float32, l.Dims)...)
				}
				addTo(part(l.gradient, int(l.slot[row])-1, l.Dims), part(s.push, i, l.Dims))
			}
		}
	}
	step := float32(rate / (1 - math.Pow(keepMean, steps)))
	whole := 1 / (1 - math.Pow(keepSquare, steps))
	for i, row := range l.used {
		l.slot[row] = 0
		mean, square, at := part(l.mean, int(row), l.Dims), part(l.square, int(row), l.Dims), part(l.rows, int(row), l.Dims)
		for k, g := range part(l.gradient, i, l.Dims) {
			mean[k] = keepMean*mean[k] + (1-keepMean)*g
			square[k] = keepSquare*square[k] + (1-keepSquare)*g*g
			at[k] -= step * mean[k] / (float32(math.Sqrt(float64(square[k])*whole)) + 1e-8)
		}
	}
}
