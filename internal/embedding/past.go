package embedding

import (
	"slices"

	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/recall"
)

const (
	commitFiles = 8     // a commit of more files than this says too little of each (design/embedding.md, section 3)
	textsBefore = 3     // commits and sessions before one, on the same file, whose words belong to its words (hebb-bench replay)
	pieces      = 10000 // latest commits and sessions that are learned from (half a minute on one core)
)

// Pairs are what a project's past teaches: the words of a commit or session belong to those of the
// files it touched, to those of other work on these files, and the files to each other.
func Pairs(image *recall.Image) (pairs []Pair) {
	work := int32(0)
	add := func(a, b []vocab.Word, about recall.FileNo) {
		if len(a) > 0 && len(b) > 0 {
			pairs = append(pairs, Pair{A: a, B: b, Work: work, About: int32(about)})
		}
	}
	for n := max(0, image.Episodes()-pieces); n < image.Episodes(); n++ {
		e := image.Episode(uint32(n))
		files := distinct(e.Files)
		if e.Kind == recall.CommitEpisode && len(files) > commitFiles {
			continue
		}
		for _, f := range files {
			add(e.Words, wordsOf(image, f), f)
		}
		work++
		for _, f := range files {
			of := image.Of(f)
			at, _ := slices.BinarySearch(of, uint32(n))
			for _, before := range of[max(0, at-textsBefore):at] {
				add(e.Words, image.Episode(before).Words, f)
			}
		}
		work++
		for i, f := range files {
			if next := files[(i+1)%len(files)]; next != f {
				add(wordsOf(image, f), wordsOf(image, next), f)
			}
		}
		work++
	}
	return pairs
}

func distinct(files []recall.FileNo) (once []recall.FileNo) {
	for _, f := range files {
		if !slices.Contains(once, f) {
			once = append(once, f)
		}
	}
	return once
}

// wordsOf are the words of a file itself.
func wordsOf(image *recall.Image, f recall.FileNo) []vocab.Word {
	path, names, _ := image.Described(f, 0)
	return slices.Concat(path, names)
}

// SetVectors sets the vectors of the files of a past that are missing or stale.
func (t *Table) SetVectors(image *recall.Image, d *recall.FileVectors, most int) {
	own, work, one := make([]float32, t.dims), make([]float32, t.dims), make([]float32, t.dims)
	for _, f := range d.Stale(image) {
		path, names, texts := image.Described(f, most)
		clear(own)
		for _, words := range [][]vocab.Word{path, names} {
			t.addUnit(own, one, words)
		}
		clear(work)
		for _, words := range texts {
			for _, w := range words {
				t.Add(work, w)
			}
		}
		toUnit(own)
		toUnit(work)
		for k := range own {
			own[k] = (own[k] + work[k]) / 2
		}
		d.Set(f, own)
	}
}

// addUnit adds the vector of a text, at length 1, with a vector to work in.
func (t *Table) addUnit(sum, one []float32, words []vocab.Word) {
	clear(one)
	for _, w := range words {
		t.Add(one, w)
	}
	toUnit(one)
	addTo(sum, one)
}
