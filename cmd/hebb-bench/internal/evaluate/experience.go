package evaluate

import (
	"cmp"
	"math"
	"slices"
)

// experience is what can be learned from a row of finished pieces of work, commits or sessions: which files each
// touched and what it was called. Time is counted in pieces of work.
type experience struct {
	now     int
	files   []fileRecord
	links   [][]link  // by file, sorted by the other file
	records corpus    // a document per file: the words of the work that touched it
	log     corpus    // a document per piece of work: its words
	logPath corpus    // the same, with the words of the paths it touched
	works   [][]int32 // the files of each piece of work
	nearest []scored  // for one question
	spread  [2]scores // likewise
}

type fileRecord struct {
	count float64 // pieces of work that touched it
	last  int     // the last of them
	heat  float64 // the same count, halved every heatHalfLife, as of last
}

// link is what is known about a file after another was touched.
type link struct {
	to      int32
	at      int     // when the decayed figures were true
	joint   float64 // pieces of work that touched both
	decayed float64 // the same, halved every linkHalfLife
	sized   float64 // likewise, each counted 1/(files-1)
	weight  float64 // saturating: what is strong grows slowly
}

const (
	heatHalfLife = 100.0
	linkHalfLife = 500.0

	pathWordWeight = 0.5 // of a path's word beside one of the work's text
)

func fade(age int, halfLife float64) float64 { return math.Exp2(-float64(age) / halfLife) }

// learn takes in one finished piece of work.
func (x *experience) learn(t *tree, files, words []int32) {
	if len(t.files) > 0 {
		x.files = grown(x.files, int32(len(t.files)-1))
		x.links = grown(x.links, int32(len(t.files)-1))
	}
	for _, file := range files {
		x.touch(file)
		for _, word := range words {
			x.records.add(file, word, 1)
		}
		for _, other := range files {
			if other != file {
				x.link(file, other, len(files))
			}
		}
	}
	x.note(t, files, words)
	x.works = append(x.works, slices.Clone(files))
	x.now++
}

// note writes the work into the log, under its words and under those of its paths.
func (x *experience) note(t *tree, files, words []int32) {
	work := int32(len(x.works))
	for _, word := range words {
		x.log.add(work, word, 1)
		x.logPath.add(work, word, 1)
	}
	var pathWords []int32
	for _, file := range files {
		pathWords = append(pathWords, t.files[file].words...)
	}
	slices.Sort(pathWords)
	for _, word := range slices.Compact(pathWords) {
		x.logPath.add(work, word, pathWordWeight)
	}
}

func (x *experience) touch(file int32) {
	f := &x.files[file]
	f.heat = f.heat*fade(x.now-f.last, heatHalfLife) + 1
	f.last = x.now
	f.count++
}

func (x *experience) link(from, to int32, size int) {
	list := x.links[from]
	at, ok := slices.BinarySearchFunc(list, to, func(l link, to int32) int { return cmp.Compare(l.to, to) })
	if !ok {
		list = slices.Insert(list, at, link{to: to})
		x.links[from] = list
	}
	l := &list[at]
	faded := fade(x.now-l.at, linkHalfLife)
	l.joint++
	l.decayed = l.decayed*faded + 1
	l.sized = l.sized*faded + 1/float64(size-1)
	l.weight = min(1, l.weight+0.1/(1+math.Exp(8*(l.weight-0.5))))
	l.at = x.now
}

// lastTouch settles ties between files.
func (x *experience) lastTouch(file int32) int {
	if int(file) >= len(x.files) {
		return 0 // appeared after the last piece of work
	}
	return x.files[file].last
}

// recent prefers what was touched last.
func (x *experience) recent(s *scores) {
	s.fit(len(x.files))
	for n, f := range x.files {
		if f.count > 0 {
			s.add(int32(n), float64(f.last+1))
		}
	}
}

// frequent prefers what was touched most often.
func (x *experience) frequent(s *scores) {
	s.fit(len(x.files))
	for n, f := range x.files {
		s.add(int32(n), f.count)
	}
}

// frecent prefers what was touched often of late.
func (x *experience) frecent(s *scores) {
	s.fit(len(x.files))
	for n, f := range x.files {
		s.add(int32(n), f.heat*fade(x.now-f.last, heatHalfLife))
	}
}

