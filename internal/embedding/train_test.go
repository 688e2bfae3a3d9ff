package embedding

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// parts are the concerns of a shop: how people speak of them, and the files they are in.
var parts = []struct{ said, path []string }{
	{[]string{"login", "password", "account"}, []string{"auth", "session"}},
	{[]string{"total", "rounding", "tax"}, []string{"order", "price"}},
	{[]string{"letter", "invoice", "send"}, []string{"mail", "queue"}},
	{[]string{"slow", "index", "lookup"}, []string{"store", "table"}},
}

func words(text []string) (list []vocab.Word) {
	for _, w := range text {
		list = append(list, vocab.WordOf(w))
	}
	return list
}

// shopPairs are commits that each say two of the three words of a concern.
func shopPairs(n int) (pairs []Pair) {
	for i := range n {
		p := parts[i%len(parts)]
		said := []string{p.said[i/len(parts)%3], p.said[(i/len(parts)+1)%3]}
		pairs = append(pairs, Pair{A: words(said), B: words(p.path), Work: int32(i), About: int32(i % len(parts))})
	}
	return pairs
}

func smallTraining() Training {
	t := DefaultTraining()
	t.Dims, t.Batch = 16, 32
	return t
}

func trainShop(t *testing.T, seed uint64) *Table {
	t.Helper()
	return must.Get(Train(t.Context(), shopPairs(400), smallTraining(), rand.New(rand.NewPCG(seed, 1)), nil))(t)
}

func TestTrainingBringsTogetherWhatBelongsTogether(t *testing.T) {
	table := trainShop(t, 1)
	for i, p := range parts {
		for _, said := range p.said {
			asked := table.Embed([]string{said})
			for j, other := range parts {
				near, far := asked.Cos(table.Embed(p.path)), asked.Cos(table.Embed(other.path))
				if i != j && near <= far {
					t.Errorf("%s is nearer to %v (%.2f) than to %v (%.2f)", said, other.path, far, p.path, near)
				}
			}
		}
	}
	if v := table.Embed([]string{"unheard"}); v != nil {
		t.Errorf("a word that was never seen has the direction %v", v)
	}
}

func TestTrainingIsRepeatable(t *testing.T) {
	if a, b := trainShop(t, 1), trainShop(t, 1); !bytes.Equal(a.Encode(), b.Encode()) {
		t.Error("the same pairs and the same seed made two tables")
	}
	if a, b := trainShop(t, 1), trainShop(t, 2); bytes.Equal(a.Encode(), b.Encode()) {
		t.Error("the seed makes no difference")
	}
}

func TestTrainingStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	_, err := Train(ctx, shopPairs(400), smallTraining(), rand.New(rand.NewPCG(1, 1)), func(share float64) {
		if steps++; steps == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || steps != 3 {
		t.Errorf("stopped after %d steps with %v", steps, err)
	}
}

func TestTrainingTellsHowFarItIs(t *testing.T) {
	last := -1.0
	_, err := Train(t.Context(), shopPairs(100), smallTraining(), rand.New(rand.NewPCG(1, 1)), func(share float64) {
		if share <= last || share >= 1 {
			t.Errorf("share %v after %v", share, last)
		}
		last = share
	})
	if err != nil || last < .5 {
		t.Errorf("last reported %v: %v", last, err)
	}
}

func TestRareWordsHaveNoRow(t *testing.T) {
	pairs := append(shopPairs(40), Pair{A: words([]string{"once"}), B: words(parts[0].path), Work: 1000})
	table := must.Get(Train(t.Context(), pairs, smallTraining(), rand.New(rand.NewPCG(1, 1)), nil))(t)
	if v := table.Embed([]string{"once"}); v != nil {
		t.Error("a word seen once has a direction")
	}
	if n := table.Words(); n != 20 {
		t.Errorf("%d words, want 20", n)
	}
}

func TestNothingToLearnFrom(t *testing.T) {
	table, err := Train(t.Context(), nil, smallTraining(), rand.New(rand.NewPCG(1, 1)), nil)
	if err != nil || table.Words() != 0 || table.Embed([]string{"login"}) != nil {
		t.Errorf("a table without words: %d, %v", table.Words(), err)
	}
}

func TestTableIsReadBackAsItWas(t *testing.T) {
	table := trainShop(t, 1)
	packed := table.Encode()
	back := must.Get(Decode(packed))(t)
	if a, b := table.Embed([]string{"login"}), back.Embed([]string{"login"}); a.Cos(b) < .9999 {
		t.Errorf("login has moved: %v", a.Cos(b))
	}
	for n := range len(packed) {
		if _, err := Decode(packed[:n]); !errors.Is(err, memory.ErrDamaged) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	if _, err := Decode(append(packed, 0)); !errors.Is(err, memory.ErrDamaged) {
		t.Error("a byte too many was taken")
	}
}

func TestProductsOfOddSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 3, 5, 8, 9} {
		const dims = 7
		a, b := make([]float32, n*dims), make([]float32, n*dims)
		for i := range a {
			a[i], b[i] = float32(rng.NormFloat64()), float32(rng.NormFloat64())
		}
		c := make([]float32, n*n)
		products(c, a, b, n, dims)
		for i := range n {
			for j := range n {
				want := product(part(a, i, dims), part(b, j, dims))
				if d := c[i*n+j] - want; d > 1e-4 || d < -1e-4 {
					t.Errorf("%d vectors: %d·%d = %v, want %v", n, i, j, c[i*n+j], want)
				}
			}
		}
	}
}

