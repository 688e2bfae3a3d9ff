package wiring

import (
	"bytes"
	"regexp"
)

// Putting hebb into a file and taking it out again may leave a footprint: an indent, an empty line, a list that was empty. The footprint is what
// differs between the file as it was before hebb and that file with hebb put in and taken out.

// withoutFootprint undoes in text, a file out of which hebb was taken, the footprint that turned before into printed. What a
// person changed meanwhile stays as it is, and so does a footprint where the change touches it.
func withoutFootprint(text, before, printed []byte) []byte {
	now, was, with := tokens(text), tokens(before), tokens(printed)
	inText, inBefore := align(with, now), align(with, was)
	if inText == nil || inBefore == nil {
		return text
	}
	out := []byte{} // not nil: an empty file is a file
	at := 0         // in now
	for i, k := 0, 0; i <= len(with); {
		end := i
		for end < len(with) && inBefore[end] < 0 {
			end++
		}
		next := find(inBefore, end, len(was))
		// with[i:end] is the footprint; was[k:next] stood there before.
		if start, ok := locate(inText, i, end, len(now)); ok && (end > i || next > k) {
			out = append(append(out, join(now[at:start])...), join(was[k:next])...)
			at = start + end - i
		}
		i, k = end+1, next+1
	}
	return append(out, join(now[at:])...)
}

// locate finds tokens i to end of an aligned text in the other one: one after the other, and beside the neighbour that they had
// before them or behind them.
func locate(aligned []int, i, end, length int) (start int, ok bool) {
	before, behind := -1, find(aligned, end, length)
	if i > 0 {
		before = aligned[i-1]
	}
	if i == end {
		return behind, before+1 == behind && (i == 0 || before >= 0)
	}
	start = aligned[i]
	for n := i; n < end; n++ {
		if aligned[n] < 0 || aligned[n] != start+n-i {
			return 0, false
		}
	}
	return start, before+1 == start && (i == 0 || before >= 0) || start+end-i == behind
}

// find is where token i stands in the other text; its end for what follows the last one.
func find(aligned []int, i, end int) int {
	if i == len(aligned) {
		return end
	}
	return aligned[i]
}

// tokens cuts a text into words, line breaks and single characters.
func tokens(text []byte) [][]byte {
	return regexp.MustCompile(`(?s)\r?\n|[\pL\pN_]+|.`).FindAll(text, -1)
}

func join(tokens [][]byte) []byte { return bytes.Join(tokens, nil) }

// alignMost bounds the work of align: texts of some thousand tokens that differ at both ends.
const alignMost = 16 << 20

// align finds a longest common subsequence and returns for each token of a its index in b, -1 for those that b does not have.
// It returns nil where that takes too long.
func align(a, b [][]byte) []int {
	aligned := make([]int, len(a))
	first, last := 0, 0
	for first < min(len(a), len(b)) && bytes.Equal(a[first], b[first]) {
		aligned[first] = first
		first++
	}
	for last < min(len(a), len(b))-first && bytes.Equal(a[len(a)-1-last], b[len(b)-1-last]) {
		aligned[len(a)-1-last] = len(b) - 1 - last
		last++
	}
	rows, columns := a[first:len(a)-last], b[first:len(b)-last]
	width := len(columns) + 1
	if (len(rows)+1)*width > alignMost {
		return nil
	}
	longest := make([]int32, (len(rows)+1)*width) // of rows[i:] and columns[k:]
	for i := len(rows) - 1; i >= 0; i-- {
		for k := len(columns) - 1; k >= 0; k-- {
			if bytes.Equal(rows[i], columns[k]) {
				longest[i*width+k] = longest[(i+1)*width+k+1] + 1
			} else {
				longest[i*width+k] = max(longest[(i+1)*width+k], longest[i*width+k+1])
			}
		}
	}
	i, k := 0, 0
	for i < len(rows) {
		switch {
		case k < len(columns) && bytes.Equal(rows[i], columns[k]):
			aligned[first+i] = first + k
			i, k = i+1, k+1
		case k < len(columns) && longest[i*width+k+1] >= longest[(i+1)*width+k]:
			k++
		default:
			aligned[first+i] = -1
			i++
		}
	}
	return aligned
}
