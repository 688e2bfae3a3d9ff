package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	wholeText    = 600 // characters of a text that are shown as they are
	excerptWidth = 300 // characters of a longer one
)

// Excerpt is part of a text on one line.
type Excerpt struct {
	Text  string   `json:"text"`
	Spans [][2]int `json:"spans,omitempty"` // bytes of Text that answer the question
	Cut   bool     `json:"cut,omitempty"`   // there is more
}

const ellipsis = "…"

// Highlight is the part of a text, at most width characters wide, that has most of the terms, with their places. With a width of 0 it is
// the whole text unless that is long. White space becomes single spaces. cut makes terms of a word as it made those of the question.
func Highlight(text string, terms []string, width int, cut Terms) Excerpt {
	wanted := map[string]bool{}
	for _, t := range terms {
		wanted[t] = true
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, string(utf8.RuneError))), " ")
	runes := []rune(text)
	if width <= 0 && len(runes) <= wholeText {
		width = wholeText
	} else if width <= 0 {
		width = excerptWidth
	}
	hits := matches(text, wanted, cut)
	from, to := 0, len(runes)
	if len(runes) > width {
		from, to = densest(runes, hits, width)
	}
	e := Excerpt{Cut: to-from < len(runes)}
	if from > 0 {
		e.Text = ellipsis
	}
	at := func(k int) int { return len(e.Text) + len(string(runes[from:k])) }
	for _, h := range hits {
		if h.from >= from && h.to <= to {
			e.Spans = append(e.Spans, [2]int{at(h.from), at(h.to)})
		}
	}
	e.Text += string(runes[from:to])
	if to < len(runes) {
		e.Text += ellipsis
	}
	return e
}

// match is a word of a text that has wanted terms.
type match struct {
	from, to int
	terms    []string
}

func matches(text string, wanted map[string]bool, cut Terms) (hits []match) {
	const outside = -1
	runes, begin, first := 0, outside, 0 // characters so far; where a word began, in bytes and in characters
	end := func(at int) {
		if begin == outside {
			return
		}
		var found []string
		for _, t := range cut(text[begin:at]) {
			if wanted[t] {
				found = append(found, t)
			}
		}
		if found != nil {
			hits = append(hits, match{first, runes, found})
		}
		begin = outside
	}
	for at, r := range text {
		if !wordRune(r) {
			end(at)
		} else if begin == outside {
			begin, first = at, runes
		}
		runes++
	}
	end(len(text))
	return hits
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// densest is the part of a width that holds most different terms, then most of them; the first of equals. There is room
// for the marks that say that it was cut.
func densest(runes []rune, hits []match, width int) (from, to int) {
	room := max(width-2, 1)
	if len(hits) == 0 {
		return 0, fitWords(runes, 0, max(width-1, 1))
	}
	best, bestFirst, bestLast := -1, 0, 0
	for first := range hits {
		different, count, last := map[string]bool{}, 0, first
		for k := first; k < len(hits) && hits[k].to-hits[first].from <= room; k++ {
			for _, t := range hits[k].terms {
				different[t] = true
			}
			count++
			last = k
		}
		if score := len(different)*len(hits) + count; score > best && count > 0 {
			best, bestFirst, bestLast = score, first, last
		}
	}
	// What room is left goes mostly before the first, so that a sentence has its beginning.
	spare := room - (hits[bestLast].to - hits[bestFirst].from)
	from = max(hits[bestFirst].from-max(spare, 0)/2, 0)
	for from > 0 && from < hits[bestFirst].from && runes[from-1] != ' ' {
		from++
	}
	return from, fitWords(runes, from, room)
}

// fitWords is the end of as many whole words as fit; a word that is longer than all the room is cut.
func fitWords(runes []rune, from, room int) int {
	to := min(from+room, len(runes))
	if to == len(runes) || runes[to] == ' ' {
		return to
	}
	for k := to; k > from; k-- {
		if runes[k-1] == ' ' {
			return k - 1
		}
	}
	return to
}
