package recall

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// A process that has asked before answers from lists that follow every change, a new one by looking at everything. Both
// must say the same.
func TestListsAnswerAsLookingAtEverything(t *testing.T) {
	texts := []string{
		"fix the login redirect", "token cache in parser/token_3.go", "docs render", "cache",
		"compare login/token_3.go with cache/token_3.go and parser/token_3.go",
	}
	for seed := range uint64(30) {
		m := someHistory(seed, 30)
		warm := NewRanker(m)
		for _, text := range texts {
			warm.Rank(Question{Text: text, At: day}, 10)
		}
		rng := rand.New(rand.NewPCG(seed, 2))
		for i := range 40 {
			at := day.Add(time.Duration(100+i-rng.IntN(80)) * time.Hour) // not in order
			path := m.File(FileNo(rng.IntN(m.Files()))).Path
			touches := edits(path, fmt.Sprintf("login/new_%d.go", rng.IntN(9)))
			switch rng.IntN(4) {
			case 0:
				touches = append(touches, memory.Touch{Kind: memory.Rename, From: path, Path: fmt.Sprintf("cache/moved%d.go", i)})
			case 1:
				touches = append(touches, memory.Touch{Kind: memory.Delete, Path: path})
			case 2:
				m.Define(path, Terms("parse token "+texts[rng.IntN(len(texts))]))
			}
			m.Commit(at, int64(2000+i), texts[rng.IntN(len(texts))], touches, false)
			m.Session(at, int64(3000+i), []Opened{{Path: path, Prompt: texts[rng.IntN(len(texts))]}}, 12, 200)
		}
		cold := readBack(t, m)
		for _, text := range texts {
			q := Question{Text: text, At: day.Add(200 * time.Hour), Open: []FileNo{0}}
			got, want := warm.Rank(q, 10), NewRanker(cold).Rank(q, 10)
			cold.asked = false
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %q:\ngot  %+v\nwant %+v", seed, text, paths(m, got), paths(cold, want))
			}
			if len(got) == 0 {
				t.Fatalf("seed %d, %q: no answer", seed, text)
			}
		}
	}
}

func TestFrequentWordLeadsToTheLatest(t *testing.T) {
	const common, rare Word = 7, 9
	items := make([][]Word, 10)
	for i := range items {
		items[i] = []Word{common}
	}
	items[0] = []Word{rare, common}
	of := func(i uint32) []Word { return items[i] }
	var listed index
	listed.build(len(items), of)
	for name, in := range map[string]*index{"lists": &listed, "all": {}} {
		t.Run(name, func(t *testing.T) {
			var m matches
			m.find([]Word{common, rare}, in, len(items), 2, of)
			slices.Sort(m.hit)
			if want := []uint32{0, 8, 9}; !slices.Equal(m.hit, want) {
				t.Errorf("hit %v, want %v", m.hit, want)
			}
			if m.mask[0] != 3 || m.mask[8] != 1 {
				t.Errorf("masks %b and %b: what a rare word leads to has all its words", m.mask[0], m.mask[8])
			}
			if !slices.Equal(m.all, []float64{10, 1}) {
				t.Errorf("counted %v", m.all)
			}
		})
	}
}
