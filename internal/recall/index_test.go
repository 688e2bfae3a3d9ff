package recall

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/memory"
)

// A past is learned in one process, which keeps it and follows every change; a hook maps what was packed at some time and lays the blocks
// that changed since over it; a drain does so too and learns more; and where there is no file all blocks are decoded. All must give the same
// answers with the same scores, also after files were renamed, deleted and brought back, commits came late or were too wide to count.
func TestAPackedPastAnswersAsTheOneThatWasLearned(t *testing.T) {
	for seed := range uint64(8) {
		learned := someHistory(seed, 30+int(seed)*70) // up to three blocks
		saved := map[block][]byte{}
		save(t, learned, saved)
		learning, reading := unpacked(t, learned), unpacked(t, learned)
		ask(t, seed, learned, learning, reading)
		for round := range 3 {
			for _, m := range []*Image{learned, learning} {
				moreHistory(m, seed+uint64(100*round))
			}
			for _, b := range save(t, learning, saved) {
				must.Do(t, reading.Read(b.kind, b.number, saved[b]))
			}
			ask(t, seed, learned, learning, reading, decoded(t, saved), unpacked(t, learned), unpacked(t, reading))
		}
	}
}

// save keeps the blocks of an image that changed and says which they were, in order.
func save(t *testing.T, m *Image, saved map[block][]byte) (changed []block) {
	t.Helper()
	must.Do(t, m.Changed(func(kind BlockKind, number int, data []byte) error {
		saved[block{kind, number}] = data
		changed = append(changed, block{kind, number})
		return nil
	}))
	slices.SortFunc(changed, compareBlocks)
	return changed
}

func compareBlocks(a, b block) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.number, b.number))
}

// unpacked is what another process has of an image.
func unpacked(t *testing.T, m *Image) *Image {
	t.Helper()
	return must.Get(Unpack(m.Pack()))(t)
}

// decoded is what a process has that finds no file.
func decoded(t *testing.T, saved map[block][]byte) *Image {
	t.Helper()
	m := NewImage()
	for _, b := range slices.SortedFunc(maps.Keys(saved), compareBlocks) {
		must.Do(t, m.Read(b.kind, b.number, saved[b]))
	}
	return m
}

// moreHistory adds work of all sorts.
func moreHistory(m *Image, seed uint64) {
	texts := []string{"fix the login redirect", "token cache in parser", "docs render", "cache", "session cookie expires"}
	rng := rand.New(rand.NewPCG(seed, 2))
	for i := range 40 {
		at := day.Add(time.Duration(100+i-rng.IntN(80)) * time.Hour) // not in order
		path, other := m.File(FileNo(rng.IntN(m.Files()))).Path, m.File(FileNo(rng.IntN(m.Files()))).Path
		touches := edits(path, fmt.Sprintf("login/new_%d.go", rng.IntN(9)))
		switch rng.IntN(6) {
		case 0:
			touches = append(touches, memory.Touch{Kind: memory.Rename, From: path, Path: fmt.Sprintf("cache/deep%d/moved%d.go", rng.IntN(3), i)})
		case 1:
			touches = append(touches, memory.Touch{Kind: memory.Delete, Path: path})
		case 2:
			m.Define(path, vocab.Terms("parse token "+texts[rng.IntN(len(texts))]))
		case 3:
			touches = append(touches, memory.Touch{Kind: memory.Rename, From: path, Path: other})
		}
		m.Commit(at, int64(2000+i), texts[rng.IntN(len(texts))], touches, rng.IntN(8) == 0)
		m.Session(at, int64(3000+i), []Opened{{Path: path, Prompt: texts[rng.IntN(len(texts))]}, {Path: other}}, 12, 200)
	}
}

