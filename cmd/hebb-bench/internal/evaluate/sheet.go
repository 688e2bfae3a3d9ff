package evaluate

import (
	"math"
	"slices"
	"strings"
)

// list is the answer of one ranker.
type list struct {
	ranker string
	files  []place
}

// place is a file in a list.
type place struct {
	file  int32
	last  int // touch, for ties
	score float64
}

// sheet is what the answers to one question are written on. Its memory is used again for the next.
type sheet struct {
	tree   *tree
	words  []int32
	open   []int32
	banned []int32
	files  scores
	works  scores
	lists  []list
	paths  []string
}

func (s *sheet) begin(q Question) {
	s.words = s.tree.words.known(q.Text)
	s.open = s.numbers(q.Open)
	s.banned = s.numbers(q.Banned)
	s.lists = s.lists[:0]
}

func (s *sheet) numbers(paths []string) []int32 {
	var numbers []int32
	for _, path := range paths {
		if n, ok := s.tree.alive(path); ok {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// list lets a ranker score the files and sorts those that may be answered: by score, then by the last touch known to
// the experience, then by path.
func (s *sheet) list(ranker string, x *experience, score func(*scores)) list {
	s.files.fit(len(s.tree.files))
	score(&s.files)
	for _, n := range s.banned {
		s.files.of[n] = 0
	}
	l := list{ranker: ranker}
	if at := len(s.lists); at < cap(s.lists) {
		l.files = s.lists[:at+1][at].files[:0] // the list at this place for an earlier question
	}
	for _, n := range s.files.touched {
		if s.files.of[n] > 0 && s.tree.files[n].alive {
			l.files = append(l.files, place{n, x.lastTouch(n), s.files.of[n]})
		}
	}
	s.files.clear()
	slices.SortFunc(l.files, s.order)
	s.lists = append(s.lists, l)
	return l
}

// order compares without cmp.Compare, which also looks for NaN: most of a benchmark's time is spent here.
func (s *sheet) order(a, b place) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	case a.last != b.last:
		return b.last - a.last
	}
	return strings.Compare(s.tree.files[a.file].path, s.tree.files[b.file].path)
}

// byPath scores files by the words in their paths.
func (s *sheet) byPath(to *scores) { s.tree.paths.score(to, s.words, 0.4) }

// withWords gives a ranker the words of the question.
func (s *sheet) withWords(rank func(*scores, []int32)) func(*scores) {
	return func(to *scores) { rank(to, s.words) }
}

// nearest gives a ranker the words and the number of neighbours.
func (s *sheet) nearest(rank func(s, works *scores, words []int32, k int), k int) func(*scores) {
	return func(to *scores) { rank(to, &s.works, s.words, k) }
}

// fromOpen lets every open file vote, with a factor that depends on how long ago it was opened.
func (s *sheet) fromOpen(rank func(s *scores, seed int32, factor float64), factor func(i int) float64) func(*scores) {
	return func(to *scores) {
		for i, seed := range s.open {
			rank(to, seed, factor(i))
		}
	}
}

func alike(int) float64 { return 1 }

func halving(i int) float64 { return math.Exp2(-float64(i)) }

// rankings names the files of all lists.
func (s *sheet) rankings() []Ranking {
	total := 0
	for _, l := range s.lists {
		total += len(l.files)
	}
	paths := slices.Grow(s.paths[:0], total)
	rankings := make([]Ranking, len(s.lists))
	for i, l := range s.lists {
		start := len(paths)
		for _, p := range l.files {
			paths = append(paths, s.tree.files[p.file].path)
		}
		rankings[i] = Ranking{Ranker: l.ranker, Paths: paths[start:]}
	}
	s.paths = paths
	return rankings
}