// shopImage is a past whose commits speak of each concern in its own words.
func shopImage(n int) *recall.Image {
	image := recall.NewImage()
	for i := range n {
		p := parts[i%len(parts)]
		subject := fmt.Sprint(p.said[i/len(parts)%3], " ", p.said[(i/len(parts)+1)%3])
		touches := []memory.Touch{{Kind: memory.Edit, Path: p.path[0] + "/" + p.path[1] + ".go"}}
		image.Commit(noon.AddDate(0, 0, i), int64(i+1), subject, touches, false)
	}
	return image
}

func TestDirectionsFollowThePast(t *testing.T) {
	image := shopImage(200)
	tune := smallTraining()
	table := must.Get(Train(t.Context(), Pairs(image), tune, rand.New(rand.NewPCG(1, 1)), nil))(t)
	files := recall.NewFileVectors(table.Dims())
	table.SetVectors(image, files, 20)
	ranker := recall.NewRanker(image)
	ranker.Point(files)
	asked := func(text string) string {
		answers := ranker.Rank(recall.Question{Text: text, At: noon.AddDate(1, 0, 0), Vector: table.Vector(recall.Asked(text))}, 1)
		if len(answers) == 0 {
			t.Fatalf("nothing for %q", text)
		}
		return image.File(answers[0].File).Path
	}
	if got := asked("password"); got != "auth/session.go" {
		t.Errorf("password leads to %s", got)
	}
	image.Commit(noon.AddDate(0, 7, 0), 1000, "login account", []memory.Touch{{Kind: memory.Edit, Path: "new/door.go"}}, false)
	table.SetVectors(image, files, 20)
	if left := files.Stale(image); len(left) > 0 {
		t.Errorf("%v is stale still", left)
	}
}

func TestPairsLeaveWideWorkOut(t *testing.T) {
	image := recall.NewImage()
	var touches []memory.Touch
	for i := range commitFiles + 1 {
		touches = append(touches, memory.Touch{Kind: memory.Edit, Path: fmt.Sprintf("a/b%d.go", i)})
	}
	image.Commit(noon, 1, "move everything", touches, false)
	if pairs := Pairs(image); len(pairs) > 0 {
		t.Errorf("%d pairs from a commit of %d files", len(pairs), len(touches))
	}
	image.Commit(noon, 2, "mend two", touches[:2], false)
	subjects, between := 0, 0
	for _, p := range Pairs(image) {
		if p.A[0] == vocab.Terms("mend")[0] {
			subjects++
		} else {
			between++
		}
	}
	// Two files, the wide commit before on each of them, and the two files to each other.
	if subjects != 4 || between != 2 {
		t.Errorf("%d pairs with the subject and %d between files", subjects, between)
	}
}

// Embed is the vector of a text given as words of vocab.Words; nil if the table knows none of them.
func (t *Table) Embed(words []string) memory.Vector {
	hashed := make([]vocab.Word, len(words))
	for i, w := range words {
		hashed[i] = vocab.WordOf(w)
	}
	return t.Vector(hashed)
}