// ask compares what images answer and everything else that is read of them.
func ask(t *testing.T, seed uint64, want *Image, others ...*Image) {
	t.Helper()
	at, open := day.Add(200*time.Hour), FileNo(seed%uint64(want.Files()))
	questions := []Question{
		{Text: "fix the login redirect", At: at},
		{Text: "token cache in parser/token_3.go", At: at, InSession: true},
		{Text: "compare login/token_3.go with cache/token_3.go and parser/token_3.go", At: at, Open: []FileNo{open}},
		{Text: "docs render", At: at, Open: []FileNo{open, 1}, InSession: true},
		{At: at, Open: []FileNo{open, 2, 1}, Akin: []Fit{{4, .3}}},
	}
	answers := func(m *Image) (all []any) {
		r, vectors, rng := NewRanker(m), NewFileVectors(8), rand.New(rand.NewPCG(seed, 9))
		for _, f := range vectors.Stale(m) {
			vectors.Set(f, randomVector(rng, 8))
		}
		for i, q := range questions {
			if r.Point(nil); i%2 == 0 {
				r.Point(vectors)
				q.Vector = memory.NewVector(randomVector(rng, 8))
			}
			found := r.Rank(q, 50)
			for _, a := range found {
				all = append(all, m.File(a.File).Path, a, r.Explain(a), r.Evidence(q, a, 5), r.Clues(q.Text, a.File))
			}
			if len(found) == 0 {
				t.Fatalf("seed %d, %q: no answer", seed, q.Text)
			}
		}
		opened, sessions := m.OpenedBy(20)
		pairs, most := m.Pairs(0, 2, 20)
		episodic := r.Remember(questions[0], 1000*time.Hour, 3, 0)
		for n := range FileNo(m.Files()) {
			found, known := m.Find(m.File(n).Path)
			all = append(all, found, known, append([]uint32{}, m.Of(n)...))
		}
		return append(all, opened, sessions, pairs, most, episodic, m.Opened(), m.alive, m.texts)
	}
	expected := answers(want)
	for i, m := range others {
		got := answers(m)
		if len(got) != len(expected) {
			t.Fatalf("seed %d: image %d says %d things, not %d", seed, i, len(got), len(expected))
		}
		for k := range got {
			if !reflect.DeepEqual(got[k], expected[k]) {
				t.Fatalf("seed %d, image %d, at %d:\ngot  %+v\nwant %+v", seed, i, k, got[k], expected[k])
			}
		}
	}
}

func randomVector(rng *rand.Rand, dims int) (v []float32) {
	for range dims {
		v = append(v, float32(rng.NormFloat64()))
	}
	return v
}

// A file that was cut off, or changed by a broken disk, is no past: it must be refused or answer something, never end the process.
func TestADamagedPackedPastEndsNothing(t *testing.T) {
	whole := someHistory(3, 200).Pack()
	for size := 0; size < len(whole)-align; size += 997 {
		if _, err := Unpack(slices.Clone(whole[:size/align*align])); !errors.Is(err, memory.ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", size, len(whole), err)
		}
	}
	for name, damage := range map[string]func(*brief){
		"an unknown kind":   func(b *brief) { b.kind = episodeKinds },
		"a rank beyond all": func(b *brief) { b.rank = 200 },
	} {
		changed := slices.Clone(whole)
		m := must.Get(Unpack(changed))(t)
		damage(&m.briefs[7]) // which lies in the bytes
		if _, err := Unpack(changed); !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFrequentWordLeadsToTheLatest(t *testing.T) {
	const common, rare vocab.Word = 7, 9
	items := make([][]vocab.Word, 10)
	for i := range items {
		items[i] = []vocab.Word{common}
	}
	items[0] = []vocab.Word{rare, common}
	of := func(i uint32) []vocab.Word { return items[i] }
	var listed index
	listed.build(len(items), of)
	kept := pack(len(items), of)
	for name, in := range map[string]*index{"lists": &listed, "packed": {base: &kept}} {
		t.Run(name, func(t *testing.T) {
			var m matches
			var all seats
			all.reset(len(items))
			m.find([]vocab.Word{common, rare}, in, &all, 3, of)
			slices.Sort(m.hit)
			if want := []uint32{0, 8, 9}; !slices.Equal(m.hit, want) {
				t.Errorf("hit %v, want %v", m.hit, want)
			}
			if m.mask(0) != 3 || m.mask(8) != 1 {
				t.Errorf("masks %b and %b: what a rare word leads to has all its words", m.mask(0), m.mask(8))
			}
			if !slices.Equal(m.all, []float64{10, 1}) {
				t.Errorf("counted %v", m.all)
			}
		})
	}
}
