// Package embedding turns text into vectors, so that things can be found that share no word with
// the question. A table of general English comes with the program; another is trained on a
// project's own history; a model elsewhere is asked only if one is configured. Vectors of two
// models are never compared. Nothing is done when the program starts.
package embedding

import (
	"math"
	"sort"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// GeneralModel names the model of General. A new table gets a new number.
const GeneralModel = "general@1"

const generalDims = 64

// General is the vector of a text, given as vocab.Words cuts it, in the table that comes with the
// program: GloVe, made ready by tools/general-table. Words it does not know say nothing; nil if it
// knows none.
func General(words []string) memory.Vector {
	if len(general) == 0 {
		return nil
	}
	var sum [generalDims]float32
	known := false
	for _, word := range words {
		if at, ok := general.find(word); ok {
			general.add(&sum, at)
			known = true
		}
	}
	if !known {
		return nil
	}
	return memory.NewVector(sum[:])
}

// packed is a table as its file holds it: the number of words and of dimensions, where each word
// begins and the last ends, the words in order, a scale for each row, and the rows, two components
// to a byte. It is read in place.
type packed string

const figure = 4 // bytes of a number in it

func (p packed) figure(at int) uint32 {
	four := p[at : at+figure]
	return uint32(four[0]) | uint32(four[1])<<8 | uint32(four[2])<<16 | uint32(four[3])<<24
}

func (p packed) count() int { return int(p.figure(0)) }

// begin is where word number i begins, and where the word before it ends.
func (p packed) begin(i int) int {
	return figure*(p.count()+3) + int(p.figure(figure*(i+2)))
}

func (p packed) word(i int) string { return string(p[p.begin(i):p.begin(i+1)]) }

func (p packed) find(word string) (int, bool) {
	return sort.Find(p.count(), func(i int) int { return strings.Compare(word, p.word(i)) })
}

func (p packed) add(sum *[generalDims]float32, i int) {
	scales := p.begin(p.count())
	step := math.Float32frombits(p.figure(scales + figure*i))
	rows := scales + figure*p.count()
	row := p[rows+i*generalDims/2 : rows+(i+1)*generalDims/2]
	for d := range len(row) {
		// The conversions keep the sum the same on machines that could multiply and add at once.
		low, high := int8(row[d]<<4)>>4, int8(row[d])>>4
		sum[2*d] += float32(step * float32(low))
		sum[2*d+1] += float32(step * float32(high))
	}
}

// GeneralRow is what one word, as vocab.Words cuts it, adds to the vector of a text: the longer,
// the rarer the word is. Nil if the table does not know it.
func GeneralRow(word string) []float32 {
	if len(general) == 0 {
		return nil
	}
	at, ok := general.find(word)
	if !ok {
		return nil
	}
	var row [generalDims]float32
	general.add(&row, at)
	return row[:]
}

const (
	UnknownWeight = 5.0 // of a word that the general model does not have: a name, as a rule. Known words weigh 0 to 6
	numberWeight  = 1.0
)

// WordWeight is how much a word tells about a text: the length of its vector in the general model,
// nil if it has none.
func WordWeight(word string, row []float32) float64 {
	switch {
	case word != "" && strings.Trim(word, "0123456789") == "":
		return numberWeight
	case row == nil:
		return UnknownWeight
	}
	sum := 0.0
	for _, x := range row {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}
