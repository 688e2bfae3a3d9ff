package recall

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

var day = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func edits(paths ...string) []memory.Touch {
	var touches []memory.Touch
	for _, p := range paths {
		touches = append(touches, memory.Touch{Kind: memory.Edit, Path: p})
	}
	return touches
}

// someHistory is a random past: commits with renames and deletions, and sessions between them.
func someHistory(seed uint64, commits int) *Image {
	rng := rand.New(rand.NewPCG(seed, 1))
	word := func() string {
		return []string{"login", "redirect", "parser", "cache", "fix", "token", "render", "docs"}[rng.IntN(8)]
	}
	path := func() string { return fmt.Sprintf("%s/%s_%d.go", word(), word(), rng.IntN(12)) }
	m := NewImage()
	for i := range commits {
		at := day.Add(time.Duration(i) * time.Hour)
		var touches []memory.Touch
		for range 1 + rng.IntN(5) {
			t := memory.Touch{Kind: memory.Edit, Path: path()}
			switch rng.IntN(12) {
			case 0:
				t.Kind = memory.Delete
			case 1:
				t.Kind, t.From = memory.Rename, path()
			}
			touches = append(touches, t)
		}
		m.Commit(at, int64(i+1), word()+" "+word()+" "+word(), touches, rng.IntN(20) == 0)
		if rng.IntN(4) == 0 {
			var opened []Opened
			for range rng.IntN(30) {
				opened = append(opened, Opened{Path: path(), Prompt: word()})
			}
			m.Session(at, int64(1000+i), opened, 12, 200)
		}
	}
	return m
}

// readBack packs an image and unpacks it into a new one.
func readBack(t *testing.T, m *Image) *Image {
	t.Helper()
	type packed struct {
		kind   BlockKind
		number int
		data   []byte
	}
	var blocks []packed
	must.Do(t, m.Changed(func(kind BlockKind, number int, data []byte) error {
		blocks = append(blocks, packed{kind, number, data})
		return nil
	}))
	slices.SortFunc(blocks, func(a, b packed) int { return int(a.kind-b.kind)*1000 + a.number - b.number })
	out := NewImage()
	for _, b := range blocks {
		must.Do(t, out.Read(b.kind, b.number, b.data))
	}
	return out
}

func paths(m *Image, answers []Answer) []string {
	var list []string
	for _, a := range answers {
		list = append(list, m.File(a.File).Path)
	}
	return list
}

func TestAnImageReadBackAnswersAlike(t *testing.T) {
	for seed := range uint64(5) {
		m := someHistory(seed, 700) // several blocks of both kinds
		back := readBack(t, m)
		if m.Files() != back.Files() || m.Episodes() != back.Episodes() {
			t.Fatalf("%d files, %d episodes; read back %d, %d", m.Files(), m.Episodes(), back.Files(), back.Episodes())
		}
		one, two := NewRanker(m), NewRanker(back)
		for _, q := range []Question{
			{Text: "fix login redirect", At: day.AddDate(0, 2, 0)},
			{Open: []FileNo{3}, At: day.AddDate(0, 2, 0)},
			{Text: "parser cache", Open: []FileNo{1, 5}, At: day.AddDate(0, 2, 0), InSession: true},
		} {
			a, b := one.Rank(q, 20), two.Rank(q, 20)
			if !reflect.DeepEqual(paths(m, a), paths(back, b)) || !reflect.DeepEqual(a, b) {
				t.Errorf("seed %d, %+v: %v, read back %v", seed, q, paths(m, a), paths(back, b))
			}
		}
	}
}

func TestAnAnswerDoesNotDependOnWhatWasAskedBefore(t *testing.T) {
	m := someHistory(7, 300)
	q := Question{Text: "render docs token", Open: []FileNo{2}, At: day.AddDate(0, 1, 0)}
	want := NewRanker(m).Rank(q, 30)
	r := NewRanker(m)
	for _, other := range []Question{{Text: "login"}, {Open: []FileNo{9, 4}}, {Text: "cache fix", InSession: true}, q} {
		r.Rank(other, 10)
	}
	if got := r.Rank(q, 30); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, asked alone %v", paths(m, got), paths(m, want))
	}
}