// byRecords ranks files by the words of the work that touched them.
func (x *experience) byRecords(s *scores, words []int32) { x.records.score(s, words, 0.75) }

// linked adds to each file linked to the seed what value says of the link.
func (x *experience) linked(s *scores, seed int32, value func(link) float64) {
	s.fit(len(x.files))
	if int(seed) >= len(x.links) {
		return
	}
	for _, l := range x.links[seed] {
		s.add(l.to, value(l))
	}
}

// rules: of the work that touched the seed, the share that touched the file.
func (x *experience) rules(s *scores, seed int32, factor float64) {
	x.linked(s, seed, func(l link) float64 { return factor * (l.joint / x.files[seed].count) })
}

// rulesDecayed counts old work less.
func (x *experience) rulesDecayed(s *scores, seed int32, factor float64) {
	x.linked(s, seed, func(l link) float64 {
		return factor * (l.decayed * fade(x.now-l.at, linkHalfLife) / x.files[seed].count)
	})
}

// rulesSized counts large work less, too.
func (x *experience) rulesSized(s *scores, seed int32, factor float64) {
	x.linked(s, seed, func(l link) float64 {
		return factor * (l.sized * fade(x.now-l.at, linkHalfLife) / x.files[seed].count)
	})
}

// cosine sees work as the dimensions and files as vectors.
func (x *experience) cosine(s *scores, seed int32, factor float64) {
	x.linked(s, seed, func(l link) float64 {
		return factor * (l.joint / math.Sqrt(x.files[seed].count*x.files[l.to].count))
	})
}

// saturating spreads from the seed over the saturating weights, two steps far. A file with many links divides what it
// passes on by the root of their number, and the second step counts half.
func (x *experience) saturating(s *scores, seed int32, factor float64) {
	const (
		faint  = 0.01 // is not passed on
		fanOut = 50   // links that divide
	)
	s.fit(len(x.files))
	if int(seed) >= len(x.links) {
		return
	}
	pass := func(to *scores, from int32, strength float64) {
		to.fit(len(x.files))
		fan := 1 / math.Sqrt(float64(min(len(x.links[from]), fanOut)))
		for _, l := range x.links[from] {
			to.add(l.to, strength*l.weight*fan)
		}
	}
	first, second := &x.spread[0], &x.spread[1]
	pass(first, seed, 1)
	for _, n := range first.touched {
		s.add(n, factor*first.of[n])
		if first.of[n] >= faint {
			pass(second, n, first.of[n])
		}
	}
	for _, n := range second.touched {
		s.add(n, factor*0.5*second.of[n])
	}
	first.clear()
	second.clear()
}

// scored is a thing with its score.
type scored struct {
	thing int32
	score float64
}

// worksNearest ranks files by the k pieces of past work that are nearest to the words: each gives its score, divided
// by the root of its size, to its files.
func (x *experience) worksNearest(s, works *scores, words []int32, k int) {
	x.log.score(works, words, 0.4)
	x.inherit(s, works, k)
}

// worksNearestByPaths knows the paths of past work as well as its text, and prefers recent work: the pull of old work
// halves every 1000 pieces, down to a third.
func (x *experience) worksNearestByPaths(s, works *scores, words []int32, k int) {
	x.logPath.score(works, words, 0.4)
	for _, work := range works.touched {
		works.of[work] *= 0.33 + 0.67*fade(len(x.works)-int(work), 1000)
	}
	x.inherit(s, works, k)
}

// inherit passes the scores of the k best pieces of work on to their files. Of equals the later one is better.
func (x *experience) inherit(s, works *scores, k int) {
	s.fit(len(x.files))
	best := x.nearest[:0]
	better := func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.thing, a.thing))
	}
	for _, work := range works.touched {
		w := scored{work, works.of[work]}
		if len(best) == k && better(best[k-1], w) < 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, w, better)
		best = slices.Insert(best, at, w)
		best = best[:min(len(best), k)]
	}
	for _, w := range best {
		files := x.works[w.thing]
		for _, file := range files {
			s.add(file, w.score/math.Sqrt(float64(len(files))))
		}
	}
	x.nearest = best
	works.clear()
}