func TestEpisodesThatArriveLateTakeTheirPlaceInTime(t *testing.T) {
	early, late := NewImage(), NewImage()
	first := func(m *Image) { m.Commit(day, 1, "add parser", edits("parser.go", "lexer.go"), false) }
	second := func(m *Image) {
		m.Commit(day.AddDate(0, 1, 0), 2, "add cache", edits("cache.go", "parser.go"), false)
	}
	first(early)
	second(early)
	second(late)
	first(late)
	q := Question{Text: "parser", At: day.AddDate(0, 2, 0)}
	a := NewRanker(early).Rank(q, 10)
	b := NewRanker(late).Rank(q, 10)
	if !slices.Equal(paths(early, a), paths(late, b)) {
		t.Errorf("in order %v, out of order %v", paths(early, a), paths(late, b))
	}
}

func TestARenamedFileKeepsItsPast(t *testing.T) {
	m := NewImage()
	for i := range 5 {
		m.Commit(day.Add(time.Duration(i)*time.Hour), int64(i), "tune login", edits("login.go", "session.go"), false)
	}
	m.Commit(day.AddDate(0, 0, 1), 9, "move", []memory.Touch{{Kind: memory.Rename, Path: "auth/signin.go", From: "login.go"}}, true)
	if _, known := m.Find("login.go"); known {
		t.Error("the old name is still known")
	}
	n, known := m.Find("auth/signin.go")
	if !known || len(m.Of(n)) != 5 {
		t.Fatalf("the new name has %d episodes, want 5", len(m.Of(n)))
	}
	answers := NewRanker(m).Rank(Question{Open: []FileNo{n}, At: day.AddDate(0, 0, 2)}, 5)
	if got := paths(m, answers); len(got) == 0 || got[0] != "session.go" {
		t.Errorf("company of the renamed file: %v, want session.go first", got)
	}
}

func TestADeletedFileIsNoAnswerUntilItComesBack(t *testing.T) {
	m := NewImage()
	for i := range 3 {
		m.Commit(day.Add(time.Duration(i)*time.Hour), int64(i), "cache", edits("cache.go", "store.go"), false)
	}
	ask := func() []string {
		return paths(m, NewRanker(m).Rank(Question{Text: "cache", At: day.AddDate(0, 0, 2)}, 5))
	}
	m.Commit(day.AddDate(0, 0, 1), 8, "drop", []memory.Touch{{Kind: memory.Delete, Path: "cache.go"}}, false)
	if slices.Contains(ask(), "cache.go") {
		t.Error("a deleted file is an answer")
	}
	m.Commit(day.AddDate(0, 0, 2), 9, "bring back", edits("cache.go"), false)
	if !slices.Contains(ask(), "cache.go") {
		t.Error("a file that came back is no answer")
	}
}

func TestALongSessionIsCutWhereItsFilesLieFarApart(t *testing.T) {
	m := NewImage()
	var opened []Opened
	for i := range 30 {
		opened = append(opened, Opened{Path: fmt.Sprintf("f%02d.go", i), Prompt: "walk"})
	}
	m.Session(day, 1, opened, 12, 200)
	if m.Sessions() != 3 {
		t.Fatalf("30 files in segments of 12 that share an end: %d, want 3", m.Sessions())
	}
	for n := range uint32(m.Episodes() - 1) {
		end, start := m.Episode(n).Files, m.Episode(n+1).Files
		if end[len(end)-1] != start[0] {
			t.Errorf("segment %d begins with %v, the one before ended with %v", n+1, start[0], end[len(end)-1])
		}
	}
}

func TestADamagedBlockIsNoticed(t *testing.T) {
	m := someHistory(3, 40)
	files, episodes := EncodeFiles(m.addedFiles), EncodeEpisodes(m.addedEpisodes)
	for name, damage := range map[string]func() error{
		"files cut short":      func() error { _, err := DecodeFiles(files[:len(files)-2]); return err },
		"episodes cut short":   func() error { _, err := DecodeEpisodes(episodes[:len(episodes)-2]); return err },
		"an unknown kind":      func() error { _, err := DecodeEpisodes([]byte{9}); return err },
		"a block that is late": func() error { return NewImage().SetEpisodes(1, nil) },
		"files that are late":  func() error { return NewImage().SetFiles(2, nil) },
		"an unknown file": func() error {
			return NewImage().SetEpisodes(0, []Episode{{Files: []FileNo{4}}})
		},
	} {
		if err := damage(); !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	m := someHistory(4, 30)
	f.Add(EncodeFiles(m.addedFiles))
	f.Add(EncodeEpisodes(m.addedEpisodes))
	f.Add([]byte{0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := DecodeFiles(data)
		if again, err2 := DecodeFiles(EncodeFiles(files)); err == nil && (err2 != nil || len(again) != len(files)) {
			t.Errorf("%d files, packed and unpacked %d: %v", len(files), len(again), err2)
		}
		episodes, err := DecodeEpisodes(data)
		if again, err2 := DecodeEpisodes(EncodeEpisodes(episodes)); err == nil && (err2 != nil || len(again) != len(episodes)) {
			t.Errorf("%d episodes, packed and unpacked %d: %v", len(episodes), len(again), err2)
		}
	})
}

func TestPairsCountCommitsNotChance(t *testing.T) {
	m := NewImage()
	for i := range 4 {
		m.Commit(day.Add(time.Duration(i)*time.Hour), int64(i), "x", edits("a.go", "b.go"), false)
	}
	m.Commit(day.AddDate(0, 0, 1), 5, "x", edits("a.go", "c.go"), false)
	pairs, most := m.Pairs(0, 2, 10)
	if most != 4 || len(pairs) != 1 || pairs[0].Commits != 4 {
		t.Errorf("pairs %v, most %d; want a and b four times", pairs, most)
	}
	if late, _ := m.Pairs(4, 1, 10); len(late) != 1 || late[0].Commits != 1 {
		t.Errorf("pairs of the last commit: %v, want a and c once", late)
	}
}

func newTestRand() *rand.Rand { return rand.New(rand.NewPCG(5, 5)) }

func TestPairsAreThoseThatAllCommitsCount(t *testing.T) {
	rng, m := newTestRand(), NewImage()
	names := []string{"a.go", "b.go", "c.go", "d.go", "e.go", "f.go", "g.go"}
	counts, last, most := map[[2]string]int{}, map[[2]string]time.Time{}, 0
	for i := range 200 {
		at := day.Add(time.Duration(rng.IntN(1000)) * time.Hour) // not in the order of their times
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		files := slices.Clone(names[:1+rng.IntN(4)])
		m.Commit(at, int64(i), "x", edits(files...), false)
		slices.Sort(files)
		for j, a := range files {
			for _, b := range files[j+1:] {
				key := [2]string{a, b}
				counts[key]++
				most = max(most, counts[key])
				if at.After(last[key]) {
					last[key] = at
				}
			}
		}
	}
	pairs, found := m.Pairs(0, 1, len(names))
	if len(pairs) != len(counts) || found != most {
		t.Fatalf("%d pairs, the most frequent %d times; want %d and %d", len(pairs), found, len(counts), most)
	}
	for _, p := range pairs {
		key := [2]string{m.File(p.A).Path, m.File(p.B).Path}
		if slices.Sort(key[:]); p.Commits != counts[key] || !p.Last.Equal(last[key]) {
			t.Errorf("%v: %d commits until %v, want %d until %v", key, p.Commits, p.Last, counts[key], last[key])
		}
	}
}
